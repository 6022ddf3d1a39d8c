# SPDX-License-Identifier: GPL-2.0-only
#
# Every way into the kernel with everything that is recorded of calls: short tests, for the matrix of
# kernels (tests/kernels/) as far as they are tagged. The witness is the workload, which knows what it
# did.

load helper
load tracing
load traps

# How many calls of getppid and of close, and how many failed calls of close, trace FILE has in
# records of TYPE, each by itself or added up.
totals() {
	tr-cat --format=json "$1" | awk -v type="$2" '
		index($0, "{\"type\":\"" type "\"") && /"syscall":"(getppid|close)"/ {
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

# may_miss WAY: this kernel may run another thread amid a program, and leave the program out for it. Only
# since 6.19 are programs preempted, and those of classic tracepoints never.
may_miss() {
	[ "$1" != tracepoint ] && [ "$(uname -r | awk -F . '{ print ($1 * 1000 + $2 >= 6019) }')" = 1 ]
}

# exact: in every mode all of the 211 calls of each are there, and nothing is lost; or what is not is
# among the lost. (The loader has calls of close of its own, none of which fails.)
exact() {
	local mode type parents closes errors list lost

	list=$(some getppid,close)
	for mode in "--count$list --summary$list --syscalls$list" \
		"--count$list --summary$list --per-process --args --syscalls$list"; do
		# shellcheck disable=SC2086
		tr-attach "${by[@]}" $mode --command-stdout=3 -- "$(workload calls)" 211 3>said >trace
		lost=$(end_of trace lost)
		[ "$lost" = 0 ] || may_miss "${by[0]#--way=}"
		[ "$(tr-cat --format=json trace | grep -c '"ns_max":0,')" = 0 ]
		for type in count summary syscall; do
			[[ "$mode " == *"--$type"[\ =s]* ]] || continue
			read -r parents closes errors < <(totals trace $type)
			echo "${by[*]} $mode, $type: $parents, $closes, $errors, $lost lost"
			((parents <= 211 && parents + lost >= 211))
			((closes + lost >= 211))
			[[ $type = count ]] || ((errors <= 211 && errors + lost >= 211))
		done
	done
}

# traps NAME...: these of traps.bash, as far as the machine has them.
traps() {
	local trap_

	for trap_; do
		echo "${by[*]}: $trap_"
		case $trap_ in
		number_given_out_again) [ -w /proc/sys/kernel/ns_last_pid ] || continue ;;
		parent_in_vfork) [ "$(uname -m)" = x86_64 ] || continue ;;
		calls_of_32_bit) "$(workload i386)" >said || continue ;;
		esac
		$trap_
		stop_started
	done
}

all_traps=(call_under_way calls_that_never_return killed_in_a_call restarted_calls
	returns_from_signals threads_that_are_created exec_by_another_thread
	number_given_out_again parent_in_vfork calls_of_32_bit)

need_fentry() {
	local major minor

	need_bpf
	IFS=.- read -r major minor _ < <(uname -r)
	case $(uname -m) in
	x86_64) ((major * 100 + minor >= 512)) || skip "on this kernel it is not used" ;;
	*) ((major * 100 + minor >= 604)) || skip "this kernel has none" ;;
	esac
	run tr-attach --dry-run --way=fentry --count=getppid --all
	[[ $output != *"this kernel does not permit it" ]] || skip "this kernel does not permit it"
	[[ $output != *"task storage" ]] || skip "this kernel has no task storage, without which it is not used"
	by=(--way=fentry)
}

# holds N OPTION...: with these conditions, the command in cgroup $group has N calls of getppid.
holds() {
	local n=$1

	shift
	tr-attach --count "$@" --command-stdout=3 -- sh -c 'echo $$ >$0/cgroup.procs; exec "$@"' "$group" \
		"$(workload calls)" 211 3>said >trace
	echo "$*: $(totals trace count)"
	[[ $(totals trace count) == "$n "* ]]
}

teardown() {
	stop_started
	[ -z "${group-}" ] || rmdir "$group"
}

# bats test_tags=kernels,ways
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

# bats test_tags=kernels,ways
@test "by fentry each call is counted, added up and sent once, with arguments and by process" {
	need_fentry
	exact
}

# bats test_tags=kernels,ways
@test "by tp_btf each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	by=(--way=tp_btf)
	exact
}

# bats test_tags=kernels,ways
@test "by raw_tp each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	by=(--way=raw_tp)
	exact
}

# bats test_tags=kernels,ways
@test "by tracepoint each call is counted, added up and sent once, with arguments and by process" {
	need_bpf
	by=(--way=tracepoint)
	exact
}

# bats test_tags=fentry
@test "by fentry calls end once, in threads that are killed as well" {
	need_fentry
	traps call_under_way calls_that_never_return killed_in_a_call
}

# bats test_tags=fentry
@test "by fentry calls end once, amid signals, new threads and new programs" {
	need_fentry
	traps restarted_calls returns_from_signals threads_that_are_created exec_by_another_thread
}

# bats test_tags=fentry
@test "by fentry a plain name means the calls of every ABI" {
	need_fentry
	traps calls_of_32_bit
}

@test "by tp_btf calls end once, however they end" {
	need_bpf
	by=(--way=tp_btf)
	traps "${all_traps[@]}"
}

@test "by raw_tp calls end once, however they end" {
	need_bpf
	by=(--way=raw_tp)
	traps "${all_traps[@]}"
}

@test "by tracepoint calls end once, however they end" {
	need_bpf
	by=(--way=tracepoint)
	traps "${all_traps[@]}"
}

# bats test_tags=kernels,ways
@test "fentry is taken for few calls, and for few alone, where none is lost" {
	need_fentry
	local mode

	tr-attach -v --dry-run --all --summary=getppid,close 2>err
	mount -t debugfs debugfs /sys/kernel/debug || true
	mode=$(cat /sys/kernel/debug/sched/preempt) || true
	case "$(uname -v) $mode" in
	*PREEMPT*\(full\)* | *PREEMPT*\(lazy\)*) grep -q 'not by way of fentry: .*other threads' err ;;
	*)
		grep -q 'by way of fentry$' err
		grep -q 'at __.*_sys_getppid$' err
		;;
	esac
	tr-attach -v --dry-run --all --summary 2>err
	grep -q 'not by way of fentry: .*list' err
	tr-attach -v --dry-run --all --count=read,write,openat,close,connect,sendto,bind,listen,accept 2>err
	grep -q 'not by way of fentry: .*long' err
}

@test "what fentry can't serve is one line that says why" {
	need_bpf
	local list

	for list in --count --summary='!read' --syscalls=read,syscall_999 --count=%desc,%net,%memory; do
		run -3 --separate-stderr tr-attach --way=fentry $list --pid $$
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == "tr-attach: --way fentry: "* ]]
	done
	run -3 --separate-stderr env TR_OLD_KERNEL=1 tr-attach --way=fentry --count=read --pid $$
	[[ $stderr == "tr-attach: --way fentry: "*"task storage" ]]
}

# bats test_tags=kernels,ways
@test "on threads that share a CPU calls are missed by no way, or counted as lost" {
	need_bpf
	local way lost parents

	for way in tp_btf raw_tp tracepoint; do
		tr-attach "--way=$way" --count --command-stdout=3 -- "$(workload calls)" 1009 8 3>said >trace
		read -r parents _ <<<"$(totals trace count)"
		lost=$(end_of trace lost)
		echo "--way=$way: $parents, $lost lost"
		((lost == 0 ? parents == 1009 : parents <= 1009 && parents + lost >= 1009))
		[ "$lost" = 0 ] || may_miss "$way"
	done
}
