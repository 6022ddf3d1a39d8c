# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --summary and --per-process. The witnesses are the workloads, strace, and the same calls
# in the stream, added up by jq.

load helper
load tracing

# "KEY... N" of each call that trace FILE has counted.
from_count() {
	records "$1" count | jq -r -s --argjson key "$2" '
		def key: [.[$key[]]];
		group_by(key)[] | (.[0] | key) + [map(.n) | add] | @tsv' | sort
}

# What those tests ask for that are run with the programs for old kernels as well.
agrees() {
	trace_mixture --summary --count
	from_stream trace '["syscall"]' >stream
	from_summary trace '["syscall"]' | diff stream -
	# several intervals, and counts that agree
	[ "$(records trace summary .ts | sort -u | wc -l)" -gt 1 ]
	from_count trace '["syscall"]' | diff <(cut -f 1,2 stream) -
	grep -q '^close	10[0-9]*	10[0-9]*	' stream
	grep -q '^syscall_-1	' stream
	grep -q '^exit_group	[0-9]*	0	0	0	0$' stream
}

agrees_per_process() {
	local pid

	trace_mixture --summary --count --per-process
	from_stream trace '["pid", "syscall"]' >stream
	from_summary trace '["pid", "syscall"]' | diff stream -
	from_count trace '["pid", "syscall"]' | diff <(cut -f 1-3 stream) -
	pid=$(records trace count 'select(.syscall == "getppid" and .comm == "calls") | .pid' | sort -u)
	grep -q "^$pid	getppid	1009	0	" stream
	from_summary trace '["comm", "syscall"]' | grep -q '^calls	getppid	1009	0	'
}

@test "a summary adds up to what the stream says, interval by interval, for every call" {
	need_bpf
	agrees
}

@test "with --per-process it does so for each process, under its own name" {
	need_bpf
	agrees_per_process
}

@test "the programs for kernels without task storage see the same" {
	need_bpf
	export TR_OLD_KERNEL=1

	agrees
	agrees_per_process
	tr-attach -v --syscalls --count --command-stdout=3 -- "$(workload exec-thread)" 2>err 3>said >trace
	grep -q 'without task storage' err
	records trace count '[.syscall, .n]' | sort >counted
	records trace syscall '[.syscall]' | sort | uniq -c | sed -E 's/ *([0-9]+) (.*)\]/\2,\1]/' | diff counted -
}

@test "calls and errors are as strace -c has them" {
	need_bpf
	strace -f -c -w -o sum "$(workload calls)" 2003 >said
	tr-attach --summary --command-stdout=3 -- "$(workload calls)" 2003 3>said >trace
	awk '$4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4, $5 ~ /^[0-9]+$/ ? $5 : 0 }' sum |
		sort >expected
	grep -qx 'close 2[0-9]* 2003' expected
	tr-table --output json trace | jq -r '"\(.syscall) \(.count) \(.errors)"' | grep -v '^exit' |
		sort | diff expected -
}

@test "times are those that the workload waits" {
	need_bpf
	local total min max

	tr-attach --summary=vfork --command-stdout=3 -- "$(workload vfork)" 3>said >trace
	read -r _ _ _ total min max < <(from_summary trace '["syscall"]')
	# 19 children that sleep 20 ms each
	[ "$min" -ge 20000000 ]
	[ "$total" -ge $((19 * min)) ]
	[ "$total" -le $((19 * max)) ]
	[ "$max" -le "$(tail -n 1 trace | jq .end.ts)" ]
}

@test "the longest time is that of its interval, not of those before" {
	need_bpf
	tr-attach --summary=clock_nanosleep --interval 50ms -- \
		sh -c 'sleep 0.2; sleep 0.01; sleep 0.12; sleep 0.01' >trace
	records trace summary .ns_max |
		awk '$1 >= 200e6 { a++ } $1 >= 120e6 && $1 < 200e6 { b++ } END { print a, b }' >got
	[ "$(cat got)" = '1 1' ]
}

@test "calls of one name in two processes are apart only with --per-process" {
	need_bpf
	export TR_TESTS
	export -f workload
	# shellcheck disable=SC2016 # for the other shell
	tr-attach --count --per-process -- bash -c '
		"$(workload calls)" 7 & "$(workload calls)" 1009; wait' 2>said >trace
	# (bash makes one of its own)
	records trace count 'select(.syscall == "getppid" and .comm == "calls") | .n' | sort -n >got
	[ "$(xargs <got)" = '7 1009' ]
	tr-table --by comm,syscall --output tsv trace >got
	grep -qx 'calls	getppid	1016' got
}

@test "keys beyond those that there is room for are lost, counted and said" {
	need_bpf
	local counted lost rest

	tr-attach --count='!write' -- "$(workload numbers)" 3001 2>err >trace
	counted=$(from_count trace '["type"]' | cut -f 2)
	lost=$(end_of trace lost)
	[ "$lost" -gt 1000 ]
	# what the workload does beside it has rows
	rest=$(records trace count 'select(.syscall | startswith("syscall_") | not) | .n' |
		awk '{ n += $1 } END { print n }')
	[ $((counted - rest + lost)) = 3001 ]
	grep -q "$lost lost" err
	grep -a -q '"why":"too many processes and system calls' trace
}

@test "keys of an interval make room for those of the next" {
	need_bpf
	export TR_TESTS
	export -f workload
	# shellcheck disable=SC2016 # for the other shell
	tr-attach --count=getppid --per-process --interval 10ms -- bash -c '
		for i in {1..61}; do "$(workload calls)" 7 2; done' 2>said >trace
	[ "$(records trace count 'select(.comm == "calls") | .pid' | sort -u | wc -l)" = 61 ]
	from_count trace '["comm"]' | grep -qx 'calls	427'
	[ "$(end_of trace lost)" = 0 ]
}
