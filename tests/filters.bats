# SPDX-License-Identifier: GPL-2.0-only
#
# The contract that every filter passes, written once: a test here runs over all of FILTERS.

load helper

FILTERS="tr-table tr-hist tr-cat"

setup() {
	# a trace whose figures are known: 30 calls, 10 each of read, write and close
	{
		echo '{"tracery":{"version":1,"id":"f","host":"h","arch":"x86_64","kernel":"6.1","start":"2026-01-02T03:04:05.000000000Z"}}'
		for ((i = 0; i < 10; i++)); do
			for call in read write close; do
				echo "{\"type\":\"syscall\",\"ts\":$((i * 1000)),\"ns\":$((i + 1)),\"ret\":$((3 - i)),\"comm\":\"w\",\"pid\":7,\"tid\":7,\"syscall\":\"$call\"}"
			done
		done
		echo '{"end":{"ts":9999,"records":30,"lost":0,"status":0}}'
	} >json.trc
	tr-cat --format=packed json.trc >packed.trc
}

# for_each COMMAND: runs it for each filter, with $f set; says which one failed.
for_each() {
	for f in $FILTERS; do
		"$@" || {
			echo "$f: $*" >&2
			return 1
		}
	done
}

one_line() {
	[ "$(wc -l <"$1")" = 1 ] && grep -q "^$f: " "$1"
}

@test "--help is 0 and goes to stdout, with a line for every option" {
	check() {
		"$f" --help >out 2>err && [ ! -s err ] && grep -q "^Usage: $f " out && grep -q -- --version out
	}
	for_each check
}

@test "--help into a full disk fails" {
	check() { ! "$f" --help >/dev/full 2>err && one_line err; }
	for_each check
}

@test "--version says name and version" {
	check() { [[ $("$f" --version) =~ ^$f\ [0-9]+\.[0-9]+\.[0-9]+$ ]]; }
	for_each check
}

@test "a bad option is one line and status 2" {
	check() {
		"$f" --no-such-thing <json.trc >out 2>err
		[ $? = 2 ] && one_line err && [ ! -s out ] && grep -q "see $f --help" err
	}
	for_each check
}

@test "a missing file is one line and status 1, and the other files are read" {
	check() {
		"$f" nowhere.trc json.trc >out 2>err
		[ $? = 1 ] && grep -q "^$f: nowhere.trc: No such file" err && [ -s out ]
	}
	for_each check
}

@test "a folder is no trace" {
	check() {
		"$f" . >out 2>err
		[ $? = 1 ] && one_line err && [ ! -s out ]
	}
	for_each check
}

@test "a full disk is one line and status 1" {
	check() {
		"$f" json.trc >/dev/full 2>err
		[ $? = 1 ] && one_line err && grep -q "No space left" err
	}
	for_each check
}

@test "empty input is no failure" {
	check() { "$f" </dev/null >out 2>err && [ ! -s out ]; }
	for_each check
}

@test "stdin, a dash, a file and a pipe give the same" {
	check() {
		"$f" json.trc >a && "$f" <json.trc >b && "$f" - < <(cat json.trc) >c && cmp a b && cmp a c && [ -s a ]
	}
	for_each check
}

@test "packed and JSON lines give the same, also mixed" {
	{ head -n 11 packed.trc && tail -n +12 json.trc; } >mixed.trc
	check() {
		"$f" json.trc >a && "$f" packed.trc >b && "$f" mixed.trc >c && cmp a b && cmp a c
	}
	for_each check
}

@test "a last record that is cut is left out, said, and status 1" {
	check() {
		for trace in json packed; do
			head -n 12 "$trace.trc" | head -c -5 >cut.trc
			"$f" cut.trc >out 2>err
			[ $? = 1 ] && grep -q "^$f: cut.trc:12: cut short" err || return
			head -n 11 "$trace.trc" | "$f" >want 2>/dev/null
			cmp out want || return
		done
	}
	for_each check
}

@test "a packed record of an unknown kind is skipped, said, and status 1" {
	{ head -n 5 packed.trc && printf '\276\000123456789\n' && tail -n +6 packed.trc; } >odd.trc
	check() {
		"$f" odd.trc >out 2>err
		[ $? = 1 ] && grep -q "^$f: odd.trc:6: .*no schema.*1 of unknown kind" err || return
		"$f" packed.trc | cmp out -
	}
	for_each check
}

@test "foreign text, blank lines and a byte-order mark" {
	{ printf '\357\273\277' && cat json.trc && printf '\nhello\n'; } >odd.trc
	check() {
		"$f" odd.trc >out 2>err
		[ $? = 1 ] && grep -q "^$f: odd.trc:33: .*skipped 2 lines in all (2 foreign)" err || return
		"$f" json.trc | cmp out -
	}
	for_each check
}

@test "indented JSON gets the hint that helps" {
	head -n 3 json.trc | jq . >pretty.json
	check() {
		"$f" pretty.json >out 2>err
		[ $? = 1 ] && one_line err && grep -q "jq -c" err
	}
	for_each check
}

@test "losses are a note and no failure" {
	{ head -n 9 json.trc && echo '{"lost":{"ts":5,"n":41,"why":"ring buffer full"}}' && tail -n +10 json.trc; } >lossy.trc
	check() { "$f" lossy.trc >out 2>err && grep -q "41 records were lost" err; }
	for_each check
}

@test "a trace without its end, or with another number of records, is a note and no failure" {
	check() {
		head -n 9 json.trc | "$f" >out 2>err && grep -q "no end line" err || return
		grep -v write json.trc | "$f" >out 2>err && grep -q "another number of records" err
	}
	for_each check
}

@test "records before any header are this machine's, with one note" {
	check() {
		tail -n +2 json.trc | "$f" >out 2>err && [ "$(grep -c 'before any header' err)" = 1 ] && [ -s out ]
	}
	for_each check
}

@test "a reader that leaves ends an idle filter at once, without a word" {
	check() {
		mkfifo in
		start bash -c "exec 8<>in; cat json.trc >&8; exec sleep 60" # holds the pipe open
		local writer=$pid
		begin=$(now_ms)
		# shellcheck disable=SC2016
		run_it() { "$f" <in 2>err | head -n 0; }
		start run_it
		wait_for gone "$pid" || return
		soon "$begin" && [ ! -s err ] || return
		kill -KILL -- "-$writer"
		rm in
	}
	for_each check
}

@test "Ctrl-C on a pipe prints the whole result, once" {
	check() {
		mkfifo in
		start bash -c 'trap "" INT; exec 8>in; head -n 20 json.trc >&8; until [ -e go ]; do sleep 0.01; done; tail -n +21 json.trc >&8'
		local writer=$pid
		"$f" <json.trc >want 2>/dev/null
		reader() { exec "$f" <in >out 2>err; }
		start reader
		local filter=$pid
		wait_for takes_signals "$filter" "$f" || return
		ctrl_c "$filter"
		touch go
		finish "$filter" || return
		cmp out want && [ ! -s err ] || return
		finish "$writer"
		rm in go
	}
	for_each check
}

@test "a second Ctrl-C quits" {
	check() {
		mkfifo in
		reader() { exec "$f" <in >out 2>err; }
		exec 8<>in
		start reader
		wait_for takes_signals "$pid" "$f" || return
		ctrl_c "$pid"
		kill -0 "$pid" || return
		wait_for takes_signals "$pid" "$f" || return
		ctrl_c "$pid"
		finish "$pid"
		[ $? = 130 ] || return
		exec 8>&-
		rm in
	}
	for_each check
}

@test "once its files are open a filter can read, write, map and exit, no more" {
	need strace
	check() {
		strace -o calls -e trace='!read,write,writev,poll,ppoll,mmap,munmap,mremap,brk,madvise,fstat,newfstatat,lseek,close,rt_sigprocmask,exit_group' \
			"$f" json.trc >out 2>err || return
		# seccomp(2) is the last of those; all that comes after it is in the list
		[ "$(tail -n 2 calls | head -n 1 | grep -c '^seccomp(')" = 1 ]
	}
	if [ "$(nm -D "$TR_BIN/tr-cat" | grep -c __asan_init)" != 0 ]; then
		skip "the sanitizers make calls of their own, so the sandbox is left out"
	fi
	for_each check
}
