# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v n=N [-v seed=N] [-v id=ID] [-v builtin=1] [-v newlines=1] [-v ones=1] -f records.awk: a
# trace of N random records as JSON lines, written just as tr-cat --format=json writes them: of the
# kinds syscall and count and, unless builtin=1, of two that its schema lines define, one with
# strings and one without. With newlines=1 as many bytes of the packed form as can be are 0x0A; with
# ones=1 each count is of one call.

function below(limit) {
	return int(rand() * limit)
}

# A number of 1 to 15 digits, seldom one of up to 64 bits, which is a string then.
function whole(  digits, text, i) {
	if (newlines)
		return below(8) ? 168430090 : "\"723401728380766730\"" # 0x0a0a0a0a, 0x0a0a0a0a0a0a0a0a
	if (!below(20))
		return "\"1844674407370955" 1000 + below(616) "\""
	digits = 1 + below(15)
	text = 1 + below(9)
	for (i = 1; i < digits; i++)
		text = text below(10)
	return text
}

function result(  i) {
	if (newlines)
		return whole()
	i = below(4)
	if (i == 0)
		return -1 - below(133)
	if (i == 1)
		return 0
	if (i == 2)
		return "\"-922337203685477" 1000 + below(4807) "\""
	return below(1000000)
}

function pick(list,  parts) {
	return parts[1 + below(split(list, parts, " "))]
}

function comm(  i) {
	if (newlines)
		return "\"\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\""
	i = below(8)
	if (i == 0)
		return "\"a\\\"b\\\\c\\n\\u0001\\udcff\""
	if (i == 1)
		return "\"\346\227\245\346\234\254 \303\251\""
	if (i == 2)
		return "\"\""
	return "\"" pick("cat redis-server kworker/u4:2 [ET_NET] a.very.long.na") "\""
}

function id32() {
	return newlines ? 168430090 : 1 + below(4194304)
}

function hex(  i, text) {
	if (newlines)
		return "\"0xa0a0a0a0a0a0a0a\""
	text = substr("123456789abcdef", 1 + below(15), 1)
	for (i = below(16); i > 0; i--)
		text = text substr("0123456789abcdef", 1 + below(16), 1)
	return "\"0x" text "\""
}

function str(  i, text) {
	for (i = below(newlines ? 700 : 40); i > 0; i--)
		text = text (newlines ? "\\n" : pick("a b / . \\n \\\" \303\251 \\udc80"))
	return "\"" text "\""
}

function call() {
	return newlines ? "abi10:syscall_657930" : \
		pick("read write openat futex exit_group i386:getpid syscall_999 syscall_-1")
}

BEGIN {
	srand(seed + 0)
	if (id == "")
		id = "0123456789abcdef"
	print "{\"tracery\":{\"version\":1,\"id\":\"" id "\",\"host\":\"box\",\"arch\":\"x86_64\"," \
		"\"kernel\":\"6.1.0\",\"start\":\"2026-11-29T15:04:05.123456789Z\"," \
		"\"clock\":\"monotonic\",\"pid\":[7],\"argv\":[\"tr-attach\"]}}"
	if (!builtin) {
		print "{\"schema\":{\"kind\":64,\"type\":\"opened\",\"key\":\"path\",\"value\":\"ns\"," \
		"\"fields\":[[\"ts\",\"time\"],[\"ns\",\"duration\"],[\"path\",\"str\"]," \
		"[\"mode\",\"u16\"],[\"ok\",\"bool\"],[\"more\",\"str\"],[\"fds\",\"i32[3]\"]]}}"
		print "{\"schema\":{\"kind\":2570,\"type\":\"alloc\",\"key\":\"at\",\"value\":\"size\"," \
		"\"fields\":[[\"ts\",\"time\"],[\"size\",\"bytes\"],[\"at\",\"addr\"],[\"cpu\",\"u8\"]]}}"
	}
	for (i = 1; i <= n; i++) {
		kind = below(10)
		if (kind == 0)
			printf "{\"type\":\"count\",\"ts\":%s,\"n\":%s,\"syscall\":\"%s\"}\n", \
				whole(), ones ? 1 : whole(), call()
		else if (kind == 1 && !builtin)
			printf "{\"type\":\"opened\",\"ts\":%s,\"ns\":%s,\"path\":%s,\"mode\":%d," \
				"\"ok\":%s,\"more\":%s,\"fds\":[%d,%d,%d]}\n", whole(), whole(), str(), \
				newlines ? 2570 : below(65536), pick("true false"), str(), \
				id32(), -id32(), 168430090
		else if (kind == 2 && !builtin)
			printf "{\"type\":\"alloc\",\"ts\":%s,\"size\":%s,\"at\":%s,\"cpu\":%d}\n", \
				whole(), whole(), hex(), newlines ? 10 : below(256)
		else
			printf "{\"type\":\"syscall\",\"ts\":%s,\"ns\":%s,\"ret\":%s,\"comm\":%s," \
				"\"pid\":%d,\"tid\":%d,\"syscall\":\"%s\"}\n", whole(), whole(), \
				result(), comm(), id32(), id32(), call()
	}
	printf "{\"end\":{\"ts\":1,\"records\":%d,\"lost\":0,\"status\":0}}\n", n
}
