# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --events: what it says of scheduling and of processes, against what the kernel tells the
# threads and their parents themselves.

load helper
load tracing

# "tid blocked others ran queued" of each thread of trace FILE, up to the last signal SIGURG that it
# sent itself, as naps has it.
naps_seen() {
	tr-cat --format=json "$1" | jq -r -s '
		map(select(.tid)) | group_by(.tid)[] |
		(map(select(.type == "signal" and .signal == 23)) | last.ts) as $last | select($last) |
		map(select(.ts < $last)) |
		[.[0].tid, (map(select(.type == "switch" and .state == "blocked")) | length),
			(map(select(.type == "switch" and .state != "blocked")) | length),
			(map(select(.type == "switch").ns // 0) | add),
			(map(select(.type == "run").queued // 0) | add)] | map(tostring) | join(" ")' | sort
}

# The same from what naps said.
naps_said() {
	sed -E 's/tid=([0-9]+) marks=[0-9]+ blocked=([0-9]+) others=([0-9]+) ran_ns=([0-9]+) queued_ns=([0-9]+)/\1 \2 \3 \4 \5/' "$1" | sort
}

# near A B: each number of line N of B is that of A, give or take a twentieth and 2 ms.
near() {
	paste -d ' ' "$1" "$2" | awk '
		function differs(x, y) { d = x - y; if (d < 0) d = -d; return d > x / 20 + 2000000 }
		differs($4, $9) || differs($5, $10) { print "differs: " $0; bad = 1 }
		END { exit bad || !NR }'
}

# bats test_tags=kernels
@test "every switch of every thread is there once, and why it left" {
	need_bpf
	tr-attach --events=switch,run,signal --command-stdout=3 -- "$(workload naps)" 4 53 -1 100 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
	naps_said said | cut -d ' ' -f 1-3 >expected
	[ "$(wc -l <expected)" = 4 ]
	naps_seen trace | cut -d ' ' -f 1-3 | diff expected -
	# alone as well, from the first turn of each thread on
	tr-attach --events=switch,signal --command-stdout=3 -- "$(workload naps)" 4 53 -1 100 3>said >trace
	naps_said said | cut -d ' ' -f 1-3 >expected
	naps_seen trace | cut -d ' ' -f 1-3 | diff expected -
	[ "$(records trace switch 'select(.ns == null)' | wc -l)" -le 1 ]
	# a thread may go on for a moment after its process's end is known
	[ "$(records trace switch 'select(.state == "exiting")' | wc -l)" -ge 1 ]
}

@test "threads that share a CPU ran and queued for as long as the kernel says" {
	need_bpf
	tr-attach --events=switch,run,signal --command-stdout=3 -- "$(workload naps)" 3 11 0 5000 3>said >trace
	naps_said said >expected
	naps_seen trace >got
	cut -d ' ' -f 1-3 expected | diff - <(cut -d ' ' -f 1-3 got)
	near expected got
	# they could not run at the same time
	[ "$(awk '{ n += $5 } END { print (n > 50000000) }' got)" = 1 ]
	# off a CPU for as long as it took from one to the next
	tr-cat --format=json trace | jq -s -e '
		map(select(.type == "run" or .type == "switch")) | group_by(.tid) | all(
			. as $all | [range(1; length)] | all(
				$all[.] as $now | $all[. - 1] as $before |
				$now.ns == null or $now.ns == $now.ts - $before.ts or $now.state == "new"))'
}

@test "off-CPU and run-queue times become histograms" {
	need_bpf
	tr-attach --events=run -- "$(workload naps)" 2 101 -1 10 >trace
	tr-hist --where 'state == "blocked" && comm == "naps"' --output json trace >off
	# each nap is 100 us at least; one more is the wait for the threads
	jq -e -s 'map(.count) | add >= 202' off
	tr-hist --value queued --output json trace | jq -e -s 'map(.count) | add > 202'
}

# bats test_tags=kernels
@test "a thread that yields goes by itself, one that computes is sent away" {
	need_bpf
	cat >two.sh <<-'END'
		taskset -c 0 "$1" 2 1 -1 100000 >&2
	END
	tr-attach --events=switch -- sh two.sh "$(workload naps)" 2>/dev/null >trace
	[ "$(records trace switch 'select(.comm == "naps" and .state == "preempted")' | wc -l)" -gt 2 ]
	[ "$(records trace switch 'select(.state == "voluntary")' | wc -l)" = 0 ]
	tr-attach --events=switch -- taskset -c 0 "$(workload yields)" 503 >trace
	# how often another thread gets its turn then is the scheduler's business
	[ "$(records trace switch 'select(.comm == "yields" and .state == "voluntary")' | wc -l)" -gt 0 ] ||
		[ "$(uname -r | awk -F . '{ print ($1 * 1000 + $2 < 5015) }')" = 1 ] # they can't tell
}

@test "who wakes a reader is its writer, as often as it writes" {
	need_bpf
	tr-attach --events=wakeup,fork -- "$(workload waits)" 7 2>/dev/null >trace
	# a writer for each read, that writes when the reader sleeps; four sleeps more each time
	tr-cat --format=json trace | jq -s -e '
		map(select(.type == "fork")) as $forks | $forks[0].pid as $reader | ($forks | map(.child_pid)) as $writers |
		map(select(.type == "wakeup" and .pid == $reader)) |
		($writers | length) == 7 and
		($writers | all(. as $writer | any($all[]; .waker_pid == $writer))) and
		(map(select(.waker_pid as $waker | $writers | index($waker) | not)) | length) >= 28' --argjson all "$(records trace wakeup | jq -s .)"
}

@test "a thread that moves itself from CPU to CPU is seen to, each time" {
	need_bpf
	[ "$(nproc)" -gt 1 ] || skip "one CPU"
	tr-attach --events=migrate --command-stdout=3 -- "$(workload moves)" 101 3>said >trace
	records trace migrate 'select(.comm == "moves") | "\(.from_cpu) \(.cpu)"' | tr -d '"' |
		awk 'NR > 1 && $1 != last { exit 1 } { last = $2 }'
	[ "$(records trace migrate 'select(.comm == "moves")' | wc -l)" -ge "$(cat said)" ]
}

# bats test_tags=kernels
@test "every child is created, runs its program and ends once, as its parent sees it" {
	need_bpf
	tr-attach --events=proc --command-stdout=3 -- "$(workload family)" 31 3>said >trace
	local lost

	lost=$(end_of trace lost)
	[ "$lost" = 0 ] || may_lose
	sed -E 's/pid=([0-9]+) status=([0-9]+) signal=([0-9]+) peak=([0-9]+).*/\1 \2 \3 \4/' said | sort >expected
	[ "$(wc -l <expected)" = 31 ]
	records trace exit '"\(.pid) \(.status) \(.signal) \(.peak)"' | tr -d '"' | sort >got
	# the parent itself as well
	[ "$(comm -13 expected got | wc -l)" -le 1 ]
	cut -d ' ' -f 1 expected >children
	records trace fork .child_pid | sort >forked
	[ "$(comm -13 children forked | wc -l)" = 0 ]
	# every third ran /bin/true, and the parent its own program
	[ "$(records trace exec 'select(.path != "/bin/true")' | wc -l)" -le 1 ]
	((31 + 1 + 31 + 11 + 1 - lost <= $(cat got forked <(records trace exec .path) | wc -l)))
	((31 + 1 + 31 + 11 + 1 >= $(cat got forked <(records trace exec .path) | wc -l)))
	# each in this order, all in the order of time
	tr-cat --format=json trace | jq -s -e '
		map(select(.ts and .type)) | (map(.ts) | . == sort) and (
			[.[] | select(.type == "fork")] | length > 0)'
	tr-cat --format=json trace | jq -r '
		if .type == "fork" then "\(.child_pid) 1" elif .type == "exec" then "\(.pid) 2"
		elif .type == "exit" then "\(.pid) 3" else empty end' | sort -s -k 1,1 | sort -c -k 1,1 -k 2,2n
}

# bats test_tags=kernels
@test "what a process took is what its parent is told" {
	need_bpf
	tr-attach --events=exit --command-stdout=3 -- "$(workload family)" 31 3>said >trace
	records trace exit '"\(.pid) \(.cpu_ns) \(.ns)"' | tr -d '"' | sort >got
	sed -E 's/pid=([0-9]+) .* cpu_us=([0-9]+) lived_us=([0-9]+)/\1 \2 \3/' said | sort |
		join - got | awk '
			# it runs on for a moment, and may wait for its turn, after its parent was told
			{ late = $4 / 1000 - $2; if (late < -20 || late > 500 + $2 / 50 || $5 < $4) bad = 1 }
			$5 / 1000 > $3 + 1000000 { bad = 1 }
			bad { print; exit 1 }
			END { exit bad || NR + lost < 31 }' lost="$(end_of trace lost)"
	[ "$(end_of trace lost)" = 0 ] || may_lose
}

@test "system calls and events of the same processes are all there" {
	need_bpf
	tr-attach --count --events=proc -- "$(workload family)" 31 2>/dev/null >trace
	[ "$(records trace exit | wc -l)" = 32 ]
	[ "$(records trace fork | wc -l)" = 31 ]
	records trace count 'select(.syscall == "wait4") | .n' | jq -s -e 'add == 31'
}

@test "a thread that takes its process over in execve stays itself" {
	need_bpf
	ready "$(workload exec-thread)"
	attach --events=switch,run,exec,exit --pid "$target"
	go
	run -0 finish "$attacher"
	[ "$(records trace exec | wc -l)" = 1 ]
	[ "$(records trace exit | wc -l)" = 1 ]
	# both of its threads leave for good
	[ "$(records trace switch 'select(.state == "exiting")' | wc -l)" = 2 ]
	tr-cat --format=json trace | jq -s -e 'map(select(.type == "run" and .ns > .ts and .state != "blocked")) | length == 0'
}

@test "with a condition a thread is there while it meets it, no longer" {
	need_bpf
	tr-attach --comm sh --events=sched --follow -- sh -c 'for i in 1 2 3; do /bin/true; done; :' >trace
	[ "$(records trace run .comm | sort -u)" = '"sh"' ]
	[ "$(records trace wakeup 'select(.comm != "sh")' | wc -l)" = 0 ]
	records trace switch .comm | sort -u | grep -qx '"sh"'
}

@test "in a PID namespace threads go by its numbers, to their end" {
	need_bpf
	need_root
	unshare --pid --fork --mount-proc "$TR_BIN/tr-attach" --events=switch,exit,fork -- \
		"$(workload naps)" 4 5 -1 10 2>/dev/null >trace
	records trace fork 'select(.pid == .child_pid) | .child_tid' | sort >threads
	[ "$(wc -l <threads)" = 4 ]
	records trace switch 'select(.state == "exiting" and .tid != .pid) | .tid' | sort >ended
	[ -s ended ]
	[ "$(comm -13 threads ended | wc -l)" = 0 ]
	[ "$(records trace switch 'select(.pid == 0 or .tid == 0)' | wc -l)" = 0 ]
}

@test "a process of many threads ends once" {
	need_bpf
	tr-attach --events=exit,fork -- "$(workload naps)" 16 2 -1 10 >trace
	[ "$(records trace exit | wc -l)" = 1 ]
	[ "$(records trace fork 'select(.child_pid == .pid)' | wc -l)" = 16 ]
	tr-attach --events=exit -- "$(workload killed)" 2>said >trace || true
	[ "$(records trace exit .status)" = 5 ]
	[ "$(end_of trace lost)" = 0 ]
}

@test "of thousands of short processes each is created, runs its program and ends once" {
	need_bpf
	tr-attach --events=fork,exit,exec -- "$(workload spawn)" 3001 2>/dev/null >trace
	[ "$(end_of trace lost)" = 0 ]
	[ "$(records trace fork | wc -l)" = 3001 ]
	[ "$(records trace exit | wc -l)" = 3002 ]
	[ "$(records trace exec | wc -l)" = 3002 ]
}

@test "what finds no room in the ring is counted" {
	need_bpf
	local n lost
	read_late signal signals 200003
	n=$(records trace signal 'select(.signal == 23)' | wc -l)
	lost=$(end_of trace lost)
	echo "$n $lost"
	# and the shell hears of its child's end
	[ $((n + lost)) = 200003 ] || [ $((n + lost)) = 200004 ]
	[ "$lost" -gt 0 ]
}

# bats test_tags=kernels
@test "arguments are whole, odd bytes and all, or marked where cut" {
	need_bpf
	local long odd

	odd=$(printf 'a"b\n\xff\xc3;d')
	long=$(printf '%*s' 5000 '' | tr ' ' x)
	tr-attach --events=exec -- sh -c '/bin/true "$1" "" last; exec /bin/true "$2"' sh "$odd" "$long" >trace
	tr-cat --format=json trace | grep -F '"argv":"/bin/true\u0000a\"b\n\udcff\udcc3;d\u0000\u0000last"'
	records trace exec .argv | tail -n 1 | jq -e '(endswith("x…")) and (length == 4097)'
}

# bats test_tags=kernels
@test "the smallest ring has room for every program that is run" {
	need_bpf
	tr-attach --events=exec --buffer-size 1 -- sh -c '/bin/true; /bin/true' 2>err >trace
	grep -qx 'tr-attach: --buffer-size: 32768 bytes, the next size that a ring can have' err
	[ "$(records trace exec | wc -l)" = 3 ]
	[ "$(end_of trace lost)" = 0 ]
}

@test "a signal has who sent it, to whom, and what became of it" {
	need_bpf
	cat >sends.sh <<-'END'
		trap '' USR2
		trap : USR1
		tail -f /dev/null &
		until read -r name </proc/$!/comm && [ "$name" = tail ]; do :; done
		for i in 1 2 3 4 5 6 7; do kill -USR1 $$; kill -USR2 $$; done
		kill $!
		wait $! || :
	END
	tr-attach --events=signal,fork -- bash sends.sh 2>/dev/null >trace
	child=$(records trace fork .child_pid)
	records trace signal 'select(.signal == 10) | .result' | sort | uniq -c | grep -qx ' *7 "delivered"'
	records trace signal 'select(.signal == 12) | .result' | sort | uniq -c | grep -qx ' *7 "ignored"'
	[ "$(records trace signal "select(.signal == 15 and .to_pid == $child)" | wc -l)" = 1 ]
	tr-cat --format=text trace | grep -E ' SIGNAL +bash [0-9]+ +SIGTERM -> tail [0-9]+, delivered$'
}

@test "a process stands for its threads; children are there with --follow" {
	need_bpf
	mkfifo go
	start sh -c 'read -r line <go; exec "$0" 4 11 -1 10 >/dev/null' "$(workload naps)"
	target=$pid
	attach --events=switch,exit --pid "$target"
	echo >go
	run -0 finish "$attacher"
	pid=$target
	[ "$(records trace switch 'select(.state == "blocked")' | jq .tid | sort -u | wc -l)" -ge 5 ]
	[ "$(records trace switch .pid | sort -u)" = "$pid" ]
}

@test "events read well, on a terminal with colours, unless NO_COLOR says otherwise" {
	need_bpf
	tr-attach --events=exec,exit --command-stdout=3 -- sh -c 'exit 3' 3>/dev/null >trace || true
	tr-cat --format=text trace | grep -E '^[0-9]\.[0-9]{9} EXEC +sh [0-9]+ +sh -c exit 3  \(/(usr/)?bin/sh\)$'
	tr-cat --format=text trace | grep -E ' EXIT +sh [0-9]+ +status 3, lived [0-9.]+ [mu]?s, ran [0-9.]+ [mu]?s, peak [0-9.]+ [KM]iB$'
	tr-cat --format=json trace | tr-cat --format=text | diff - <(tr-cat --format=text trace)
	NO_COLOR='' TERM=xterm script -qec 'tr-cat trace' /dev/null </dev/null >coloured
	grep -q $'\e\\[1;36mEXEC' coloured
	NO_COLOR=1 TERM=xterm script -qec 'tr-cat trace' /dev/null </dev/null >plain
	run ! grep -q $'\e' plain
	NO_COLOR='' TERM=dumb script -qec 'tr-cat trace' /dev/null </dev/null >plain
	run ! grep -q $'\e' plain
}

# bats test_tags=kernels
@test "all events of several processes on all CPUs come in the order of time, each once" {
	need_bpf
	cat >several.sh <<-'END'
		for i in 1 2 3 4 5; do
			"$1" 17 >/dev/null &
			cat /etc/passwd | sort | wc -l >out.$i &
		done
		wait
	END
	tr-attach --events=all -- sh several.sh "$(workload family)" >trace
	tr-cat --format=json trace | grep '^{"type"' >records
	[ "$(wc -l <records)" -gt 500 ]
	jq .ts records | sort -c -n
	[ "$(sort -u records | wc -l)" = "$(wc -l <records)" ]
	# of every class
	for type in mmap switch open fork exit; do grep -q "\"type\":\"$type\"" records; done
	[ "$(end_of trace records)" = "$(wc -l <records)" ]
}

@test "events have times as clocks have them, on request" {
	need_bpf
	before=$(date +%s%N)
	tr-attach --events=exec -- true >trace
	after=$(date +%s%N)
	at=$(tr-cat --format=text --time=iso trace | sed -n 's/ EXEC .*//p')
	at=$(date -d "$at" +%s%N)
	[ "$before" -le "$at" ]
	[ "$at" -le "$after" ]
	tr-cat --format=text --time=clock trace | grep -E '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ EXEC '
	tr-cat --format=text --time=delta trace | grep -E '^[ +0-9.]+ EXEC '
}

@test "events that there are not, and what does not go with them, is one line" {
	run -2 --separate-stderr tr-attach --events=swich --pid 1
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == *"--events swich: no such events; did you mean switch? there are all, mem (mmap, munmap,"* ]]
	run -2 --separate-stderr tr-attach --events=proc --where 'pid == 1' --pid 1
	[[ $stderr == *"tr-cat --where"* ]]
	run -2 --separate-stderr tr-attach --events= --pid 1
	[[ $stderr == *"a name is missing; there are all, "* ]]
	run -2 --separate-stderr tr-attach --events=file: --pid 1
	[[ $stderr == *"no such events"* ]]
	run -2 --separate-stderr tr-attach --events --pid 1
	run -2 --separate-stderr tr-attach --events=proc --way=raw_tp --pid 1
	[[ $stderr == *"--way is for system calls"* ]]
}
