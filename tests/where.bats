# SPDX-License-Identifier: GPL-2.0-only
#
# --where of the filters: what is selected, and what is said when nothing can be. The witness is
# jq's select().

load helper

setup() {
	# no number beyond 2^53, so that jq is exact
	awk -v n=2000 -v seed=3 -f "$DATA/records.awk" | grep -v '"-\?[0-9][0-9]*"' >all.trc
	sed "\$s/2000/$(grep -c '^{"type"' all.trc)/" all.trc >json.trc
	tr-cat --format=packed json.trc >packed.trc 2>err
	[ "$(grep -ac '^{"type"' packed.trc)" = 0 ]
}

# selects EXPRESSION JQ: both forms of the trace give tr-cat what jq selects, and tr-table its number.
selects() {
	jq -c "select(.type and ($2))" json.trc >want
	[ -s want ] || {
		echo "jq selects nothing: $2"
		return 1
	}
	for form in json packed; do
		tr-cat --format=json --where "$1" "$form.trc" 2>err | grep '^{"type"' >got
		jq -c . got | cmp - want || {
			echo "$form: $1"
			return 1
		}
		[ "$(tr-table --where "$1" --output json "$form.trc" 2>err | jq -s 'map(.count) | add')" = \
			"$(jq -s 'map(if .type == "count" then .n else 1 end) | add' want)" ]
	done
}

@test "what jq selects is selected, of both forms" {
	selects 'ns > 1ms' '.ns > 1000000'
	selects 'syscall == "read" && ret < 0' '.syscall == "read" and .ret and .ret < 0'
	selects 'syscall ~ "*get*" || syscall ~ "syscall_*"' '.syscall and (.syscall | test("get|^syscall_"))'
	selects 'type == "count"' '.type == "count"'
	selects 'type != "syscall" && n > 10K' '.type != "syscall" and .n > 10240'
	selects 'comm == "cat"' '.comm == "cat"'
	selects 'comm ~ "*server"' '.comm and (.comm | endswith("server"))'
	selects 'pid % 10 == 3 && pid != tid' '.pid and .pid % 10 == 3'
	selects 'ok && mode & 1 == 1' '.ok and .mode % 2 == 1'
	selects 'fds[0] > 1M' '.fds and .fds[0] > 1048576'
	selects 'path == ""' '.path == ""'
	selects '!(path ~ "?*")' '.path == ""'
	selects 'at > 0x7fffffff' '.at and (.at | length > 10 or (length == 10 and .[2:3] > "7"))'
	selects 'errno == ENOENT || errno == "EACCES"' '.ret == -2 or .ret == -13'
	selects 'size == null && n == null' '.size == null and .n == null'
	selects 'pid == $TARGET_PID || tid > 0' '.tid'
}

@test "given twice, both must hold" {
	tr-cat --format=json --where 'pid % 2 == 0' --where 'tid % 3 == 0' packed.trc 2>err >got
	tr-cat --format=json --where 'pid % 2 == 0 && tid % 3 == 0' packed.trc 2>err >want
	cmp got want
	[ "$(grep -c '^{"type"' got)" = "$(jq -s 'map(select(.pid and .pid % 2 == 0 and .tid % 3 == 0)) | length' json.trc)" ]
	[ "$(grep -c '^{"type"' got)" -gt 10 ]
}

@test "tr-cat writes an end line that counts what it selected" {
	tr-cat --where 'type == "count"' packed.trc >selected 2>err
	n=$(grep -c '"type":"count"' json.trc)
	[ "$(tail -n 1 selected | jq .end.records)" = "$n" ]
	[ "$(tail -n 1 selected | jq -c 'del(.end.records)')" = '{"end":{"ts":1,"lost":0,"status":0}}' ]
	# so that a reader finds nothing to note
	run -0 --separate-stderr tr-table --output json selected
	[ -z "$stderr" ]
	[ "$(jq -s 'map(.count) | add' <<<"$output")" = "$(jq -s 'map(select(.type == "count") | .n) | add' json.trc)" ]
}

@test "each trace's own end counts its own records, also when they take turns" {
	for id in a b; do
		printf '{"tracery":{"id":"%s","arch":"x86_64"}}\n{"type":"count","ts":1,"n":%d,"syscall":"read"}\n' "$id" 1 "$id" 2 "$id" 3
	done >ab.trc
	printf '{"tracery":{"id":"a"}}\n{"type":"count","ts":1,"n":9,"syscall":"read"}\n{"end":{"records":4,"ts":9}}\n{"tracery":{"id":"b"}}\n{"end":{"ts":9,"records":3}}\n' >>ab.trc
	run -0 --separate-stderr tr-cat --format=json --where 'n > 2' ab.trc
	[ "$(grep end <<<"$output")" = '{"end":{"records":2,"ts":9}}
{"end":{"ts":9,"records":1}}' ]
}

@test "lost lines, headers and objects of other make go through" {
	{
		head -n 3 json.trc
		echo '{"lost":{"ts":5,"n":41,"why":"ring buffer full"}}'
		echo '{"other":1}'
		tail -n +4 json.trc
	} >lossy.trc
	run -0 --separate-stderr tr-cat --where 'false' lossy.trc
	[ "$(jq -c 'keys[0]' <<<"$output" | tr -d '\n')" = '"tracery""schema""schema""lost""other""end"' ]
	[[ $output == *'"records":0'* ]]
}

@test "records with a null are selected as others are" {
	{
		head -n 3 json.trc
		echo '{"type":"syscall","ts":7,"ns":null,"ret":null,"comm":"w","pid":7,"tid":8,"syscall":"exit_group"}'
		echo '{"type":"syscall","ts":8,"ns":null,"ret":null,"comm":"w","pid":7,"tid":9,"syscall":"i386:read","why":"still running"}'
	} >null.trc
	count() { tr-cat --where "$1" --format=json null.trc 2>err | grep -c '^{"type"' || true; }
	[ "$(count 'ret == null')" = 2 ]
	[ "$(count 'ns != null')" = 0 ]
	[ "$(count 'ret < 0 || ret >= 0')" = 0 ]
	[ "$(count '!(ret < 0)')" = 0 ]
	[ "$(count 'syscall ~ "*read" && why == "still running"')" = 1 ]
	[ "$(count 'syscall == "syscall_231"')" = 1 ] # its number
	[ "$(count 'pid == 7 && tid > 8')" = 1 ]
}

@test "objects of other make are selected by their own types" {
	printf '%s\n' '{"user":"ann","took":1.75,"id":"0x1f"}' '{"user":"bob","took":3,"id":"0x20"}' '{"user":5,"took":null,"id":7}' >rows
	tr-cat --format=json --where 'took >= 1 && user ~ "a*"' rows | cmp - <(sed -n 1p rows)
	tr-cat --format=json --where 'id >= 0x20' rows | cmp - <(sed -n 2p rows)
	tr-cat --format=json --where 'user == 5' rows | cmp - <(sed -n 3p rows)
}

@test "tr-table's rows can be selected from again" {
	tr-table --by syscall --output json packed.trc 2>err | tr-table --where 'count > 200' --output json >got
	tr-table --by syscall --output json packed.trc 2>err | jq -c 'select(.count > 200)' >want
	[ "$(jq -c '[.syscall, .count]' got)" = "$(jq -c '[.syscall, .count]' want)" ]
	[ -s want ]
}

@test "an expression that can't be is one line with its column, and status 2" {
	for f in tr-cat tr-table; do
		run -2 --separate-stderr $f --where 'ns > 5 parsecs' packed.trc
		[ "$stderr" = "$f: --where: column 8: unexpected parsecs where an operator is due; see tracery-expressions(7)" ]
		run -2 --separate-stderr $f --where 'comm > 5' </dev/null
		[[ $stderr == "$f: --where: column 1, for records of type syscall: comm is a string"* ||
			$stderr == "$f: --where: column 1: comm is a string: "* ]]
		# a field of the trace's own
		run -2 --separate-stderr $f --where 'ns > 0 && more < 5' packed.trc
		[[ $stderr == "$f: --where: column 11, for records of type opened: more is a string"* ]]
	done
}

@test "a field that no record has is a note with a name that is near" {
	run -0 --separate-stderr tr-table --where 'nanos > 5' packed.trc
	[[ $stderr == *"tr-table: --where: no record has a field nanos; did you mean ns?"* ]]
	run -0 --separate-stderr tr-table --where 'sysall == "read"' packed.trc
	[[ $stderr == *"no record has a field sysall; did you mean syscall?"* ]]
	run -0 --separate-stderr tr-table --where 'colour == "red"' packed.trc
	[[ $stderr == *"no record has a field colour; there are ts, ns, ret, comm, pid, tid, syscall, "* ]]
	run -0 --separate-stderr tr-table --where 'syscall == "opennat"' packed.trc
	[[ $stderr == *'x86_64 has no system call "opennat"; did you mean openat?'* ]]
	# only some records have it
	run -0 --separate-stderr tr-table --where 'at != null || ns > 5' packed.trc
	[ -z "$stderr" ]
}

@test "\$TARGET_PID is the trace's one process, and an error without one" {
	sed 's/"pid":\[7\]/"pid":[7,8]/' json.trc >two.trc
	run -2 --separate-stderr tr-table --where 'pid == $TARGET_PID' two.trc
	[[ $stderr == *"column 8, for records of type "*": \$TARGET_PID: the trace names more than one target process"* ]]
	sed 's/"pid":\[7\],//' json.trc >none.trc
	run -2 --separate-stderr tr-table --where 'pid == $TARGET_PID' none.trc
	[[ $stderr == *"names no target process"* ]]
	sed 's/"pid":[0-9]*,"tid":1/"pid":7,"tid":1/' json.trc >one.trc
	[ "$(tr-cat --format=json --where 'pid == $TARGET_PID' one.trc | grep -c '^{"type"')" = "$(grep -c '"pid":7,' one.trc)" ]
}

@test "a call's name means the number that it has where the trace was made" {
	for arch in x86_64 aarch64; do
		printf '{"tracery":{"id":"%s","arch":"%s"}}\n{"type":"count","ts":1,"n":5,"syscall":"syscall_0"}\n' "$arch" "$arch"
	done | tr-cat --format=packed >two.trc 2>err
	run -0 --separate-stderr tr-table --where 'syscall == "read"' --output csv two.trc
	[ "${#lines[@]}" = 2 ]
	[[ $output == *read,5* ]]
	run -0 --separate-stderr tr-table --where 'syscall == "io_setup"' --output csv two.trc
	[[ $output == *io_setup,5* ]]
}

@test "selection keeps up with a live stream" {
	mkfifo in
	run_it() { tr-cat --format=json --where 'n > 1' <in; }
	start run_it >out 2>err
	exec 8>in
	printf '{"type":"count","ts":1,"n":1,"syscall":"read"}\n{"type":"count","ts":1,"n":2,"syscall":"read"}\n' >&8
	wait_for grep -q '"n":2' out
	exec 8>&-
	finish "$pid"
	[ "$(wc -l <out)" = 1 ]
}
