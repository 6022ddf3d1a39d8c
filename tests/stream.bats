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
	for ((at = size - 1; at > size - 200; at--)); do
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
	for ((byte = 1; byte < 256; byte++)); do
		printf '{"type":"syscall","ts":%d,"ns":1,"ret":0,"comm":"' "$byte"
		if ((byte < 128)); then printf '\\u%04x' "$byte"; else printf '\\udc%02x' "$byte"; fi
		printf '","pid":7,"tid":7,"syscall":"read"}\n'
	done >names.json
	tr-cat --format=packed names.json >names 2>/dev/null
	[ "$(LC_ALL=C grep -ac '^{' names)" = 0 ]
	tr-cat --format=json names >again.json 2>/dev/null
	[ "$(jq -c .ts again.json | wc -l)" = 255 ]
	byte=1
	while IFS= read -r line; do
		# shellcheck disable=SC2001 # a group
		hex=$(sed 's/.*"comm":\(".*"\),"pid".*/\1/' <<<"$line" | json_string_bytes)
		[ "$hex" = "$(printf %02x "$byte")" ]
		byte=$((byte + 1))
	done <again.json
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
