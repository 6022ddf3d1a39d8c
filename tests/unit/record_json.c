/* SPDX-License-Identifier: GPL-2.0-only */
/* Records to JSON lines and back: the lines themselves, what is refused, and random records. */
#include "record_json.h"

#include <jansson.h>
#include <stdlib.h>

#include "check.h"

static const struct tr_syscalls *calls;
static unsigned char body[TR_MAX_LINE];

struct field_spec {
	const char *name, *type;
};

static struct tr_kind *make_kind(const char *type, const struct field_spec *specs, size_t n)
{
	struct tr_field *fields = calloc(n, sizeof(*fields));
	struct tr_kind *kind = calloc(1, sizeof(*kind));

	for (size_t i = 0; i < n; i++) {
		strcpy(fields[i].name, specs[i].name);
		CHECK_INT(tr_field_parse_type(&fields[i], specs[i].type, strlen(specs[i].type)), 0);
	}
	CHECK_INT(tr_kind_init(kind, TR_FIRST_YAML_KIND, type, fields, n), 0);
	return kind;
}

static void free_kind(struct tr_kind *kind)
{
	tr_kind_release(kind);
	free(kind);
}

/* Every type, with names around the lengths at which literals are copied in pieces. */
static struct tr_kind *make_all_types(void)
{
	static const struct field_spec specs[] = {
		{"ts", "time"},
		{"first", "str"},
		{"ns", "duration"},
		{"a_name_of_22_characters", "bytes"},
		{"ten_letter", "u64"},
		{"an_eleven.L", "i64"},
		{"twelve_long_", "hex"},
		{"a_thirteen_13", "addr"},
		{"u32", "u32"},
		{"i32", "i32"},
		{"pid", "pid"},
		{"ret", "errno"},
		{"u16", "u16"},
		{"i16", "i16"},
		{"u8", "u8"},
		{"i8", "i8"},
		{"flag", "bool"},
		{"syscall", "syscall"},
		{"comm", "comm"},
		{"second", "str"},
		{"numbers", "u64[6]"},
		{"places", "addr[2]"},
		{"one", "i8[1]"},
		{"flags", "bool[3]"},
		{"calls", "syscall[2]"},
		{"a_name_as_long_as_a_name_may_be_which_is_sixty_four_of_them_64ch", "u8"},
	};

	return make_kind("all.types", specs, sizeof(specs) / sizeof(specs[0]));
}

/* The line as scan wants it: with 32 bytes behind it, which may be anything. */
static size_t scan(struct tr_record_json *plan, const char *line, size_t len, char behind)
{
	char *copy = malloc(len + 32);
	size_t bytes;

	memcpy(copy, line, len);
	memset(copy + len, behind, 32);
	memset(body, 0xee, 512);
	bytes = tr_record_json_scan(plan, copy, len, body);
	free(copy);
	return bytes;
}

static size_t pack(struct tr_record_json *plan, const char *line, size_t len)
{
	struct tr_json_object object = {0};
	size_t bytes = 0;

	memset(body, 0xee, 512);
	if (!tr_json_parse(&object, line, len))
		bytes = tr_record_json_pack(plan, &object, body);
	tr_json_release(&object);
	return bytes;
}

static void check_line(void)
{
	static const char wanted[] = "{\"type\":\"syscall\",\"ts\":10,\"ns\":1234567890123,\"ret\":"
				     "-11,\"comm\":\"a\\\"b\\\\c\","
				     "\"pid\":4294967295,\"tid\":0,\"syscall\":\"i386:getpid\"}\n";
	static const char no_result[] =
		"{\"type\":\"syscall\",\"ts\":10,\"ns\":null,\"ret\":null,\"comm\":\"a\\\"b\\\\c\","
		"\"pid\":4294967295,\"tid\":0,\"syscall\":\"i386:getpid\",\"why\":\"still "
		"running\"}\n";
	struct tr_record_json *plan = tr_record_json_new(tr_kind_builtin(TR_KIND_syscall), calls);
	struct tr_syscall record = {.ts = 10,
				    .ns = 1234567890123,
				    .ret = -11,
				    .pid = UINT32_MAX,
				    .syscall = tr_syscall_code(TR_ABI_32, 20)};
	char line[1024], *end;

	memcpy(&record.comm, "a\"b\\c", 5);
	end = tr_record_json_write(plan, line, (unsigned char *)&record, 0);
	CHECK_BYTES(line, end - line, wanted, strlen(wanted));
	CHECK(tr_record_json_max(plan, (unsigned char *)&record) >= strlen(wanted));
	end = tr_record_json_write(plan, line, (unsigned char *)&record,
				   TR_NO_RESULT | TR_STILL_RUNNING);
	CHECK_BYTES(line, end - line, no_result, strlen(no_result));
	CHECK_INT(scan(plan, no_result, strlen(no_result) - 1, '\n'), 0);
	CHECK_INT(pack(plan, no_result, strlen(no_result)), 0);
	CHECK_INT(scan(plan, wanted, strlen(wanted) - 1, '\n'), TR_BYTES_syscall);
	CHECK_BYTES(body, TR_BYTES_syscall, &record, TR_BYTES_syscall);
	/* No beginning of it is a line, whatever follows. */
	tr_record_json_write(plan, line, (unsigned char *)&record, 0);
	for (size_t len = 0; len < strlen(wanted) - 1; len++) {
		CHECK_INT(tr_record_json_scan(plan, line, len, body), 0);
		CHECK_INT(scan(plan, wanted, len, '1'), 0);
		CHECK_INT(scan(plan, wanted, len, '"'), 0);
		CHECK_INT(scan(plan, wanted, len, '}'), 0);
	}
	tr_record_json_free(plan);
	tr_record_json_free(NULL);
}

/* A kind of one field, the value as JSON, and what becomes of it: bytes, or refused. */
static void check_values(void)
{
	enum { NO, PACK, BOTH }; /* taken by none, by pack alone, by scan as well */
	static const struct {
		const char *type, *json, *wanted;
		size_t len;
		int taken;
	} rows[] = {
		{"u64", "0", "\0\0\0\0\0\0\0\0", 8, BOTH},
		{"u64", "9007199254740992", "\0\0\0\0\0\0\x20\0", 8, BOTH},
		{"u64", "9007199254740993", "\1\0\0\0\0\0\x20\0", 8, PACK},
		{"u64", "\"9007199254740993\"", "\1\0\0\0\0\0\x20\0", 8, BOTH},
		{"u64", "\"9007199254740992\"", "\0\0\0\0\0\0\x20\0", 8, PACK},
		{"u64", "\"18446744073709551615\"", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, BOTH},
		{"u64", "18446744073709551615", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, PACK},
		{"u64", "\"18446744073709551616\"", NULL, 0, NO},
		{"u64", "\"99999999999999999999999\"", NULL, 0, NO},
		{"u64", "18446744073709551616", NULL, 0, NO},
		{"u64", "\"5\"", "\5\0\0\0\0\0\0\0", 8, PACK},
		{"u64", "\"05\"", NULL, 0, NO},
		{"u64", "\"\"", NULL, 0, NO},
		{"u64", "\" 5\"", NULL, 0, NO},
		{"u64", "\"-0\"", NULL, 0, NO},
		{"u64", "-0", "\0\0\0\0\0\0\0\0", 8, PACK},
		{"u64", "-1", NULL, 0, NO},
		{"u64", "00", NULL, 0, NO},
		{"u64", "5.0", NULL, 0, NO},
		{"u64", "5e0", NULL, 0, NO},
		{"u64", "null", NULL, 0, NO},
		{"u64", "true", NULL, 0, NO},
		{"u64", "[5]", NULL, 0, NO},
		{"u64", "\"0x5\"", NULL, 0, NO},
		{"u64", " 5", "\5\0\0\0\0\0\0\0", 8, PACK},
		{"u64", "5 ", "\5\0\0\0\0\0\0\0", 8, PACK},
		{"u64", "\"90071992547\\u003409931\"", NULL, 0, PACK},
		{"i64", "-1", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, BOTH},
		{"i64", "-0", "\0\0\0\0\0\0\0\0", 8, PACK},
		{"i64", "\"-9223372036854775808\"", "\0\0\0\0\0\0\0\x80", 8, BOTH},
		{"i64", "-9223372036854775808", "\0\0\0\0\0\0\0\x80", 8, PACK},
		{"i64", "\"-9223372036854775809\"", NULL, 0, NO},
		{"i64", "\"9223372036854775808\"", NULL, 0, NO},
		{"i64", "9223372036854775808", NULL, 0, NO},
		{"i64", "-9007199254740992", "\0\0\0\0\0\0\xe0\xff", 8, BOTH},
		{"i64", "\"-9007199254740993\"", "\xff\xff\xff\xff\xff\xff\xdf\xff", 8, BOTH},
		{"i64", "--1", NULL, 0, NO},
		{"u32", "4294967295", "\xff\xff\xff\xff", 4, BOTH},
		{"u32", "4294967296", NULL, 0, NO},
		{"i32", "2147483647", "\xff\xff\xff\x7f", 4, BOTH},
		{"i32", "2147483648", NULL, 0, NO},
		{"errno", "-2147483648", "\0\0\0\x80", 4, BOTH},
		{"errno", "-2147483649", NULL, 0, NO},
		{"u16", "65535", "\xff\xff", 2, BOTH},
		{"u16", "65536", NULL, 0, NO},
		{"i16", "-32768", "\0\x80", 2, BOTH},
		{"i16", "-32769", NULL, 0, NO},
		{"u8", "255", "\xff", 1, BOTH},
		{"u8", "256", NULL, 0, NO},
		{"i8", "-128", "\x80", 1, BOTH},
		{"i8", "128", NULL, 0, NO},
		{"bool", "true", "\1", 1, BOTH},
		{"bool", "false", "\0", 1, BOTH},
		{"bool", "2", "\2", 1, BOTH}, /* what was no boolean stays what it was */
		{"bool", "255", "\xff", 1, BOTH},
		{"bool", "256", NULL, 0, NO},
		{"bool", "1", NULL, 0, NO},
		{"bool", "-1", NULL, 0, NO},
		{"bool", "\"true\"", NULL, 0, NO},
		{"hex", "\"0x0\"", "\0\0\0\0\0\0\0\0", 8, BOTH},
		{"addr", "\"0x7fffdeadbeef0123\"", "\x23\x01\xef\xbe\xad\xde\xff\x7f", 8, BOTH},
		{"hex", "\"0xffffffffffffffff\"", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, BOTH},
		{"hex", "\"0x10000000000000000\"", NULL, 0, NO},
		{"hex", "\"0x\"", NULL, 0, NO},
		{"hex", "\"0x01\"", NULL, 0, NO},
		{"hex", "\"0xA\"", NULL, 0, NO},
		{"hex", "\"0X1\"", NULL, 0, NO},
		{"hex", "\"1\"", NULL, 0, NO},
		{"hex", "1", NULL, 0, NO},
		{"syscall", "\"read\"", "\0\0\0\0", 4, BOTH},
		{"syscall", "\"x32:execve\"", "\x08\x02\0\2", 4, BOTH},
		{"syscall", "\"syscall_-1\"", "\xff\xff\xff\0", 4, BOTH},
		{"syscall", "\"landlock_create_ruleset\"", "\xbc\x01\0\0", 4, BOTH},
		{"syscall", "\"re\\u0061d\"", "\0\0\0\0", 4, PACK},
		{"syscall", "\"reed\"", NULL, 0, NO},
		{"syscall", "\"\"", NULL, 0, NO},
		{"syscall", "\"a_name_of_many_more_than_sixteen_letters\"", NULL, 0, NO},
		{"syscall", "0", NULL, 0, NO},
		{"comm", "\"\"", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, BOTH},
		{"comm", "\"nginx\"", "nginx\0\0\0\0\0\0\0\0\0\0\0", 16, BOTH},
		{"comm", "\"sixteen letters!\"", "sixteen letters!", 16, BOTH},
		{"comm", "\"seventeen letters\"", NULL, 0, NO},
		{"comm", "\"\\udcff\\udcc3;d\"", "\xff\xc3;d\0\0\0\0\0\0\0\0\0\0\0\0", 16, BOTH},
		{"comm",
		 "\"gr\xc3\xbc\xc3\x9f"
		 "e\"",
		 "gr\xc3\xbc\xc3\x9f"
		 "e\0\0\0\0\0\0\0\0\0",
		 16, BOTH},
		{"comm", "\"a\\u0000\"", NULL, 0, NO},
		{"comm", "\"\\u0061\"", "a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, BOTH},
		{"comm", "\"\xff\"", NULL, 0, NO},
		{"comm", "1", NULL, 0, NO},
		{"str", "\"\"", "\0\0", 2, BOTH},
		{"str", "\"/etc/passwd\"", "\x0b\0/etc/passwd", 13, BOTH},
		{"str", "\"a\\u0000b\"", "\3\0a\0b", 5, BOTH},
		{"str", "\"cut\xe2\x80\xa6\"",
		 "\3\x80"
		 "cut",
		 5, BOTH},
		{"str", "\"\xe2\x80\xa6\"", "\0\x80", 2, BOTH},
		{"str", "\"not cut\\u2026\"", "\x0a\0not cut\xe2\x80\xa6", 12, BOTH},
		{"str", "\"both\\u2026\xe2\x80\xa6\"",
		 "\7\x80"
		 "both\xe2\x80\xa6",
		 9, BOTH},
		{"str", "\"\\udce2\\udc80\xe2\x80\xa6\"", "\2\x80\xe2\x80", 4, BOTH},
		{"str", "\"\\udce2\\udc80\\udca6\"", "\3\0\xe2\x80\xa6", 5, BOTH},
		{"str", "\"\\ud800\"", NULL, 0, NO},
		{"str", "null", NULL, 0, NO},
		{"u8[3]", "[1,2,3]", "\1\2\3", 3, BOTH},
		{"u8[3]", "[1,2, 3]", "\1\2\3", 3, PACK},
		{"u8[3]", "[1,2]", NULL, 0, NO},
		{"u8[3]", "[1,2,3,4]", NULL, 0, NO},
		{"u8[3]", "[1,2,256]", NULL, 0, NO},
		{"u8[3]", "[]", NULL, 0, NO},
		{"u8[1]", "[7]", "\7", 1, BOTH},
		{"u8[1]", "7", NULL, 0, NO},
		{"hex[2]", "[\"0x1\",\"0xff\"]", "\1\0\0\0\0\0\0\0\xff\0\0\0\0\0\0\0", 16, BOTH},
		{"bool[2]", "[true,false]", "\1\0", 2, BOTH},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tr_kind *kind = make_kind("t", &(struct field_spec){"v", rows[i].type}, 1);
		struct tr_record_json *plan = tr_record_json_new(kind, calls);
		char line[256];
		int len = snprintf(line, sizeof(line), "{\"type\":\"t\",\"v\":%s}", rows[i].json);
		size_t bytes = scan(plan, line, len, '7');

		CHECK_BYTES(body, bytes, rows[i].wanted, rows[i].taken == BOTH ? rows[i].len : 0);
		bytes = pack(plan, line, len);
		if (rows[i].wanted || rows[i].taken == NO)
			CHECK_BYTES(body, bytes, rows[i].wanted, rows[i].len);
		tr_record_json_free(plan);
		free_kind(kind);
	}
}

/* Objects that are not this kind's, or are in another order. */
static void check_members(void)
{
	static const struct {
		const char *line;
		size_t bytes;
	} rows[] = {
		{"{\"type\":\"count\",\"ts\":1,\"n\":2,\"syscall\":\"read\"}", TR_BYTES_count},
		{" {\"syscall\":\"read\" , \"n\":2, \"type\":\"count\",\"ts\":1}\r",
		 TR_BYTES_count},
		{"{\"type\":\"count\",\"ts\":1,\"n\":2,\"syscall\":\"read\",\"x\":1}", 0},
		{"{\"type\":\"count\",\"ts\":1,\"n\":2,\"x\":\"read\"}", 0},
		{"{\"type\":\"count\",\"ts\":1,\"n\":2}", 0},
		{"{\"type\":\"counts\",\"ts\":1,\"n\":2,\"syscall\":\"read\"}", 0},
		{"{\"type\":1,\"ts\":1,\"n\":2,\"syscall\":\"read\"}", 0},
		{"{\"x\":\"count\",\"ts\":1,\"n\":2,\"syscall\":\"read\"}", 0},
		{"{}", 0},
	};
	struct tr_record_json *plan = tr_record_json_new(tr_kind_builtin(TR_KIND_count), calls);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tr_count record = {.ts = 1, .n = 2};
		size_t len = strlen(rows[i].line);

		CHECK_INT(scan(plan, rows[i].line, len, 0), i == 0 ? TR_BYTES_count : 0);
		CHECK_BYTES(body, pack(plan, rows[i].line, len), &record, rows[i].bytes);
	}
	tr_record_json_free(plan);
}

/* Strings as long as they may be, and longer; and bodies that no packed line could hold. */
static void check_long(void)
{
	static const struct {
		size_t first, second;
		bool taken;
	} rows[] = {
		{32767, 0, true},      {32768, 0, false},     {32767, 32200, true},
		{32767, 32300, false}, {32767, 32767, false}, {0, 32767, true},
	};
	static const struct field_spec specs[] = {{"a", "str"}, {"b", "str"}, {"n", "u64[29]"}};
	struct tr_kind *kind = make_kind("t", specs, 3);
	struct tr_record_json *plan = tr_record_json_new(kind, calls);
	char *line = malloc(2 * TR_MAX_LINE);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *p = line + sprintf(line, "{\"type\":\"t\",\"a\":\"");
		size_t bytes = kind->fixed_bytes + rows[i].first + rows[i].second;

		p = memset(p, 'x', rows[i].first);
		p += rows[i].first;
		p += sprintf(p, "\",\"b\":\"");
		p = memset(p, 'y', rows[i].second);
		p += rows[i].second;
		p += sprintf(p, "\",\"n\":[");
		for (int k = 0; k < 29; k++)
			p += sprintf(p, k < 28 ? "0," : "0]}");
		CHECK_INT(scan(plan, line, p - line, 'x'), rows[i].taken ? bytes : 0);
		CHECK_INT(pack(plan, line, p - line), rows[i].taken ? bytes : 0);
	}
	free(line);
	tr_record_json_free(plan);
	free_kind(kind);
}

static void fill_text(unsigned char *p, size_t len, bool zeroes)
{
	static const char *const pieces[] = {"a",
					     "\"",
					     "\\",
					     "\xe2\x80\xa6",
					     "\xc3\xbc",
					     "\xff",
					     "\xe2\x80",
					     "\n",
					     "/usr/lib/some/path",
					     "\x7f",
					     "\xf0\x9f\x90\x9d",
					     " "};
	size_t at = 0;

	while (at < len) {
		const char *piece = pieces[check_random() % 12];
		size_t n = strlen(piece) < len - at ? strlen(piece) : len - at;

		memcpy(p + at, piece, n);
		at += n;
		if (zeroes && at < len && check_random() % 16 == 0)
			p[at++] = 0;
	}
}

/* A body of random values. */
static size_t fill_body(const struct tr_kind *kind, unsigned char *p)
{
	size_t at = kind->fixed_bytes;

	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];
		unsigned bytes = tr_types[f->type].bytes;

		if (f->type == TR_T_comm) {
			memset(p + f->offset, 0, 16);
			fill_text(p + f->offset, check_random() % 17, false);
		} else if (f->type == TR_T_str) {
			uint16_t n = check_random() % (check_random() % 64 ? 40 : 9000);
			uint16_t with_cut = n | (check_random() % 2 ? 0x8000 : 0);

			memcpy(p + f->offset, &with_cut, 2);
			fill_text(p + at, n, true);
			at += n;
		} else {
			for (unsigned k = 0; k < f->n; k++) {
				uint64_t v = check_random_sized();

				v = check_random() % 2 ? v : -v;
				memcpy(p + f->offset + k * bytes, &v, bytes);
			}
		}
	}
	return at;
}

static void check_round_trips(const struct tr_kind *kind)
{
	struct tr_record_json *plan = tr_record_json_new(kind, calls);
	static unsigned char original[TR_MAX_LINE];
	char *line = malloc(8 * TR_MAX_LINE);

	for (int i = 0; i < 20000 && check_failures < 10; i++) {
		size_t bytes = fill_body(kind, original), len;
		char *end = tr_record_json_write(plan, line, original, 0);
		json_error_t error;
		json_t *theirs;

		len = end - line - 1;
		CHECK(len <= tr_record_json_max(plan, original));
		CHECK(line[len] == '\n' && !memchr(line, '\n', len));
		CHECK_BYTES(body, scan(plan, line, len, "\n0\"}"[i % 4]), original, bytes);
		CHECK_BYTES(body, pack(plan, line, len), original, bytes);
		theirs = json_loadb(line, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
		CHECK(theirs || strstr(error.text, "invalid Unicode"));
		json_decref(theirs);
		/* A changed byte: whatever scan takes, pack takes as well. */
		line[check_random() % len] = "0\"}9,a\\-"[check_random() % 8];
		bytes = scan(plan, line, len, '\n');
		if (bytes) {
			memcpy(original, body, bytes);
			CHECK_BYTES(body, pack(plan, line, len), original, bytes);
		}
	}
	free(line);
	tr_record_json_free(plan);
}

int main(void)
{
	struct tr_kind *all;

	calls = tr_syscalls_of("x86_64");
	check_line();
	check_values();
	check_members();
	check_long();
	all = make_all_types();
	check_round_trips(all);
	check_round_trips(tr_kind_builtin(TR_KIND_syscall));
	free_kind(all);
	return check_status();
}
