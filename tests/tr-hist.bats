# SPDX-License-Identifier: GPL-2.0-only
#
# tr-hist: rows, sums and percentiles against python3, jq and sort on the same values; and how it
# shows them.

load helper
load witness

header='{"tracery":{"version":1,"id":"h","arch":"x86_64","start":"2026-01-02T03:04:05.000000000Z"}}'

# Lines KEY VALUE as calls of the time VALUE, one each millisecond: KEY is the call.
as_calls() {
	echo "$header"
	awk '{ printf "{\"type\":\"syscall\",\"ts\":%d,\"ns\":%s,\"ret\":%s,\"comm\":\"c%d\",\"pid\":1,\"tid\":%d,\"syscall\":\"%s\"}\n",
		NR * 1000000, $2, NR % 5 - 2, NR % 3, NR % 7, $1 }'
}

# The same as plain objects, which are of no kind.
as_objects() {
	awk '{ printf "{\"k\":\"%s\",\"v\":%s}\n", $1, $2 }'
}

# Lines KEY VALUE as records of how many are in each bucket of sixteen to the octave; with "summary"
# also what they add up to, as tr-attach writes both. One interval for each 1000 lines.
as_buckets() {
	echo "$header"
	python3 -c '
import collections, json, sys
def flush(ts):
    for key, values in groups.items():
        n = collections.Counter()
        for v in values:
            shift = max(v.bit_length() - 5, 0)
            n[(v >> shift << shift, ((v >> shift) + 1) << shift)] += 1
        for (lo, hi), count in sorted(n.items()):
            if lo >= 1 << 36:
                lo, hi = 1 << 36, None
            print(json.dumps({"type": "hist", "ts": ts, "n": count, "lo": lo, "hi": hi, "syscall": key}))
        if sys.argv[1:]:
            print(json.dumps({"type": "summary", "ts": ts, "n": len(values), "errors": 0, "ns_total": sum(values),
                "ns_min": min(values), "ns_max": max(values), "syscall": key}))
    groups.clear()
groups, i = collections.defaultdict(list), 0
for i, line in enumerate(sys.stdin, 1):
    key, value = line.split()
    groups[key].append(int(value))
    if i % 1000 == 0:
        flush(i * 1000000)
flush((i + 1) * 1000000)' "$@"
}

# Calls of many sizes: even, exponential, heavy-tailed, two far apart, all the same, small.
spread() {
	awk -v n="${1:-20011}" 'BEGIN {
		srand(7)
		for (i = 0; i < n; i++) {
			u = 1 - rand()
			printf "read %d\nwrite %d\nopenat %d\nclose %d\nfutex 4711\nlseek %d\n", u * 1e6,
				-log(u) * 1e5, 100 / u ^ 2, u < 0.3 ? 17 : 99999989, u * 40
		}
	}'
}

# tr-hist's percentiles as lines KEY P VALUE; $1 is the member that is the key.
reported() {
	jq -r --arg key "$1" '.[$key] as $name | to_entries[] | select(.key | test("^p[0-9.]+$")) |
		"\($name) \(.key[1:]) \(.value)"'
}

# The rows of the text form, as lines LABEL COUNT.
rows() {
	sed -nE 's/^ *([^ ].*[^ ]|[^ ])  +([0-9]+) \|.*/\1 \2/p'
}

# For the values of stdin: the rows of times, as python3 counts them, empty ones in between too.
time_rows() {
	python3 -c '
import sys
edges = [0] + [u * 2 ** i for u in (1, 10 ** 3, 10 ** 6) for i in range(10)] + [10 ** 9 * 2 ** i for i in range(40)]
def text(ns, other):
    for name, unit in ("s", 10 ** 9), ("ms", 10 ** 6), ("us", 1000), ("ns", 1):
        if ns >= unit:
            return str(ns // unit), name
    return "0", text(other, 1)[1]
n = {}
for line in sys.stdin:
    v = int(line)
    row = max(i for i in range(len(edges)) if edges[i] <= v)
    n[row] = n.get(row, 0) + 1
for row in range(min(n), max(n) + 1):
    (lo, u1), (hi, u2) = text(edges[row], edges[row + 1]), text(edges[row + 1], 1)
    label = "0 ns" if row == 0 else lo + "-" + hi + " " + u2 if u1 == u2 else lo + " " + u1 + "-" + hi + " " + u2
    print(label, n.get(row, 0))'
}

@test "rows are powers of two in readable units, with counts, bars and figures" {
	printf 'read %s\n' 0 1 1023 1024 1500 1999 2000 2000000 2000001 3999999 4000000 >values
	as_calls <values >json
	run -0 --separate-stderr tr-hist json
	diff - <(printf '%s\n' "$output") <<-'END'
		syscall=read
		       0 ns  1 | ###############
		     1-2 ns  1 | ###############
		     2-4 ns  0 |
		     4-8 ns  0 |
		    8-16 ns  0 |
		   16-32 ns  0 |
		   32-64 ns  0 |
		  64-128 ns  0 |
		 128-256 ns  0 |
		 256-512 ns  0 |
		512 ns-1 us  0 |
		     1-2 us  4 | ##############################################################
		     2-4 us  1 | ###############
		     4-8 us  0 |
		    8-16 us  0 |
		   16-32 us  0 |
		   32-64 us  0 |
		  64-128 us  0 |
		 128-256 us  0 |
		 256-512 us  0 |
		512 us-1 ms  0 |
		     1-2 ms  0 |
		     2-4 ms  3 | ##############################################
		     4-8 ms  1 | ###############
		count 11  total 12.01 ms  mean 1.092 ms  min 0 ns  max 4.000 ms
		p50 2.015 us  p90 3.998 ms  p99 4.000 ms  p99.9 4.000 ms
	END
	# plain numbers and bytes
	printf '{"k":"x","v":%s}\n' 0 1 3 2000 5000000 | tr-hist --value v | rows | grep -v ' 0$' >got
	printf '%s\n' '0 1' '1-2 1' '2-4 1' '1K-2K 1' '4M-8M 1' | diff - got
	printf '{"k":"x","bytes":%s}\n' 0 1 3 2000 5000000 | tr-hist --value bytes | tee all | rows | grep -v ' 0$' >got
	printf '%s\n' '0 B 1' '1-2 B 1' '2-4 B 1' '1-2 KiB 1' '4-8 MiB 1' | diff - got
	grep -qx 'count 5  total 4.77 MiB  mean 977 KiB  min 0 B  max 4.768 MiB' all
}

@test "each time is in its row, whichever way its record was written" {
	spread >all
	for ((i = 0; i < 20; i++)); do # and the ends of rows
		printf 'edge %s\n' $((2 ** i)) $((2 ** i - 1)) $((1000 * 2 ** i)) $((1000 * 2 ** i - 1)) \
			$((1000000 * 2 ** i)) $((1000000 * 2 ** i - 1)) $((1000000000 * 2 ** i)) $((1000000000 * 2 ** i - 1))
	done >>all
	printf 'edge %s\n' 9223372036854775807 18446744073709551615 >>all
	as_calls <all >json
	tr-cat --format=packed json >packed 2>/dev/null
	for key in read write openat close lseek edge; do
		grep "^$key " all | cut -d ' ' -f 2 | time_rows >expected
		for input in json packed; do
			tr-hist --where "syscall == \"$key\"" "$input" 2>/dev/null | rows >got
			[ -s got ]
			# a long run of empty rows is one line
			diff <(grep -v ' 0$' expected) <(grep -v ' 0$' got)
		done
	done
	# objects of no kind: those of a time too, by its name
	grep '^write ' all | as_objects | sed 's/"v"/"ns"/' >objects
	grep '^write ' all | cut -d ' ' -f 2 | time_rows | diff - <(tr-hist objects | rows)
}

@test "negative values, zero, and values and counts beyond 32 bits are each in their own row" {
	printf '{"k":"x","v":%s}\n' -5 0 1 2147483648 10737418240 9223372036854775807 >json
	printf '%s\n' '-8 to -4 1' '0 1' '1-2 1' '2G-4G 1' '8G-16G 1' '4E-8E 1' >expected
	tr-hist --value v json | rows | grep -v ' 0$' | diff expected -
	tr-hist --value v --output json json | jq -e '.count == 6 and .min == -5 and
		.sum == "9223372049739677691" and .max == "9223372036854775807"'
	tr-hist --value v --output json json | jq -r '.buckets[] | map(tonumber) | select(.[0] <= -5 and .[1] > -5 or
		.[0] == 0 or .[0] == 1 or (.[0] <= 2147483648 and .[1] > 2147483648) or .[0] >= 1e10) | .[2]' >ones
	[ "$(wc -l <ones)" = 6 ]
	# more than 2^32 in one bucket
	{
		echo "$header"
		for ((i = 0; i < 3; i++)); do
			echo '{"type":"hist","ts":'$i',"n":4294967297,"lo":1024,"hi":1088,"syscall":"read"}'
		done
	} >hist
	[ "$(tr-hist hist 2>/dev/null | rows)" = '1-2 us 12884901891' ]
	[ "$(tr-hist --output json hist 2>/dev/null | jq -c '[.count, .buckets]')" = '[12884901891,[[1024,1088,12884901891]]]' ]
}

@test "sums, means and ends are exact, also beyond 64 bits" {
	python3 -c '
import random
random.seed(3)
for i in range(3001):
    print("i", random.choice((-1, 1)) * random.getrandbits(random.randint(1, 63)))
    print("u", 2 ** 64 - 1 - random.getrandbits(random.randint(1, 60)))' >values
	as_objects <values >json
	python3 -c '
import sys
groups = {}
for line in sys.stdin:
    key, value = line.split()
    groups.setdefault(key, []).append(int(value))
for key, v in sorted(groups.items()):
    total = sum(v)
    mean = abs(total) * 1000 // len(v)
    mean = ("-" if total < 0 else "") + ("%d.%03d" % divmod(mean, 1000)).rstrip("0").rstrip(".")
    print(key, len(v), total, min(v), max(v), mean)' <values >expected
	tr-hist --value v --by k --output json json |
		python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line, parse_float=str)
    assert sum(int(b[2]) for b in row["buckets"]) == row["count"]
    print(row["k"], row["count"], row["sum"], row["min"], row["max"], row["mean"])' | sort | diff expected -
}

@test "percentiles are within 1/32 of the exact ones, of records and of buckets" {
	local list=1,25,50,90,99,99.9,99.99

	spread >values
	# shellcheck disable=SC2086
	exact values ${list//,/ } >expected
	[ "$(wc -l <expected)" = 42 ]
	as_calls <values >json
	tr-cat --format=packed json >packed 2>/dev/null
	as_buckets <values >buckets
	as_buckets summary <values >both
	for input in json packed buckets both; do
		tr-hist --percentiles $list --output json "$input" 2>/dev/null | reported syscall >got
		all_near expected got
	done
	as_objects <values | tr-hist --value v --by k --percentiles $list --output json | reported k >got
	all_near expected got
}

@test "fractions have rows of their own, and percentiles" {
	awk 'BEGIN { srand(9); for (i = 0; i < 10007; i++) { u = 1 - rand(); printf "a %.9g\nb %.9g\n", u, (u - 0.5) * 9 } }' >values
	as_objects <values | tr-hist --value v --by k --output json >out
	exact values 50 90 99 99.9 >expected
	reported k <out >got
	all_near expected got
	python3 -c '
import math, sys
n = {}
for line in sys.stdin:
    key, value = line.split()
    if key == "a":
        n[math.frexp(float(value))[1] - 1] = n.get(math.frexp(float(value))[1] - 1, 0) + 1
for e in sorted(n):
    print("%.4g-%.4g %d" % (2.0 ** e, 2.0 ** (e + 1), n[e]))' <values >expected
	grep '^a ' values | as_objects | tr-hist --value v | rows | grep -v ' 0$' | diff expected -
	# the sum is that of doubles
	jq -e -s --argjson sum "$(grep '^b ' values | awk '{ s += $2 } END { printf "%.15g", s }')" \
		'map(select(.k == "b"))[0] | (.sum - $sum | fabs) < 1e-9 and .min >= -4.5 and .max <= 4.5' out
}

@test "the largest and smallest of doubles fit where they are shown" {
	local as value

	for value in 1e300 -1e300 1.7976931348623157e308 -1.7976931348623157e308 1.2345678e-300 4e33; do
		echo "{\"ns\":$value,\"k\":\"a\",\"ts\":1}" >big
		for as in '' '--output csv' '--output json' '--by k' '--linear 1s' --heatmap '--heatmap --by k'; do
			echo "$value $as"
			# shellcheck disable=SC2086
			run -0 --separate-stderr tr-hist $as big
			[ -n "$output" ]
		done
	done
	tr-hist <<<'{"ns":1e300,"k":1}' | grep -q 'min 1e+291 s  max 1e+291 s'
	tr-hist --output json <<<'{"ns":-1e300,"k":1}' | jq -e '.min == -1e300 and .max == -1e300'
}

@test "what summaries say makes buckets exact; alone they give bounds, and no made-up figure" {
	spread 5003 >values
	as_calls <values >calls
	as_buckets summary <values >both
	as_buckets <values >buckets
	tr-hist --output json calls 2>/dev/null >exact
	tr-hist --output json both 2>/dev/null >got
	diff <(jq -c '[.syscall, .count, .sum, .min, .max, .mean, .buckets]' exact) \
		<(jq -c '[.syscall, .count, .sum, .min, .max, .mean, .buckets]' got)
	tr-hist --output json buckets 2>/dev/null >bare
	diff <(jq -c '[.syscall, .count, .buckets]' exact) <(jq -c '[.syscall, .count, .buckets]' bare)
	jq -e -s 'all(.sum == null and .min == null and .max == null and .mean == null)' bare
	# bounds: below the true figure, or above it, by no more than a bucket
	run -0 --separate-stderr tr-hist --where 'syscall == "openat"' buckets
	[[ $output == *'total >= '*'mean >= '*'min >= 100 ns'*'max < '* ]]
	bound=$(jq 'select(.syscall == "openat").buckets | map(.[0] * .[2]) | add' bare)
	sum=$(jq 'select(.syscall == "openat").sum' exact)
	((bound <= sum && sum < bound * 17 / 16))
	# figures of a part of the events are of no use
	grep -v '"summary", "ts": 1000000000,' both | tr-hist --output json 2>/dev/null | jq -e -s 'any(.sum == null)'
}

@test "a bucket without an end is a row of its own, and a percentile there is a bound" {
	printf 'read %s\n' 5000 70000000000 80000000000 900000000000 | as_buckets >open
	run -0 --separate-stderr tr-hist --percentiles 25,50 open
	[ "$(rows <<<"$output" | grep -v ' 0$')" = $'4-8 us 1\n>= 68.72 s 3' ]
	[[ $output == *'max >= 68.72 s'*'p25 4.991 us  p50 >= 68.72 s' ]]
	tr-hist --output json open 2>/dev/null | jq -e '.p50 == null and .buckets[-1] == [68719476736, null, 3] and .count == 4'
	[ "$(tr-hist --output csv open 2>/dev/null | tail -n 1)" = 'read,68719476736,,3' ]
	# with a summary the end is known
	printf 'read %s\n' 5000 70000000000 80000000000 900000000000 | as_buckets summary |
		tr-hist --output json 2>/dev/null | jq -e '.max == 900000000000 and .sum == 1050000005000'
}

@test "a call that is in a record and in a histogram counts once" {
	spread 1009 >values
	as_calls <values >calls
	as_buckets summary <values >buckets
	cat calls buckets >both
	tr-hist --output json buckets 2>/dev/null | jq -c '[.syscall, .count, .sum]' >expected
	tr-hist --output json both 2>err | jq -c '[.syscall, .count, .sum]' | diff expected -
	grep -q '^tr-hist: single records beside histograms of the same key are left out' err
	# but those of another key are there
	{
		cat buckets
		grep -v '"read"' calls
	} | grep -v '"type":"[hs].*"write"' >mixed
	[ "$(tr-hist --output json mixed 2>/dev/null | jq -s 'map(.count) | add')" = $((6 * 1009)) ]
	# what only counts is no distribution
	printf '%s\n' "$header" '{"type":"count","ts":1,"n":40,"syscall":"read"}' >counts
	run -0 --separate-stderr tr-hist counts
	[ -z "$output" ]
	grep -q '^tr-hist: no record has a value to show' <<<"$stderr"
	# nor is what was only added up, and there is a tool for it
	run -0 --separate-stderr tr-hist <(grep '"summary"' buckets)
	[ -z "$output" ]
	grep -q '^tr-hist: some keys have sums but no histograms, and are not shown; tr-table' <<<"$stderr"
}

@test "--by makes a histogram of each key, the fullest first, or one of all" {
	spread 3001 >values
	as_calls <values >json
	tr-cat --format=packed json >packed 2>/dev/null
	for by in syscall comm comm,tid,syscall ret errno; do
		tr-table --by $by --agg 'count,sum(ns)' --output json packed 2>/dev/null |
			jq -c 'del(.count, .sum_ns) + {n: .count, s: .sum_ns}' | sort >expected
		for input in json packed; do
			tr-hist --by $by --output json $input 2>/dev/null >out
			jq .count out | sort -n -r -c
			jq -c '. as $all | (keys_unsorted | index("count")) as $n | to_entries[:$n] | from_entries +
				{n: $all.count, s: $all.sum}' out | sort | diff expected -
		done
	done
	run -0 --separate-stderr tr-hist --by '' --output json packed
	[ "$(jq -c '[.count, (keys | index("syscall"))]' <<<"$output")" = '[18006,null]' ]
	[ "$(tr-hist --by comm,tid packed 2>/dev/null | grep -c '^comm=c[0-2] tid=[0-6]$')" = 21 ]
	[ "$(tr-hist --by nothing packed 2>/dev/null | head -n 1)" = 'nothing=-' ]
	# without it by the key of each type; types that share one meet, others do not
	{
		echo "$header"
		echo '{"schema":{"kind":70,"type":"hit","key":"label","value":"took","fields":[["ts","time"],["took","u64"],["label","str"]]}}'
		echo '{"schema":{"kind":71,"type":"plain","value":"size","fields":[["ts","time"],["size","bytes"]]}}'
		echo '{"type":"hit","ts":1,"took":9,"label":"read"}'
		echo '{"type":"plain","ts":1,"size":5000}'
		echo '{"type":"syscall","ts":1,"ns":5,"ret":0,"comm":"x","pid":1,"tid":1,"syscall":"read"}'
		echo '{"type":"syscall","ts":2,"ns":5,"ret":0,"comm":"x","pid":1,"tid":1,"syscall":"read","more":1}'
	} >kinds
	run -0 --separate-stderr tr-hist kinds
	[ "$(grep -E '^[a-z]+=' <<<"$output" | tr '\n' ' ')" = 'syscall=read label=read type=plain ' ]
}

@test "--linear counts in rows of one width, exactly where values are known" {
	spread 3001 | grep -E '^(read|write) ' >values
	as_calls <values >json
	tr-cat --format=packed json >packed 2>/dev/null
	for step in 10us=10000 7=7 64K=65536; do
		python3 -c '
import collections, sys
step, n = int(sys.argv[1]), collections.Counter()
for line in sys.stdin:
    n[line.split()[0], int(line.split()[1]) // step] += 1
for (key, row), count in sorted(n.items()):
    print("%s,%d,%d,%d" % (key, row * step, (row + 1) * step, count))' "${step#*=}" <values | sort >expected
		for input in json packed; do
			tr-hist --linear "${step%=*}" --output csv $input 2>/dev/null | tail -n +2 | sort | diff expected -
		done
	done
	[ "$(tr-hist --linear 0.25s --where 'ns < 1us' packed 2>/dev/null | rows | cut -d ' ' -f 1,2 | sort -u)" = '0-250 ms' ]
	# fractions, and below zero
	printf '{"k":"x","v":%s}\n' 0.1 0.49 0.5 -0.01 -0.5 -0.51 3 >json
	[ "$(tr-hist --value v --linear 0.5 --output csv json)" = 'lo,hi,n
-1,-0.5,1
-0.5,0,2
0,0.5,2
0.5,1,1
3,3.5,1' ]
	# what is beyond all rows is in the last one, or in the first
	printf '{"k":"x","v":%s}\n' -9223372036854775808 0 18446744073709551615 >far
	[ "$(tr-hist --value v --linear 1 far | rows)" = $'< -16777215 1\n0 1\n>= 16777216 1' ]
	[ "$(tr-hist --value v --linear 1 --output json far | jq -c .buckets)" = '[[null,-16777215,1],[0,1,1],[16777216,null,1]]' ]
	# buckets that are wider than a row are put where their middle is, and that is said
	as_buckets <values >buckets
	tr-hist --linear 1us --output csv buckets 2>err | awk -F , '$1 == "read" { n += $4 } END { print n }' >sum
	[ "$(cat sum)" = 3001 ]
	grep -q '^tr-hist: some values are known only by buckets wider than a row' err
	tr-hist --linear 1us --output csv json 2>err >/dev/null
	run -1 grep wider err
}

@test "--interval makes histograms of each interval, live and replayed" {
	spread 997 >values
	as_calls <values >json
	tr-cat --format=packed json >trace 2>/dev/null
	jq -c 'select(.type == "syscall")' json | jq -s -c 'group_by([(.ts / 500000000 | floor), .syscall])[] |
		[((.[0].ts / 500000000 | floor) + 1) * 500000000, .[0].syscall, length, (map(.ns) | add)]' | sort >expected
	[ "$(wc -l <expected)" = 72 ]
	tr-hist --interval 500ms --output json trace >replayed 2>/dev/null
	jq -c '[.ts, .syscall, .count, .sum]' replayed | sort | diff expected -
	# live: in pieces that come while it waits
	mkfifo in
	live() { exec tr-hist --interval 500ms --output json in >live 2>/dev/null; }
	start live
	exec 9>in
	head -n 2000 trace >&9
	wait_for grep -q '^State:.S' "/proc/$pid/status"
	tail -n +2001 trace >&9
	exec 9>&-
	run -0 finish "$pid"
	cmp replayed live
	tr-hist --interval 2 --by '' trace 2>/dev/null >shown
	[ "$(grep '^from ' shown | tr '\n' ' ')" = 'from 0s to 2s from 2s to 4s from 4s to 6s ' ]
	[ "$(grep -c '^count ' shown)" = 3 ]
}

@test "CSV is read by python3, JSON by jq, and both hold the same buckets" {
	spread 1009 | sed 's/^read/a,"b/' >values
	{
		echo "$header"
		python3 -c '
import json, sys
for i, line in enumerate(sys.stdin):
    key, value = line.split()
    print(json.dumps({"type": "syscall", "ts": i, "ns": int(value), "ret": 0, "comm": key + "\n=\t\x1b", "pid": i % 2, "tid": 1, "syscall": "read"}))' <values
	} >json
	tr-hist --by comm,pid --output json json 2>/dev/null |
		jq -c '. as $h | .buckets[] | [$h.comm, $h.pid] + .' | sort >from_json
	tr-hist --by comm,pid --output csv json 2>/dev/null | python3 -c '
import csv, json, sys
rows = csv.reader(sys.stdin)
assert next(rows) == ["comm", "pid", "lo", "hi", "n"]
for comm, *numbers in rows:
    print(json.dumps([comm] + [int(n) for n in numbers], separators=(",", ":")))' | sort >from_csv
	[ "$(wc -l <from_csv)" -gt 100 ]
	diff <(jq -c . from_csv) <(jq -c . from_json)
	# nothing of it reaches a terminal raw
	tr-hist --by comm json 2>/dev/null >shown
	run -1 grep -q $'[\t\x1b]' shown
	grep -qF 'comm=a,"b\n=\t\x1b' shown
}

@test "a hundred thousand keys add up to all values" {
	awk 'BEGIN { for (i = 0; i < 200003; i++) printf "k%d %d\n", i * 7919 % 100003, i }' | as_objects >json
	tr-hist --value v --by k --output json json |
		awk '{ match($0, /"count":[0-9]+,"sum":[0-9]+/); split(substr($0, RSTART, RLENGTH), f, /[:,]/); n += f[2]; s += f[4]; rows++ }
			END { printf "%d %d %d\n", rows, n, s }' >sum
	[ "$(cat sum)" = "100003 200003 $((200003 * 200002 / 2))" ]
}

@test "as many rows as there are take no more memory than they need" {
	if [ "$(nm -D "$TR_BIN/tr-hist" | grep -c __asan_init)" != 0 ]; then
		skip "the sanitizers take memory of their own"
	fi
	awk 'BEGIN { for (i = 0; i < 500009; i++) printf "k %d\n", i * 33 }' | as_objects >json
	(ulimit -v 400000 && tr-hist --value v --linear 1 json >out)
	[ "$(rows <out | awk '{ n += $NF } END { print n }')" = 500009 ]
}

@test "rows that would take too much memory are left out, and said" {
	awk 'BEGIN { for (i = 0; i < 300007; i++) for (j = 0; j < 8; j++) printf "k%d %.0f\n", i, 3 * 32 ^ j }' | as_objects >json
	tr-hist --value v --by k --output json json 2>err | jq -c 'select(.buckets == [])' >without
	left=$(sed -n 's/^tr-hist: \([0-9]*\) keys have no rows, which would take more than 240 MiB in all$/\1/p' err)
	[ "$left" -gt 1000 ]
	[ "$(wc -l <without)" = "$left" ]
	# what can be said of them is
	jq -e -s 'all(.count == 8 and .p50 == null and .max == 103079215104)' without
}

@test "on a terminal the total so far is drawn each second in its place, and fits" {
	spread 401 >values
	as_calls <values >records
	mkfifo in
	# shellcheck disable=SC2016
	live() {
		exec script -q -f -e -c 'stty rows 20 cols 46; echo before; tr-hist in 2>/dev/null; echo after' log >/dev/null 2>&1
	}
	start live
	exec 9>in
	head -n 1200 records >&9
	wait_for grep -q 'and [0-9]* more' log
	tail -n +1201 records >&9
	wait_for grep -q '^count 401' log
	# what is drawn: the terminal's lines but one, none of them too long
	sed -n '/^before/,$p' log | tr -d '\r' | screen 20 46 >shown
	cat shown
	[ "$(head -n 1 shown)" = before ]
	[ "$(sed -n 2p shown)" = syscall=close ]
	[ "$(wc -l <shown)" -le 21 ]
	grep -qx '\.\.\. and [45] more' shown
	run -1 grep -E 'wrapped|beyond' shown
	exec 9>&-
	finish "$pid"
	# at the end all of it, and nothing of the terminal is changed
	tr -d '\r' <log | sed 's/.*\x1b\[J//' | tac | sed '/^after/d; /^syscall=close/q' | tac >whole
	[ "$(grep -c '^syscall=' whole)" = 6 ]
	[ "$(grep -c '^count 401 ' whole)" = 6 ]
	run -1 grep -q $'\x1b\[?' log
}

@test "bars are as wide as the terminal, 79 columns in a pipe" {
	spread 1009 | as_calls >json
	tr-hist json 2>/dev/null | awk '{ if (length($0) > n) n = length($0) } END { print n }' >widest
	[ "$(cat widest)" = 79 ]
	script -q -e -c 'stty rows 50 cols 121; tr-hist json 2>/dev/null' log >/dev/null
	tr -d '\r' <log | grep '|' | awk '{ if (length($0) > n) n = length($0) } END { print n }' >widest
	[ "$(cat widest)" = 120 ]
}

@test "a heat map has time across and values down, each step's count by its shade" {
	# 40 steps of 10 ms: 1 us always, 100 us in the second half, eight times as often in the last step
	awk -v header="$header" 'BEGIN {
		print header
		for (i = 0; i < 40; i++)
			for (j = 0; j < (i < 39 ? 2 : 16); j++)
				printf "{\"type\":\"syscall\",\"ts\":%d,\"ns\":%d,\"ret\":0,\"comm\":\"x\",\"pid\":1,\"tid\":1,\"syscall\":\"read\"}\n",
					i * 10000000 + j * 600000, (i >= 20 && j % 2) ? 100000 : 1500
	}' >json
	run -0 --separate-stderr env LC_ALL=C tr-hist --heatmap --interval 10ms json
	diff - <(printf '%s\n' "$output") <<-'END'
		syscall=read
		   1-2 us |--------------------...................@|
		   2-4 us |                                        |
		   4-8 us |                                        |
		  8-16 us |                                        |
		 16-32 us |                                        |
		 32-64 us |                                        |
		64-128 us |                    ...................@|
		           0 s                             400.0 ms
		           a step is 10.00 ms, with . 1+ - 2+ * 4+ @ 8+
	END
	# the same in Unicode; and from packed records
	run -0 --separate-stderr tr-hist --heatmap --interval 10ms json
	[ "${lines[1]}" = "   1-2 us |$(printf '\u2592%.0s' {1..20})$(printf '\u2591%.0s' {1..19})"$'\u2588|' ]
	tr-cat --format=packed json 2>/dev/null | tr-hist --heatmap --interval 10ms 2>/dev/null | diff - <(printf '%s\n' "$output")
	# finer steps where there is room for them, and coarser ones where time is long
	tr-hist --heatmap json 2>/dev/null | grep -q 'a step is 6.000 ms'
	sed 's/"ts":/"ts":10000/' json | tr-hist --heatmap 2>/dev/null >long
	awk '{ if (length($0) > n) n = length($0) } END { exit n > 79 }' long
}

@test "a heat map of histograms has each interval's values in the time that they are of" {
	{
		echo "$header"
		for ((i = 1; i <= 5; i++)); do # each a little late, and the fourth with nothing
			((i == 4)) ||
				echo '{"type":"hist","ts":'$((i * 1000000000 + i * 300000))',"n":'$((64 >> i))',"lo":1024,"hi":1088,"syscall":"read"}'
		done
	} >json
	run -0 --separate-stderr env LC_ALL=C tr-hist --heatmap json
	[ "${lines[1]}" = '1-2 us |@@@@@@@@########++++++++        ::::::::|' ]
	[[ ${lines[3]} == *'a step is 1.000 s, with '*' # 16+ @ 32+' ]]
	# one alone is of all the time until then
	run -0 --separate-stderr tr-hist --heatmap <(head -n 2 json)
	[[ ${lines[2]} == *' 0 s  1.000 s' ]]
}

@test "a heat map is drawn again each second, and fits" {
	spread 401 | as_calls >records
	mkfifo in
	live() {
		exec script -q -f -e -c 'stty rows 30 cols 60; tr-hist --heatmap in 2>/dev/null; echo after' log >/dev/null 2>&1
	}
	start live
	exec 9>in
	head -n 1200 records >&9
	wait_for grep -q 'and [0-9]* more' log
	tr -d '\r' <log | sed '/^Script started/d' | screen 30 60 >shown
	cat shown
	run -1 grep -E 'wrapped|beyond' shown
	[ "$(wc -l <shown)" -le 30 ]
	tail -n +1201 records >&9
	exec 9>&-
	finish "$pid"
	tr -d '\r' <log | sed 's/.*\x1b\[J//' | grep -c '^syscall=' >maps
	[ "$(cat maps)" -ge 6 ]
}

@test "no values are one line and status 0" {
	local line

	run -0 --separate-stderr tr-hist </dev/null
	[ -z "$output" ]
	[ "$stderr" = 'tr-hist: no records' ]
	# a writer that failed has said so
	true | tr-hist >out 2>&1
	[ ! -s out ]
	echo "$header" >json
	run -0 --separate-stderr tr-hist <json
	[ -z "$output" ]
	[ "$(grep -c 'tr-hist: no records' <<<"$stderr")" = 1 ]
	for line in --heatmap --interval=1 --output=json --output=csv --by=; do
		as_calls <<<'read null' | tr-hist "$line" >out 2>err
		[ ! -s out ]
		[ "$(grep -c '^tr-hist: no record has a value to show: name one of their fields with --value$' err)" = 1 ]
	done
}

@test "bad options are one line and status 2" {
	local line

	as_calls <<<'read 1' >json
	while IFS= read -r line; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr tr-hist $line json
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == tr-hist:\ * ]]
	done <<-'LINES'
		--by ,
		--by a,b,c,d,e,f,g,h,i
		--linear 0
		--linear 1.2.3
		--linear -5
		--linear 5x
		--linear 99999999999999999999
		--percentiles 0
		--percentiles 50,
		--percentiles 100.1
		--percentiles 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
		--percentiles p50
		--interval never
		--output table
		--heatmap --output json
		--where ns<
	LINES
}
