# SPDX-License-Identifier: GPL-2.0-only
#
# What is written about the tools: is it so?

load helper

programs=(tr-attach tr-table tr-hist tr-cat tr-symbols tracery)

setup() {
	PATH=$ROOT:$PATH
}

# The options of a tool's --help, one a line: -p, --pid.
helped() {
	"$1" --help | sed -n '/^Options:$/,/^$/p' | grep -oE '^ +(-[A-Za-z], )?--[a-z-]+|^ +-[A-Za-z] ' |
		grep -oE -- '-{1,2}[A-Za-z][a-z-]*' | sort -u
}

# Those of its manual page.
written() {
	sed -nE 's/^\.It Fl ([A-Za-z-]+)( , (-[a-z-]+))?( .*)?$/-\1\n-\3/p' "$ROOT/docs/man/$1.1" |
		grep -E '[A-Za-z]' | sort -u
}

# The container and the service that the examples speak of, where there are none of that name.
make_cgroups() {
	local top=/sys/fs/cgroup folder

	[ ! -d $top/unified ] || top=$top/unified
	for folder in docker docker/3f4e5a6b7c8d0000000000000000000000000000000000000000000000000000 \
		system.slice system.slice/ssh.service; do
		[ -d "$top/$folder" ] || { mkdir "$top/$folder" && made=("$top/$folder" "${made[@]}"); }
	done
}
made=()

teardown() {
	stop_started
	[ ${#made[@]} = 0 ] || rmdir "${made[@]}"
}

# Runs the lines of stdin as a shell would, with a live process for 1234, short durations, and
# stand-ins for what takes long or is not here; fails when one of them fails.
run_examples() {
	local line

	make_cgroups
	mkdir -p stand-ins
	printf '#!/bin/sh\nexec "$@"\n' >stand-ins/sudo
	printf '#!/bin/sh\ncat /dev/null\n' >stand-ins/make
	chmod +x stand-ins/*
	tracery record -o web.trc -- "$ROOT/examples/workload.sh" 3
	cp web.trc monday.trc
	cp web.trc tuesday.trc
	while read -r line; do
		start bash -c 'while ((SECONDS < 3)); do read -r _ </dev/null; cat /dev/null; done'
		line=$(printf '%s\n' "$line" | sed -E "s/\b1234\b/$pid/; s/--duration [0-9]+/--duration 0.4/")
		echo "\$ $line"
		PATH=$PWD/stand-ins:$PATH timeout 20 bash -o pipefail -c "$line" </dev/null >out 2>err || {
			echo "exit status $?"
			cat out err
			return 1
		}
		stop_started
	done
}

@test "each program has a manual page, and each page a program" {
	run -0 find "$ROOT/docs/man" -name '*.1' -printf '%f\n'
	[ "$(printf '%s\n' "${lines[@]}" | sort)" = "$(printf '%s.1\n' "${programs[@]}" | sort)" ]
}

@test "manual pages are well formed" {
	need mandoc
	run -0 mandoc -T lint -W warning "$ROOT"/docs/man/*.[17]
	[ -z "$output" ]
}

@test "a manual page has just the options that its program has" {
	local program

	for program in "${programs[@]}"; do
		echo "$program: < --help, > the manual page"
		helped "$program" >options
		written "$program" | diff options -
		[ -s options ]
	done
}

@test "the examples of the manual pages work" {
	need_bpf
	need jq
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/{/^\.Bd/,/^\.Ed/{/^\./!p}}' "$ROOT"/docs/man/*.[17] >examples
	[ "$(wc -l <examples)" -ge 8 ]
	run_examples <examples
}

@test "the examples of --help work" {
	local program

	need_bpf
	need jq
	for program in "${programs[@]}"; do
		"$program" --help | sed -n '/^Examples:$/,$s/^  //p' >examples
		[ -s examples ]
		run_examples <examples
	done
}

@test "the commands of the README work" {
	need_bpf
	need jq
	# Blocks marked sh, but for what installs or tests.
	awk '/^```/ { on = $0 == "```sh"; next } on' "$ROOT/README.md" |
		grep -vE 'setup.sh|make (demo|check|install|bench)' >examples
	[ "$(wc -l <examples)" -ge 5 ]
	run_examples <examples
}

@test "what the papers point to is there" {
	local file

	cd "$ROOT"
	grep -ohE '\]\([^)#:]+\)' ./*.md docs/*.md bench/*.md 2>/dev/null | tr -d '])(' | sort -u |
		while read -r file; do
			[ -e "$file" ] || [ -e "bench/$file" ] || echo "$file"
		done >"$BATS_TEST_TMPDIR/dead"
	cat "$BATS_TEST_TMPDIR/dead"
	[ ! -s "$BATS_TEST_TMPDIR/dead" ]
}

@test "the README's session with a real server finds what it says" {
	need_bpf
	need redis-check-rdb
	need redis-benchmark
	need jq
	# One program under two names; Debian keeps the other in a package that starts a service.
	ln -s "$(command -v redis-check-rdb)" redis-server
	start ./redis-server --port 0 --unixsocket "$PWD/socket" --save '' --dir "$PWD" \
		--appendonly yes --appendfsync always
	server=$pid
	wait_for redis-cli -s socket ping
	start redis-benchmark -s socket -t set -n 100000000 -q
	wait_for [ -s appendonlydir/appendonly.aof.1.incr.aof ]
	tracery record -o redis.trc --pid "$server" --duration 1
	run -0 --separate-stderr tr-table --sort total --output json redis.trc
	# the witness: what the append-only file says was written, and that each round synced once
	[ "$(jq -r .syscall <<<"${lines[0]}")" = fdatasync ]
	jq -es 'map({(.syscall): .count}) | add | .fdatasync as $f | .epoll_wait as $e |
		$f > 10 and ($f - $e | fabs) <= 1 and .write > $f' <<<"$output"
}

@test "the README's session with a slow disk is of a workload that says what it does" {
	need_bpf
	need jq
	tracery latency --syscall fsync --output json -o report -- "$ROOT/examples/fsync.sh" 24 8 "$PWD" >said
	# the witness: how often it says that it called fsync
	grep -qx 'journal 24, backup 1' said
	[ "$(jq -c '[.syscall, .count]' report)" = '["fsync",25]' ]
	tr-attach --syscalls=fsync --where 'ns > 0 && comm == "journal"' -- \
		"$ROOT/examples/fsync.sh" 24 8 "$PWD" 2>said | tr-table --by comm --output csv >table
	grep -qx 'journal 24, backup 1' said
	[ "$(tail -n 1 table | cut -d , -f 1,2)" = journal,24 ]
}
