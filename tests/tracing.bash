# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# What tests of tr-attach load besides helper: a tracer beside the test, workloads that wait to be
# traced, and what a trace holds.
#
#	ready "$(workload calls)" -w 1009 8
#	attach --syscalls --pid "$target"
#	go
#	run -0 finish "$attacher"
#	[ "$(calls trace getppid)" = 1009 ]

# The JSON lines of trace FILE's records of TYPE that FILTER (of jq) lets through.
records() {
	tr-cat --format=json "$1" | jq -c "${@:4}" "select(.type == \"$2\") | ${3:-.}"
}

# How many calls of NAME trace FILE holds, one record each; with COMM only those of threads so named.
calls() {
	tr-cat --format=json "$1" | awk -v name="\"syscall\":\"$2\"" -v comm="${3:+\"comm\":\"$3\"}" '
		index($0, "{\"type\":\"syscall\"") == 1 && index($0, name) && (comm == "" || index($0, comm)) { n++ }
		END { print n + 0 }'
}

# A member of the end line.
end_of() {
	tail -n 1 "$1" | sed -n "s/^{\"end\":{.*\"$2\":\([0-9]*\)[,}].*/\1/p"
}

# read_late TYPE PROGRAM N: events of TYPE of PROGRAM N, through the smallest ring, which nobody reads
# before it has ended; in `trace`.
read_late() {
	tr-attach --events="$1" --buffer-size 4K -- sh -c '"$@"; : >all-done' sh "$(workload "$2")" "$3" 2>/dev/null |
		{ wait_for test -e all-done; cat >trace; }
}

# may_lose: the kernel may leave a program out for a thread because another was preempted in it, and
# counts that: from 6.19 on.
may_lose() {
	[ "$(uname -r | awk -F . '{ print ($1 * 1000 + $2 >= 6019) }')" = 1 ]
}

# "KEY... N ERRORS TOTAL MIN MAX" of each call of trace FILE, sorted, by adding up the records of
# --syscalls; KEY is a list of members.
from_stream() {
	records "$1" syscall | jq -r -s --argjson key "$2" '
		def key: [.[$key[]]];
		def failed: .ret and .ret < 0 and .ret >= -4095 and (.ret > -512 or .ret < -516);
		group_by(key)[] | map(select(.ns)) as $timed |
		(.[0] | key) + [length, (map(select(failed)) | length), ($timed | map(.ns) | add),
			($timed | map(.ns) | min), ($timed | map(.ns) | max)] |
		map(. // 0) | @tsv' | sort
}

# The same by adding up those of --summary.
from_summary() {
	records "$1" summary | jq -r -s --argjson key "$2" '
		def key: [.[$key[]]];
		group_by(key)[] | map(select(.ns_total)) as $timed |
		(.[0] | key) + [(map(.n) | add), (map(.errors) | add), ($timed | map(.ns_total) | add),
			($timed | map(.ns_min) | min), ($timed | map(.ns_max) | max)] |
		map(. // 0) | @tsv' | sort
}

# A bit of everything: threads on the move, calls that fail, never return, have no row, are 32-bit.
mixture() {
	"$(workload calls)" 1009 8
	"$(workload unknown)"
	"$(workload i386)" || true
	"$(workload restart)"
	"$(workload killed)" || true
}

# trace_mixture WHAT...: what that makes, in `trace`.
trace_mixture() {
	export TR_TESTS
	export -f mixture workload
	tr-attach --syscalls "$@" --interval 10ms --command-stdout=3 -- bash -c mixture 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
	grep -qx 'getppid 1009' said
}

# attach [ARG]...: tr-attach beside the test, its trace in `trace`; it is attached on return.
attach() {
	rm -f err
	start tr-attach -v "$@" >trace 2>err
	attacher=$pid
	wait_for grep -q 'capabilities kept' err
}

# detach: it ends as by Ctrl-C, with status 0.
detach() {
	kill -INT "$attacher"
	run -0 finish "$attacher"
}

# ready COMMAND [ARG]...: a workload that prints "ready PID TID..." and awaits a line, which is what
# go gives it. Sets target and tids.
ready() {
	rm -f go
	mkfifo go
	exec 9<>go
	start "$@" <&9 >said
	wait_for grep -q ready said
	read -r _ target tids <said
}

go() {
	echo go >&9
}

# Waits until process $1 sleeps in a call: it has nothing more to do.
asleep() {
	wait_for grep -q '^State:.S' "/proc/$1/status"
}

# A process that does nothing. Sets idle.
idle() {
	start sleep infinity
	idle=$pid
	asleep "$idle"
}

teardown() {
	stop_started
	exec 9>&-
}
