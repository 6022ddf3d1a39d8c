# SPDX-License-Identifier: GPL-2.0-only
#
# tracery: which pipeline it makes of a command line, and how it runs it. Where the tools' own doings
# matter they are the real ones; statuses and descriptors are tried with stand-ins that say what they
# got.

load helper

teardown() {
	stop_started
	close_checkout
}

# What --show prints, with the tools' folder taken off.
shown() {
	"$ROOT/tracery" --show "$@" | sed "s|$ROOT/build/bin/||g"
}

# A checkout whose tools are stand-ins, in a folder with a space in its name: sets fake.
stand_ins() {
	fake="$BATS_TEST_TMPDIR/a checkout"
	mkdir -p "$fake/build/bin"
	cp "$ROOT/tracery" "$fake/"
	cp -r "$ROOT/build/share" "$fake/build/"
	cp "$(workload stand_in)" "$fake/build/bin/tr-attach"
	cat >"$fake/build/bin/tr-table" <<'END'
#!/bin/bash
printf 'table:<%s>\n' "$@" >table.args
sed 's/^/table of /' "${FILE:--}"
exit "${TABLE_STATUS:-0}"
END
	chmod +x "$fake/build/bin"/*
}

@test "count is tr-attach --count into tr-table" {
	# The two programs, as a shell runs them.
	run -0 shown count --pid 1234
	[ "$output" = "tr-attach --count --pid 1234 | tr-table" ]
}

@test "latency is tr-attach --latency into tr-hist" {
	run -0 shown latency --pid 1234 --syscall read
	[ "$output" = "tr-attach --latency=read --pid 1234 | tr-hist" ]
	run -0 shown latency --all
	[ "$output" = "tr-attach --latency --all | tr-hist" ]
	run -0 shown latency -a -i 3 --output json --percentiles 50,99 -o report
	[ "$output" = "tr-attach --latency -a -i 3 | tr-hist -i 3 --output json --percentiles 50,99 > report" ]
	run -0 shown latency --syscall read,write -- ls -l
	[ "$output" = "{ tr-attach --latency=read,write --command-stdout=3 -- ls -l | tr-hist >&2; } 3>&1" ]
	run -0 shown latency --per-process -a --heatmap
	[ "$output" = "tr-attach --latency --per-process -a | tr-hist --heatmap --by comm,pid,syscall" ]
	run -0 shown latency -a --where 'ns > 1ms'
	[ "$output" = "tr-attach --latency -a --where 'ns > 1ms' | tr-hist" ]
	# what tr-table alone has is no option here
	run -2 --separate-stderr "$ROOT/tracery" --show latency --pid 1 --top 3
	[[ ${stderr} == "tracery: latency: --top: no such option here; see tracery --help" ]]
}

@test "record is tr-attach --syscalls into a file, replay is tr-table of it" {
	run -0 shown record -o web.trc --pid 1234
	[ "$output" = "tr-attach --syscalls --pid 1234 > web.trc" ]
	run -0 shown replay --top 3 web.trc other.trc
	[ "$output" = "tr-table --top 3 web.trc other.trc" ]
}

@test "with a command the report goes to stderr and the command keeps stdout" {
	run -0 shown count -- ls -l
	[ "$output" = "{ tr-attach --count --command-stdout=3 -- ls -l | tr-table >&2; } 3>&1" ]
	run -0 shown count -o report -- ls
	[ "$output" = "{ tr-attach --count --command-stdout=3 -- ls | tr-table > report; } 3>&1" ]
	run -0 shown record -o t.trc -- ls
	[ "$output" = "tr-attach --syscalls --command-stdout=3 -- ls 3>&1 > t.trc" ]
}

@test "every option of a tool goes to that tool" {
	local tool form name first second

	for tool in tr-attach tr-table; do
		# "  -p, --pid LIST   sentence" gives --pid=1, "      --count[=LIST]" gives --count.
		"$tool" --help | sed -n '/^Options:$/,/^$/p' |
			sed -nE 's/^ +(-[A-Za-z], )?(--[a-z-]+)/\2/p' |
			sed -E 's/^(--[a-z-]+) [^ ].*/\1=1/; s/[[ ].*//' >names
		grep -q -- --interval=1 names
		while read -r form; do
			name=${form%%=*}
			case $name in --help | --version) continue ;; esac
			run -0 shown count "$form"
			first=${output%%|*} second=${output##*|}
			if [ "$tool" = tr-attach ]; then
				[[ $first =~ \ $name(\ |=|$) ]]
			else
				[[ $name == --where || $second =~ \ $name(\ |=|$) ]]
			fi
		done <names
	done
}

@test "an option of both tools goes to both, --where to the one that saves the most" {
	run -0 shown count -a --interval 3
	[ "$output" = "tr-attach --count -a --interval 3 | tr-table --interval 3" ]
	run -0 shown count -a -i3
	[ "$output" = "tr-attach --count -a -i 3 | tr-table -i 3" ]
}

@test "options are taken in every spelling that getopt_long takes" {
	run -0 shown count -fp1234
	[ "$output" = "tr-attach --count -f -p 1234 | tr-table" ]
	run -0 shown count -p 1234 --follow --duration=5
	[ "$output" = "tr-attach --count -p 1234 --follow --duration 5 | tr-table" ]
	run -0 shown count -a --top=3 --output json
	[ "$output" = "tr-attach --count -a | tr-table --top 3 --output json" ]
}

@test "--syscall names the calls, and so does the tool's own option" {
	run -0 shown count -a --syscall read,write
	[ "$output" = "tr-attach --count=read,write -a | tr-table" ]
	run -0 shown count -a --count=read
	[ "$output" = "tr-attach -a --count=read | tr-table" ]
	run -0 shown record -a --syscall '!futex'
	[ "$output" = "tr-attach '--syscalls=!futex' -a" ]
}

@test "count takes another thing to count, and says whose calls they are when it is asked to" {
	run -0 shown count -a --syscalls=read
	[ "$output" = "tr-attach -a --syscalls=read | tr-table" ]
}

@test "a wrong command line is one line on stderr and status 2" {
	local line

	while read -r line; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr "$ROOT/tracery" $line
		[ -z "$output" ]
		# shellcheck disable=SC2154
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == tracery:\ * ]]
	done <<'END'
cuont --all
count --no-such-option
count -Z
count --pid
count -p
count --all=3
count ls
count --all --
count --all --count=read --syscall write
count -o
record --top 3
record -- ls
replay --pid 3
replay --syscall read
END
	run -2 --separate-stderr "$ROOT/tracery"
	[[ $stderr == Usage:* ]]
}

@test "--help and --version go to stdout, and say so when that fails" {
	run -0 --separate-stderr "$ROOT/tracery" --help
	[[ $output == Usage:\ tracery* && -z $stderr ]]
	run -0 "$ROOT/tracery" count --help
	[[ $output == Usage:\ tracery* ]]
	run -0 "$ROOT/tracery" --version
	[ "$output" = "tracery ${output#tracery }" ]
	[ "${output#tracery }" = "$(tr-attach --version | sed 's/.* //')" ]
	full() { "$ROOT/tracery" --help >/dev/full; }
	run -1 full
}

@test "what --show prints runs as it stands, whatever is in the words" {
	stand_ins
	run -0 "$fake/tracery" --show count -a --syscall "it's" -- cat "a b" "" "\$HOME *" $'two\nlines' -- '~' 'a=b'
	eval "$output" 2>/dev/null || true
	mv attach.args shown.args
	"$fake/tracery" count -a --syscall "it's" -- cat "a b" "" "\$HOME *" $'two\nlines' -- '~' 'a=b' 2>/dev/null || true
	grep -v wait-for attach.args | cmp - shown.args
	grep -qxF "attach:<--count=it's>" attach.args
	grep -qxF 'attach:<$HOME *>' attach.args
	grep -qxF 'attach:<>' attach.args
	grep -qxF 'lines>' attach.args
}

@test "the exit status is tr-attach's when not zero, else the table's" {
	stand_ins
	ATTACH_STATUS=0 TABLE_STATUS=0 run -0 "$fake/tracery" count -a
	[ "$output" = "table of records" ]
	ATTACH_STATUS=3 TABLE_STATUS=0 run -3 "$fake/tracery" count -a
	ATTACH_STATUS=3 TABLE_STATUS=1 run -3 "$fake/tracery" count -a
	ATTACH_STATUS=0 TABLE_STATUS=1 run -1 "$fake/tracery" count -a
	ATTACH_STATUS=139 TABLE_STATUS=0 run -139 "$fake/tracery" count -a
	ATTACH_STATUS=3 run -3 "$fake/tracery" record -a
	TABLE_STATUS=1 FILE=attach.args run -1 "$fake/tracery" replay attach.args
}

@test "a report in a file is for its owner alone, and the command's umask is the caller's" {
	stand_ins
	umask 022
	"$fake/tracery" count -o report -a
	[ "$(stat -c %a report)" = 600 ]
	[ "$(cat report)" = "table of records" ]
	[ "$(cat umask)" = 0022 ]
	echo old >existed
	"$fake/tracery" record -o existed -a
	[ "$(stat -c %a existed)" = 600 ]
	[ "$(cat existed)" = records ]
	run -0 "$fake/tracery" record -o - -a
	[ "$output" = records ]
	run -1 "$fake/tracery" record -o no/such/folder -a
	[[ $output == "tracery: no/such/folder: cannot write: "* ]]
}

@test "tools are found beside tracery's own file, never by PATH or in the current folder" {
	stand_ins
	mkdir elsewhere traps
	for tool in tr-attach tr-table sed; do
		printf '#!/bin/sh\necho "%s of elsewhere ran" >&2\n' "$tool" >elsewhere/$tool
	done
	mkdir -p elsewhere/build/bin
	cp elsewhere/tr-* elsewhere/build/bin/
	chmod +x elsewhere/tr-* elsewhere/build/bin/*
	rm elsewhere/sed
	ln -s "$fake/tracery" elsewhere/direct
	ln -s "../elsewhere/direct" traps/indirect
	cd elsewhere
	PATH=.:$PWD:$PATH
	for tracery in "$fake/tracery" "../a checkout/tracery" ./direct direct ../traps/indirect; do
		run -0 "$tracery" count -a
		[ "$output" = "table of records" ]
	done
}

@test "without built tools it says where it looked" {
	cp "$ROOT/tracery" .
	run -1 ./tracery count -a
	[ "$output" = "tracery: no tools in $PWD/build/bin: run make there first" ]
}

@test "a command's calls are counted, its output is its own, its status is passed on" {
	need_bpf
	counting() { "$ROOT/tracery" count -- sh -c 'echo hello; exit 5' 2>report; }
	run -5 counting
	[ "$output" = hello ]
	grep -q '^ *write  *1\b\|\bwrite\b.*\b1\b' report
	grep -q exit_group report
}

@test "a replayed trace shows what was counted live" {
	need_bpf
	# 13 children, each of which opens, reads and closes the same files.
	"$ROOT/tracery" record -o t.trc -- "$ROOT/examples/workload.sh" 13
	[ "$(stat -c %a t.trc)" = 600 ]
	"$ROOT/tracery" replay --output json t.trc | jq -r 'select(.syscall == "execve") | .count' >replayed
	"$ROOT/tracery" count -o live --output json -- "$ROOT/examples/workload.sh" 13
	jq -r 'select(.syscall == "execve") | .count' live >counted
	[ "$(cat counted)" = "$(cat replayed)" ]
	[ "$(cat counted)" -ge 14 ]
}

@test "without privilege it is one line and status 3" {
	need_root
	open_checkout
	run -3 as_nobody "$open/tracery" count -a
	[ "${#lines[@]}" = 1 ]
	[[ $output == "tr-attach: not permitted: "* ]]
}

# Starts a tracery that counts; when this returns it has something to show.
start_counting() {
	local size

	start sh -c 'while :; do echo >>calls; done'
	start "$ROOT/tracery" count -p "$pid" -v >out 2>err
	# Attached, it says what it keeps.
	wait_for grep -q 'capabilities kept' err
	size=$(stat -c %s calls)
	grown() { [ "$(stat -c %s calls)" -gt "$((size + 1))" ]; }
	wait_for grown
}

@test "Ctrl-C prints the table once and complete" {
	need_bpf
	start_counting
	ctrl_c "$pid"
	run -0 finish "$pid"
	[ "$(grep -c SYSCALL out)" = 1 ]
	grep -q openat out
}

# alone SIGNAL: sends it to a tracery that counts, and to nothing else; sets status.
alone() {
	start_counting
	kill "-$1" "$pid"
	status=0
	finish "$pid" || status=$?
	WAIT_SECONDS=1 wait_for group_gone "$pid"
}

# Nobody of it runs: what init has yet to bury does not.
group_gone() {
	! pgrep -r D,R,S,T -g "$1"
}

@test "SIGTERM to tracery alone ends all of it, with the table" {
	need_bpf
	alone TERM
	[ "$status" = 0 ]
	[ "$(grep -c SYSCALL out)" = 1 ]
	grep -q openat out
}

@test "SIGTERM to all of it at once, as timeout sends it, prints the table" {
	need_bpf
	start_counting
	kill -TERM -- "-$pid"
	run -0 finish "$pid"
	[ "$(grep -c SYSCALL out)" = 1 ]
	grep -q openat out
}

@test "with tracery killed nothing goes on" {
	need_bpf
	alone KILL
	[ "$status" = 137 ]
}

@test "the pipe between the tools leaves no trace in TMPDIR, and where there is none it says so" {
	stand_ins
	mkdir tmp
	TMPDIR=$PWD/tmp run -0 "$fake/tracery" count -a
	[ -z "$(ls -A tmp)" ]
	TMPDIR=$PWD/none run -1 "$fake/tracery" count -a
	[[ ${lines[-1]} == "tracery: no place for a pipe; is TMPDIR "* ]]
}

@test "a reader that leaves ends all of it" {
	need_bpf
	reading() { "$ROOT/tracery" count -a --interval 0.1 | head -n 1; }
	start reading >out 2>err
	run -0 finish "$pid"
	[ "$(wc -l <out)" = 1 ]
	[ ! -s err ]
}
