# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach on trees of many short processes: none is missed, none counted twice, and what was counted,
# added up and sent is the same.

load helper
load tracing

# "NAME N" of each call that trace FILE has of TYPE, one record for each or N in a record.
totals() {
	tr-cat --format=json "$1" | grep "^{\"type\":\"$2\"" | awk '
		{ match($0, /"syscall":"[^"]*/); name = substr($0, RSTART + 11, RLENGTH - 11) }
		{ n[name] += match($0, /"n":[0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : 1 }
		END { for (name in n) print name, n[name] }' | sort
}

# All three ways agree on FILE, and nothing was lost.
agree() {
	[ "$(end_of "$1" lost)" = 0 ]
	totals "$1" syscall >streamed
	totals "$1" count | diff streamed -
	totals "$1" summary | diff streamed -
}

@test "of ten thousand short processes each exec, call and end is there once" {
	need_bpf
	tr-attach --count --summary --syscalls --command-stdout=3 -- "$(workload spawn)" 10007 3>said >trace
	agree trace
	# the workload itself is one more
	grep -qx 'execve 10008' streamed
	grep -qx 'exit_group 10008' streamed
	grep -qx 'getppid 10007' streamed
	grep -qx 'vfork 10007' streamed
	# each under a number of its own, unless that was given out again
	tr-table --by syscall,pid --output tsv trace | grep -c '^execve	[0-9]' >got
	[ "$(cat got)" = 10008 ]
}

@test "counts, summary and stream of a build agree for every call" {
	need_bpf
	local n

	tr-attach --count --summary --syscalls -- make -s -j2 -C "$ROOT" BUILD="$PWD/build" \
		"$PWD/build/libtracery.a" 2>err >trace
	agree trace
	[ -s build/libtracery.a ]
	# a compiler for each source, its assembler, and no fewer programs
	n=$(find "$ROOT/lib" -name '*.c' | wc -l)
	[ "$(tr-cat --format=json trace | grep -c '"ret":0,.*"syscall":"execve"')" -gt $((2 * n)) ]
}

@test "per process, a build's counts and times are those of its stream" {
	need_bpf
	tr-attach --count --summary --per-process --syscalls -- make -s -j2 -C "$ROOT" BUILD="$PWD/build" \
		"$PWD/build/lib/text.o" 2>err >trace
	agree trace
	records trace syscall .pid | sort | uniq -c | awk '{ print $2, $1 }' >streamed
	records trace count '"\(.pid) \(.n)"' | tr -d '"' |
		awk '{ n[$1] += $2 } END { for (pid in n) print pid, n[pid] }' | sort | diff streamed -
}

@test "memory stays what it is, however many processes come and go" {
	need_bpf
	local before after maps

	# what the kernel says that its maps take, and we ourselves
	taken() {
		cat /proc/"$attacher"/fdinfo/* 2>/dev/null | awk '/^memlock:/ { n += $2 } END { print n }'
		awk '/^VmRSS/ { print $2 }' "/proc/$attacher/status"
	}
	# shellcheck disable=SC2016 # for the other shell
	ready bash -c 'echo ready $$; while read -r n; do "$@" "$n"; echo >idle; done' - \
		"$(workload spawn)"
	attach --count --summary --per-process --syscalls --interval 50ms --follow --pid "$target"
	echo 1009 >&9
	wait_for [ -e idle ]
	mapfile -t before < <(taken)
	rm idle
	echo 3001 >&9
	WAIT_SECONDS=60 wait_for [ -e idle ]
	mapfile -t after < <(taken)
	detach
	maps=$((after[0] - before[0]))
	echo "maps: ${before[0]} and $maps more; resident: ${before[1]} KiB, then ${after[1]} KiB"
	[ "${before[0]}" -gt 0 ]
	[ "$maps" -lt 500000 ]
	[ $((after[1] - before[1])) -lt 4096 ]
}
