# SPDX-License-Identifier: GPL-2.0-only
#
# Every way into the kernel with everything that is recorded of calls: short tests, for the matrix of
# kernels (tests/kernels/). The witness is the workload, which knows what it did.
# bats file_tags=kernels,fallback

load helper
load tracing

# How many calls of getppid and of close, and how many failed calls of close, trace FILE has, in
# records of their own or added up.
totals() {
	tr-cat --format=json "$1" | awk '
		/"syscall":"(getppid|close)"/ {
			n = match($0, /"n":[0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : 1
			e = match($0, /"errors":[0-9]+/) ? substr($0, RSTART + 9, RLENGTH - 9) : /"ret":-9,/
			if (/"syscall":"getppid"/)
				parents += n
			else {
				closes += n
				errors += e
			}
		}
		END { print parents + 0, closes + 0, errors + 0 }'
}

# exact WAY: in every mode all of the 211 calls of each are there, and nothing is lost. (The loader
# has calls of close of its own, none of which fails.)
exact() {
	local mode parents closes errors

	for mode in --count --summary --syscalls --args '--count --per-process' \
		'--summary --per-process'; do
		# shellcheck disable=SC2086
		tr-attach "--way=$1" $mode --command-stdout=3 -- "$(workload calls)" 211 3>said >trace
		read -r parents closes errors <<<"$(totals trace)"
		echo "--way=$1 $mode: $parents, $closes, $errors"
		[ "$(end_of trace lost)" = 0 ]
		[ "$parents" = 211 ]
		[ "$closes" -ge 211 ]
		[[ $mode == --count* || $errors = 211 ]]
	done
}

# holds N OPTION...: with these conditions, the command in cgroup $group has N calls of getppid.
holds() {
	local n=$1

	shift
	tr-attach --count "$@" --command-stdout=3 -- sh -c 'echo $$ >$0/cgroup.procs; exec "$@"' "$group" \
		"$(workload calls)" 211 3>said >trace
	echo "$*: $(totals trace)"
	[[ $(totals trace) == "$n "* ]]
}

teardown() {
	stop_started
	[ -z "${group-}" ] || rmdir "$group"
}

@test "names, users and cgroups are told apart" {
	need_bpf
	need_root
	local root

	root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$root" ] || skip "there is no cgroup hierarchy of version 2 here"
	group=$(mktemp -d "$root/tracery.XXXXXX")
	holds 211 --comm calls,other --uid 0,12345 --cgroup "$group"
	holds 0 --comm call,other
	holds 0 --uid 12345
	mkdir "$group/below"
	holds 0 --cgroup "$group/below"
	rmdir "$group/below"
}

@test "by tp_btf each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	exact tp_btf
}

@test "by raw_tp each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	exact raw_tp
}

@test "by tracepoint each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	exact tracepoint
}

@test "on threads that share a CPU calls are missed by no way, or counted as lost" {
	need_bpf
	local way lost parents

	for way in tp_btf raw_tp tracepoint; do
		tr-attach "--way=$way" --count --command-stdout=3 -- "$(workload calls)" 1009 8 3>said >trace
		read -r parents _ <<<"$(totals trace)"
		lost=$(end_of trace lost)
		echo "--way=$way: $parents, $lost lost"
		((lost == 0 ? parents == 1009 : parents <= 1009 && parents + lost >= 1009))
		# Only since 6.19 are programs preempted, and those of classic tracepoints never.
		[ "$way" != tracepoint ] || [ "$lost" = 0 ]
		[ "$(uname -r | awk -F . '{ print ($1 * 1000 + $2 < 6019) }')" = 0 ] || [ "$lost" = 0 ]
	done
}
