# SPDX-License-Identifier: GPL-2.0-only
#
# tr-table: what it adds up, against jq on the same records; and how it shows it.

load helper
load witness

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

# jq's answer: groups of records by KEYS, a filter that makes an object of a group, then options for
# jq; as sorted lines.
groups() {
	jq -S -c -s "def errors: map(select(.ret < 0 and .ret >= -4095 and (.ret > -512 or .ret < -516)))
		| length;
		def avg(f): (map(f) | add) * 1000 / length | if . < 0 then ceil else floor end | . / 1000;
		group_by($1)[] | $2" "${@:3}" records | sort
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

# The names of error numbers as C's headers have them, less second names, and what only the kernel's
# own header has: a JSON object by number.
errno_names() {
	local n=517 name

	{
		echo '#include <errno.h>' | cc -E -dM - | awk '/^#define E[A-Z0-9]+ [0-9]+$/ { print $3, $2 }'
		for name in EPROBE_DEFER EOPENSTALE ENOPARAM 520 EBADHANDLE ENOTSYNC EBADCOOKIE ENOTSUPP \
			ETOOSMALL ESERVERFAULT EBADTYPE EJUKEBOX EIOCBQUEUED ERECALLCONFLICT; do
			echo $((n++)) $name
		done
	} | jq -R -c -s 'split("\n") | map(select(. != "") | split(" ") | {(.[0]): .[1]}) | add'
}

@test "--by errno groups calls by how they failed, by name, those that did not under none" {
	groups '[.syscall, (if .ret < 0 and (.ret > -512 or .ret < -516) then -.ret else 0 end)]' '{syscall: .[0].syscall,
		errno: (.[0].ret as $ret | if $ret < 0 and ($ret > -512 or $ret < -516)
			then ($names[-$ret | tostring] // (-$ret | tostring)) else null end),
		count: length, errors: errors}' --argjson names "$(errno_names)" >expected
	grep -q '"errno":"ENOENT"' expected
	grep -q '"errno":"EAGAIN"' expected
	grep -q '"errno":"599"' expected
	rows --by syscall,errno --agg count,errors trace | diff expected -
	rows --by syscall,errno --agg count,errors json | diff expected -
	# records that fit no kind are the same
	jq -c '.more = 1' records | rows --by syscall,errno --agg count,errors | diff expected -
	# a table has a dash for none; sums of numbers leave none out
	tr-table --by errno --agg 'count,max(errno),min(errno)' --sort errno trace | grep -qE '^- +[0-9]+ +- +-$'
	[ "$(tr-table --by type --agg 'max(errno),min(errno)' --output tsv trace | tail -n 1)" = "$(
		jq -s -r 'map(-.ret | select(. > 0 and (. < 512 or . > 516))) | "syscall\t\(max)\t\(min)"' records)" ]
}

@test "strings of any length are keys, alone and beside others" {
	awk 'BEGIN {
		print "{\"tracery\":{\"id\":\"s\",\"arch\":\"x86_64\"}}"
		print "{\"schema\":{\"kind\":70,\"type\":\"hit\",\"key\":\"label\",\"fields\":[[\"ts\",\"time\"],[\"at\",\"u16[3]\"],[\"tid\",\"pid\"],[\"label\",\"str\"]]}}"
		for (i = 0; i < 3001; i++) {
			label = sprintf("%*s", i * 7 % 61, "")
			gsub(/ /, "x", label)
			printf "{\"type\":\"hit\",\"ts\":%d,\"at\":[%d,1,%d],\"tid\":%d,\"label\":\"%s\"}\n", i, i % 2, i % 3, i % 5, label
		}
	}' >json
	tr-cat --format=packed json >packed 2>/dev/null
	run -1 grep -aq '^{"type"' packed
	jq -c 'select(.type == "hit")' json >records
	groups .label '{label: .[0].label, count: length}' >expected
	[ "$(wc -l <expected)" = 61 ]
	rows packed 2>/dev/null | diff expected -
	groups '[.tid, .label]' '{tid: .[0].tid, label: .[0].label, count: length}' >expected
	rows --by tid,label packed 2>/dev/null | diff expected -
	groups '[.at, .label, .tid]' '{at: (.[0].at | map("\(.)") | join(",")), label: .[0].label, tid: .[0].tid, count: length}' >expected
	rows --by at,label,tid packed 2>/dev/null | diff expected -
}

@test "a field of its own called errno is what it is" {
	cat >json <<-'LINES'
		{"tracery":{"id":"s","arch":"x86_64"}}
		{"schema":{"kind":70,"type":"fail","fields":[["ts","time"],["ret","i64"],["errno","errno"]]}}
		{"type":"fail","ts":1,"ret":-2,"errno":7}
		{"end":{"records":1,"lost":0}}
	LINES
	[ "$(tr-table --by errno --agg count --output json json)" = '{"errno":7,"count":1}' ]
	tr-cat --format=packed json >packed
	[ "$(tr-table --by errno --agg count --output json packed)" = '{"errno":7,"count":1}' ]
}

@test "--agg adds up, averages, and finds the least and the most" {
	groups '[.tid]' '{tid: .[0].tid, sum_ns: map(.ns) | add, avg_ret: avg(.ret), min_ret: map(.ret) | min,
		max_ns: map(.ns) | max, count: length}' >expected
	rows --by tid --agg 'sum(ns),avg(ret),min(ret),max(ns),count' trace | diff expected -
	rows --by tid --agg 'sum(ns),avg(ret),min(ret),max(ns),count' json | diff expected -
}

# tr-table's: the same lines from its JSON rows, whose columns are p50_NAME and so on.
reported() {
	jq -r --arg ending "_$2" ".$1 as \$key | to_entries[] | select(.key | startswith(\"p\") and endswith(\$ending))
		| \"\\(\$key) \\(.key[1:-(\$ending | length)]) \\(.value)\""
}

@test "percentiles are within 1/32 of the exact ones, of whatever values" {
	local list=(1 25 50 75 90 99 99.9 99.99) agg field

	# by tid: small, even, exponential, a heavy tail, all the same, both signs, huge, two far apart
	awk 'BEGIN {
		srand(5)
		for (i = 0; i < 40009; i++) {
			u = 1 - rand()
			v[1] = int(u * 32); v[2] = int(u * 1e6); v[3] = int(-log(u) * 1e5); v[4] = int(100 / u ^ 3)
			v[5] = 4711; v[6] = int((u - 0.4) * 1e4); v[7] = int(u * 2 ^ 52); v[8] = u < 0.3 ? 17 : 99999989
			for (tid = 1; tid <= 8; tid++)
				printf "{\"type\":\"syscall\",\"ts\":%d,\"ns\":%d,\"ret\":%d,\"comm\":\"x\",\"pid\":1,\"tid\":%d,\"syscall\":\"read\"}\n",
					i, v[tid] < 0 ? 0 : v[tid], v[tid], tid
		}
	}' >json 2>/dev/null
	tr-cat --format=packed json >packed 2>/dev/null
	agg=$(printf ',p%s(ret)' "${list[@]}")
	for field in ret ns; do
		sed -E "s/.*\"$field\":([^,]*),.*\"tid\":([0-9]+).*/\2 \1/" json >values
		exact values "${list[@]}" >expected
		[ "$(wc -l <expected)" = 64 ]
		tr-table --by tid --agg "$(printf ",p%s($field)" "${list[@]}" | tail -c +2)" --output json packed 2>/dev/null |
			reported tid $field >got
		all_near expected got
	done
	# the same from JSON, also where it fits no kind
	tr-table --by tid --agg "${agg#,}" --output json packed 2>/dev/null | sort >a
	tr-table --by tid --agg "${agg#,}" --output json json 2>/dev/null | sort | cmp a -
	sed 's/}$/,"more":1}/' json | tr-table --by tid --agg "${agg#,}" --output json 2>/dev/null | sort | cmp a -
	# one value is that value, small ones are exact, the ends are the ends
	jq -e -s 'map(select(.tid == 5))[0] | del(.tid) | [.[]] == [range(8) | 4711]' a
	sed -E 's/.*"ret":([^,]*),.*"tid":([0-9]+).*/\2 \1/' json | grep '^1 ' >values
	exact values "${list[@]}" | sed 's/.* //' | tr '\n' ' ' >expected
	jq -r 'select(.tid == 1) | del(.tid) | [.[]] | map("\(.) ") | add' a | tr -d '\n' | cmp expected -
	tr-table --by tid --agg 'p0.000001(ret),min(ret),p100(ret),max(ret)' --output json packed 2>/dev/null |
		jq -e '.["p0.000001_ret"] == .min_ret and .p100_ret == .max_ret'
}

@test "percentiles of fractions, and of fractions and whole numbers together" {
	local list=(1 10 50 90 99)

	awk 'BEGIN {
		srand(7)
		for (i = 0; i < 10007; i++) {
			u = 1 - rand()
			printf "{\"k\":\"small\",\"v\":%.9g}\n{\"k\":\"wide\",\"v\":%.9g}\n", u, exp((u - 0.5) * 200)
			printf "{\"k\":\"mixed\",\"v\":%.9g}\n{\"k\":\"signs\",\"v\":%.9g}\n",
				i % 2 ? int(u * 50) : u * 50, (u - 0.5) * 9
			print "{\"k\":\"none\",\"v\":null}"
		}
	}' >json
	jq -r 'select(.v != null) | "\(.k) \(.v)"' json >values
	exact values "${list[@]}" >expected
	tr-table --by k --agg "$(printf ',p%s(v)' "${list[@]}" | tail -c +2)" --output json json 2>/dev/null >rows
	grep -v none rows | reported k v >got
	all_near expected got
	[ "$(grep none rows)" = '{"k":"none","p1_v":null,"p10_v":null,"p50_v":null,"p90_v":null,"p99_v":null}' ]
}

@test "percentiles that would take too much memory are left out, and said" {
	local columns='p50(a),p50(b),p50(c),p50(d),p50(e),p50(f),p50(g),p50(h),p50(i),p50(j),p50(k),p50(l),p50(m),p50(n),p50(o)'

	awk 'BEGIN {
		for (i = 0; i < 170003; i++) {
			printf "{\"key\":\"%d\"", i
			for (j = 0; j < 15; j++)
				printf ",\"%c\":%d", 97 + j, i + 1000
			print "}"
		}
	}' >json
	tr-table --agg "count,$columns" --output csv json >rows 2>err
	[ "$(wc -l <rows)" = 170004 ]
	# each key takes 15 octaves, of which new ones may have three quarters
	left=$(sed -n 's/^tr-table: \([0-9]*\) rows have no percentiles, which would take more than 240 MiB in all$/\1/p' err)
	[ "$left" = $((170003 - (3 << 20) * 3 / 4 / 15)) ]
	# the others have all
	awk -F , 'NR > 1 && $17 != "" && $3 == $1 + 1000 && $17 == $3 { n++ } NR > 1 && $17 == "" { none++ }
		END { print n, none }' rows >sum
	[ "$(cat sum)" = "$((170003 - left)) $left" ]
}

@test "rows sort by a percentile, and read again with the new columns" {
	rows --by tid --agg 'p99(ns),count' trace >all
	tr-table --by tid --agg 'p99(ns),count' --sort 'p99(ns)' --output json trace >rows
	jq .p99_ns rows | sort -n -r -c
	tr-table --by tid --agg 'p99(ns),count' --sort p99_ns --reverse --output json trace | jq .p99_ns | sort -n -c
	[ "$(tr-table --by tid --agg 'count,p99(ns)' --sort 'P99(NS)' --top 3 --output json trace | jq .p99_ns)" = "$(head -n 3 rows | jq .p99_ns)" ]
	tr-table --by tid --agg 'max(p99_ns),count' --output json rows |
		jq -S -c '{tid, count, p99_ns: .max_p99_ns}' | sort | diff all -
	# the rows' strings are its keys, whether the first row has them or not
	tr-table --by syscall,errno --agg 'count,p99.9(ns)' --output json trace >rows
	[ "$(jq -s 'map(select(.errno == null)) | length' rows)" = 5 ]
	for order in sort tac; do
		$order rows | tr-table --agg count --output json | jq -S -c . | sort >again
		jq -S -c 'del(.["p99.9_ns"])' rows | sort | diff - again
	done
	tr-table --by syscall --agg 'max(p99.9_ns)' --output json rows | jq -e '.["max_p99.9_ns"] > 90000'
}

@test "records that say how many samples fell between two values have percentiles" {
	awk 'BEGIN {
		print "{\"tracery\":{\"id\":\"s\",\"arch\":\"x86_64\"}}"
		print "{\"schema\":{\"kind\":70,\"type\":\"spread\",\"key\":\"what\",\"weight\":\"times\",\"lo\":\"from\",\"hi\":\"to\"," \
			"\"fields\":[[\"ts\",\"time\"],[\"times\",\"u64\"],[\"from\",\"duration\"],[\"to\",\"duration\"],[\"what\",\"syscall\"]]}}"
		srand(3)
		for (i = 0; i < 30011; i++)
			n[int(exp(rand() * 20))]++
		# buckets of sixteen to the octave; each value goes to stderr as it was
		for (v in n) {
			width = 1
			while (v / width >= 32)
				width *= 2
			low = v - v % width
			count[low] += n[v]
			high[low] = low + width
			for (k = 0; k < n[v]; k++)
				print "read", v >"/dev/stderr"
		}
		for (low in count)
			printf "{\"type\":\"spread\",\"ts\":1,\"times\":%d,\"from\":%d,\"to\":%d,\"what\":\"read\"}\n", count[low], low, high[low]
	}' >json 2>values
	exact values 10 50 90 99 >expected
	run -0 --separate-stderr tr-table --agg 'count,p10(ns),p50(ns),p90(ns),p99(ns)' --output json json
	[ "$(jq .count <<<"$output")" = 30011 ]
	reported what ns <<<"$output" >got
	all_near expected got
	tr-cat --format=packed json >packed
	[ "$(tr-table --agg 'count,p10(ns),p50(ns),p90(ns),p99(ns)' --output json packed 2>/dev/null)" = "$output" ]
	# one without an end is at least its beginning
	echo '{"type":"spread","ts":1,"times":1000000,"from":68719476736,"to":null,"what":"read"}' >>json
	run -0 --separate-stderr tr-table --agg 'p99(ns),count' --output json json
	jq -e '.p99_ns >= 68719476736 and .p99_ns < 68719476736 * 33 / 32 and .count == 1030011' <<<"$output"
}

@test "histograms and summaries of the same calls are one row: counts of these, percentiles of those" {
	cat >json <<-'LINES'
		{"tracery":{"version":1,"id":"t","arch":"x86_64"}}
		{"type":"hist","ts":1,"n":30,"lo":16,"hi":17,"syscall":"read"}
		{"type":"hist","ts":1,"n":9,"lo":1024,"hi":1088,"syscall":"read"}
		{"type":"hist","ts":1,"n":1,"lo":68719476736,"hi":null,"syscall":"read"}
		{"type":"summary","ts":1,"n":41,"errors":2,"ns_total":70000000000,"ns_min":16,"ns_max":69000000000,"syscall":"read"}
		{"type":"hist","ts":1,"n":7,"lo":20,"hi":21,"syscall":"write"}
		{"end":{"ts":9,"records":5,"lost":0,"status":0}}
	LINES
	tr-cat --format=packed json >packed
	for input in json packed; do
		[ "$(tr-table --output csv $input)" = 'syscall,count,errors,total_ns,avg_ns,max_ns
read,41,2,70000000000,1707317073.17,69000000000
write,7,0,,,' ]
		[ "$(tr-table --agg 'count,p50(ns),p90(ns),p99(ns)' --output csv $input)" = 'syscall,count,p50_ns,p90_ns,p99_ns
read,41,16,1055,68719476736
write,7,20,20,20' ]
		[ "$(tr-table --by syscall --agg 'count,sum(ns)' --output tsv $input | tail -n +2)" = $'read\t41\t70000000000\nwrite\t7\t' ]
		[ "$(tr-table --by type --agg count --output tsv $input | tail -n +2 | sort)" = $'hist\t47\nsummary\t41' ]
		# what is known to be that much at least says so
		tr-table --agg 'p99(ns)' $input | grep -qx 'read  *>= 68.72 s'
	done
}

# Summaries of the calls in records, as jq makes them: one for each call, process and interval, and
# one of its own for those that never returned.
summaries() {
	jq -c -s '
		group_by([.syscall, .pid, (.ts / 500000000 | floor), .ns == null])[] |
		{type: "summary", ts: .[-1].ts, n: length,
			errors: map(select(.ret != null and .ret < 0 and .ret >= -4095 and (.ret > -512 or .ret < -516))) | length,
			ns_total: (if .[0].ns == null then null else map(.ns) | add end),
			ns_min: (if .[0].ns == null then null else map(.ns) | min end),
			ns_max: (if .[0].ns == null then null else map(.ns) | max end)} +
			if $process then {comm: .[0].comm, pid: .[0].pid} else {} end + {syscall: .[0].syscall}' \
		--argjson process "$1" calls
}

@test "summaries come to the same as the calls themselves, also mixed with them" {
	local agg='count,errors,sum(ns),avg(ns),min(ns),max(ns)' process

	jq -c '.pid = .tid % 3 | .comm = "c\(.tid % 3)"' records >calls
	for _ in 1 2 3; do
		echo '{"type":"syscall","ts":7,"ns":null,"ret":null,"comm":"c1","pid":1,"tid":1,"syscall":"exit_group"}'
		echo '{"type":"syscall","ts":7,"ns":null,"ret":null,"comm":"c2","pid":2,"tid":2,"syscall":"read"}'
	done >>calls
	for process in false true; do
		summaries $process >summaries
		[ "$(wc -l <summaries)" -gt 30 ]
		tr-cat --format=packed summaries >packed 2>/dev/null
		[ "$(head -c 1 packed | od -A n -t u1)" -ge 128 ]
		rows calls 2>/dev/null >expected
		rows summaries 2>/dev/null | diff expected -
		rows packed 2>/dev/null | diff expected -
		rows --by syscall --agg "$agg" calls 2>/dev/null >expected
		grep -q '"avg_ns":null' expected
		rows --by syscall --agg "$agg" packed 2>/dev/null | diff expected -
		# one half as calls, the other summed up
		cp calls whole
		head -n 2500 whole >half
		tail -n +2501 whole >calls
		summaries $process | tr-cat --format=packed 2>/dev/null | cat half - >mixed
		rows --by syscall --agg "$agg" mixed 2>/dev/null | diff expected -
		cp whole calls
		# of its parts there is nothing to be known
		[ "$(tr-table --by type --agg 'p50(ns),sum(ret)' --output tsv packed 2>/dev/null | tail -n 1)" = $'summary\t\t' ]
	done
	rows --by comm,pid --agg "$agg" calls 2>/dev/null >expected
	[ "$(wc -l <expected)" = 3 ]
	rows --by comm,pid --agg "$agg" packed 2>/dev/null | diff expected -
}

@test "counts of processes group by the call, or by whom" {
	cat >json <<-'LINES'
		{"type":"count","ts":1,"n":40,"comm":"a","pid":7,"syscall":"read"}
		{"type":"count","ts":2,"n":2,"comm":"b","pid":8,"syscall":"read"}
		{"type":"count","ts":2,"n":3,"comm":"b","pid":8,"syscall":"write"}
		{"type":"count","ts":2,"n":5,"syscall":"write"}
	LINES
	tr-cat --format=packed json >packed 2>/dev/null
	for trace in json packed; do
		run -0 --separate-stderr tr-table --output json $trace
		[ "$output" = '{"syscall":"read","count":42}
{"syscall":"write","count":8}' ]
		run -0 --separate-stderr tr-table --by comm,pid --output json $trace
		[ "$output" = '{"comm":"a","pid":7,"count":40}
{"comm":null,"pid":null,"count":5}
{"comm":"b","pid":8,"count":5}' ]
	done
}

@test "counts stay at their limit, and that is said" {
	for _ in 1 2 3; do
		echo '{"type":"summary","ts":1,"n":"18446744073709551615","errors":"9223372036854775809","ns_total":5,"ns_min":5,"ns_max":5,"syscall":"read"}'
	done >json
	tr-cat --format=packed json >packed 2>/dev/null
	for trace in json packed; do
		run -0 --separate-stderr tr-table --agg 'count,errors,sum(ns)' --output json $trace
		[ "$output" = '{"syscall":"read","count":"18446744073709551615","errors":"18446744073709551615","sum_ns":15}' ]
		[[ $stderr == *"stands at its limit"* ]]
	done
	printf '{"k":"a","v":%s}\n' 1.7e308 1.7e308 >json
	run -0 --separate-stderr tr-table --agg 'sum(v)' --output json json
	[[ $stderr == *"stands at its limit"* ]]
	jq -e '.sum_v > 1.79e308' <<<"$output"
}

@test "big numbers that JSON has as strings are numbers, and no keys" {
	tr-table --agg 'sum(v),max(v)' --output json >rows <<-'LINES'
		{"k":"a","v":9007199254740993,"count":2}
		{"k":"a","v":18446744073709551615,"count":"9007199254740994"}
	LINES
	[ "$(cat rows)" = '{"k":"a","sum_v":"18455751272964292608","max_v":"18446744073709551615"}' ]
	[ "$(tr-table --agg 'count,max(max_v)' --output json rows)" = '{"k":"a","count":1,"max_max_v":"18446744073709551615"}' ]
	[ "$(echo '{"k":"a","count":"9007199254740994"}' | tr-table --output json)" = '{"k":"a","count":"9007199254740994"}' ]
}

@test "Markdown shows names as they are" {
	printf '%s\n' "${one_call/\"comm\":\"x\"/\"comm\":\"a|b\`*_c_*<i>\\n[x](y)\\\\\"}" >json
	run -0 --separate-stderr tr-table --by comm,syscall --agg 'count,max(ns)' --output markdown json
	[ "${#lines[@]}" = 3 ]
	[[ ${lines[0]} == '| COMM '*' | SYSCALL | COUNT | MAX(ns) |' ]]
	[[ ${lines[1]} =~ ^\|\ -+\ \|\ -+\ \|\ -+:\ \|\ -+:\ \|$ ]]
	[ "${lines[2]}" = '| a\|b\`\*\_c\_\*\<i\>\\n\[x\](y)\\ | read    |     1 |    1 ns |' ]
	# all lines are as wide
	[ "$(printf '%s\n' "${lines[@]}" | awk '{ print length }' | sort -u | wc -l)" = 1 ]
	printf '%s\n' "${one_call/\"read\"/\"epoll_wait\"}" >json
	run -0 --separate-stderr tr-table --by syscall,errno --agg count --output markdown json
	[ "${lines[2]}" = '| epoll_wait | -     |     1 |' ]
	tr-table --interval 1 --output markdown json 2>/dev/null | head -n 3 | cut -c -11 >head
	[ "$(cat head)" = $'from 0s to \n\n| SYSCALL  ' ]
}

# The samples of an exposition without its metadata: sorted lines of NAME{LABELS} VALUE.
samples() {
	grep -v '^#' "$@" | sort
}

@test "OpenMetrics is accepted by promtool and holds the same figures" {
	need promtool
	tr-table --output openmetrics trace >om
	promtool check metrics <om
	[ "$(tail -n 1 om)" = '# EOF' ]
	[ "$(grep -c '^# EOF' om)" = 1 ]
	tr-table --output json trace | jq -r '
		"tracery_count_total{syscall=\"\(.syscall)\"} \(.count)",
		"tracery_errors_total{syscall=\"\(.syscall)\"} \(.errors)"' | sort >expected
	samples om | grep -E '^tracery_(count|errors)' | diff expected -
	# times are in seconds, to the nanosecond
	tr-table --output json trace | jq -r '"tracery_max_seconds{syscall=\"\(.syscall)\"} \(.max_ns)",
		"tracery_seconds_total{syscall=\"\(.syscall)\"} \(.total_ns)"' | sort >expected
	samples om | grep -E '^tracery_(max|seconds)' | awk '{ printf "%s %.0f\n", $1, $2 * 1e9 }' | diff expected -
	grep -qx '# TYPE tracery_max_seconds gauge' om
	grep -qx '# UNIT tracery_max_seconds seconds' om
	# every form of column, and several keys
	tr-table --by comm,tid,errno --agg 'count,count,errors,sum(ns),avg(ns),min(ns),max(ret),p50(ns),p99.9(ns),sum(ret)' \
		--output openmetrics trace >om
	promtool check metrics <om
	[ "$(grep -c '^tracery_p99_9_seconds{' om)" = "$(tr-table --by comm,tid,errno --agg count --output json trace | wc -l)" ]
	[ "$(samples om | sed 's/ [^ ]*$//' | uniq -d)" = "" ]
	# nothing at all
	[ "$(tr-table --output openmetrics </dev/null | tail -n 1)" = '# EOF' ]
	tr-table --output openmetrics </dev/null | promtool check metrics
	run -2 --separate-stderr tr-table --interval 1 --output openmetrics trace
	[ -z "$output" ]
}

@test "odd names make good metrics" {
	local name i=0

	need promtool
	for name in 'a\"b' 'back\\\\slash' '\\n' '\\udcff' '\\\\xff' '' '\\\\0' 'gr\u00fc\u00df' '{x=\"y\"}'; do
		printf '%b\n' "{\"o.d-d\":\"$name\",\"le\":\"z\",\"__x\":\"q\",\"9\":\"n\",\"x\":1,\"v_total\":$((i++))}"
	done >json
	echo '{"le":"z","x":1,"v_total":3}' >>json
	tr-table --by 'o.d-d,o_d_d,le,__x,9' --agg 'count,max(v_total),sum(x.y),sum(x_y),sum(x)' --output openmetrics json >om
	promtool check metrics <om
	[ "$(grep -c '^tracery_count_total{' om)" = 10 ]
	[ "$(samples om | sed 's/ [^ ]*$//' | uniq -d)" = "" ]
	grep -qF '{o_d_d="\\xff",' om
	grep -qF '{o_d_d="\\\\xff",' om
	grep -qF '{o_d_d="a\"b",' om
	iconv -f UTF-8 -t UTF-8 om >/dev/null
}

# 40 calls with names of 15 letters, by 40 threads.
many_threads() {
	local i

	for ((i = 10; i < 50; i++)); do
		echo "{\"type\":\"syscall\",\"ts\":$i,\"ns\":$i,\"ret\":0,\"comm\":\"a-thread-name-$i\",\"pid\":1,\"tid\":$i,\"syscall\":\"a_call_of_mine\"}"
	done
}

@test "on a terminal the total so far is drawn each second in its place, and fits" {
	mkfifo in
	many_threads >records
	# shellcheck disable=SC2016
	live() {
		exec script -q -f -e -c 'stty rows 12 cols 46; echo before; tr-table --by comm,tid --agg count,max\(ns\) in; echo after' log \
			>/dev/null 2>&1
	}
	start live
	exec 9>in
	head -n 20 records >&9
	wait_for grep -q 'and 11 more' log
	tail -n +21 records >&9
	wait_for grep -q 'and 31 more' log
	# what is drawn: the terminal's lines but one, none of them too long
	sed -n '/^before/,$p' log | tr -d '\r' | screen 12 46 >shown
	cat shown
	[ "$(head -n 1 shown)" = before ]
	[ "$(sed -n 2p shown)" = 'COMM              TID  COUNT  MAX(ns)' ]
	[ "$(sed -n 12p shown)" = '... and 31 more' ]
	[ "$(wc -l <shown)" = 13 ] # the last is empty, and the cursor's
	# a smaller terminal, from now on
	tty=$(readlink "/proc/$(pgrep -f 'tr-table --by comm,tid' | tail -n 1)/fd/1")
	stty -F "$tty" rows 9 cols 30
	wait_for grep -q 'and 34 more' log
	tail -n 8 log | tr -d '\r' | tee small
	[ "$(head -n 1 small | wc -m)" -le 30 ]
	grep -qxF $'a-threa\u2026  10       1    10 ns' small
	exec 9>&-
	finish "$pid"
	# at the end the whole table, and nothing of the terminal is changed
	tr-table --by comm,tid --agg 'count,max(ns)' records 2>/dev/null | tail -n 40 | cat - <(echo after) >whole
	tr -d '\r' <log | grep -B 40 -x after | diff whole -
	run -1 grep -q $'\x1b\[?' log
}

@test "nothing is drawn over the output of a traced command" {
	{
		echo '{"tracery":{"version":1,"id":"t","arch":"x86_64","argv":["tr-attach","--count","--","make"]}}'
		many_threads
	} >records
	# long enough for it to be drawn
	script -q -e -c '{ cat records; sleep 1.5; } | tr-table' log >/dev/null
	run -1 grep -q $'\x1b' log
	[ "$(grep -c '^a_call_of_mine' log)" = 1 ]
}

@test "what is beyond a million keys is counted as other, and said" {
	awk 'BEGIN { for (i = 0; i < 1048576 + 1000; i++) printf "{\"k\":\"%d\",\"v\":1}\n", i; print "{\"k\":\"7\",\"v\":1}" }' >json
	tr-table --output tsv json >rows 2>err
	[ "$(grep other err)" = 'tr-table: 1000 records found 1048576 keys already and are under "other"' ]
	[ "$(tail -n 1 rows)" = $'other\t1000' ]
	[ "$(sed -n 2p rows)" = $'7\t2' ]
	awk 'NR > 1 { n += $2; rows++ } END { print rows, n }' rows >sum
	[ "$(cat sum)" = "1048577 1049577" ]
	[ "$(tr-table --top 2 --output tsv json 2>/dev/null)" = $'k\tcount\n7\t2\n0\t1' ]
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
	# without --sort by the count, wherever it stands, else by the first
	tr-table --by tid --agg 'max(ns),count' --output json trace | jq .count | sort -n -r -c
	tr-table --by tid --agg 'max(ns),sum(ns)' --output json trace | jq .max_ns | sort -n -r -c
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
		--agg p50
		--agg p0(ns)
		--agg p100.1(ns)
		--agg p(ns)
		--agg p1.(ns)
		--agg p.5(ns)
		--agg p1.2.3(ns)
		--agg p-5(ns)
		--top 0
		--top -3
		--top x
		--interval 0
		--interval soon
		--output xml
	LINES
}
