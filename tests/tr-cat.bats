# SPDX-License-Identifier: GPL-2.0-only
#
# tr-cat: fields, CSV, times and pace. The witnesses are jq, awk, Python's csv and date.

load helper

# Calls and counts, 11.5 s after noon, the last two records not in order.
setup() {
	cat >json.trc <<-'END'
		{"tracery":{"version":1,"id":"f","host":"h","arch":"x86_64","kernel":"6.1","start":"2026-01-02T12:00:11.500000000Z"}}
		{"schema":{"kind":1,"type":"syscall","key":"syscall","value":"ns","fields":[["ts","time"],["ns","duration"],["ret","i64"],["comm","comm"],["pid","pid"],["tid","pid"],["syscall","syscall"]]}}
		{"schema":{"kind":70,"type":"odd","key":"name","fields":[["ts","time"],["name","str"],["at","addr"],["fds","i32[2]"],["ok","bool"],["big","u64"]]}}
		{"type":"syscall","ts":250000000,"ns":1205,"ret":-2,"comm":"a,b\"c","pid":7,"tid":8,"syscall":"openat"}
		{"type":"syscall","ts":250000001,"ns":10,"ret":0,"comm":"x\ny","pid":7,"tid":8,"syscall":"i386:read"}
		{"type":"syscall","ts":500000000,"ns":null,"ret":null,"comm":"w","pid":7,"tid":8,"syscall":"exit_group"}
		{"type":"odd","ts":750000000,"name":"\u001b[31m\udcff, \u00e9","at":"0x7f00","fds":[3,-1],"ok":true,"big":"18446744073709551615"}
		{"lost":{"ts":760000000,"n":41,"why":"ring buffer full"}}
		{"type":"syscall","ts":740000000,"ns":99,"ret":3,"comm":"w","pid":7,"tid":8,"syscall":"read"}
		{"end":{"ts":800000000,"records":5,"lost":41,"status":0}}
	END
	tr-cat --format=packed json.trc >packed.trc 2>err
}

# Both forms of the trace.
both() {
	local form

	for form in json packed; do
		tr-cat "$@" $form.trc >"$form.out" 2>err || return
	done
	cmp json.out packed.out
	cat json.out
}

@test "--fields are just these, in this order, as JSON" {
	both --fields syscall,ns,nothing,fds,at >got
	jq -c 'select(.type) | {syscall, ns, nothing: null, fds, at}' json.trc | cmp got -
	# what was asked for is no trace any more: no header, no end
	[ "$(wc -l <got)" = 5 ]
}

@test "--fields has elements, types, and errors by name" {
	both --fields 'fds[1],type,errno,fds[2],big' --format=json >got
	[ "$(sed -n 1p got)" = '{"fds[1]":null,"type":"syscall","errno":"ENOENT","fds[2]":null,"big":null}' ]
	[ "$(sed -n 4p got)" = '{"fds[1]":-1,"type":"odd","errno":null,"fds[2]":null,"big":"18446744073709551615"}' ]
}

@test "--fields can be counted by tr-table" {
	[ "$(tr-cat --fields comm,ns packed.trc 2>err | tr-table --by comm --output csv | grep ^w,)" = "w,2,99,99,99" ]
}

@test "--fields as text has the time bare and the key in brackets" {
	both --fields ts,syscall,comm,ns,ok --format=text >got
	[ "$(cat got)" = '0.250000000 [openat] comm=a,b"c ns=1205 ok=?
0.250000001 [i386:read] comm=x\ny ns=10 ok=?
0.500000000 syscall=exit_group comm=w ns=? ok=?
0.750000000 syscall=? comm=? ns=? ok=true
0.740000000 [read] comm=w ns=99 ok=?' ]
}

@test "--fields needs a form that can leave fields out" {
	run -2 --separate-stderr tr-cat --format=packed --fields ts packed.trc
	[[ $stderr == "tr-cat: --fields: a packed record has all fields"* ]]
	for bad in '' 'a,' ',a' 'a[' 'a[x]' 'a[-1]' 'a[1]b'; do
		run -2 --separate-stderr tr-cat --fields "$bad" packed.trc
		[[ $stderr == *"not a list of fields"* ]]
	done
}

@test "CSV has the columns of all kinds that the trace describes, and Python reads it" {
	need python3
	both --format=csv >got.csv
	[ "$(head -n 1 got.csv)" = "type,ts,ns,ret,comm,pid,tid,syscall,name,at,fds[0],fds[1],ok,big" ]
	python3 - <<-'END'
		import csv
		rows = list(csv.DictReader(open("got.csv", newline="", encoding="utf-8")))
		assert len(rows) == 5
		assert rows[0]["comm"] == 'a,b"c' and rows[0]["ret"] == "-2" and rows[0]["name"] == ""
		assert rows[1]["syscall"] == "i386:read" and rows[1]["comm"] == r"x\ny"
		assert rows[2]["ns"] == "" and rows[2]["ret"] == "" and rows[2]["tid"] == "8"
		assert rows[3]["name"] == r"\x1b[31m\xff, " + "\u00e9" and rows[3]["at"] == "0x7f00"
		assert rows[3]["fds[1]"] == "-1" and rows[3]["ok"] == "true"
		assert rows[3]["big"] == "18446744073709551615" and rows[3]["comm"] == ""
		assert [r["ts"] for r in rows] == ["250000000", "250000001", "500000000", "750000000", "740000000"]
	END
}

@test "CSV of given fields has only these, also its header, also without records" {
	both --format=csv --fields fds,ns >got
	[ "$(cat got)" = $'fds,ns\n,1205\n,10\n,\n3 -1,\n,99' ]
	[ "$(tr-cat --format=csv --fields a,b </dev/null)" = a,b ]
	head -n 3 json.trc >empty.trc
	[[ $(tr-cat --format=csv empty.trc) == type,ts,ns,* ]]
}

@test "CSV of a trace without schemas has the columns of its first record, and says what it lacks" {
	run -0 --separate-stderr tr-cat --format=csv <(grep '^{"type":"syscall"' json.trc) <(echo '{"user":"ann","took":3}')
	[ "${lines[0]}" = type,ts,ns,ret,comm,pid,tid,syscall ]
	[ "${lines[5]}" = ,,,,,,, ]
	[[ $stderr == *"have user, which is no column"* ]]
	run -0 tr-cat --format=csv <(echo '{"user":"ann","took":3.5}') <(echo '{"took":null,"user":"b,c"}')
	[ "$output" = $'user,took\nann,3.5\n"b,c",' ]
}

@test "text has the time that --time asks for" {
	times() { both --format=text --time "$1" | awk '{ print $1 }' | tr '\n' ' '; }
	[ "$(times relative)" = "0.250000000 0.250000001 0.500000000 0.750000000 0.760000000 0.740000000 " ]
	# since the record before, and signed where that is later
	[ "$(times delta)" = "0.000000000 0.000000001 0.249999999 0.250000000 0.010000000 -0.020000000 " ]
	[ "$(times iso)" = "2026-01-02T12:00:11.750000000Z 2026-01-02T12:00:11.750000001Z 2026-01-02T12:00:12.000000000Z 2026-01-02T12:00:12.250000000Z 2026-01-02T12:00:12.260000000Z 2026-01-02T12:00:12.240000000Z " ]
	[ "$(times clock | cut -d ' ' -f 3)" = 12:00:12.000000000 ]
	# the rest of the line is the same
	for form in relative delta clock iso; do
		tr-cat --format=text --time $form packed.trc 2>err | sed 's/^[^ ]* //'
	done | sort | uniq -c | awk '$1 != 4 { exit 1 }'
}

@test "the clock is that of the reader's time zone" {
	[ -e /usr/share/zoneinfo/Asia/Kathmandu ] || skip "there are no time zones here"
	got=$(TZ=Asia/Kathmandu tr-cat --format=text --time clock packed.trc 2>err | sed -n '3s/ .*//p')
	[ "$got" = "$(TZ=Asia/Kathmandu date -d 2026-01-02T12:00:12Z +%T.%N)" ]
}

@test "CSV has nanoseconds unless --time asks for another form" {
	both --format=csv --fields ts --time iso >got
	[ "$(sed -n 4p got)" = 2026-01-02T12:00:12.000000000Z ]
	run -2 --separate-stderr tr-cat --format=json --time iso packed.trc
	[[ $stderr == "tr-cat: --time: only --format=text and csv show times so"* ]]
}

@test "a trace that does not say when it began has seconds, and a note" {
	run -0 --separate-stderr tr-cat --format=text --time clock <(grep '"odd"' json.trc | tail -n 1 | sed 's/odd/strange/')
	[[ $output == "0.750000000 [strange] "* ]]
	[[ $stderr == *"does not say when it began"* ]]
}

@test "what is converted with options off the plain road is the same record" {
	awk -v n=3000 -v seed=5 -f "$DATA/records.awk" >many.json
	tr-cat --format=packed many.json >many.trc
	for form in json packed; do
		tr-cat --format=$form many.trc >plain
		tr-cat --format=$form --where true many.trc | cmp - plain
	done
	# every field of every kind, in order, is the record
	for kind in 'syscall ts,ns,ret,comm,pid,tid,syscall' 'count ts,n,syscall' \
		'opened ts,ns,path,mode,ok,more,fds' 'alloc ts,size,at,cpu'; do
		tr-cat --where "type == \"${kind% *}\"" --fields "type,${kind#* }" many.trc >got
		grep "^{\"type\":\"${kind% *}\"" many.json | cmp - got
	done
}

@test "--pace lets records leave as far apart as they were made" {
	begin=$(now_ms)
	tr-cat --pace --format=json packed.trc 2>err | while read -r line; do
		printf '%s %s\n' "$(($(now_ms) - begin))" "$line"
	done >got
	tr-cat --format=json json.trc 2>err >want
	cut -d ' ' -f 2- got | cmp - want
	# never too early; how late a loaded machine is says little
	awk '/"ts":500000000/ && $1 < 250 || /"ts":750000000/ && $1 < 500 || /"end"/ && $1 < 550 { exit 1 }' got
	soon "$begin"
}

@test "--pace does not wait between one trace and the next" {
	sed 's/2026-01-02/2026-02-02/; s/"id":"f"/"id":"g"/' json.trc >later.trc
	begin=$(now_ms)
	tr-cat --pace --format=json json.trc later.trc >got
	soon "$begin"
	tr-cat --format=json json.trc later.trc 2>err | cmp - got
}

@test "--pace passes a live stream on as it comes, and Ctrl-C the rest of it" {
	mkfifo in
	run_it() { exec tr-cat --pace --format=json <in; }
	start run_it >out 2>err
	exec 8>in
	head -n 4 json.trc >&8
	wait_for grep -q openat out
	# an hour later, by its own time
	sed -n 's/"ts":500000000/"ts":3600000000000/p' json.trc >&8
	ctrl_c "$pid"
	wait_for grep -q exit_group out
	tail -n 1 json.trc >&8
	exec 8>&-
	finish "$pid"
	[ "$(wc -l <out)" = 6 ]
}

@test "Ctrl-C ends the replay of a file where it is" {
	{ head -n 4 json.trc && sed -n 's/"ts":500000000/"ts":3600000000000/p' json.trc; } >hour.trc
	run_it() { exec tr-cat --pace --format=json hour.trc; }
	start run_it >out 2>err
	wait_for grep -q openat out
	ctrl_c "$pid"
	finish "$pid"
	cmp out <(head -n 4 json.trc)
}

@test "a reader that leaves ends a replay that waits" {
	{ head -n 4 json.trc && sed -n 's/"ts":500000000/"ts":3600000000000/p' json.trc; } >hour.trc
	run_it() { tr-cat --pace --format=json hour.trc 2>err | head -n 1; }
	start run_it
	finish "$pid"
	[ ! -s err ]
}

# parts N...: for each N a trace of 300 records, begun N seconds after noon, in order, as N.trc.
parts() {
	local n

	for n; do
		awk -v n=300 -v seed="$n" -v id="p$n" -v builtin=1 -v ones=1 -f "$DATA/records.awk" |
			sed "s/2026-11-29T15:04:05/2026-11-29T12:00:0$n/" |
			awk -v n="$n" '/^{"type"/ { sub(/"ts":[^,]*/, "\"ts\":" ++i * 10007000 + n) } { print }' >"$n.json"
		tr-cat --format=packed "$n.json" >"$n.trc"
	done
}

# The records of traces on stdin by jq: absolute time in ns and the line without its own time.
by_time() {
	jq -c 'if .tracery then .tracery else empty end, if .type then . else empty end' |
		awk '/"start":/ { s = substr($0, index($0, "12:00:0") + 7, 1); next }
			{ ts = $0; sub(/.*"ts":/, "", ts); sub(/,.*/, "", ts)
			printf "%.0f %s\n", s * 1e9 + ts, $0 }'
}

@test "--merge has the records of several traces in order of time, each as its own trace's" {
	parts 1 2 4
	tr-cat --merge --format=json 4.trc 1.json 2.trc >merged
	cat 1.json 2.json 4.json | by_time | sort -s -n -k 1,1 >want
	by_time <merged | cmp - want
	# every trace is whole for those who read it
	run -0 --separate-stderr tr-table --output json merged
	[ -z "$stderr" ]
	cat 1.trc 2.trc 4.trc | tr-table --output json | cmp - <(echo "$output")
	# also packed, and what has been merged may be so again
	tr-cat --merge --format=packed 1.trc 2.trc 4.trc | tr-cat --format=json | by_time | cmp - want
	tr-cat --merge --format=json 1.trc 2.trc | tr-cat --merge --format=json - 4.trc | by_time | cmp - want
}

@test "--merge takes calls by the table of the machine that they were made on" {
	for arch in x86_64 aarch64; do
		printf '{"tracery":{"id":"%s","arch":"%s","start":"2026-01-01T00:00:00Z"}}\n' $arch $arch
		for ts in 1 2 3; do
			printf '{"type":"count","ts":%d,"n":5,"syscall":"syscall_0"}\n' $ts
		done
	done >both.trc
	head -n 4 both.trc >x86.trc
	tail -n 4 both.trc >arm.trc
	run -0 --separate-stderr tr-cat --merge --format=packed x86.trc arm.trc
	[ "$(tr-cat --merge --format=text x86.trc arm.trc 2>err | awk '{ print $2 }' | tr '\n' ' ')" = "[read] [io_setup] [read] [io_setup] [read] [io_setup] " ]
	[ "$(tr-cat --merge x86.trc arm.trc 2>err | tr-table --output csv 2>err | sort | tr '\n' ' ')" = "io_setup,15 read,15 syscall,count " ]
}

@test "--merge repeats headers and schemas, so that pieces decode" {
	for n in 1 2; do
		{ sed "1s/\"f\"/\"$n\"/" json.trc | sed -n '1p;3p' &&
			for i in $(seq 4000); do echo "{\"type\":\"odd\",\"ts\":$((i * 10)),\"name\":\"n$n\",\"at\":\"0x1\",\"fds\":[1,2],\"ok\":true,\"big\":$i}"; done; } >odd$n.json
	done
	tr-cat --merge --format=packed odd1.json odd2.json >merged 2>err
	[ "$(tr-cat --format=json merged 2>err | grep -c '^{"schema"')" = 4 ]
	# a piece: nothing is unknown after the next schemas
	tail -n +9 merged | tr-cat --format=text >text 2>err || true
	[ "$(grep -c '\[n[12]\]' text)" -gt 3800 ]
}

@test "--merge of live streams waits for each and ends with the last" {
	parts 1 2
	mkfifo a b
	run_it() { exec tr-cat --merge --format=json a b; }
	start run_it >out 2>err
	exec 8>a 9>b
	head -n 200 1.json >&8
	head -n 100 2.json >&9
	tail -n +201 1.json >&8
	exec 8>&-
	tail -n +101 2.json >&9
	exec 9>&-
	finish "$pid"
	cat 1.json 2.json | by_time | sort -s -n -k 1,1 >want
	by_time <out | cmp - want
}

@test "--merge and --where count in each end line what they passed on" {
	parts 1 2
	run -0 --separate-stderr tr-cat --merge --format=json --where 'type == "count"' 1.trc 2.trc
	for n in 1 2; do
		grep -q "\"records\":$(grep -c '"type":"count"' $n.json)," <<<"$output"
	done
	tr-table <<<"$output" 2>err >table
	[ ! -s err ]
}

@test "a file that --merge can't open is said, and the others are read" {
	parts 1
	run -1 --separate-stderr tr-cat --merge --format=json 1.trc nowhere.trc
	[[ $stderr == *"nowhere.trc: No such file"* ]]
	[ "$(grep -c '^{"type"' <<<"$output")" = 300 ]
}

@test "--sort puts a shuffled trace in order again" {
	parts 1 2
	for form in json packed; do
		for n in 1 2; do
			tr-cat --format=$form $n.json >$form
			{ head -n 1 $form && grep -av '^{"tracery"\|^{"end"' $form | shuf --random-source=/bin/sh && tail -n 1 $form; } >$n.shuffled
		done
		cat 1.shuffled 2.shuffled | tr-cat --sort --format=json >sorted
		cat 1.json 2.json | by_time | sort -s -n -k 1,1 >want
		by_time <sorted | cmp - want
		run -0 --separate-stderr tr-table sorted
		[ -z "$stderr" ]
	done
	# one that is in order stays as it is
	tr-cat --sort --format=json 1.json | cmp - 1.json
	tr-cat --sort --format=packed 1.json | cmp - 1.trc
}

@test "--sort goes with every form, with --where and with --pace" {
	parts 1
	{ head -n 1 1.json && tac 1.json | grep '^{"type"' && tail -n 1 1.json; } >back.json
	for options in --format=text '--format=csv' '--fields ts,syscall' '--format=text --time iso'; do
		# shellcheck disable=SC2086
		tr-cat --sort $options back.json >got
		# shellcheck disable=SC2086
		tr-cat $options 1.json | cmp - got
	done
	# as long as it takes to make the last: 0.07 s
	tr-cat --sort --pace --format=json --where 'ts < 80ms' back.json | grep '^{"type"' >got
	tr-cat --format=json --where 'ts < 80ms' 1.json | grep '^{"type"' | cmp - got
	tr-cat --sort --where 'n != null' --format=json back.json >got
	tr-cat --where 'n != null' --format=json 1.json | cmp - got
}

@test "--sort of equal times keeps their order, and null times stay behind what they followed" {
	{
		head -n 3 json.trc
		for i in 3 1 2 1 3 2; do echo "{\"type\":\"x\",\"ts\":$i,\"n\":$((++k))}"; done
		echo '{"other":1}'
	} >equal
	[ "$(tr-cat --sort --format=json equal 2>err | jq -c 'if .type then .n elif .other then "other" else empty end' | tr '\n' ' ')" = '2 4 3 6 "other" 1 5 ' ]
}

# doubled N: the lines of records, 2^N times.
doubled() {
	local n

	cp records one
	for ((n = 0; n < $1; n++)); do
		cat one one >two
		mv two one
	done
	cat one
}

@test "--sort of more than fits its memory goes through a file and is the same" {
	parts 1
	grep -av '^{' 1.trc >records
	{ head -n 1 1.trc && doubled 12; } >big.trc
	[ "$(wc -l <big.trc)" -gt 1000000 ]
	mkdir tmp
	TMPDIR=$PWD/tmp tr-cat --sort big.trc >sorted 2>err
	[ -z "$(ls tmp)" ]
	# 4096 of each, in the order of the small one
	tr-cat --fields ts sorted 2>err | uniq -c | awk '$1 != 4096 { exit 1 } { print $2 }' >got
	tr-cat --fields ts 1.trc 2>err | uniq | cmp - got
}

@test "--sort says when it has no place for its file" {
	TMPDIR=/nowhere run -1 --separate-stderr tr-cat --sort json.trc
	[[ ${#stderr_lines[@]} = 1 && $stderr == "tr-cat: --sort: cannot make a temporary file: No such file"*TMPDIR* ]]
}

@test "a file that becomes shorter while several are merged is an error, not a death" {
	parts 1
	grep -av '^{' 1.trc >records
	{ head -n 1 1.trc && doubled 11; } >one.trc
	cp one.trc two.trc
	run_it() { tr-cat --merge one.trc two.trc 2>err | { head -c 1000 >/dev/null && touch begun && until [ -e go ]; do read -r -t 0.01 _ <>idle; done && cat >/dev/null; echo "${PIPESTATUS[0]}"; }; }
	mkfifo idle
	start run_it >out
	wait_for [ -e begun ]
	truncate -s 4096 one.trc
	touch go
	finish "$pid" || true
	grep -q "one.trc: became shorter while it was read" err
}

@test "text is what the format of a kind says, also of a record with a null" {
	{
		sed -n 1p json.trc
		sed -n '3s/"fields"/"format":"{{.at}} holds {{printf \\"%04d\\" .big}} {{.ok}}","fields"/p' json.trc
		echo '{"type":"odd","ts":1,"name":"here","at":"0x7f00","fds":[3,-1],"ok":true,"big":12}'
		echo '{"type":"odd","ts":2,"name":"there","at":null,"fds":[3,-1],"ok":true,"big":13}'
	} >formatted.json
	[ "$(tr-cat --format=packed formatted.json 2>err | tr-cat --format=text 2>err)" = '0.000000001 [here] 0x7f00 holds 0012 true
0.000000002 [there] ? holds 0013 true' ]
}
