# SPDX-License-Identifier: GPL-2.0-only
#
# tracery list: what it shows is what the kernel says there is.

load helper

teardown() {
	stop_started
	close_checkout
}

list() {
	"$ROOT/tracery" list "$@"
}

# Runs COMMAND where tracefs is mounted, for it alone.
with_tracefs() {
	unshare -m sh -c 'cd /sys/kernel/tracing/events 2>/dev/null ||
		mount -t tracefs tracefs /sys/kernel/tracing && exec "$@"' sh "$@"
}

# ... and where none is and none can be.
without_tracefs() {
	# shellcheck disable=SC2016
	unshare -m sh -c '
		for folder in /sys/kernel/tracing /sys/kernel/debug; do
			umount -R "$folder" 2>/dev/null
			mount -t tmpfs -o ro tmpfs "$folder"
		done
		exec setpriv --bounding-set -sys_admin "$@"' sh "$@"
}

@test "list syscalls shows name, number, classes and arguments, sorted" {
	list syscalls >calls
	LC_ALL=C sort -c -u calls
	# strace's numbers and names are the witness.
	[ "$(awk '$1 == "openat" { print $2, $3, $4, $5, $6, $7 }' calls)" = \
		"$(sed -n 's/^#define __NR_openat //p' <(echo '#include <asm/unistd.h>' | cc -dM -E -)) file,desc dfd filename flags mode" ]
	echo '#include <asm/unistd.h>' | cc -dM -E - | sed -n 's/^#define __NR_\([a-z_0-9]*\) \([0-9]*\)$/\1 \2/p' |
		sort >want
	awk '$1 !~ /:/ { print $1, $2 }' calls | sort | join - want | awk '$2 != $3' >wrong
	[ ! -s wrong ]
	[ "$(awk '$1 !~ /:/ { print $1 }' calls | sort | join - want | wc -l)" -gt 300 ]
}

@test "a pattern is a glob over the whole name" {
	[ "$(list syscalls 'open' | awk '{ print $1 }')" = open ]
	run -0 list syscalls 'pipe*'
	[ "$(printf '%s\n' "${lines[@]}" | awk '{ print $1 }' | tr '\n' ' ')" = "pipe pipe2 " ]
	run -0 list syscalls 'dup?'
	[ "$(printf '%s\n' "${lines[@]}" | awk '{ print $1 }' | tr '\n' ' ')" = "dup2 dup3 " ]
	# What is special elsewhere is a letter here.
	# shellcheck disable=SC1003
	for pattern in 'rea[d]' 'rea.' '.*' 'read|write' '^read' 'read$' 'read\' '(read)' 'read+' ''; do
		run -1 --separate-stderr list syscalls "$pattern"
		[ -z "$output" ]
		# shellcheck disable=SC2154
		[ "${#stderr_lines[@]}" = 1 ]
	done
}

@test "nothing that matches is one line and status 1" {
	run -1 --separate-stderr list syscalls nosuchcall
	[ -z "$output" ]
	[ "$stderr" = "tracery: list: no syscalls match 'nosuchcall'; a pattern is for the whole name, as '*read*'" ]
}

# Whatever others have mounted here.
unmounted() {
	# shellcheck disable=SC2016
	unshare -m sh -c 'umount -R /sys/kernel/tracing 2>/dev/null; exec "$@"' sh "$@"
}

@test "list tracepoints shows those that tracefs has, mounted or not" {
	need_root
	with_tracefs cat /sys/kernel/tracing/available_events >events || skip "tracefs cannot be mounted here"
	grep -v '^ftrace:' events | LC_ALL=C sort -u >want
	with_tracefs "$ROOT/tracery" list tracepoints | diff want -
	# Where it is not, it is mounted for the listing alone.
	unmounted "$ROOT/tracery" list tracepoints | diff want -
	[ "$(list tracepoints 'sched:sched_switch' | head -n 1)" = sched:sched_switch ]
	[ "$(list tracepoints 'sched:sched_swi*')" = sched:sched_switch ]
}

@test "one tracepoint is shown with its fields" {
	need_root
	with_tracefs cat /sys/kernel/tracing/events/sched/sched_switch/format >format ||
		skip "tracefs cannot be mounted here"
	list tracepoints sched:sched_switch >fields
	grep -qx '    char prev_comm\[16\]' fields
	[ "$(wc -l <fields)" = "$(($(grep -c 'field:' format) - 4 + 1))" ]
}

@test "where tracefs cannot be had, it is a line that says what to do and status 3" {
	need_root
	run -3 --separate-stderr without_tracefs "$ROOT/tracery" list tracepoints
	[ -z "$output" ]
	[[ ${#stderr_lines[@]} = 1 && $stderr == *"as root, mount -t tracefs tracefs /sys/kernel/tracing" ]]
	# Without a kind the others are listed all the same.
	run -0 --separate-stderr without_tracefs "$ROOT/tracery" list '*openat2'
	[[ $output == *"syscall openat2 "* && $output != *tracepoint* ]]
	[[ $stderr == *"no tracefs"* ]]
}

@test "list functions falls back to kallsyms and says so" {
	local all

	all=$(with_tracefs cat /sys/kernel/tracing/available_filter_functions 2>/dev/null | wc -l)
	list functions >functions 2>err
	LC_ALL=C sort -c -u functions
	grep -qx vfs_read functions
	run -1 grep -qE ' $|^bpf_prog_[0-9a-f]{16}( |$)' functions
	if [ "$all" = 0 ]; then
		[ "$(wc -l <err)" = 1 ]
		grep -q 'from /proc/kallsyms' err
	else
		[ ! -s err ]
		[ "$(wc -l <functions)" -le "$all" ]
	fi
}

@test "list symbols asks tr-symbols, whose error is its own" {
	[ "$(list symbols "$TR_BIN/tr-attach" main)" = main ]
	list symbols "$TR_BIN/tr-attach" 'tr_*' >names
	tr-symbols "$TR_BIN/tr-attach" | grep '^tr_' | diff names -
	cp "$TR_BIN/tr-attach" "a copy"
	strip -s "a copy"
	run -1 --separate-stderr list symbols "a copy"
	[ "$stderr" = "tr-symbols: a copy: no symbol table: it has been stripped" ]
	run -1 --separate-stderr list symbols nowhere
	[[ ${#stderr_lines[@]} = 1 && $stderr == tr-symbols:\ nowhere:\ * ]]
}

@test "without a kind every line begins with its kind" {
	list '*openat' 2>/dev/null >all
	grep -qE '^syscall openat +[0-9]' all
	grep -q '^function .*openat' all
	run -1 grep -vE '^(syscall|tracepoint|function) ' all
}

@test "an ordinary user gets what is to be had" {
	need_root
	open_checkout
	run -0 as_nobody "$open/tracery" list syscalls getppid
	run -3 as_nobody "$open/tracery" list tracepoints
	run -0 --separate-stderr as_nobody "$open/tracery" list getppid
	[[ $output == "syscall getppid "* ]]
}

@test "a wrong list is one line and status 2" {
	local line

	while read -r line; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr "$ROOT/tracery" $line
		[ -z "$output" ]
		[[ ${#stderr_lines[@]} = 1 && $stderr == tracery:\ * ]]
	done <<'END'
list symbols
list syscalls a b
list --no-such-thing
list syscalls --top
--show list
END
}
