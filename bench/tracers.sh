# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# For bench/run: the sections about tracing a process, tools/tr-attach beside others.

# start COMMAND: a tracer or a pipeline, as a process group of its own, so that it has its signals
# as a terminal would leave them; a second later it is at work.
start() {
	set -m
	taskset -c "$cpus" nice -n -20 bash -c "${1//PID/$pid}" \
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

# The target: sets pid. round CALLS [RATE] prints ns per call and calls per second.
begin_target() {
	coproc { exec nice -n -20 calls; }
	pid=$COPROC_PID
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

# trace: lines "EVERY SHARE COMMAND" on stdin: each EVERY-th round, with so small a share of the calls.
trace() {
	local lines each every share command line r

	mapfile -t lines
	begin_target
	for ((r = 0; r < rounds; r++)); do
		for each in '1 1 none' "${lines[@]}"; do
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
