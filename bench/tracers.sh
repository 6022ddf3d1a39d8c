# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# For bench/run: the sections about tracing a process, tools/tr-attach beside others.

# start COMMAND: a tracer or a pipeline, as a process group of its own, so that it has its signals
# as a terminal would leave them; a second later it is at work.
start() {
	set -m
	taskset -c "$cpus" nice -n -20 bash -c "${1//PID/$traced}" \
		</dev/null >/dev/null 2>messages 3>&- 4<&- &
	set +m
	group=$!
	sleep 1
}

# Ctrl-C, and the end of it.
stop() {
	local i

	kill -INT -- "-$group" 2>/dev/null || true
	for ((i = 0; i < 300; i++)); do
		kill -0 -- "-$group" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL -- "-$group" 2>/dev/null || true
	wait "$group" 2>/dev/null || true
	group=''
}

# resident COMMAND: MiB of memory at its peak and now.
resident() {
	local its_pid

	its_pid=$(pgrep -o -x -g "$group" -- "${1%% *}") || its_pid=$group
	awk '/^VmHWM/ { peak = $2 } /^VmRSS/ { printf "%.2f\t%.2f\n", peak / 1024, $2 / 1024 }' \
		"/proc/$its_pid/status" 2>/dev/null
}

# begin_target [open]: the target: sets pid, and traced. round CALLS [RATE] prints ns per call and
# calls per second.
begin_target() {
	coproc { exec nice -n -20 calls "$@"; }
	pid=$COPROC_PID traced=$COPROC_PID
	exec 3>&"${COPROC[1]}" 4<&"${COPROC[0]}"
}

round() {
	local result

	echo "$@" >&3
	read -r result <&4
	echo "$result"
}

end_target() {
	exec 3>&- 4<&-
	kill "$pid"
	wait "$pid" 2>/dev/null || true
}

# others_trace: someone else does, which makes every call dearer.
others_trace() {
	local its_pid

	for its_pid in $(pgrep -x "$tracers" 2>/dev/null); do
		pgrep -g "${group:-$$}" | grep -qx "$its_pid" || return 0
	done
	return 1
}

# measure COMMAND CALLS: sets line; fails when others traced meanwhile, or the tracer ended by itself.
# The command none is no tracer.
measure() {
	local i ns sizes='0\t0' valid=1

	for ((i = 0; i < 300; i++)); do
		others_trace || break
		sleep 0.1
	done
	[ "$1" = none ] || start "$1"
	ns=$(round "$2")
	[ "$1" = none ] || sizes=$(resident "$1") || valid=0
	line=$(printf "%s\t%s\t$sizes" "$1" "${ns% *}")
	! others_trace || valid=0
	[ "$1" = none ] || stop
	rm -f trace
	[ "$valid" = 1 ]
}

# trace [WHAT [SHARE]]: lines "EVERY SHARE COMMAND" on stdin: each EVERY-th round, with so small a share
# of the calls, SHARE when there is no tracer. What is traced is the target, or, when that is a
# bystander, a process that sleeps.
trace() {
	local lines each every share command line r sleeper='' untraced=${2:-1}

	mapfile -t lines
	if [ "${1:-}" = bystander ]; then
		begin_target
		sleep infinity &
		sleeper=$! traced=$!
	else
		begin_target ${1:+"$1"}
	fi
	for ((r = 0; r < rounds; r++)); do
		for each in "1 $untraced none" "${lines[@]}"; do
			read -r every share command <<<"$each"
			[ $((r % every)) = 0 ] || continue
			[ "$command" = none ] || installed "$command" || continue
			for _ in 1 2 3; do
				measure "$command" $((calls / share)) || continue
				printf '%s\n' "$line"
				break
			done
		done
	done >results
	end_target
	[ -z "$sleeper" ] || kill "$sleeper"
	head_of tracer 'ns per call' added 'x minimal' 'MiB at peak' 'at the end'
	awk -F '\t' -v OFS='\t' '
		$1 == "none" { untraced = $2 }
		untraced { print $1, $2, $2 - untraced, $3, $4 }' results |
		awk -f "$top/bench/median.awk" |
		awk -F '\t' -v OFS='\t' '
			/^minimal/ { minimal = $3 }
			{ print $1, $2, $3, minimal ? $3 / minimal : 0, $4, $5 }' |
		rows '| %.0f | %.0f | %.2f | %.1f | %.1f'
	tell_absent
}

count() {
	printf '\n## Counting the system calls of a process\n\n'
	trace <<-END
		1 1 minimal count PID
		1 1 tr-attach --count --pid PID
		9 1 perf stat -e raw_syscalls:sys_enter -p PID
		9 1 bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @[args->id] = count(); }'
		9 1 ${syscount:-syscount} -p PID
		9 100 perf trace -s -o /dev/null -p PID
		9 200 strace -c -o /dev/null -p PID
	END
}

syscalls() {
	printf '\n## Sending each system call of a process\n\n'
	trace <<-END
		1 1 minimal stream PID
		1 1 tr-attach --syscalls --pid PID >trace
		1 1 tr-attach --syscalls --pid PID | tr-table
		9 20 bpftrace -e 'tracepoint:raw_syscalls:sys_exit /pid == PID/ { printf("%d %s %d %d %d\n", nsecs, comm, tid, args->id, args->ret); }'
		9 100 perf trace -o /dev/null -p PID
		9 200 strace -ttt -T -o /dev/null -p PID
	END
}

summary() {
	printf '\n## Adding up the times of the system calls of a process\n\n'
	trace <<-END
		1 1 minimal summary PID
		1 1 tr-attach --summary --pid PID
		1 1 tr-attach --count --per-process --pid PID
		1 1 tr-attach --summary --per-process --pid PID
		9 1 bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @s[tid] = nsecs; } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { @[args->id] = stats(nsecs - @s[tid]); delete(@s[tid]); }'
		9 1 ${syscount:-syscount} -L -p PID
		9 100 perf trace -s -o /dev/null -p PID
		9 200 strace -c -w -o /dev/null -p PID
	END
}

# Times in buckets: of all calls, of one, and what the target's other calls pay for one.
latency() {
	local nr

	printf '\n## Histograms of the times of the system calls of a process\n\n'
	trace <<-END
		1 1 minimal latency PID
		1 1 tr-attach --latency --pid PID
		1 1 tr-attach --latency --per-process --pid PID
		9 1 bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @s[tid] = nsecs; } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { @[args->id] = hist(nsecs - @s[tid]); delete(@s[tid]); }'
		9 1 ${syscount:-syscount} -L -p PID
		9 100 perf trace -s -o /dev/null -p PID
	END
	nr=$(awk -F '\t' '$2 == "getppid" { print $1; exit }' "$build/share/tracery/syscalls")
	printf '\n## A histogram of one of its calls\n\n'
	trace <<-END
		1 1 minimal latency PID $nr
		1 1 tr-attach --latency=getppid --pid PID
		9 1 bpftrace -e 'tracepoint:syscalls:sys_enter_getppid /pid == PID/ { @s[tid] = nsecs; } tracepoint:syscalls:sys_exit_getppid /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s[tid]); }'
		9 100 perf trace -e getppid -s -o /dev/null -p PID
	END
	nr=$(awk -F '\t' '$2 == "read" { print $1; exit }' "$build/share/tracery/syscalls")
	printf '\n## What its other calls pay for that\n\n'
	trace <<-END
		1 1 minimal latency PID $nr
		1 1 tr-attach --latency=read --pid PID
		9 1 bpftrace -e 'tracepoint:syscalls:sys_enter_read /pid == PID/ { @s[tid] = nsecs; } tracepoint:syscalls:sys_exit_read /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s[tid]); }'
		9 1 perf trace -e read -s -o /dev/null -p PID
	END
}

args() {
	printf '\n## Sending each openat of a process, with its path\n\n'
	trace open <<-END
		1 1 minimal stream PID
		1 1 tr-attach --syscalls --pid PID >trace
		1 1 tr-attach --args --pid PID >trace
		9 20 bpftrace -e 'tracepoint:syscalls:sys_enter_openat /pid == PID/ { @p[tid] = args->filename; } tracepoint:syscalls:sys_exit_openat /@p[tid]/ { printf("%d %s %s %d\n", nsecs, comm, str(@p[tid]), args->ret); delete(@p[tid]); }'
		9 100 perf trace -e openat -o /dev/null -p PID
		9 200 strace -e trace=openat -T -o /dev/null -p PID
	END
}

# Looking for calls that are slow or fail; getppid never is and never does. The sums grow operator by
# operator, to tell what one takes.
where() {
	local sum=ret i

	printf '\n## Selecting few of the system calls of a process\n\n'
	{
		cat <<-END
			1 1 minimal stream PID
			1 1 tr-attach --syscalls --pid PID >trace
			1 1 tr-attach --where 'ns > 1s' --pid PID >trace
			1 1 tr-attach --where 'ret < 0 && ns > 1s' --pid PID >trace
			1 1 tr-attach --where 'ns > 1s || ret < 0' --pid PID >trace
			1 1 tr-attach --where 'comm == "nobody"' --pid PID >trace
			1 1 tr-attach --where 'path ~ "*.conf"' --pid PID >trace
			1 1 tr-attach --summary --where 'ns > 1s' --pid PID
			1 1 tr-attach --count --where 'syscall == "openat"' --pid PID
			9 1 bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @s[tid] = nsecs; } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { if (nsecs - @s[tid] > 1000000000) { printf("%d %d\n", args->id, args->ret); } delete(@s[tid]); }'
			9 100 perf trace --duration 1000 -o /dev/null -p PID
			9 200 strace -Z -T -o /dev/null -p PID
		END
		for ((i = 1; i <= 32; i++)); do
			sum="$sum + 1"
			case $i in 1 | 8 | 16 | 32) echo "1 1 tr-attach --where '$sum == 0' --pid PID >trace" ;; esac
		done
	} | trace
	printf '\n## ... and of openat, by its path of 41 bytes\n\n'
	trace open <<-END
		1 1 minimal stream PID
		1 1 tr-attach --args --pid PID >trace
		1 1 tr-attach --args --where 'path ~ "*.conf"' --pid PID >trace
		1 1 tr-attach --args --where 'path == "/no/such/path"' --pid PID >trace
		1 1 tr-attach --args --where 'ns > 1s && path ~ "*.conf"' --pid PID >trace
	END
}

# What it costs those who are not traced.
bystander() {
	printf '\n## What a bystander pays\n\n'
	trace bystander <<-END
		1 1 minimal count PID
		1 1 tr-attach --count --pid PID
		1 1 tr-attach --summary --pid PID
		1 1 tr-attach --latency --pid PID
		1 1 tr-attach --latency=read --pid PID
		1 1 tr-attach --syscalls --pid PID
		1 1 tr-attach --args --pid PID
		1 1 tr-attach --count --follow --pid PID
		1 1 tr-attach --summary --follow --pid PID
		1 1 tr-attach --count --comm nobody
		1 1 tr-attach --count --uid 12345
		1 1 tr-attach --count --cgroup $1
		9 1 perf stat -e raw_syscalls:sys_enter -p PID
		9 1 bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @[args->id] = count(); }'
		9 1 ${syscount:-syscount} -p PID
		9 1 perf trace -s -o /dev/null -p PID
		9 1 strace -c -o /dev/null -p PID
	END
}

# In a cgroup where nobody is.
stacks() {
	printf '\n## Sending each system call of a process, with its stack\n\n'
	trace <<-END
		1 10 minimal stream PID
		1 10 tr-attach --syscalls --pid PID >trace
		1 10 tr-attach --stacks --pid PID >trace
		1 10 tr-attach --stacks=kernel --pid PID >trace
		1 10 tr-attach --stacks=both --pid PID >trace
		1 50 bpftrace -e 'tracepoint:raw_syscalls:sys_exit /pid == PID/ { printf("%d %s %d %d %d %s\n", nsecs, comm, tid, args->id, args->ret, ustack()); }'
		1 50 bpftrace -e 'tracepoint:raw_syscalls:sys_exit /pid == PID/ { @[ustack()] = count(); }'
		1 10 perf record -e raw_syscalls:sys_exit --call-graph fp -o /dev/null -p PID
	END
}

# A call is two switches, to the target's partner and back.
switches() {
	printf '\n## Sending each switch of a process\n\n'
	trace yield <<-END
		1 4 minimal switch PID
		1 4 tr-attach --events=switch --pid PID >trace
		1 4 tr-attach --events=run --pid PID >trace
		1 4 tr-attach --events=sched --pid PID >trace
		9 40 bpftrace -e 'tracepoint:sched:sched_switch /args->prev_pid == PID/ { printf("%d %s %d %s %d %d\n", nsecs, args->prev_comm, args->prev_pid, args->next_comm, args->next_pid, args->prev_state); }'
		9 4 bpftrace -e 'tracepoint:sched:sched_switch { if (args->next_pid == PID) { @on = nsecs; } else if (args->prev_pid == PID) { @ns = hist(nsecs - @on); } }'
		9 4 runqlat -p PID
		9 4 perf record -e sched:sched_switch -o /dev/null -p PID
		9 40 perf trace --no-syscalls -e sched:sched_switch -o /dev/null -p PID
	END
}

signals() {
	printf '\n## Sending each signal that a process sends\n\n'
	trace signal <<-END
		1 4 minimal signal PID
		1 4 tr-attach --events=signal --pid PID >trace
		9 40 bpftrace -e 'tracepoint:signal:signal_generate /pid == PID/ { printf("%d %s %d %d %d %d\n", nsecs, comm, pid, args->sig, args->pid, args->result); }'
		9 4 perf record -e signal:signal_generate -o /dev/null -p PID
		9 40 perf trace --no-syscalls -e signal:signal_generate -o /dev/null -p PID
		9 100 strace -e trace=kill -o /dev/null -p PID
	END
}

opens() {
	printf '\n## Sending each file that a process opens\n\n'
	trace file 4 <<-END
		1 4 minimal open PID
		1 4 tr-attach --events=open --pid PID >trace
		1 4 tr-attach --events=file --pid PID >trace
		1 4 tr-attach --syscalls=openat --args --pid PID >trace
		9 40 opensnoop -p PID
		9 40 bpftrace -e 'tracepoint:syscalls:sys_enter_openat /pid == PID/ { @p[tid] = args->filename; } tracepoint:syscalls:sys_exit_openat /@p[tid]/ { printf("%d %s %s %d\n", nsecs, comm, str(@p[tid]), args->ret); delete(@p[tid]); }'
		9 100 perf trace -e openat -o /dev/null -p PID
		9 200 strace -e trace=openat -y -o /dev/null -p PID
	END
}

faults() {
	printf '\n## Sending each page fault of a process\n\n'
	trace fault 4 <<-END
		1 4 minimal fault PID
		1 4 tr-attach --events=fault --pid PID >trace
		9 40 bpftrace -e 'software:page-faults:1 /pid == PID/ { printf("%d %s\n", nsecs, comm); }'
		9 40 perf trace -F all --no-syscalls -o /dev/null -p PID
		9 4 perf record -e minor-faults -c 1 -d -o /dev/null -p PID
	END
}

# Most of what such a call takes is the new program's beginning.
execs() {
	printf '\n## Sending each program that a process runs\n\n'
	trace exec 400 <<-END
		1 400 minimal exec PID
		1 400 tr-attach --events=exec --follow --pid PID >trace
		1 400 tr-attach --events=proc --follow --pid PID >trace
		9 400 execsnoop
		9 400 bpftrace -e 'tracepoint:syscalls:sys_enter_execve { join(args->argv); }'
		9 400 perf trace -e execve -o /dev/null -p PID
		9 2000 strace -f -e trace=execve -o /dev/null -p PID
	END
}

connects() {
	printf '\n## Sending each connection of a process, one that is refused\n\n'
	trace connect 40 <<-END
		1 40 minimal connect PID
		1 40 tr-attach --events=connect --pid PID >trace
		1 40 tr-attach --events=net --pid PID >trace
		9 40 bpftrace -e 'tracepoint:sock:inet_sock_set_state { if (args->newstate == 2) { @s[args->skaddr] = nsecs; } else if (@s[args->skaddr]) { printf("%d %s %d %d\n", nsecs, ntop(args->daddr), args->dport, nsecs - @s[args->skaddr]); delete(@s[args->skaddr]); } }'
		9 40 perf trace -e connect -o /dev/null -p PID
		9 200 strace -e trace=connect -o /dev/null -p PID
	END
}

datagrams() {
	printf '\n## Sending each datagram of a process\n\n'
	trace datagram 10 <<-END
		1 10 minimal datagram PID
		1 10 tr-attach --events=send --pid PID >trace
		1 10 tr-attach --events=net --pid PID >trace
		9 40 bpftrace -e 'tracepoint:syscalls:sys_exit_sendto /pid == PID/ { printf("%d %s %d\n", nsecs, comm, args->ret); }'
		9 40 perf trace -e sendto -o /dev/null -p PID
		9 200 strace -e trace=sendto -o /dev/null -p PID
	END
}

bystanders() {
	local cgroup

	cgroup=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/tracery-bench
	mkdir -p "$cgroup"
	bystander "$cgroup"
	rmdir "$cgroup"
}

# What a call costs by each way: programs that do nothing, then ours, all for the system call $1 alone.
by_ways() {
	local way fentry=fentry

	tr-attach --dry-run -q --way=fentry "--count=$1" --all 2>messages || fentry=''
	echo '1 1 minimal summary PID'
	for way in $fentry tp_btf raw_tp tracepoint own; do
		echo "1 1 hooks $way $1"
	done
	for way in $fentry tp_btf raw_tp tracepoint; do
		echo "1 1 tr-attach --way=$way --summary=$1 --pid PID"
	done
}

ways() {
	printf '\n## By each way: the call that is asked for\n\n'
	by_ways getppid | trace
	printf '\n## By each way: another call of the target\n\n'
	by_ways sethostname | trace
	printf '\n## By each way: that call of a bystander\n\n'
	by_ways getppid | trace bystander
}

# From exec to exit, tracing for a millisecond, ms.
crowd() {
	local lines command before crowd_pid='' traced r n

	printf '\n## From exec to exit beside so many threads\n\n'
	mapfile -t lines <<-END
		tr-attach --count --pid PID --duration 1ms
		tr-attach --summary --pid PID --duration 1ms
		tr-attach --syscalls --pid PID --duration 1ms
		tr-attach --syscalls --follow --pid PID --duration 1ms
		tr-attach --syscalls --all --duration 1ms
		perf stat -e raw_syscalls:sys_enter -p PID sleep 0.001
		perf trace -p PID sleep 0.001
		bpftrace -e 'tracepoint:raw_syscalls:sys_enter /pid == PID/ { @[args->id] = count(); } interval:ms:1 { exit(); }'
	END
	for n in 1 10000; do
		coproc { exec crowd $n; }
		read -r crowd_pid <&"${COPROC[0]}"
		for ((r = 0; r < (rounds + 2) / 3; r++)); do
			for command in "${lines[@]}"; do
				installed "$command" || continue
				before=${EPOCHREALTIME/./}
				bash -c "${command//PID/$crowd_pid}" >/dev/null 2>&1 || true
				printf '%s\t%s\n' "$command" $(((${EPOCHREALTIME/./} - before) / 1000))
			done
		done | awk -f "$top/bench/median.awk" >"crowd.$n"
		kill "$crowd_pid"
		wait "$crowd_pid" 2>/dev/null || true
	done
	head_of command '1 thread' '10,000'
	paste crowd.1 crowd.10000 | cut -f 1,2,4 | rows '| %.0f | %.0f'
	tell_absent
}

# make_source: a source package of Debian, its build and its tests are a tree of short processes.
make_source() {
	local apt

	[ ! -d source ] || return 0
	mkdir -p parts lists/partial download
	apt="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$tmp/parts -o Dir::State::lists=$tmp/lists"
	sed 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' /etc/apt/sources.list.d/debian.sources \
		>parts/debian.sources
	# shellcheck disable=SC2086 # a list of options
	(cd download && apt-get $apt -qq update && apt-get $apt -qq source --download-only mawk) \
		>/dev/null 2>&1 || return 1
	mkdir source
	tar -x -z -C source --strip-components 1 -f download/*.orig.tar.gz
}

# Wall time of a build whose every process is traced, s.
build() {
	local lines command before r

	printf '\n## Building mawk from source, all processes of it traced\n\n'
	make_source || { echo 'There is no way to its source here.' && return; }
	mapfile -t lines <<-END
		COMMAND
		tr-attach --count -- COMMAND
		tr-attach --count --per-process -- COMMAND
		tr-attach --summary -- COMMAND
		tr-attach --syscalls -- COMMAND >trace
		tr-attach --args -- COMMAND >trace
		bpftrace -e 'tracepoint:raw_syscalls:sys_enter { @[args->id] = count(); }' -c '/bin/sh ./COMMAND'
		perf trace -s -o /dev/null COMMAND
		strace -f -c -o /dev/null COMMAND
	END
	printf '#!/bin/sh\ncd %s/built && ./configure && make\n' "$tmp" >COMMAND
	chmod +x COMMAND
	for ((r = 0; r < (rounds + 8) / 9; r++)); do
		for command in "${lines[@]}"; do
			[ "$command" = COMMAND ] || installed "$command" || continue
			rm -rf built
			cp -a source built
			before=${EPOCHREALTIME/./}
			PATH=.:$PATH bash -c "$command" >/dev/null 2>messages || true
			printf '%s\t%s\n' "$command" "$((${EPOCHREALTIME/./} - before))e-6"
			[ -x built/mawk ] || fail 1 "no mawk came out of $command"
			rm -f trace
		done
	done >results
	head_of command s 'x untraced'
	awk -f "$top/bench/median.awk" results |
		awk -F '\t' '/^COMMAND/ { untraced = $2 } { print $0 "\t" $2 / untraced }' | rows '| %.2f | %.2f'
	tell_absent
}

# As fast as one CPU makes them: how many, and how many of them are lost.
rates() {
	local what event n speed

	printf '\n## Events as fast as they come, with the default buffer\n\n'
	head_of events 'calls/s reached' calls records lost
	while read -r what event n; do
		begin_target "$what"
		start "tr-attach --events=$event --pid PID >trace"
		speed=$(round $((calls / n)))
		stop
		printf '%s\t%s\t%s\t%s\t%s\n' "$event" "${speed#* }" $((calls / n)) \
			"$(tr-table --by type --where "type == \"$event\"" --output json trace | sed -n 's/.*"count":\([0-9]*\).*/\1/p')" \
			"$(sed -n 's/^tr-attach: \([0-9]*\) lost.*/\1/p' messages)"
		rm -f trace
		end_target
	done <<-END | rows '| %.0f | %d | %d | %d'
		yield switch 1
		signal signal 1
		file open 1
		fault fault 1
		connect connect 10
		datagram send 2
	END
}

loss() {
	local command rate speed

	printf '\n## Loss with the default buffer, as fast as it goes and at a steady rate\n\n'
	head_of tracer 'calls/s asked for' 'calls/s reached' calls records lost
	for rate in 0 1500000; do
		for command in 'tr-attach --syscalls --pid PID >trace' \
			'tr-attach --syscalls --pid PID | tr-table --output json >table'; do
			begin_target
			start "$command"
			speed=$(round $((8 * calls)) $rate)
			stop
			[ ! -e trace ] || tr-table --output json trace >table
			printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$command" $rate "${speed#* }" $((8 * calls)) \
				"$(sed -n 's/.*"getppid","count":\([0-9]*\).*/\1/p' table)" \
				"$(sed -n 's/^tr-attach: \([0-9]*\) lost.*/\1/p' messages)"
			rm -f trace table
			end_target
		done
	done | rows '| %d | %.0f | %d | %d | %d'
}

first() {
	local lines command ms r

	printf '\n## From exec to the first call that is traced\n\n'
	mapfile -t lines <<-END
		minimal count PID
		tr-attach --count --pid PID
		tr-attach --syscalls --pid PID
		strace -o /dev/null -p PID
		perf stat -e raw_syscalls:sys_enter -p PID
		${syscount:-syscount} -p PID
		perf trace -o /dev/null -p PID
		bpftrace -e tracepoint:raw_syscalls:sys_enter/pid==PID/{@[args->id]=count()}
	END
	for ((r = 0; r < rounds; r++)); do
		for command in "${lines[@]}"; do
			installed "$command" || continue
			# shellcheck disable=SC2086
			ms=$(nice -n -20 calls first ${command//PID/"{}"}) || continue
			printf '%s\t%s\n' "$command" "$ms"
		done
	done >results
	head_of tracer ms 'more than minimal'
	awk -f "$top/bench/median.awk" results |
		awk -F '\t' '/^minimal/ { minimal = $2 } { print $0 "\t" $2 - minimal }' |
		rows '| %.1f | %.1f'
	tell_absent
}
