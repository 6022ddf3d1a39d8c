# SPDX-License-Identifier: GPL-2.0-only
#
# tr-table: what it adds up, against jq on the same records; and how it shows it.

load helper

setup() {
	# 4999 calls of 3 s, by five threads' names and seven tids
	awk 'BEGIN {
		srand(11)
		split("read write futex close openat", calls, " ")
		split("redis-server,kworker/u4:2,a,[ET_NET 0],b c", names, ",")
		print "{\"tracery\":{\"version\":1,\"id\":\"t\",\"arch\":\"x86_64\"}}"
		for (i = 0; i < 4999; i++)
			printf "{\"type\":\"syscall\",\"ts\":%d,\"ns\":%d,\"ret\":%d,\"comm\":\"%s\"," \
				"\"pid\":%d,\"tid\":%d,\"syscall\":\"%s\"}\n", i * 600000, rand() * 100000,
				rand() * 1200 - 600, names[int(rand() * 5) + 1], 100, 100 + int(rand() * 7),
				calls[int(rand() * 5) + 1]
		print "{\"end\":{\"ts\":9,\"records\":4999,\"lost\":0,\"status\":0}}"
	}' >json
	tr-cat --format=packed json >trace
	jq -c 'select(.type == "syscall")' json >records
}

# jq's answer: groups of records by KEYS, a filter that makes an object of a group, as sorted lines.
groups() {
	jq -S -c -s "def errors: map(select(.ret < 0 and .ret >= -4095 and (.ret > -512 or .ret < -516)))
		| length;
		def avg(f): (map(f) | add) * 1000 / length | if . < 0 then ceil else floor end | . / 1000;
		group_by($1)[] | $2" records | sort
}

# tr-table's: the rows as sorted lines.
rows() {
	tr-table --output json "$@" | jq -S -c . | sort
}

one_call='{"type":"syscall","ts":1,"ns":1,"ret":0,"comm":"x","pid":1,"tid":1,"syscall":"read"}'

@test "without options it shows calls with count, errors, total, average and maximum" {
	groups .syscall '{syscall: .[0].syscall, count: length, errors: errors,
		total_ns: map(.ns) | add, avg_ns: avg(.ns), max_ns: map(.ns) | max}' >expected
	[ "$(wc -l <expected)" = 5 ]
	rows trace | diff expected -
	rows json | diff expected -
}

@test "--by groups by one field and by several" {
	groups '[.comm]' '{comm: .[0].comm, count: length, errors: errors}' >expected
	rows --by comm --agg count,errors trace | diff expected -
	groups '[.comm, .tid, .syscall]' '{comm: .[0].comm, tid: .[0].tid, syscall: .[0].syscall, count: length}' >expected
	[ "$(wc -l <expected)" = 175 ]
	rows --by comm,tid,syscall --agg count trace | diff expected -
	rows --by comm,tid,syscall --agg count json | diff expected -
	groups '[.ret]' '{ret: .[0].ret, count: length, errors: errors}' >expected
	rows --by ret --agg count,errors trace | diff expected -
	# a field that no record has is null
	[ "$(rows --by nothing --agg count trace)" = '{"count":4999,"nothing":null}' ]
	[ "$(rows --by type --agg count trace)" = '{"count":4999,"type":"syscall"}' ]
}

@test "--agg adds up, averages, and finds the least and the most" {
	groups '[.tid]' '{tid: .[0].tid, sum_ns: map(.ns) | add, avg_ret: avg(.ret), min_ret: map(.ret) | min,
		max_ns: map(.ns) | max, count: length}' >expected
	rows --by tid --agg 'sum(ns),avg(ret),min(ret),max(ns),count' trace | diff expected -
	rows --by tid --agg 'sum(ns),avg(ret),min(ret),max(ns),count' json | diff expected -
}

@test "rows are in order of the count, or of any column or key, both ways" {
	local column key

	[ "$(tr-table --output json trace | jq .count)" = "$(tr-table --output json trace | jq .count | sort -n -r)" ]
	for column in count errors total_ns avg_ns max_ns; do
		tr-table --by syscall,comm --sort $column --output json trace | jq ".$column" >order
		[ "$(wc -l <order)" = 25 ]
		sort -g -r -c order
		tr-table --by syscall,comm --sort $column --reverse --output json trace | jq ".$column" | sort -g -c
	done
	# the last of several options holds
	tr-table --by comm --by tid --agg errors --agg count --output json trace | jq -c keys | sort -u >names
	[ "$(cat names)" = '["count","tid"]' ]
	# by its title and as --agg spells it
	tr-table --by tid --agg 'count,sum(ns)' --sort 'sum(ns)' --output json trace >a
	tr-table --by tid --agg 'count,sum(ns)' --sort 'SUM(NS)' --output json trace | cmp a -
	jq .sum_ns a | sort -n -r -c
	for key in comm syscall; do
		tr-table --by syscall,comm --sort $key --output json trace | jq -r .$key >order
		sort -c order || sort -r -c order
	done
	tr-table --by tid --sort tid --output json trace | jq .tid >order
	sort -n -c order || sort -n -r -c order
}

@test "numbers sort by their size, whatever stood in memory before" {
	tr-table --by ret --sort ret --output json trace | jq .ret >sorted
	[ "$(wc -l <sorted)" -gt 900 ]
	sort -n sorted | cmp - sorted
	# 198: fresh memory is full of the digit 9
	MALLOC_PERTURB_=198 tr-table --by ret --sort ret --output json trace | jq .ret | cmp - sorted
}

@test "an unknown column to sort by is said, status 2, and the rows are there" {
	run -2 --separate-stderr tr-table --sort nope --output json trace
	[ "${#lines[@]}" = 5 ]
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == "tr-table: --sort nope: "* ]]
}

@test "--top prints the first rows" {
	tr-table --by ret --output json trace >all
	tr-table --by ret --top 7 --output json trace | cmp - <(head -n 7 all)
	tr-table --by ret --top 100000 --output json trace | cmp - all
}

@test "--interval is a table for each interval of the records' own time, live and replayed" {
	jq -s -c 'group_by([(.ts / 500000000 | floor), .syscall])[] | {
		ts: (((.[0].ts / 500000000 | floor) + 1) * 500000000), syscall: .[0].syscall, count: length}' \
		records | sort >expected
	[ "$(wc -l <expected)" = 30 ]
	tr-table --interval 500ms --agg count --output json trace >replayed
	sort replayed | diff expected -
	# live: in pieces that come while it waits
	mkfifo in
	live() { exec tr-table --interval 500ms --agg count --output json in >live; }
	start live
	exec 9>in
	head -n 2000 trace >&9
	wait_for grep -q '^State:.S' "/proc/$pid/status"
	tail -n +2001 trace >&9
	exec 9>&-
	run -0 finish "$pid"
	cmp replayed live
	# and each table by itself is sorted and headed
	tr-table --interval 1 trace >shown
	[ "$(grep -c '^from ' shown)" = 3 ]
	[ "$(grep -c '^SYSCALL' shown)" = 3 ]
	grep -qx 'from 1s to 2s' shown
}

@test "an interval that is over is printed while the stream is quiet" {
	mkfifo in
	live() { exec tr-table --interval 50ms --output json in >live; }
	start live
	exec 9<>in
	echo "$one_call" >&9
	WAIT_SECONDS=2 wait_for grep -q '"count":1' live
	exec 9>&-
}

@test "what --interval prints adds up to what is printed without it" {
	tr-table --by comm --agg count --output json trace | jq -c '[.comm, .count]' | sort >expected
	tr-table --by comm --agg count --interval 70ms --output json trace |
		jq -s -c 'group_by(.comm)[] | [.[0].comm, (map(.count) | add)]' | sort | diff expected -
}

@test "counts of an interval weigh what they say, and types stay apart" {
	cat >json <<-'LINES'
		{"type":"count","ts":1,"n":40,"syscall":"read"}
		{"type":"count","ts":2,"n":2,"syscall":"read"}
		{"type":"count","ts":2,"n":3,"syscall":"write"}
	LINES
	run -0 --separate-stderr tr-table --output json json
	[ "$output" = '{"syscall":"read","count":42}
{"syscall":"write","count":3}' ]
	echo "$one_call" >>json
	run -0 --separate-stderr tr-table --agg count --output json json
	[ "$output" = '{"record":"count","syscall":"read","count":42}
{"record":"count","syscall":"write","count":3}
{"record":"syscall","syscall":"read","count":1}' ]
	run -0 --separate-stderr tr-table --agg count json
	[ "$output" = 'TYPE     SYSCALL  COUNT
count    read        42
count    write        3
syscall  read         1' ]
}

@test "errors are -1 to -4095, but for restarts; records without a result have none" {
	local ret

	for ret in 0 1 -1 -38 -511 -512 -513 -514 -515 -516 -517 -4095 -4096 2147483647; do
		echo "${one_call/\"ret\":0/\"ret\":$ret}"
	done >json
	echo '{"type":"syscall","ts":1,"ns":null,"ret":null,"comm":"x","pid":1,"tid":1,"syscall":"read"}' >>json
	run -0 --separate-stderr tr-table --output json json
	# -1 -38 -511 -517 -4095
	[[ $output == *'"count":15,"errors":5,'* ]]
	tr-cat --format=packed json >packed
	[ "$(tr-table --output json packed 2>/dev/null)" = "$output" ]
}

@test "a record without time counts, and changes neither average nor total" {
	{
		echo "${one_call/\"ns\":1/\"ns\":6}"
		echo '{"type":"syscall","ts":1,"ns":null,"ret":null,"comm":"x","pid":1,"tid":1,"syscall":"read"}'
	} >json
	run -0 --separate-stderr tr-table --output json json
	[ "$output" = '{"syscall":"read","count":2,"errors":0,"total_ns":6,"avg_ns":6,"max_ns":6}' ]
}

@test "sums beyond 64 bits are exact, and strings in JSON" {
	local max=18446744073709551615

	{
		echo "${one_call/\"ns\":1/\"ns\":\"$max\"}"
		echo "${one_call/\"ns\":1/\"ns\":\"$max\"}"
	} >json
	run -0 --separate-stderr tr-table --by tid --agg 'sum(ns),max(ns)' --output json json
	[ "$output" = '{"tid":1,"sum_ns":"36893488147419103230","max_ns":"18446744073709551615"}' ]
	run -0 --separate-stderr tr-table --by tid --agg 'sum(ns)' --output csv json
	[ "${lines[1]}" = "1,36893488147419103230" ]
	run -0 --separate-stderr tr-table --by tid --agg 'min(ret),sum(ret)' --output json \
		<(for _ in 1 2; do echo "${one_call/\"ret\":0/\"ret\":\"-9223372036854775808\"}"; done)
	[ "$output" = '{"tid":1,"min_ret":"-9223372036854775808","sum_ret":"-18446744073709551616"}' ]
}

@test "a hundred thousand keys add up to all events" {
	awk -v line="$one_call" 'BEGIN {
		for (i = 0; i < 200003; i++) {
			l = line
			sub("\"tid\":1", "\"tid\":" (i * 7919 % 100003), l)
			print l
		}
	}' >json
	tr-table --by tid --agg count --output tsv json 2>/dev/null |
		awk 'NR > 1 { n += $2; rows++ } END { print rows, n }' >sum
	[ "$(cat sum)" = "100003 200003" ]
}

@test "CSV, TSV and JSON keep odd names whole" {
	printf '%s\n' "${one_call/\"comm\":\"x\"/\"comm\":\"a\\\"b,c\\n\\td\\\\\"}" >json
	run -0 --separate-stderr tr-table --by comm,tid --agg count --output csv json
	[ "$output" = $'comm,tid,count\n"a""b,c\n\td\\",1,1' ]
	run -0 --separate-stderr tr-table --by comm,tid --agg count --output tsv json
	[ "$output" = $'comm\ttid\tcount\na"b,c\\n\\td\\\\\t1\t1' ]
	run -0 --separate-stderr tr-table --by comm,tid --agg count --output json json
	[ "$(jq -r .comm <<<"$output")" = $'a"b,c\n\td\\' ]
	run -0 --separate-stderr tr-table --by comm,tid --agg count json
	[ "${lines[1]}" = 'a"b,c\n\td\  1        1' ]
	[ "${#lines[@]}" = 2 ]
}

@test "columns line up, also under wide and combining characters" {
	local name

	for name in "名前" "e\\u0301e" "\\udcff" "abcd" ""; do
		printf '%s\n' "${one_call/\"comm\":\"x\"/\"comm\":\"$name\"}"
	done >json
	tr-table --by comm,tid --agg count --sort comm json >shown 2>err
	# 名前 takes 4 columns, e and its accent 1, the byte ff is shown as \xff
	grep -qxF '名前  1        1' shown
	grep -qxF $'e\u0301e    1        1' shown
	grep -qxF '\xff  1        1' shown
	grep -qxF 'abcd  1        1' shown
	grep -qxF '      1        1' shown
	grep -qxF 'COMM  TID  COUNT' shown
}

@test "its own rows, and JSON lines of any make, are read again" {
	tr-table --by comm,syscall --agg count --output json trace >rows
	tr-table --by comm,syscall --agg count --output json rows | cmp rows -
	tr-table --output json trace >rows
	[ "$(tr-table --by syscall --agg count --output json rows)" = "$(tr-table --by syscall --agg count --output json trace)" ]
	printf '{"city":"%s","n":%d,"t":%s}\n' Ulm 2 1.5 Bonn 5 2.5 Ulm 4 1e1 >rows
	run -0 --separate-stderr tr-table --agg 'count,sum(t),min(t),max(t)' --output json rows
	[ "$output" = '{"city":"Ulm","count":6,"sum_t":11.5,"min_t":1.5,"max_t":10}
{"city":"Bonn","count":5,"sum_t":2.5,"min_t":2.5,"max_t":2.5}' ]
}

@test "kinds that a schema defines have their own key, weight and value" {
	cat >json <<-'LINES'
		{"tracery":{"id":"s","arch":"x86_64"}}
		{"schema":{"kind":70,"type":"io","key":"disk","weight":"ops","value":"took","fields":[["ts","time"],["disk","str"],["ops","u32"],["took","duration"]]}}
		{"type":"io","ts":1,"disk":"sda","ops":3,"took":10}
		{"type":"io","ts":1,"disk":"sdb","ops":1,"took":7}
		{"type":"io","ts":1,"disk":"sda","ops":4,"took":20}
		{"end":{"records":3,"lost":0}}
	LINES
	run -0 --separate-stderr tr-table --output json json
	[ "$(jq -c '[.disk, .count]' <<<"$output")" = '["sda",7]
["sdb",1]' ]
	tr-cat --format=packed json >packed
	[ "$(tr-table --output json packed)" = "$output" ]
	[ "$(tr-table --by disk --agg 'sum(took),max(took)' --output json packed)" = '{"disk":"sda","sum_took":30,"max_took":20}
{"disk":"sdb","sum_took":7,"max_took":7}' ]
}

@test "bad options are one line and status 2" {
	local line

	while IFS= read -r line; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr tr-table $line trace
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == tr-table:\ * ]]
	done <<-'LINES'
		--by ,
		--by a,,b
		--by a,b,c,d,e,f,g,h,i
		--agg nothing
		--agg sum
		--agg sum()
		--agg count,
		--top 0
		--top -3
		--top x
		--interval 0
		--interval soon
		--output xml
	LINES
}
