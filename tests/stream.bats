# SPDX-License-Identifier: GPL-2.0-only
#
# A trace as lines: what line tools cut out of it and put together still decodes, every record, and
# is counted right. The witnesses are wc, jq and awk.

load helper

# trace N [ID]: N records of odd numbers and names, packed, with the header repeated as tr-attach does.
trace() {
	awk -v n="$1" -v id="${2:-t}" 'BEGIN {
		srand(7)
		split("read write close openat futex i386:getpid syscall_999 syscall_-1 mmap exit", calls, " ")
		head = "{\"tracery\":{\"version\":1,\"id\":\"" id "\",\"host\":\"h\",\"arch\":\"x86_64\",\"kernel\":\"6.1\",\"start\":\"2026-01-02T03:04:05.000000000Z\"}}\n" \
			"{\"schema\":{\"kind\":77,\"type\":\"probe\",\"key\":\"label\",\"value\":\"ns\",\"fields\":[[\"ts\",\"time\"],[\"ns\",\"duration\"],[\"label\",\"str\"],[\"at\",\"addr\"],[\"ok\",\"bool\"],[\"args\",\"i16[3]\"]]}}"
		for (i = 0; i < n; i++) {
			if (i % 4096 == 0)
				print head
			if (i % 5 == 4) {
				printf "{\"type\":\"probe\",\"ts\":%d,\"ns\":%d,\"label\":\"l%d\\u0000\\n\",\"at\":\"0x%x\",\"ok\":%s,\"args\":[%d,-1,%d]}\n", i, rand() * 1e9, rand() * 9, rand() * 2 ^ 40, rand() < 0.5 ? "true" : "false", rand() * 60000 - 30000, i % 100
				continue
			}
			printf "{\"type\":\"syscall\",\"ts\":%d,\"ns\":%d,\"ret\":%d,\"comm\":\"w%d\\n\\\"\\udcff\",\"pid\":%d,\"tid\":%d,\"syscall\":\"%s\"}\n", i, rand() * 2 ^ 40, rand() * 8192 - 4096, rand() * 50, rand() * 2 ^ 22, rand() * 2 ^ 22, calls[int(rand() * 10) + 1]
		}
		printf "{\"end\":{\"ts\":%d,\"records\":%d,\"lost\":0,\"status\":0}}\n", n, n
	}' >json
	tr-cat --format=packed json
}

# How many records tr-table finds in stdin.
records() {
	tr-table --output json 2>/dev/null | jq -s 'map(.count) | add // 0'
}

@test "packed, JSON and packed again are the same bytes" {
	trace 9000 >packed
	[ "$(grep -ac '^{"type"' packed)" = 0 ] # all of them could be packed
	tr-cat --format=json packed >again.json
	cmp json again.json
	tr-cat --format=packed again.json >again
	cmp packed again
}

@test "records full of newlines stay one line each" {
	# 168430090 is 0x0a0a0a0a
	for i in 1 2 3; do
		cat <<<'{"type":"syscall","ts":168430090,"ns":723401728380766730,"ret":168430090,"comm":"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n","pid":168430090,"tid":168430090,"syscall":"syscall_657930"}'
	done | sed 's/723401728380766730/"723401728380766730"/' >json
	tr-cat --format=packed json >packed 2>err
	[ "$(wc -l <packed)" = 3 ]
	[ "$(wc -c <packed)" = 165 ]
	tr-cat --format=json packed 2>err | cmp - json
	[ "$(records <packed)" = 3 ]
}

@test "wc -l counts records and control lines" {
	trace 9000 >packed
	[ "$(wc -l <packed)" = $((9000 + 3 * 2 + 1)) ]
	[ "$(records <packed)" = 9000 ]
}

@test "head and tail cut between records" {
	trace 9000 >packed
	[ "$(head -n 1002 packed | records)" = 1000 ]
	# up to the next header the kind that needs a schema is unknown: 38 and 20 of its records
	[ "$(tail -n 1001 packed | records)" = $((998 - 38)) ]
	[ "$(tail -n +4001 packed | head -n 4000 | records)" = $((3998 - 20)) ]
}

@test "split pieces decode from the next header on, and together again are whole" {
	trace 9000 >packed
	split -l 4098 packed piece.
	for p in piece.*; do records <"$p"; done | awk '{ n += $1 } END { exit n != 9000 }'
	cat piece.* | cmp - packed
	[ "$(cat piece.* | records)" = 9000 ]
}

@test "tac and shuf lose no record of the kinds that all readers know" {
	trace 9000 | tr-cat --format=packed >packed
	grep -a '"type":"syscall"' json >calls.json
	tr-cat --format=packed calls.json >calls 2>/dev/null
	[ "$(tac calls | records)" = 7200 ]
	[ "$(shuf calls | records)" = 7200 ]
	# with headers in between
	[ "$(tac packed | records)" -ge 7200 ]
	sort calls.json >sorted
	tac calls | tr-cat --format=json 2>err | sort | cmp - sorted
	shuf calls | tr-cat --format=json 2>err | sort | cmp - sorted
}

@test "cat puts traces together, also of different machines" {
	trace 500 a >a.trc
	trace 700 b | sed '1,/aarch64/s/x86_64/aarch64/' >b.trc
	[ "$(cat a.trc b.trc | records)" = 1200 ]
	tr-cat a.trc b.trc >both.trc
	[ "$(records <both.trc)" = 1200 ]
	run -0 tr-table --output json a.trc b.trc
	[ "$(jq -s 'map(.count) | add' <<<"$output")" = 1200 ]
	# the same number is another call there: x86_64 0 is read, aarch64 0 is io_setup
	for arch in x86_64 aarch64; do
		printf '{"tracery":{"id":"%s","arch":"%s"}}\n{"type":"count","ts":1,"n":5,"syscall":"syscall_0"}\n' "$arch" "$arch"
	done | tr-cat --format=packed >two.trc 2>/dev/null
	run -0 tr-table --output csv two.trc
	[[ $output == *read,5* && $output == *io_setup,5* ]]
}

@test "a part goes on where its id comes again" {
	trace 9000 >packed
	run -0 --separate-stderr tr-table --output json packed
	[ -z "$stderr" ]
}

@test "every record of a trace cut at any byte but the last is there" {
	trace 40 >packed
	size=$(wc -c <packed)
	for ((at = size - 1; at > size - 150; at -= 3)); do
		head -c "$at" packed >short
		whole=$(($(wc -l <short) - 2))
		[ "$(records <short)" = $((whole > 40 ? 40 : whole)) ]
	done
}

@test "a torn line followed by another trace costs one record" {
	trace 50 a >a.trc
	trace 60 b >b.trc
	head -n 30 a.trc | head -c -9 >torn
	cat torn b.trc >joined
	run -1 --separate-stderr tr-table --output json joined
	[ "$(jq -s 'map(.count) | add' <<<"$output")" = $((27 + 60)) ]
	[[ $stderr == *"skipped 1 line in all (1 damaged)"* ]]
}

@test "a schema that contradicts what is known is damage, the same one again is not" {
	trace 5 >packed
	schema=$(grep -a '^{"schema"' packed)
	{ cat packed && echo "$schema"; } >same
	run -0 tr-table same
	{ cat packed && echo "${schema/duration/u64}"; } >other
	run -1 --separate-stderr tr-table other
	[[ $stderr == *"other:9: a header, schema, lost or end line that makes no sense"* ]]
	echo '{"schema":{"kind":1,"type":"syscall","fields":[["ts","time"]]}}' >known
	run -1 tr-table known
}

@test "bad schemas are damage" {
	while IFS= read -r schema; do
		echo "{\"schema\":$schema}" >bad
		run -1 --separate-stderr tr-table bad
		[[ $stderr == *"bad:1: a header, schema"* ]]
	done <<-'END'
		{"kind":63,"type":"a","fields":[["ts","time"]]}
		{"kind":65536,"type":"a","fields":[["ts","time"]]}
		{"kind":-1,"type":"a","fields":[["ts","time"]]}
		{"kind":70,"type":"a b","fields":[["ts","time"]]}
		{"kind":70,"type":"a","fields":[]}
		{"kind":70,"type":"a","fields":[["ts","when"]]}
		{"kind":70,"type":"a","fields":[["ts","time"],["ts","time"]]}
		{"kind":70,"type":"a","fields":[["type","time"]]}
		{"kind":70,"type":"a","fields":[["ts","u64[0]"]]}
		{"kind":70,"type":"a","fields":[["ts","u64[33]"]]}
		{"kind":70,"type":"a","fields":[["ts","comm[2]"]]}
		{"kind":70,"type":"a","fields":[["ts","time","x"]]}
		{"kind":70,"type":"a","key":"b","fields":[["ts","time"]]}
		{"kind":70,"type":"a","fields":"ts"}
		5
	END
}

@test "jq reads every line, whatever bytes a name holds" {
	# 17 names of 15 bytes each, from 1 to 255
	for ((byte = 1; byte < 256; byte++)); do
		((byte % 15 != 1)) || printf '{"type":"syscall","ts":%d,"ns":1,"ret":0,"comm":"' "$byte"
		if ((byte < 128)); then printf '\\u%04x' "$byte"; else printf '\\udc%02x' "$byte"; fi
		((byte % 15 != 0)) || printf '","pid":7,"tid":7,"syscall":"read"}\n'
	done >names.json
	tr-cat --format=packed names.json >names 2>/dev/null
	[ "$(LC_ALL=C grep -ac '^{' names)" = 0 ]
	tr-cat --format=json names >again.json 2>/dev/null
	[ "$(jq -c .ts again.json | wc -l)" = 17 ]
	sed 's/.*"comm":\(".*"\),"pid".*/\1/' again.json | while IFS= read -r name; do
		json_string_bytes <<<"$name"
	done >bytes
	[ "$(cat bytes)" = "$(printf %02x {1..255})" ]
}

@test "nothing in a trace reaches a terminal raw" {
	{
		printf '{"tracery":{"id":"x","arch":"x86_64","host":"\\u001b[2J"}}\n'
		printf '{"type":"syscall","ts":1,"ns":1,"ret":0,"comm":"\\u001b[31m\\u009b2J\\u007f\\r","pid":7,"tid":7,"syscall":"read"}\n'
		printf '{"type":"\\u001b]0;x","ts":1,"a\\u001b":"\\u0007","b":1}\n'
		printf '{"lost":{"ts":1,"n":2,"why":"\\u001b[1m"}}\n'
		printf '{"name":"\\u001b[32m","count":3}\n'
		printf 'foreign \033[31m\n'
	} >evil
	for command in "tr-cat --format=text" "tr-table" "tr-table --by comm"; do
		# shellcheck disable=SC2086 # words
		run $command evil
		[[ $output != *$'\033'* && $output != *$'\302\233'* && $output != *$'\r'* && $output != *$'\177'* ]]
	done
	run tr-cat --format=text evil
	[[ $output == *'\x1b[31m'* ]]
}

@test "a mapped file that someone cuts while it is read ends nothing" {
	trace 100000 >packed
	for ((i = 0; i < 4; i++)); do cat packed; done >big
	filter() { tr-cat --format=text big 2>err >fifo; }
	mkfifo fifo
	start bash -c 'exec 8<fifo; until [ -e go ]; do sleep 0.01; done; cat <&8 >out'
	reader=$pid
	start filter
	# it waits for the reader with a window mapped
	wait_for grep -q pipe_write "/proc/$pid/wchan" "/proc/$(pgrep -P "$pid" || echo "$pid")/wchan" ||
		wait_for grep -q 'State:.S' "/proc/$pid/status"
	truncate -s 4096 big
	touch go
	run -1 finish "$pid"
	finish "$reader"
	grep -q "big: became shorter while it was read" err
	[ "$(wc -l <out)" -gt 50 ]
}

# random N [NAME=VALUE]...: a trace of random records as JSON lines.
random() {
	local n=$1 v

	shift
	for v; do
		set -- "$@" -v "$v"
		shift
	done
	awk -v n="$n" "$@" -f "$DATA/records.awk"
}

# How many records FILE or stdin holds.
counted() {
	tr-cat --format=json "$@" >counted.json
	local status=$?
	grep -c '^{"type"' counted.json
	return $status
}

# Those as JSON lines, sorted.
sorted() {
	tr-cat --format=json "$@" | grep '^{"type"' | sort
}

header='{"tracery":{"version":1,"id":"one","arch":"x86_64","start":"2026-11-29T15:04:05Z"}}'
count_read='{"type":"count","ts":10,"n":1,"syscall":"read"}'

# A packed count record, by hand: n of READ's calls is BYTE (two hexadecimal digits) at time 10.
packed_count() {
	# shellcheck disable=SC2059 # a byte's digits
	printf '\x82\x0b\x1e\0\0\0\0\0\0\0\x'"${1:-01}"'\0\0\0\0\0\0\0\0\0\0\0\n'
}

@test "a packed line is laid out as the format's description says" {
	# ts 10 is 0x0A: the chain goes 1 to its place, then 20 to the end, each XOR 0x0A.
	echo '{"type":"count","ts":10,"n":5,"syscall":"read"}' >json
	packed_count 05 >trace
	tr-cat --format=json trace | cmp - json
	tr-cat --format=packed json | cmp - trace
	# A kind from 64 up: 63, then the number in front of the body, here 0x0A0A.
	cat >json <<-'LINES'
		{"schema":{"kind":2570,"type":"beep","fields":[["cpu","u8"],["note","str"]]}}
		{"type":"beep","cpu":1,"note":"\n!"}
	LINES
	{
		head -n 1 json
		# 0A 0A 01 | 02 00 | 0A '!'
		printf '\xbf\x0b\x0b\x0e\x01\x02\x00\x08!\n'
	} >trace
	tr-cat --format=json trace | cmp - json
	tr-cat --format=packed json | cmp - trace
}

@test "random records are the same after packed to JSON to packed, and wc counts them" {
	local seed

	for seed in 1 2 3; do
		random 4001 seed=$seed >json
		tr-cat --format=packed json >packed
		[ "$(wc -l <packed)" = 4005 ]
		[ "$(LC_ALL=C grep -c -a '^[^{]' packed)" = 4001 ]
		tr-cat --format=json packed | cmp - json
		tr-cat --format=json packed | tr-cat --format=packed | cmp - packed
		jq -c . json >/dev/null
	done
	# each record is one event to tr-table when it says so
	random 4001 ones=1 >json
	tr-cat --format=packed json >packed
	tr-table --by type --output json packed | jq -r '"\(.type) \(.count)"' | sort >table
	jq -r 'select(.type) | .type' json | sort | uniq -c | awk '{ print $2, $1 }' | diff - table
}

@test "records full of newlines are the same, and one line each" {
	random 4001 newlines=1 >json
	tr-cat --format=packed json >packed
	[ "$(wc -l <packed)" = 4005 ]
	[ "$(LC_ALL=C grep -c -a '^[^{]' packed)" = 4001 ]
	tr-cat --format=json packed | cmp - json
	tr-cat --format=json packed | tr-cat --format=packed | cmp - packed
	[ "$(counted packed)" = 4001 ]
}

@test "packed and JSON lines may be mixed in any way" {
	random 2003 >json
	tr-cat --format=packed json >packed
	# control lines are the same in both
	paste -d '\n' <(tr-cat --format=json packed) json | awk 'NR % 2' | cmp - json
	awk 'NR % 3' json >a
	LC_ALL=C awk '!(NR % 3)' packed >b
	cat a b | sorted >mixed
	sorted json | cmp - mixed
}

@test "pieces with other kinds decode where the headers are repeated" {
	random 3000 >json
	grep -v '"end"' json | awk '/^{"(tracery|schema)/ { head = head $0 "\n"; next }
		n++ % 100 == 0 { printf "%s", head } { print }' | tr-cat --format=packed >trace
	split -l 103 trace piece-
	[ "$(counted piece-*)" = 3000 ]
	cat piece-* | tr-cat --format=json | grep '^{"type"' | cmp - <(grep '^{"type"' json)
	tail -n 1030 trace | counted >n
	[ "$(cat n)" = 1000 ]
}

@test "parts with the same id go on with what was defined" {
	random 1009 >json
	tr-cat --format=packed json >trace
	# a second piece has only its header, no schemas
	{
		head -n 500 trace
		head -n 1 trace
		tail -n +501 trace
	} >pieces
	run -0 --separate-stderr tr-cat --format=json pieces
	[ -z "$stderr" ]
	[ "$(grep -c '^{"type"' <<<"$output")" = 1009 ]
	# another id, and the kinds are unknown there
	{
		head -n 500 trace
		head -n 1 trace | sed 's/"id":"[^"]*"/"id":"other"/'
		tail -n +501 trace
	} >pieces
	run -1 --separate-stderr tr-cat --format=json pieces
	[[ $stderr == *"of unknown kind"* ]]
	[ "$(grep -c '"type":"\(syscall\|count\)"' <<<"$output")" = "$(grep -c '"type":"\(syscall\|count\)"' json)" ]
}

@test "a torn line with another trace behind it costs one record" {
	local at length

	random 101 seed=1 id=first builtin=1 | tr-cat --format=packed >a.trc
	random 103 seed=2 id=second | tr-cat --format=packed >b.trc
	# within the last record, and within its end line
	length=$(head -n 102 a.trc | wc -c)
	for at in $((length - 1)) $((length - 5)) $((length - 20)); do
		run -1 --separate-stderr counted <(head -c $at a.trc; cat b.trc)
		[ "$output" = 203 ]
		[[ $stderr == *"skipped 1 line in all"* ]]
	done
	run -1 --separate-stderr counted <(head -c $((length + 7)) a.trc; cat b.trc)
	[ "$output" = 204 ]
	[[ $stderr == *"skipped 1 line in all"* ]]
	# torn in a line that is too long
	run -1 --separate-stderr counted <(head -n 102 a.trc; head -c 200000 /dev/zero | tr '\0' '{'; cat b.trc)
	[ "$output" = 204 ]
	[[ $stderr == *"skipped 1 line in all"* ]]
}

@test "a last line cut at any length gives the same message and status, from a file and a pipe" {
	local lengths length line

	{
		printf '{"type":"count","ts":10,"n":1,"syscall":"read","more":"'
		head -c 80000 /dev/zero | tr '\0' x
	} >long
	{ echo "$header"; packed_count; } >start
	lengths="1 2 3 55 56 63 64 65 253 254 255 256 4095 4096 4097 8192 65471 65472"
	lengths="$lengths 65534 65535 65536 65537 65538 66000 70000 80000"
	for length in $lengths; do
		{ cat start; head -c "$length" long; } >"cut"
		run -1 --separate-stderr tr-table "cut"
		[ "$stderr" = "tr-table: cut:3: cut short: it has no newline; skipped 1 line in all (1 cut)
tr-table: 1 of 1 traces has no end line: it was cut short, or is still being written" ] ||
			[ "$stderr" = "tr-table: 1 of 1 traces has no end line: it was cut short, or is still being written
tr-table: cut:3: cut short: it has no newline; skipped 1 line in all (1 cut)" ]
		line=${stderr//cut:3/stdin:3}
		[[ $output == *read* ]]
		from_pipe() { cat - <"cut" | tr-table; }
		run -1 --separate-stderr from_pipe
		[ "$stderr" = "$line" ]
		[[ $output == *read* ]]
	done
	# and a packed one, wherever it is cut
	for length in $(seq 1 22); do
		{ cat start; packed_count | head -c "$length"; } >"cut"
		run -1 --separate-stderr tr-table "cut"
		[ "${stderr//cut:3/stdin:3}" = "$line" ]
		run -1 --separate-stderr from_pipe
		[ "$stderr" = "$line" ]
	done
}

@test "lines of 65536 bytes are read, longer ones skipped" {
	local length

	for length in 65535 65536 65537 65538 131072 131073 200000 400000; do
		{
			echo "$header"
			printf '{"type":"count","ts":10,"n":2,"syscall":"read"%*s}\n' $((length - 48)) ''
			packed_count
		} >trace
		[ "$(sed -n 2p trace | wc -c)" = $length ]
		from_pipe() { cat - <trace | tr-table --output json; }
		if [ $length -le 65536 ]; then
			run -0 tr-table --output json trace
			[[ $output == *'"count":3'* ]]
			run -0 from_pipe
			[[ $output == *'"count":3'* ]]
		else
			run -1 --separate-stderr tr-table --output json trace
			[[ $output == *'"count":1'* ]]
			[[ $stderr == *"trace:2: longer than 65536 bytes; skipped 1 line in all (1 damaged)"* ]]
			run -1 --separate-stderr from_pipe
			[[ $output == *'"count":1'* ]]
			[[ $stderr == *"stdin:2: longer than 65536 bytes; skipped 1 line in all (1 damaged)"* ]]
		fi
	done
}

@test "packed lines of unknown kinds, of a wrong length and with a broken chain are counted" {
	{
		echo "$header"
		packed_count
		printf '\xbe\x0e\x1e\x01\x02\n'                 # kind 62 is none
		printf '\xbf\x0e\x40\x01\x05\n'                 # kind 320 has no schema
		printf '\x82\x0b\x19\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\n' # a byte short
		printf '\x82\x0b\x1f\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\n' # chain goes beyond
		printf '\xbf\x08\n'                              # no number
		printf '\x80\n'
		packed_count
	} >trace
	run -1 --separate-stderr tr-table --output json trace
	[ "$output" = '{"syscall":"read","count":2}' ]
	[[ $stderr == *"trace:3: "*"skipped 6 lines in all (4 damaged, 2 of unknown kind)"* ]]
	# the rest is written all the same
	run -1 --separate-stderr tr-cat --format=json trace
	[ "$(grep -c '"count"' <<<"$output")" = 2 ]
}

@test "schemas: bad and contradicting ones are damage, a known one is not" {
	local schema

	schema='{"schema":{"kind":64,"type":"beep","key":"cpu","fields":[["ts","time"],["cpu","u8"]]}}'
	{
		echo "$header"
		echo "$schema"
		echo '{"type":"beep","ts":1,"cpu":3}'
		echo "$schema"
		echo '{"schema":{"kind":64,"type":"beep","key":"cpu","fields":[["ts","time"],["cpu","u16"]]}}'
		echo '{"type":"beep","ts":1,"cpu":3}'
	} >json
	run -1 --separate-stderr tr-table --output json json
	[ "$output" = '{"cpu":3,"count":2}' ]
	[[ $stderr == *"json:5: a header, schema, lost or end line that makes no sense; skipped 1 line"* ]]
	while IFS= read -r schema; do
		printf '%s\n' "$schema" "$count_read" >json
		run -1 --separate-stderr tr-table --output json json
		[ "$output" = '{"syscall":"read","count":1}' ]
		[[ $stderr == *"skipped 1 line in all (1 damaged)"* ]]
	done <<-'SCHEMAS'
		{"schema":7}
		{"schema":{}}
		{"schema":{"kind":64}}
		{"schema":{"kind":64,"type":"x","fields":[]}}
		{"schema":{"kind":-1,"type":"x","fields":[["a","u8"]]}}
		{"schema":{"kind":65536,"type":"x","fields":[["a","u8"]]}}
		{"schema":{"kind":1e2,"type":"x","fields":[["a","u8"]]}}
		{"schema":{"kind":1,"type":"syscall","fields":[["a","u8"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u8"],["a","u8"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u7"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u8[0]"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u8[65]"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u8[99999999999]"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u64[32]"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a b","u8"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["","u8"]]}}
		{"schema":{"kind":64,"type":"x\u0000y","fields":[["a","u8"]]}}
		{"schema":{"kind":64,"type":"\u001b[31m","fields":[["a","u8"]]}}
		{"schema":{"kind":64,"type":"x","key":"b","fields":[["a","u8"]]}}
		{"schema":{"kind":64,"type":"x","fields":[["a","u8","c"]]}}
		{"tracery":{"id":7}}
		{"tracery":[]}
		{"lost":1}
		{"end":null}
	SCHEMAS
	# at most 64 fields
	many() { jq -nc --argjson n "$1" '{schema: {kind: 64, type: "x", fields: [range($n) | ["f\(.)", "u8"]]}}'; }
	many 64 | tr-cat --format=json >/dev/null
	run -1 --separate-stderr tr-cat --format=json <(many 65)
}

@test "a stream can have 4096 kinds and no more" {
	jq -nc 'range(64; 4161) | {schema: {kind: ., type: "x", fields: [["a", "u\(if . % 2 == 0 then 8 else 16 end)"]]}}' >json
	run -1 --separate-stderr tr-cat --format=json json
	[[ $stderr == *"json:4097: "*"skipped 1 line in all"* ]]
}

@test "what is not ours goes through tr-cat as it is and does not count elsewhere" {
	cat >json <<-'LINES'
		{"comment": "a line of somebody's"}
		{"type":"count","ts":10,"n":1,"syscall":"read","cpu":3}
		{"type":"unheard_of","ts":1,"x":[1,{"y":null}]}
		{"type":"syscall","ts":5,"ns":null,"ret":null,"comm":"x","pid":1,"tid":1,"syscall":"exit"}
		{}
	LINES
	tr-cat --format=json json | cmp - json
	tr-cat --format=packed json | cmp - json
	run -0 --separate-stderr tr-table --by type --output json json
	[ "$(jq -s 'map(.count) | add' <<<"$output")" = 4 ]
}

@test "memory does not grow with a stream" {
	local small large

	if [ "$(nm -D "$TR_BIN/tr-table" | grep -c __asan_init)" != 0 ]; then
		skip "the sanitizers keep what is freed"
	fi
	peak() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status"; }
	random 1009 seed=6 >json
	tr-cat --format=packed json >trace
	mkfifo in
	exec 9<>in
	start tr-table --by tid,comm in >out
	cat trace >&9
	wait_for grep -q '^State:.S' "/proc/$pid/status"
	small=$(peak "$pid")
	for _ in $(seq 200); do cat trace; done >&9
	wait_for grep -q '^State:.S' "/proc/$pid/status"
	large=$(peak "$pid")
	exec 9>&-
	[ $((large - small)) -lt 600 ]
}
