# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# tracery doctor: what works here, what is done instead, what does not work and what to do about it.
# Where tr-attach can try a thing it does, loading real programs; the rest goes by the kernel's own
# signs. Read by tracery, which sets bin.

# row STATE ITEM TEXT...: a line of the report. STATE is ok, note (works in another way, or is worth
# knowing) or no.
row() {
	state=$1 item=$2
	shift 2
	if [ "$output" = json ]; then
		printf '{"item":"%s","state":"%s","text":"%s"}\n' "$item" "$state" \
			"$(printf '%s' "$*" | sed 's/[\\"]/\\&/g')"
	else
		printf '%-4s  %-19s  %s\n' "$state" "$item" "$*"
	fi
}

# Sets value to what FILE says, empty when it cannot be read.
value_of() {
	value=''
	{ read -r value <"$1"; } 2>/dev/null || :
}

# The kernel has a function of this name.
has_function() {
	grep -q " $1\$" /proc/kallsyms 2>/dev/null
}

# One of these files is there.
any() {
	for file; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# Sets version to the kernel's, as major * 1000 + minor.
see_kernel() {
	release=$(uname -r)
	minor=${release#*.}
	version=$((${release%%.*} * 1000 + ${minor%%[!0-9]*}))
	if [ "$version" -ge 5008 ]; then
		row ok kernel "$release, $(uname -m)"
	else
		row no kernel "$release: 5.8 or newer is needed, it has no BPF ring buffer"
	fi
}

see_btf() {
	if [ -r /sys/kernel/btf/vmlinux ]; then
		row ok BTF 'the kernel describes itself in /sys/kernel/btf/vmlinux'
	elif [ -d /sys/kernel ]; then
		row no BTF 'no /sys/kernel/btf/vmlinux: a kernel with CONFIG_DEBUG_INFO_BTF=y is needed'
	else
		row no BTF 'there is no /sys: mount -t sysfs sysfs /sys'
	fi
}

see_capabilities() {
	caps=0 missing=''
	while read -r name value; do
		[ "$name" != CapEff: ] || caps=$((0x$value))
	done </proc/self/status
	# CAP_SYS_ADMIN, 21, holds both.
	for cap in 39:CAP_BPF 38:CAP_PERFMON; do
		if [ $((caps >> ${cap%:*} & 1 | caps >> 21 & 1)) = 0 ]; then
			missing="$missing${missing:+ and }${cap#*:}"
		fi
	done
	if [ -n "$missing" ]; then
		row no capabilities "$missing missing: use sudo, or setcap cap_bpf,cap_perfmon+ep tr-attach"
	# The initial user namespace has a number of its own, and so has the initial PID namespace.
	elif [ "$(readlink /proc/self/ns/user)" != 'user:[4026531837]' ]; then
		row no capabilities 'those of a user namespace do not reach the kernel: trace from outside'
	elif [ $((caps >> 19 & 1)) = 0 ]; then
		row note capabilities 'without CAP_SYS_PTRACE other users'\'' processes may stay hidden'
	else
		row ok capabilities 'CAP_BPF and CAP_PERFMON'
	fi
}

see_lockdown() {
	value_of /sys/kernel/security/lockdown
	if [ -z "$value" ]; then
		value=$(unshare -m sh -c 'mount -t securityfs securityfs /sys/kernel/security &&
			cat /sys/kernel/security/lockdown' 2>/dev/null) || value=''
	fi
	case $value in
	*\[none\]*) row ok lockdown 'none' ;;
	*\[integrity\]*) row ok lockdown 'integrity: does not concern what only reads' ;;
	*\[confidentiality\]*)
		row note lockdown 'confidentiality: no --args, no tracepoints, no cgroups of version 1'
		;;
	*) row note lockdown 'unknown: as root, mount -t securityfs securityfs /sys/kernel/security' ;;
	esac
}

see_memory() {
	limit=$(sed -n 's/^Max locked memory *\([^ ]*\).*/\1/p' /proc/self/limits)
	if [ "$version" -ge 5011 ]; then
		row ok 'locked memory' "limited to $limit, which BPF maps do not count to since 5.11"
	elif [ "$limit" = unlimited ] || [ $((caps >> 24 & 1)) = 1 ]; then
		row ok 'locked memory' 'no limit'
	else
		row note 'locked memory' "limited to $limit bytes, BPF maps too: ulimit -l unlimited"
	fi
}

see_tracefs() {
	where=''
	while read -r _ folder type _; do
		[ "$type" != tracefs ] || where=$folder
	done </proc/mounts
	if [ -z "$where" ]; then
		row note tracefs 'not mounted: tr-attach mounts it for itself where it needs it and may'
	elif [ -d "$where/events" ]; then
		row ok tracefs "$where"
	else
		row note tracefs "$where may be read by root alone"
	fi
}

# After see_calls.
see_fentry() {
	if ! has_function register_ftrace_direct; then
		row note fentry 'none: kprobes serve instead (CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)'
	elif [ "$status" = 3 ]; then
		row note fentry 'the kernel has it; whether it permits it shows only to who may trace'
	elif said=$("$bin/tr-attach" --dry-run --all --way=fentry --count=getppid 2>&1); then
		row ok fentry 'works, also for a few system calls'
	else
		row note fentry "the kernel has it, but ${said##*--way fentry: }"
	fi
}

# Can tr-attach do it, with these options? Sets said to what it says, or complains of.
try() {
	said=$("$bin/tr-attach" --dry-run -v --all --count --syscalls "$@" 2>&1) || {
		said=${said##*"$newline"}
		said=${said#tr-attach: }
		return 3
	}
}

# How a way works that is not taken by itself, and why not.
see_way() {
	if ! try --way="$1"; then
		row note "by $1" "does not work, and is not needed: $said"
	elif [ "$taken" = tracepoint ] && [ "$1" != tracepoint ]; then
		row note "by $1" 'works, but here a thread may be preempted in it, and then others miss calls'
	else
		row ok "by $1" 'works'
	fi
}

# Sets status: 3 when system calls cannot be traced, which ends in tr-attach's words.
see_calls() {
	status=0
	try || status=3
	if [ "$status" = 3 ]; then
		row no 'system calls' "$said"
		return
	fi
	taken=${said##*system calls: by way of }
	case $taken in *'without task storage'*) storage=none ;; *) storage=some ;; esac
	taken=${taken%%[!a-z_]*}
	case $taken in
	tp_btf) row ok 'system calls' 'by tp_btf, the fastest way' ;;
	raw_tp) row note 'system calls' 'falls back to raw_tp, some nanoseconds a call slower' ;;
	*) row note 'system calls' 'falls back to classic tracepoints, dearer by half and slow to detach' ;;
	esac
	for way in tp_btf raw_tp tracepoint; do
		see_way "$way"
	done
	if [ "$storage" = some ]; then
		row ok 'task storage' 'a call is kept with its thread'
	else
		row note 'task storage' 'none, or no memory for it: falls back to a hash map, somewhat dearer'
	fi
}

see_probes() {
	devices=/sys/bus/event_source/devices
	if has_function register_kprobe; then
		row ok kprobes 'the kernel has them'
	else
		row no kprobes 'none (CONFIG_KPROBES): fentry is the only way to functions of this kernel'
	fi
	see_fentry
	if any "$devices/uprobe" || has_function uprobe_register; then
		row ok uprobes 'the kernel has them'
	else
		row no uprobes 'none: functions of programs cannot be probed (CONFIG_UPROBES)'
	fi
	if has_function bpf_uprobe_multi_link_attach; then
		row ok uprobe_multi 'many uprobes are attached at once'
	else
		row note uprobe_multi 'none (before 6.6): uprobes are attached and detached one by one, slowly'
	fi
}

see_counters() {
	if any "$devices"/cpu "$devices"/cpu_* "$devices"/armv*; then
		row ok 'hardware counters' 'cycles and instructions can be counted'
	elif [ -d "$devices" ]; then
		row note 'hardware counters' 'none here, as in most virtual machines: falls back to the clock'
	else
		row note 'hardware counters' 'unknown, as there is no /sys'
	fi
}

see_settings() {
	value_of /proc/sys/kernel/perf_event_paranoid
	row ok perf_event_paranoid "${value:-unknown}: with CAP_PERFMON it does not matter"
	value_of /proc/sys/kernel/unprivileged_bpf_disabled
	row ok unprivileged_bpf "kernel.unprivileged_bpf_disabled is ${value:-unknown}: CAP_BPF is what counts"
	value_of /proc/sys/kernel/bpf_stats_enabled
	if [ "$value" = 1 ]; then
		row note 'BPF statistics' 'on, which makes every program slower: sysctl kernel.bpf_stats_enabled=0'
	else
		row ok 'BPF statistics' 'off'
	fi
	value_of /proc/sys/net/core/bpf_jit_enable
	if [ "$value" = 0 ]; then
		row note 'BPF compiler' 'off, which makes programs much slower: sysctl net.core.bpf_jit_enable=1'
	elif [ -n "$value" ]; then
		row ok 'BPF compiler' 'on'
	else
		row note 'BPF compiler' 'unknown: root alone may look'
	fi
}

see_namespace() {
	if [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; then
		row ok 'PID namespace' 'the initial one'
	else
		row note 'PID namespace' 'a container'\''s: pids are as seen in here, and what is outside has none'
	fi
}

doctor() {
	output=table newline='
'
	while [ $# -gt 0 ]; do
		case $1 in
		--output=*) output=${1#*=} ;;
		--output)
			[ $# -gt 1 ] || die 2 'doctor: --output needs an argument'
			output=$2
			shift
			;;
		*) die 2 "doctor: $1: no such option here; see tracery --help" ;;
		esac
		shift
	done
	[ -r /proc/self/status ] || die 3 'doctor: there is no /proc: mount -t proc proc /proc'
	case $output in table | json) ;; *) die 2 "doctor: --output $output: not one of table, json" ;; esac

	see_kernel
	see_btf
	see_capabilities
	see_lockdown
	see_memory
	see_tracefs
	see_calls
	see_probes
	see_counters
	see_settings
	see_namespace
	exit "$status"
}
