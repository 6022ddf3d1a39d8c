# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# tracery list: what can be traced here, one name a line. Read by tracery, which sets bin and share.

note() {
	printf 'tracery: list: %s\n' "$*" >&2
}

# in_tracefs SCRIPT [ARG]...: has sh run it in tracefs, which is mounted for it alone where it is not
# mounted at all. Says so when that cannot be.
in_tracefs() {
	script=$1
	shift
	for folder in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		if [ -d "$folder/events" ]; then
			(cd "$folder" && sh -c "$script" sh "$@")
			return
		fi
	done
	while read -r _ _ type _; do
		if [ "$type" = tracefs ]; then
			note 'tracefs may be read by root alone: run it with sudo'
			return 3
		fi
	done </proc/mounts
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing && cd /sys/kernel/tracing &&
		sh -c "$@"' sh "$script" sh "$@" 2>/dev/null && return
	note 'no tracefs: as root, mount -t tracefs tracefs /sys/kernel/tracing'
	return 3
}

# Each of these prints all there are, the name first.

all_syscalls() {
	awk -F '\t' '{ printf "%-32s %4s  %-16s %s\n", $2, $1, $3, $4 }' "$share/syscalls"
}

all_tracepoints() {
	# Those of ftrace itself are no tracepoints.
	# shellcheck disable=SC2016
	in_tracefs 'cd events && for f in */*/format; do
		f=${f%/format}
		case $f in ftrace/*) ;; *) echo "${f%/*}:${f#*/}" ;; esac
	done'
}

all_functions() {
	in_tracefs 'cat available_filter_functions' 2>/dev/null && return
	note 'from /proc/kallsyms, as available_filter_functions cannot be read; some may be out of reach'
	awk '$2 ~ /^[tTwW]$/ && $4 != "[bpf]" && $3 !~ /^__(pfx|cfi)_|\.cold|[$]/ {
		print $4 == "" ? $3 : $3 " " $4
	}' /proc/kallsyms
}

all_symbols() {
	"$bin/tr-symbols" -- "$1"
}

# Prints the lines of stdin whose first word PATTERN matches, which is * and ? and a name.
matching() {
	PATTERN=$1 LC_ALL=C awk '
		BEGIN {
			pattern = ENVIRON["PATTERN"]
			for (i = 1; i <= length(pattern); i++) {
				c = substr(pattern, i, 1)
				ere = ere (c == "*" ? ".*" : c == "?" ? "." :
					c ~ /[A-Za-z0-9_]/ ? c : c == "^" || c == "\\" ? "\\" c : "[" c "]")
			}
			ere = "^" ere "$"
		}
		$1 ~ ere' | LC_ALL=C sort -u
}

# The fields of TRACEPOINT, one a line.
fields() {
	# shellcheck disable=SC2016
	in_tracefs 'cat "events/$1/format"' "${1%%:*}/${1#*:}" |
		sed -n '/field:.* common_/d; s/^[[:space:]]*field:\([^;]*\);.*/    \1/p'
}

# of_kind KIND PATTERN [BINARY]: prints what there is; status 1 when that is nothing.
of_kind() {
	all=$("all_$1" "${3-}") || exit
	chosen=$(printf '%s\n' "$all" | matching "$2")
	[ -n "$chosen" ]
}

list() {
	kind='' binary=''
	case ${1-} in
	syscalls | tracepoints | functions | symbols)
		kind=$1
		shift
		;;
	esac
	if [ "$kind" = symbols ]; then
		[ $# -gt 0 ] || die 2 'list symbols: of which BINARY? see tracery --help'
		binary=$1
		shift
	fi
	[ $# -le 1 ] || die 2 "list: $2: one pattern is enough; in quotes, that the shell leaves it alone"
	case ${1-} in -*) die 2 "list: $1: no such option here; see tracery --help" ;; esac
	pattern=${1-*}

	if [ -z "$kind" ]; then
		found=''
		for kind in syscalls tracepoints functions; do
			# What cannot be listed has been said; the others still can.
			if part=$(of_kind "$kind" "$pattern" && printf '%s\n' "$chosen"); then
				found=1
				printf '%s\n' "$part" | sed "s/^/${kind%s} /"
			fi
		done
		kind=names
	elif of_kind "$kind" "$pattern" "$binary"; then
		found=1
		printf '%s\n' "$chosen"
		case $kind:$pattern in
		tracepoints:*[*?]*) ;;
		tracepoints:*) fields "$pattern" ;;
		esac
	fi
	[ -n "${found-}" ] || die 1 "list: no $kind match '$pattern'; a pattern is for the whole name, as '*read*'"
}
