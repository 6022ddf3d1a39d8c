# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# What a tracer of system calls may get wrong: checks that hold for every way into the kernel, as
# functions. They use the way that tr-attach chooses, or the one that `by` asks for, and trace all
# calls; by fentry, which is for lists, those that they are about.
#
#	by=(--way=fentry)
#	restarted_calls

by=()

# some CALL,...: the list of these calls as it is appended to an option, or nothing.
some() {
	[[ ${by[*]} != *fentry ]] || printf '=%s' "$1"
}

# count_and_stream CALL,...: the options to count and send these.
count_and_stream() {
	what=("${by[@]}" "--count$(some "$1")" "--syscalls$(some "$1")")
}

# A call that was under way at the start is left out, one at the end is still running.
call_under_way() {
	count_and_stream read,write
	mkfifo in
	exec 9<>in
	start cat <&9 >said
	target=$pid
	asleep "$target"
	attach "${what[@]}" --pid "$target"
	echo line >&9
	wait_for grep -q line said
	asleep "$target"
	detach
	# Of cat's read, write, read the first had begun, the last did not end.
	[ "$(records trace syscall '[.syscall, .ret, .why]')" = '["write",5,null]
["read",null,"still running"]' ]
	[ "$(records trace syscall .ns | tail -n 1)" = null ]
	[ "$(records trace count '[.syscall, .n]' | sort)" = '["read",1]
["write",1]' ]
	[ "$(end_of trace records)" = 4 ]
}

# Calls that never return have neither time nor result.
calls_that_never_return() {
	count_and_stream readv,exit_group
	tr-attach "${what[@]}" --command-stdout=3 -- "$(workload killed)" 3>said >trace || true
	[ "$(cat said)" = "readv 7" ]
	[ "$(records trace syscall 'select(.syscall == "exit_group") | [.ns, .ret, .why]')" = "[null,null,null]" ]
	[ "$(calls trace readv)" = 7 ]
	[ "$(records trace count 'select(.syscall == "readv") | .n')" = 7 ]
	# Those that died inside have no result: none, or the kernel's own word for "start it again".
	[ "$(records trace syscall 'select(.syscall == "readv" and .ret != null and .ret != -512)' | wc -l)" = 0 ]
	[ "$(tr-table --output json trace | jq 'select(.record == "syscall" and .syscall == "readv") | .errors')" = 0 ]
}

# A thread that is killed in a call ends its record.
killed_in_a_call() {
	count_and_stream clock_nanosleep,exit_group
	idle
	attach "${what[@]}" --pid "$idle"
	kill -KILL "$idle"
	run -0 finish "$attacher"
	# sleep's call was under way before
	[ "$(records trace syscall | wc -l)" = 0 ]
	[ "$(end_of trace records)" = 0 ]
}

# A number that is given out again does not bring the dead one's call along.
number_given_out_again() {
	count_and_stream read,getppid,exit_group
	need_root
	[ -w /proc/sys/kernel/ns_last_pid ] || skip "this kernel does not let one choose the next PID"
	# Processes killed in a call, and workloads that get their numbers.
	cat >reuse.sh <<-'SCRIPT'
		for i in 1 2 3 4 5; do
			echo 100 >/proc/sys/kernel/ns_last_pid
			tail -f /dev/null &
			dead=$!
			until grep -q '^State:.S' /proc/$dead/status; do :; done
			kill -KILL $dead
			wait $dead || true
			echo 100 >/proc/sys/kernel/ns_last_pid
			"$1" 11 3 >&2 &
			echo $dead $!
			wait $!
		done
	SCRIPT
	unshare --pid --fork --mount-proc "$TR_BIN/tr-attach" "${what[@]}" --command-stdout=3 -- \
		sh reuse.sh "$(workload calls)" 3>said >trace 2>err
	grep -qx '101 101' said # else nothing is tried here
	[ "$(calls trace getppid calls)" = 55 ]
	[ "$(records trace syscall 'select(.ns != null and .ns > .ts)' | wc -l)" = 0 ]
	records trace count '"\(.syscall) \(.n)"' | jq -r . |
		awk '{ n[$1] += $2 } END { for (name in n) print name, n[name] }' | sort >counted
	records trace syscall .syscall | jq -r . | sort | uniq -c | awk '{ print $2, $1 }' | diff counted -
}

# Restarted calls are shown as such, and are no errors.
restarted_calls() {
	local n

	tr-attach "${by[@]}" "--count$(some readv)" --syscalls=readv --command-stdout=3 -- "$(workload restart)" 3>said >trace
	n=$(sed -n 's/^restarted //p' said)
	[ "$n" = 7 ]
	[ "$(records trace syscall 'select(.ret == -512)' | wc -l)" = "$n" ]
	[ "$(calls trace readv)" = $((n + 1)) ]
	[ "$(records trace count 'select(.syscall == "readv") | .n' | jq -s add)" = $((n + 1)) ]
	[ "$(tr-table --output json trace | jq 'select(.record == "syscall" and .syscall == "readv") | .errors')" = 0 ]
	[ "$(tr-cat --format=text trace | grep -c 'retval=-512 (restarted)')" = "$n" ]
}

# A parent in vfork waits as long as its child takes.
parent_in_vfork() {
	tr-attach "${by[@]}" "--syscalls$(some vfork,nanosleep,exit_group)" --command-stdout=3 -- "$(workload vfork)" 3>said >trace
	[ "$(calls trace vfork)" = 19 ]
	[ "$(calls trace nanosleep)" = 19 ]
	[ "$(records trace syscall 'select(.syscall == "vfork" and .ns < 20000000)' | wc -l)" = 0 ]
	[ "$(calls trace exit_group)" = 20 ]
}

# Exec by another thread keeps the process in sight.
exec_by_another_thread() {
	count_and_stream getppid,execve
	ready "$(workload exec-thread)"
	attach "${what[@]}" --pid "$target"
	go
	run -0 finish "$attacher"
	[ "$(cat said)" = "ready $target $tids
getppid 1009" ]
	[ "$(calls trace getppid)" = 1009 ]
	[ "$(records trace syscall .pid | sort -u)" = "$target" ]
	[ "$(records trace syscall 'select(.syscall == "execve") | [.ret, .tid]')" = "[0,$target]" ]
	# by its number, the thread goes on under the process's
	ready "$(workload exec-thread)"
	attach "${by[@]}" "--syscalls$(some getppid)" --follow --tid "$tids"
	go
	wait_for gone "$target"
	run -0 finish "$attacher" || detach
	[ "$(calls trace getppid)" = 1009 ]
}

# 32-bit calls go by their own names.
calls_of_32_bit() {
	count_and_stream getpid,writev
	"$(workload i386)" >said || skip "no 32-bit calls here"
	tr-attach "${what[@]}" -- "$(workload i386)" >trace 2>said
	[ "$(calls trace i386:getpid)" = 1009 ]
	[ "$(records trace count 'select(.syscall == "i386:getpid") | .n')" = 1009 ]
	[ "$(calls trace writev)" = 0 ]
	# A plain name means the call by any road, one with the road only that.
	tr-attach "${by[@]}" --syscalls=getpid -- "$(workload i386)" >trace 2>said
	[ "$(calls trace i386:getpid)" = 1009 ]
	[ "$(calls trace getpid)" = 1 ]
	tr-attach "${by[@]}" --syscalls=i386:getpid -- "$(workload i386)" >trace 2>said
	[ "$(records trace syscall .syscall | sort -u)" = '"i386:getpid"' ]
}

# A signal's handler ends with a call that goes back to where the signal came.
returns_from_signals() {
	count_and_stream rt_sigreturn,readv
	tr-attach "${what[@]}" --command-stdout=3 -- "$(workload restart)" 3>said >trace
	[ "$(calls trace rt_sigreturn)" = "$(sed -n 's/^restarted //p' said)" ]
	[ "$(calls trace rt_sigreturn)" = \
		"$(records trace count 'select(.syscall == "rt_sigreturn") | .n' | jq -s add)" ]
}

# A new thread comes from the call that its creator is in, and ends none.
threads_that_are_created() {
	count_and_stream clone,clone3
	tr-attach "${what[@]}" --command-stdout=3 -- "$(workload calls)" 211 8 3>said >trace
	[ "$(records trace syscall 'select((.syscall | startswith("clone")) and .ret > 0)' | wc -l)" = 7 ]
	[ "$(records trace syscall 'select(.syscall | startswith("clone"))' | wc -l)" = \
		"$(records trace count 'select(.syscall | startswith("clone")) | .n' | jq -s add)" ]
}
