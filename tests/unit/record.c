/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the kinds: the tables that come of records.def and types.def, kinds that schema
 * lines define, their fields' places and values, and the limits.
 */
#include "record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "check.h"
#include "part.h"

/* A kind with fields of these types, "a:u64 b:str"; NULL when it is refused. */
static struct tr_kind *make(uint32_t number, const char *type, const char *spec)
{
	struct tr_field *fields = calloc(strlen(spec) + 1, sizeof(*fields));
	struct tr_kind *kind = calloc(1, sizeof(*kind));
	char *copy = strdup(spec), *rest = copy, *word;
	size_t n = 0;
	int bad = 0;

	while (*copy && (word = strsep(&rest, " "))) {
		char *colon = strchr(word, ':');

		snprintf(fields[n].name, sizeof(fields[n].name), "%.*s", (int)(colon - word), word);
		bad |= tr_field_parse_type(&fields[n++], colon + 1, strlen(colon + 1));
	}
	free(copy);
	if (!bad && !tr_kind_init(kind, number, type, fields, n))
		return kind;
	free(fields);
	free(kind);
	return NULL;
}

static void drop(struct tr_kind *kind)
{
	if (kind)
		tr_kind_release(kind);
	free(kind);
}

static int refused(uint32_t number, const char *type, const char *spec)
{
	struct tr_kind *kind = make(number, type, spec);

	drop(kind);
	return !kind;
}

/* The wire layout is that of the structs, and lines of the hottest kinds fit a compare of 64. */
static void check_builtin(void)
{
	const struct tr_kind *syscall = tr_kind_builtin(TR_KIND_syscall);
	const struct tr_kind *count = tr_kind_builtin(TR_KIND_count);

	CHECK(syscall && count);
	CHECK_TEXT(syscall->type, "syscall");
	CHECK_INT(syscall->fixed_bytes, 52);
	CHECK_INT(count->fixed_bytes, 20);
	CHECK_INT(tr_kind_field(syscall, "ret", 3)->offset,
		  __builtin_offsetof(struct tr_syscall, ret));
	CHECK_INT(tr_kind_field(syscall, "syscall", 7)->offset,
		  __builtin_offsetof(struct tr_syscall, syscall));
	CHECK(tr_kind_field(syscall, "sysc", 4) == NULL);
	CHECK(tr_kind_field(syscall, "syscalls", 8) == NULL);
	CHECK_TEXT(syscall->fields[syscall->role[TR_R_key]].name, "syscall");
	CHECK_TEXT(syscall->fields[syscall->role[TR_R_value]].name, "ns");
	CHECK_INT(syscall->role[TR_R_weight], -1);
	CHECK_TEXT(count->fields[count->role[TR_R_weight]].name, "n");
	for (uint32_t i = 0; i < 70000; i++) {
		const struct tr_kind *kind = tr_kind_builtin(i);

		if (i >= TR_N_BUILTIN)
			CHECK(!kind);
		if (!kind)
			continue;
		CHECK_INT(kind->number, i);
		CHECK_TEXT(kind->fields[0].name, "ts");
		CHECK(kind->fixed_bytes <= TR_MAX_FIXED);
	}
}

/* A schema line says all there is to a kind: what it writes defines an equal one. */
static void check_schema_lines(void)
{
	static char line[TR_SCHEMA_MAX];
	struct tr_kind *kind =
		make(2570, "disk.io", "ts:time ns:duration path:str n:u16[6] at:addr x:comm");
	struct tr_json_object outer = {0}, inner = {0};
	struct tr_part *part = tr_part_new(NULL);
	const struct tr_json_value *schema;
	size_t len;

	kind->fields[1].role = TR_R_value;
	kind->fields[2].role = TR_R_key;
	kind->role[TR_R_value] = 1;
	kind->role[TR_R_key] = 2;
	kind->format = strdup("{path} \"\\ \n");
	len = tr_schema_write(line, kind) - line;
	CHECK(line[len - 1] == '\n' && !memchr(line, '\n', len - 1));
	CHECK_INT(tr_json_parse(&outer, line, len), 0);
	schema = tr_json_get(&outer, "schema");
	CHECK_INT(tr_json_parse(&inner, schema->source.bytes, schema->source.len), 0);
	CHECK_INT(tr_part_add_schema(part, &inner), 1);
	CHECK_INT(tr_part_add_schema(part, &inner), 0);
	CHECK(tr_kind_equal(tr_part_find_kind(part, 2570)->kind, kind));
	CHECK(tr_part_find_kind(part, 2569) == NULL && tr_part_find_kind(part, 2571) == NULL);
	CHECK(tr_part_next_kind(part, (struct tr_string){"disk.io", 7}, NULL) ==
	      tr_part_find_kind(part, 2570));
	tr_part_free(part);
	tr_json_release(&outer);
	tr_json_release(&inner);
	drop(kind);
}

static void check_limits(void)
{
	char spec[8192] = "", name[TR_MAX_NAME + 2];

	CHECK(!refused(64, "a", "ts:time"));
	CHECK(!refused(TR_MAX_KIND, "a", "ts:time"));
	CHECK(refused(TR_MAX_KIND + 1, "a", "ts:time"));
	CHECK(refused(64, "", "ts:time"));
	CHECK(refused(64, "a-b", "ts:time"));
	CHECK(refused(64, "a", ""));
	CHECK(refused(64, "a", "ts:time ts:u64"));
	CHECK(refused(64, "a", ":time"));
	memset(name, 'n', sizeof(name));
	name[TR_MAX_NAME] = 0;
	CHECK(!refused(64, name, "ts:time"));
	/* at most 253 bytes, the number among them: 251 */
	CHECK(!refused(64, "a", "a:u64[31] b:u16 c:u8"));
	CHECK(refused(64, "a", "a:u64[31] b:u32"));
	for (int i = 0; i < TR_MAX_FIELDS; i++)
		snprintf(spec + strlen(spec), sizeof(spec) - strlen(spec), "%sf%d:u8", i ? " " : "",
			 i);
	CHECK(!refused(64, "a", spec));
	strcat(spec, " g:u8");
	CHECK(refused(64, "a", spec));
}

static void check_types(void)
{
	static const char *const bad[] = {
		"",        "u",      "u7",      "U64",     "u64 ",    "u64[",
		"u64[]",   "u64[0]", "u64[01]", "u64[65]", "u64[-1]", "u64[1",
		"u64[1]]", "u64]",   "u64[x]",  "str[2]",  "comm[1]", "u64[99999999999999999999]"};
	struct tr_field field;

	for (int i = 0; i < TR_N_TYPES; i++) {
		CHECK_INT(tr_field_parse_type(&field, tr_types[i].name, strlen(tr_types[i].name)),
			  0);
		CHECK_INT(field.type, i);
		CHECK_INT(field.n, 1);
		CHECK(!field.array);
	}
	CHECK_INT(tr_field_parse_type(&field, "i16[1]", 6), 0);
	CHECK(field.array && field.n == 1 && field.type == TR_T_i16);
	CHECK_INT(tr_field_parse_type(&field, "hex[64]", 7), 0);
	CHECK(field.array && field.n == 64 && field.type == TR_T_hex);
	/* not zero-ended */
	CHECK_INT(tr_field_parse_type(&field, "u64[2]", 3), 0);
	CHECK(!field.array && field.type == TR_T_u64);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(tr_field_parse_type(&field, bad[i], strlen(bad[i])), -EINVAL);
}

static void check_values(void)
{
	struct tr_kind *kind =
		make(64, "a", "a:u8 b:i8 c:u16 d:i16 e:u32 f:i32 g:u64 h:i64 i:i16[3] j:bool");
	unsigned char bytes[128];
	static const int64_t ones[] = {UINT8_MAX, -1, UINT16_MAX, -1, UINT32_MAX, -1, -1, -1};

	memset(bytes, 0xff, sizeof(bytes));
	for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++)
		CHECK_INT(tr_field_int(&kind->fields[i], bytes, 0), ones[i]);
	CHECK_INT(tr_field_int(&kind->fields[9], bytes, 0), 255);
	/* little-endian, without padding */
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	CHECK_INT(tr_field_int(&kind->fields[0], bytes, 0), 0);
	CHECK_INT(tr_field_int(&kind->fields[2], bytes, 0), 0x0302);
	CHECK_INT(tr_field_int(&kind->fields[4], bytes, 0), 0x09080706);
	CHECK_INT(tr_field_int(&kind->fields[6], bytes, 0), 0x151413121110 << 16 | 0x0f0e);
	CHECK_INT(tr_field_int(&kind->fields[8], bytes, 2), 0x2322);
	CHECK_INT(kind->fixed_bytes, 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 6 + 1);
	drop(kind);
}

/* Strings follow the fixed part; their lengths decide how long a body is. */
static void check_strings(void)
{
	struct tr_kind *kind = make(64, "a", "a:str n:u16 b:str c:comm");
	unsigned char bytes[128] = {0};
	uint16_t a = 3, b = 0x8000 | 5;
	const char *text;
	size_t len;
	bool cut;

	CHECK_INT(kind->fixed_bytes, 22);
	memcpy(bytes, &a, 2);
	memcpy(bytes + 4, &b, 2);
	memcpy(bytes + 6, "0123456789abcdef", 16);
	memcpy(bytes + 22, "abcfghij", 8);
	CHECK_INT(tr_body_bytes(kind, bytes, 30), 30);
	CHECK_INT(tr_body_bytes(kind, bytes, 31), 30);
	CHECK_INT(tr_body_bytes(kind, bytes, 29), 0);
	CHECK_INT(tr_body_bytes(kind, bytes, 21), 0);
	CHECK_INT(tr_body_bytes(kind, bytes, 0), 0);
	text = tr_field_text(kind, &kind->fields[0], bytes, &len, &cut);
	CHECK_BYTES(text, len, "abc", 3);
	CHECK(!cut);
	text = tr_field_text(kind, &kind->fields[2], bytes, &len, &cut);
	CHECK_BYTES(text, len, "fghij", 5);
	CHECK(cut);
	text = tr_field_text(kind, &kind->fields[3], bytes, &len, &cut);
	CHECK_BYTES(text, len, "0123456789abcdef", 16);
	CHECK(!cut);
	bytes[6 + 4] = 0;
	tr_field_text(kind, &kind->fields[3], bytes, &len, &cut);
	CHECK_INT(len, 4);
	drop(kind);
}

static void check_equality(void)
{
	static const char *const specs[] = {"a:u64 b:u32", "a:u64 b:i32",    "a:u64 c:u32",
					    "a:u64",       "a:u64 b:u32[1]", "a:u64 b:u32[2]"};
	size_t n = sizeof(specs) / sizeof(specs[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			struct tr_kind *x = make(64, "a", specs[i]), *y = make(64, "a", specs[k]);

			CHECK(tr_kind_equal(x, y) == (i == k));
			x->format = strdup("f");
			CHECK(!tr_kind_equal(x, y));
			drop(x);
			drop(y);
		}
}

static void check_times(void)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {
		{"1970-01-01T00:00:00Z", 0},
		{"1970-01-01T00:00:01.5Z", 1500000000},
		{"2026-11-29T15:04:05.123456789Z", 1795964645123456789},
		{"2262-04-11T23:47:15.000000000Z", 9223372035000000000},
	};
	static const char *const bad[] = {"",
					  "2026",
					  "2026-11-29T15:04:05",
					  "2026-11-29T15:04:05+01:00",
					  "2026-11-29T15:04:05.1234567890Z",
					  "2026-13-29T15:04:05Z",
					  "1969-12-31T23:59:59Z",
					  "2263-01-01T00:00:00Z",
					  "2026-11-29T15:04:05.123456789Zand more behind"};
	char text[40];
	int64_t ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct tr_string s = {good[i].text, strlen(good[i].text)};

		CHECK_INT(tr_iso_time_parse(s, &ns), 0);
		CHECK_INT(ns, good[i].ns);
		tr_iso_time_format(text, ns);
		s = (struct tr_string){text, strlen(text)};
		CHECK_INT(s.len, 30);
		CHECK_INT(tr_iso_time_parse(s, &ns), 0);
		CHECK_INT(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(tr_iso_time_parse((struct tr_string){bad[i], strlen(bad[i])}, &ns),
			  -EINVAL);
	tr_iso_time_format(text, 1795964645123456789);
	CHECK_TEXT(text, "2026-11-29T15:04:05.123456789Z");
}

int main(void)
{
	check_builtin();
	check_schema_lines();
	check_limits();
	check_types();
	check_values();
	check_strings();
	check_equality();
	check_times();
	return check_status();
}
