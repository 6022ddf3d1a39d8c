# SPDX-License-Identifier: GPL-2.0-only
#
# tracery doctor: a line for each thing, whatever is missing, and the status that tr-attach would have.

load helper

teardown() {
	stop_started
	close_checkout
}

doctor() {
	"$ROOT/tracery" doctor "$@"
}

# state ITEM: what the report in $output says of it.
state() {
	sed -nE "s/^(ok|note|no) +$1  +.*/\1/p" <<<"$output"
}

# Every item has one line, with its columns where the others have theirs.
whole_report() {
	[ "$(sed -nE 's/^(ok  |note|no  )  (.{19})  [^ ].*$/\2/p' <<<"$output" | sed 's/ *$//' | sort -u |
		tr '\n' ,)" = "$1" ]
	[ "$(wc -l <<<"$output")" = "$(tr -cd , <<<"$1" | wc -c)" ]
}

ITEMS="BPF compiler,BPF statistics,BTF,PID namespace,by raw_tp,by tp_btf,by tracepoint,capabilities,"
ITEMS+="fentry,hardware counters,kernel,kprobes,lockdown,locked memory,perf_event_paranoid,system calls,"
ITEMS+="task storage,tracefs,unprivileged_bpf,uprobe_multi,uprobes,"
ITEMS_CANNOT=${ITEMS/by raw_tp,by tp_btf,by tracepoint,/}
ITEMS_CANNOT=${ITEMS_CANNOT/task storage,/}

# Runs COMMAND after SCRIPT, in a mount namespace of its own.
after() {
	# shellcheck disable=SC2016
	unshare -m sh -c "$1"' && shift && exec "$@"' sh "$@"
}

# bats test_tags=kernels
@test "a line for each thing, and status 0 where tr-attach can trace" {
	need_bpf
	run -0 --separate-stderr doctor
	# shellcheck disable=SC2154
	[ -z "$stderr" ]
	whole_report "$ITEMS"
	[ "$(state kernel)" = ok ]
	[ "$(state BTF)" = ok ]
	[ "$(state 'system calls')" != no ]
	[[ $output == *"kernel               $(uname -r), "* ]]
	tr-attach --dry-run --quiet --all --count --syscalls
}

# defines FILE KIND WHAT: this kernel lets one define a probe so.
defines() {
	{ echo "$2:tracery_$$/x $3" >>"$1"; } 2>/dev/null || return
	echo "-:tracery_$$/x" >>"$1"
}

# bats test_tags=kernels,ways
@test "what a kernel has and lacks is found, and with what it falls back" {
	need_bpf
	need_root
	local release machine tracing=/sys/kernel/tracing

	[ -d "$tracing/events" ] || skip "tracefs is not mounted here"
	run -0 doctor
	echo "$output"
	release=$(uname -r | awk -F . '{ print $1 * 1000 + $2 }') machine=$(uname -m)
	# ok_if ITEM CONDITION...: so says the report where that is met, and note or no elsewhere.
	ok_if() {
		if "${@:2}"; then [ "$(state "$1")" = ok ]; else [[ $(state "$1") == no* ]]; fi
	}
	ok_if kprobes defines "$tracing/kprobe_events" p do_exit
	ok_if uprobes defines "$tracing/uprobe_events" p "$(readlink -f /bin/sh):0x1000"
	ok_if uprobe_multi [ "$release" -ge 6006 ]
	ok_if 'hardware counters' "$(workload counters)"
	# Later kernels get the memory for it by one instruction of x86.
	has_storage() {
		((release >= 5012)) && { ((release < 6019)) || [ "$machine" != x86_64 ] || grep -qw cx16 /proc/cpuinfo; }
	}
	ok_if 'task storage' has_storage
	has_storage || [[ $output == *"task storage         none, "*"falls back to a hash map"* ]]
	# Later kernels preempt the others.
	[ "$(state 'by tracepoint')" = ok ]
	ok_if 'by tp_btf' [ "$release" -lt 6019 ]
	ok_if 'by raw_tp' [ "$release" -lt 6019 ]
	ok_if 'system calls' [ "$release" -lt 6019 ]
	if [ "$machine" = x86_64 ] || ((release >= 6004)); then
		ok_if fentry tr-attach -q --way=fentry --count=getppid --duration 1ms --pid $$ 2>/dev/null >trace
		[[ $output == *"fentry               works"* || $output == *"fentry               the kernel has it, but "* ]]
	else
		[[ $output == *"fentry               none: kprobes serve instead"* ]]
	fi
}

@test "the kernel's own signs agree" {
	need_bpf
	run -0 doctor
	if zcat /proc/config.gz >config 2>/dev/null; then
		grep -q '^CONFIG_KPROBES=y' config && want=ok || want=no
		[ "$(state kprobes)" = "$want" ]
		grep -q '^CONFIG_UPROBES=y' config && want=ok || want=no
		[ "$(state uprobes)" = "$want" ]
	fi
	if perf stat -x, -e cycles true 2>&1 | grep -q '^[0-9]*,'; then want=ok; else want=note; fi
	[ "$(state 'hardware counters')" = "$want" ]
}

@test "an ordinary user is told which capabilities are missing, with status 3" {
	need_root
	open_checkout
	run -3 --separate-stderr as_nobody "$open/tracery" doctor
	[ -z "$stderr" ]
	whole_report "$ITEMS_CANNOT"
	[ "$(state capabilities)" = no ]
	[[ $output == *"CAP_BPF and CAP_PERFMON missing: use sudo"* ]]
	[ "$(state 'system calls')" = no ]
	# With them, but without all others, it works.
	need_bpf
	run -0 setpriv --bounding-set -all,+bpf,+perfmon --inh-caps -all "$ROOT/tracery" doctor
	[ "$(state 'system calls')" = ok ]
	[ "$(state capabilities)" = note ]
	[[ $output == *CAP_SYS_PTRACE* ]]
}

@test "without BTF it says so, with status 3" {
	need_root
	run -3 --separate-stderr after 'mount -t tmpfs -o ro tmpfs /sys/kernel/btf' "$ROOT/tracery" doctor
	[ -z "$stderr" ]
	whole_report "$ITEMS_CANNOT"
	[ "$(state BTF)" = no ]
	[[ $output == *"CONFIG_DEBUG_INFO_BTF"* ]]
}

@test "without /sys every line is still there" {
	need_root
	run -3 --separate-stderr after 'umount -R /sys' "$ROOT/tracery" doctor
	[ -z "$stderr" ]
	whole_report "$ITEMS_CANNOT"
	[[ $output == *"BTF                  there is no /sys: "* ]]
	[ "$(state tracefs)" = note ]
	[ "$(state 'hardware counters')" = note ]
	[ "$(state lockdown)" = note ]
}

@test "without tracefs it is a note, for tr-attach mounts it" {
	need_bpf
	run -0 --separate-stderr after 'umount -R /sys/kernel/tracing; :' "$ROOT/tracery" doctor
	[ -z "$stderr" ]
	whole_report "$ITEMS"
	[ "$(state tracefs)" = note ]
	[ "$(state 'by tracepoint')" = ok ]
	# Neither there nor to be had.
	covered='umount -R /sys/kernel/tracing; mount -t tmpfs -o ro tmpfs /sys/kernel/tracing'
	covered+=' && { umount -R /sys/kernel/debug; :; }'
	run -0 --separate-stderr after "$covered" setpriv --bounding-set -sys_admin "$ROOT/tracery" doctor
	[ "$(state 'by tracepoint')" = note ]
	[ "$(state 'system calls')" = ok ]
}

@test "in a user namespace capabilities are none, with status 3" {
	unshare -Ur true || skip "no user namespaces here"
	run -3 --separate-stderr unshare -Ur "$ROOT/tracery" doctor
	[ -z "$stderr" ]
	[[ $output == *"capabilities         those of a user namespace "* ]]
}

@test "in a PID namespace it says how processes are numbered" {
	need_bpf
	run -0 unshare -pf --mount-proc "$ROOT/tracery" doctor
	[ "$(state 'PID namespace')" = note ]
}

@test "a way that is refused is left for the next, in words" {
	mkdir -p checkout/build/bin
	cp "$ROOT/tracery" checkout/
	cp -r "$ROOT/build/share" checkout/build/
	cat >checkout/build/bin/tr-attach <<'END'
#!/bin/sh
for word; do
	case " $REFUSED " in
	*" $word "*)
		echo 'libbpf: chatter' >&2
		echo 'tr-attach: "refused": \o/' >&2
		exit 3
		;;
	esac
done
for way in tp_btf raw_tp tracepoint; do
	case " $REFUSED " in *" --way=$way "*) ;; *) break ;; esac
done
echo "tr-attach: system calls: by way of $way${OLD+, with the programs for kernels without task storage}" >&2
END
	chmod +x checkout/build/bin/tr-attach
	OLD='' run -0 checkout/tracery doctor
	[[ $output == *"note  task storage         none, "* ]]
	REFUSED='--way=tp_btf' run -0 checkout/tracery doctor
	[[ $output == *"note  system calls         falls back to raw_tp"* ]]
	[[ $output == *"ok    task storage         "* ]]
	REFUSED='--way=tp_btf --way=raw_tp' run -0 checkout/tracery doctor
	[[ $output == *"note  system calls         falls back to classic tracepoints"* ]]
	[[ $output == *'note  by raw_tp            does not work, and is not needed: "refused": \o/'* ]]
	REFUSED='--all' run -3 checkout/tracery doctor
	[[ $output == *'no    system calls         "refused": \o/'* ]]
	REFUSED='--way=raw_tp' run -0 checkout/tracery doctor --output json
	[ "$(jq -r 'select(.item == "by raw_tp").text' <<<"$output")" = 'does not work, and is not needed: "refused": \o/' ]
}

# bats test_tags=lockdown
@test "where a kernel is locked down what it can't do is said, and the rest works" {
	need_bpf
	grep -q '\[confidentiality\]' /sys/kernel/security/lockdown 2>/dev/null ||
		skip "this kernel is not locked down"
	run -0 doctor
	[ "$(state lockdown)" = note ]
	[ "$(state 'system calls')" = ok ]
	tr-attach --count --syscalls --command-stdout=3 -- "$(workload calls)" 211 3>said >trace
	[ "$(tr-cat --format=json trace | grep -c '"type":"syscall".*"syscall":"getppid"')" = 211 ]
	# Registers are read as bytes of the kernel's.
	run -3 --separate-stderr tr-attach --args --all
	[ -z "$output" ]
	[[ ${#stderr_lines[@]} = 1 && $stderr == *"locked down"* ]]
}

@test "--output json is an object for each line" {
	need jq
	doctor >table || true
	doctor --output=json >json || true
	jq -r '[.item, .state, .text] | @tsv' json >fields
	while IFS=$'\t' read -r item state text; do
		printf '%-4s  %-19s  %s\n' "$state" "$item" "$text"
	done <fields | diff table -
}

@test "a wrong doctor is one line and status 2" {
	local line

	while read -r line; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr "$ROOT/tracery" $line
		[ -z "$output" ]
		[[ ${#stderr_lines[@]} = 1 && $stderr == tracery:\ * ]]
	done <<'END'
doctor 1234
doctor --pid 1
doctor --output
doctor --output csv
--show doctor
END
}
