# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --stacks. The witness is the workload, which says where its functions return to.

load helper
load tracing

# The stacks of FILE's records of getppid, one a line.
stacks() {
	records "$1" syscall 'select(.syscall == "getppid") | .stack'
}

# stacked [ARG]... -- COMMAND...: traces a run of the workload `stack`; what it said is in `said`.
stacked() {
	tr-attach --command-stdout=3 --syscalls=getppid "$@" 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
}

# The three return addresses behind the innermost frame, as the workload prints them.
own_frames() {
	jq -r '.[-4:-1] | "\(.[2]) \(.[1]) \(.[0])"'
}

# bats test_tags=kernels
@test "a stack has the addresses that functions return to, outermost first" {
	need_bpf
	stacked --stacks -- "$(workload stack)" 11
	[ "$(stacks trace | wc -l)" = 11 ]
	stacks trace | own_frames | sort -u | diff said -
}

@test "every way in and the programs for old kernels take the same stacks, with arguments as well" {
	need_bpf
	local way args

	for way in tp_btf raw_tp tracepoint; do
		for args in '' --args; do
			stacked --stacks --way="$way" $args -- "$(workload stack)" 11
			stacks trace | own_frames | sort -u | diff said -
			TR_OLD_KERNEL=1 stacked --stacks --way="$way" $args -- "$(workload stack)" 11
			stacks trace | own_frames | sort -u | diff said -
		done
	done
}

# bats test_tags=kernels
@test "a stack that is too deep has its inner frames and a mark" {
	need_bpf
	local limit

	limit=$(cat /proc/sys/kernel/perf_event_max_stack)
	stacked --stacks -- "$(workload stack)" 3 1009
	[ "$(stacks trace | jq length | sort -u)" = "$limit" ]
	[ "$(stacks trace | jq -r '.[0]' | sort -u)" = '[cut]' ]
	stacks trace | own_frames | sort -u | diff said -
}

# bats test_tags=kernels
@test "the kernel's stack stands behind that of user space" {
	need_bpf
	stacked --stacks=kernel -- "$(workload stack)" 11
	stacks trace | jq -c . | sort -u >kernel
	[ "$(wc -l <kernel)" = 1 ]
	[ "$(jq length kernel)" -gt 1 ]
	stacked --stacks=both -- "$(workload stack)" 11
	stacks trace | jq '.[1:]' | jq -s '[.[] | length] | unique | length' | grep -qx 1
	[ "$(stacks trace | wc -l)" = 11 ]
	stacks trace | jq -c --argjson n "$(jq length kernel)" '.[:-$n]' | own_frames | sort -u | diff said -
}

@test "the form makes no difference, and nothing is lost on the way through tr-cat" {
	need_bpf
	stacked --stacks --format=json -- "$(workload stack)" 11
	stacks trace | own_frames | sort -u | diff said -
	tr-cat --format=packed trace | tr-cat --format=json | cmp trace -
}

@test "as text the frames stand beneath the record, innermost first" {
	need_bpf
	local a b c

	stacked --stacks --format=text -- "$(workload stack)" 11 || true
	read -r c b a <said
	grep -c '^[0-9.]* \[getppid\]' trace | grep -qx 11
	[ "$(grep -A 4 '\[getppid\]' trace | sed -n '3,5p')" = "    $c
    $b
    $a" ]
	stacked --stacks -- "$(workload stack)" 11
	read -r c b a <said
	tr-cat --format=text trace >text
	[ "$(sed -n '3,5p' text)" = "    $c
    $b
    $a" ]
}

@test "what stands behind a record is not in the way of counting it" {
	need_bpf
	stacked --stacks -- "$(workload stack)" 1009
	[ "$(tr-table --output=csv trace | sed -n 2p | cut -d, -f 1,2)" = getppid,1009 ]
}

is_sleep() {
	[ "$(cat "/proc/$1/comm")" = sleep ] && asleep "$1"
}

# bats test_tags=kernels
@test "of a call that is still running the kernel's stack is where it waits, that of user space unknown" {
	need_bpf
	ready sh -c 'echo "ready $$"; read -r _; exec sleep 1000'
	attach --stacks=both --pid "$target"
	go
	wait_for is_sleep "$target"
	detach
	records trace syscall 'select(.why) | .stack' >got
	[ "$(wc -l <got)" = 1 ]
	[ "$(jq -r '.[0]' got)" = '[unknown]' ]
	[ "$(jq length got)" -gt 3 ]
	# of all others it is there
	records trace syscall 'select(.why == null) | .stack[0]' >got
	[ -s got ]
	run ! grep -q unknown got
}

@test "--stacks without --syscalls is a usage error" {
	run -2 --separate-stderr tr-attach --stacks --count --all
	[[ $stderr == *'--stacks is for --syscalls'* ]]
	run -2 --separate-stderr tr-attach --stacks=all --all
	[[ $stderr == *'user, kernel'* ]]
}
