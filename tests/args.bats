# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --args. The witnesses are the workload, which prints what it gave the kernel, and strace.

load helper
load tracing

# "NAME PATH [PATH2]" of each call of the JSON lines on stdin, in order, as the workload args prints
# them.
said_by_trace() {
	local name path path2

	while read -r name path path2; do
		printf '%s %s' "$name" "$(path_of "$path")"
		[ "$name" != renameat2 ] || printf ' %s' "$(path_of "$path2")"
		echo
	done
}

# A path's JSON string: its bytes in hexadecimal, "-" where there are none, "?" when unreadable, "+"
# behind a cut one.
path_of() {
	local mark=e280a6 bytes

	case $1 in
	'""') echo - ;;
	"\"…\"") echo '?' ;;
	*'…"')
		bytes=$(json_string_bytes <<<"$1")
		echo "${bytes%"$mark"}+"
		;;
	*) json_string_bytes <<<"${1//\\u2026/…}" ;;
	esac
}

# "NAME PATH PATH2" of the workload's own calls, as the trace's JSON has them.
own_calls() {
	tr-cat --format=json trace | grep '"comm":"args"' |
		sed -n 's/.*"syscall":"\([a-z0-9]*\)","path":\("[^,]*"\),"path2":\(".*"\)}$/\1 \2 \3/p' |
		sed -n '/"\/nobody\/has/,$p' | grep -E '^(openat|renameat2|execve) '
}

@test "arguments are those of the call, paths are whole, cut ones and unreadable ones marked" {
	need_bpf
	tr-attach --args --command-stdout=3 -- "$(workload args)" 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
	read -r _ a b c d e f <said
	[ "$(records trace syscall 'select(.syscall == "copy_file_range") | .args')" = \
		"[\"0x$a\",\"0x$b\",\"0x$c\",\"0x$d\",\"0x$e\",\"0x$f\"]" ]
	sed 1d said >expected
	own_calls | said_by_trace | diff expected -
	# NULL is no path, and no unreadable one either
	records trace syscall 'select(.args[1] == "0x0" and .syscall == "openat") | .path' | grep -qx '""'
}

@test "the form makes no difference" {
	need_bpf
	tr-attach --args --command-stdout=3 --format=json -- "$(workload args)" 3>said >trace
	sed 1d said >expected
	own_calls | said_by_trace | diff expected -
	tr-cat --format=packed trace | tr-cat --format=json | cmp trace -
}

# bats test_tags=kernels
@test "paths are those that strace sees" {
	need_bpf
	local program='cd /; cat etc/passwd /no/such; mkdir "$1/a b"; mv "$1/a b" "$1/c"'
	local names='openat|newfstatat|execve|mkdir|mkdirat|symlink|symlinkat|rename|renameat2|unlinkat|rmdir|access'

	program+='; ln -s x "$1/c/l"; rm -r "$1/c"'
	mkdir d
	strace -f -o straced -e "trace=${names//|/,}" sh -c "$program" sh "$PWD/d" >/dev/null 2>&1 || true
	tr-attach --args --syscalls="${names//|/,}" -- sh -c "$program" sh "$PWD/d" >trace 2>err || true
	# in strace's lines paths are the strings in quotes
	awk '{
		name = $2
		sub(/\(.*/, "", name)
		n = split($0, part, "\"")
		line = name
		for (i = 2; i <= (name == "execve" ? 2 : n); i += 2)
			line = line " " part[i]
		print line
	}' straced | grep -E "^($names)" | sed 's/ *$//' | sort >expected
	records trace syscall '"\(.syscall) \(.path) \(.path2)"' | jq -r . | sed 's/ *$//' | sort | diff expected -
}

# A program that is killed while it waits for someone to write to `pipe`.
killed_in_open() {
	cat pipe &
	until grep -q '^State:.S' "/proc/$!/status"; do :; done
	kill -KILL $!
	wait || true
}

@test "a call that never returned has its arguments, one that was killed its path as well" {
	need_bpf
	mkfifo pipe
	export -f killed_in_open
	tr-attach --args -- bash -c killed_in_open 2>/dev/null >trace
	records trace syscall 'select(.syscall == "exit_group" and .ret == null) | .args[0]' >got
	grep -qx '"0x0"' got
	records trace syscall 'select(.syscall == "openat" and .ret == -512) | .path' >got
	[ "$(cat got)" = '"pipe"' ]
}

# bats test_tags=kernels
@test "32-bit calls have the arguments of their own registers" {
	need_bpf
	"$(workload i386)" || skip "no 32-bit calls here"
	tr-attach --args --syscalls=i386:getpid -- "$(workload i386)" 2>/dev/null >trace
	[ "$(records trace syscall .syscall | wc -l)" = 1009 ]
	[ "$(records trace syscall '.args[]' | grep -c -E -v '^"0x[0-9a-f]{1,8}"$')" = 0 ]
}

@test "every way in has the same arguments" {
	need_bpf
	local way

	for way in tp_btf raw_tp tracepoint; do
		tr-attach --args --way="$way" --command-stdout=3 -- "$(workload args)" 3>said >trace
		sed 1d said >expected
		own_calls | said_by_trace | diff expected -
	done
}

@test "--args needs the stream" {
	run -2 --separate-stderr tr-attach --count --args --pid $$
	[[ $stderr == *"--args is for --syscalls"* ]]
	run -2 --separate-stderr tr-attach --syscalls --per-process --pid $$
	[[ $stderr == *"--per-process is for --count, --summary"* ]]
}
