/* SPDX-License-Identifier: GPL-2.0-only */
/* The JSON parser against jansson over a table of texts and their mutations, and what only we
 * take. */
#include "json.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "oracle.h"

#define S(text) text, sizeof(text) - 1

static const struct text {
	const char *text;
	size_t len;
} texts[] = {
	{S("")},
	{S("{}")},
	{S(" \t\r\n{ \t\r\n} \t\r\n")},
	{S("{\"a\":1}")},
	{S("{\"type\":\"syscall\",\"ts\":123456789012,\"ns\":1234,\"ret\":-11,\"comm\":\"nginx\","
	   "\"pid\":4321,\"tid\":4322,\"syscall\":\"read\"}")},
	{S("{\"a\":[1,2.5,-3e-2,\"x\",null,true,false,{},[],[[]],{\"b\":[{}]}],\"c\":{\"d\":{\"e\":"
	   "0}}}")},
	{S("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\udc1d\"}")},
	{S("{\"a\\nb\":1,\"\\u0061\":2,\"\":3}")},
	{S("{\"a\":1,\"\\u0061\":2}")},
	{S("{\"a\":1,\"a\":2}")},
	{S("{\"x\":{\"a\":1,\"a\":2}}")},
	{S("{\"x\":[{\"a\":1,\"b\":2,\"a\":3}]}")},
	{S("{\"\":1,\"\":2}")},
	{S("{\"a\":\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d and much more text "
	   "behind\"}")},
	{S("{\"a\":\"\xff\"}")},
	{S("{\"a\":\"\xc0\xaf\"}")},
	{S("{\"a\":\"\xed\xa0\x80\"}")},
	{S("{\"a\":\"\xf4\x90\x80\x80\"}")},
	{S("{\"a\":\"x\x01y\"}")},
	{S("{\"a\":\"x\0y\"}")},
	{S("{\"a\":\"x\x7fy\"}")},
	{S("{\"a\":\"\\u0000\"}")},
	{S("{\"a\":\"\\x41\"}")},
	{S("{\"a\":\"\\u12g4\"}")},
	{S("{\"a\":\"\\u123\"}")},
	{S("{\"a\":\"\\")},
	{S("{\"a\":\"")},
	{S("{\"a\":0}")},
	{S("{\"a\":-0}")},
	{S("{\"a\":-0.0}")},
	{S("{\"a\":00}")},
	{S("{\"a\":01}")},
	{S("{\"a\":-}")},
	{S("{\"a\":+1}")},
	{S("{\"a\":.5}")},
	{S("{\"a\":5.}")},
	{S("{\"a\":5e}")},
	{S("{\"a\":5e+}")},
	{S("{\"a\":5E+07}")},
	{S("{\"a\":1e400}")},
	{S("{\"a\":1e-400}")},
	{S("{\"a\":0x10}")},
	{S("{\"a\":9223372036854775807,\"b\":-9223372036854775808}")},
	{S("{\"a\":3.141592653589793238462643383279502884197,\"b\":5e-324,\"c\":1."
	   "7976931348623157e308}")},
	{S("{\"a\":NaN}")},
	{S("{\"a\":truth}")},
	{S("{\"a\":tru")},
	{S("{\"a\":nul}")},
	{S("{\"a\":True}")},
	{S("{\"a\":1,}")},
	{S("{,\"a\":1}")},
	{S("{\"a\" 1}")},
	{S("{\"a\":}")},
	{S("{\"a\"}")},
	{S("{a:1}")},
	{S("{'a':1}")},
	{S("{\"a\":[1,]}")},
	{S("{\"a\":[,1]}")},
	{S("{\"a\":[1 2]}")},
	{S("{\"a\":[1}")},
	{S("{\"a\":1]")},
	{S("{\"a\":1")},
	{S("{\"a\":1}}")},
	{S("{\"a\":1} x")},
	{S("{\"a\":1}\0")},
	{S("{\"a\":1}{}")},
	{S("[1]")},
	{S("\"a\"")},
	{S("1")},
	{S("null")},
	{S("\xef\xbb\xbf{}")},
	{S("{\"a\":/**/1}")},
	{S("{\"a\":1\x0b}")},
	{S("{\"k0\":0,\"k1\":0,\"k2\":0,\"k3\":0,\"k4\":0,\"k5\":0,\"k6\":0,\"k7\":0,\"k8\":0,"
	   "\"k9\":0,"
	   "\"l0\":0,\"l1\":0,\"l2\":0,\"l3\":0,\"l4\":0,\"l5\":0,\"l6\":0,\"l7\":0,\"l8\":0,"
	   "\"l9\":0,"
	   "\"m0\":0,\"m1\":0,\"m2\":0,\"m3\":0,\"m4\":0,\"m5\":0,\"m6\":0,\"m7\":0,\"m8\":0,"
	   "\"m9\":0}")},
	{S("{\"k0\":0,\"k1\":0,\"k2\":0,\"k3\":0,\"k4\":0,\"k5\":0,\"k6\":0,\"k7\":0,\"k8\":0,"
	   "\"k9\":0,"
	   "\"l0\":0,\"l1\":0,\"l2\":0,\"l3\":0,\"l4\":0,\"l5\":0,\"l6\":0,\"l7\":0,\"l8\":0,"
	   "\"l9\":0,"
	   "\"m0\":0,\"m1\":0,\"m2\":0,\"m3\":0,\"m4\":0,\"m5\":0,\"m6\":0,\"m7\":0,\"k3\":0,"
	   "\"m9\":0}")},
};

static void check_oracle(const char *text, size_t len)
{
	static struct tr_json_object object;
	char *copy = malloc(len ? len : 1); /* its end is the end of what may be read */

	memcpy(copy, text, len);
	if (!oracle_agrees(&object, copy, len))
		CHECK_BYTES("differs from jansson", 20, text, len);
	free(copy);
}

/* A few bytes changed, dropped, added or copied from elsewhere. */
static size_t mutate(char *text, size_t len)
{
	static const char bytes[] = "{}[]\",:\\u0dc8e+-.19 tfn\n\x01\x80\xff\xe2\xc3";

	for (int n = 1 + check_random() % 3; n > 0 && len > 1 && len < 900; n--) {
		size_t at = check_random() % len;

		switch (check_random() % 4) {
		case 0: text[at] = bytes[check_random() % sizeof(bytes)]; break;
		case 1: text[at] = text[check_random() % len]; break;
		case 2: memmove(text + at, text + at + 1, --len - at); break;
		case 3:
			memmove(text + at + 1, text + at, len++ - at);
			text[at] = bytes[check_random() % sizeof(bytes)];
			break;
		}
	}
	return len;
}

static void check_texts(void)
{
	char text[1024];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		check_oracle(texts[i].text, texts[i].len);
		for (size_t len = 0; len < texts[i].len; len++)
			check_oracle(texts[i].text, len);
		for (int n = 0; n < 3000 && check_failures < 20; n++) {
			memcpy(text, texts[i].text, texts[i].len);
			check_oracle(text, mutate(text, texts[i].len));
		}
	}
}

/* What jansson does not take, and we do: the value of "a". */
static void check_ours(void)
{
	static const struct {
		const char *text, *string;
		size_t len;
	} strings[] = {
		{"{\"a\":\"\\udc80\\udcff\"}", S("\x80\xff")},
		{"{\"a\":\"\\uDCE2\\udC82\\udcac\"}", S("\xe2\x82\xac")},
		{"{\"a\":\"x\\u0000y\"}", S("x\0y")},
		{"{\"a\":\"\\ud83d\\udc80\"}", S("\xf0\x9f\x92\x80")}, /* a pair comes first */
		{"{\"\\udcff\":0,\"a\":\"\"}", S("")},
		{"{\"\\u0000\":0,\"a\":\"\"}", S("")},
	};
	static const char *const refused[] = {
		"{\"a\":\"\\udc7f\"}",
		"{\"a\":\"\\udd00\"}",
		"{\"a\":\"\\udfff\"}",
		"{\"a\":\"\\ud800\"}",
		"{\"a\":\"\\ud800x\"}",
		"{\"a\":\"\\ud800\\u0041\"}",
		"{\"a\":\"\\ud800\\ud800\"}",
		"{\"a\":\"\\udbff\\ue000\"}",
		"{\"a\":1e309}",
		"{\"\\udcff\":0,\"\\uDCFF\":0}",
	};
	struct tr_json_object object = {0};
	const struct tr_json_value *a;

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		CHECK_INT(tr_json_parse(&object, strings[i].text, strlen(strings[i].text)), 0);
		a = tr_json_get(&object, "a");
		CHECK(a && a->type == TR_JSON_STRING);
		if (a)
			CHECK_BYTES(a->string.bytes, a->string.len, strings[i].string,
				    strings[i].len);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK_INT(tr_json_parse(&object, refused[i], strlen(refused[i])), -EINVAL);

	CHECK_INT(
		tr_json_parse(&object, S("{\"a\":18446744073709551615,\"b\":9223372036854775808,"
					 "\"c\":18446744073709551616,\"d\":-9223372036854775809}")),
		0);
	CHECK(object.members[0].value.type == TR_JSON_UINT);
	CHECK(object.members[0].value.u == UINT64_MAX);
	CHECK(object.members[1].value.type == TR_JSON_UINT);
	CHECK(object.members[1].value.u == 1ULL << 63);
	CHECK(object.members[2].value.type == TR_JSON_DOUBLE);
	CHECK(object.members[2].value.d == 0x1p64);
	CHECK(object.members[3].value.type == TR_JSON_DOUBLE);
	CHECK(object.members[3].value.d == -0x1p63);
	CHECK_BYTES(object.members[1].value.source.bytes, object.members[1].value.source.len,
		    S("9223372036854775808"));
	tr_json_release(&object);
}

static void check_depth(void)
{
	struct tr_json_object object = {0};
	char text[512];

	for (int depth = 62; depth < 68; depth++) {
		char *p = text + sprintf(text, "{\"a\":");

		/* The object is the first level. */
		memset(p, '[', depth - 1);
		memset(p + depth - 1, ']', depth - 1);
		p[2 * (depth - 1)] = '}';
		CHECK_INT(tr_json_parse(&object, text, p + 2 * depth - 1 - text),
			  depth <= 64 ? 0 : -EINVAL);
	}
	tr_json_release(&object);
}

/* Decoded elements stay while others are walked, also the second time. */
static void check_array(void)
{
	static const char text[] = "{\"a\":[\"\\n1\", [\"]\\\"\"] ,{\"x\":\"}\"},\"\\t2\",3.5]}";
	static const char *const sources[] = {"\"\\n1\"", "[\"]\\\"\"]", "{\"x\":\"}\"}",
					      "\"\\t2\"", "3.5"};
	struct tr_json_object object = {0};
	struct tr_json_value elements[5], extra;

	CHECK_INT(tr_json_parse(&object, S(text)), 0);
	for (int round = 0; round < 2; round++) {
		struct tr_string rest = object.members[0].value.source;

		for (int i = 0; i < 5; i++) {
			CHECK_INT(tr_json_array_next(&object, &rest, &elements[i]), 1);
			CHECK_BYTES(elements[i].source.bytes, elements[i].source.len, sources[i],
				    strlen(sources[i]));
		}
		CHECK_INT(tr_json_array_next(&object, &rest, &extra), 0);
		CHECK_INT(tr_json_array_next(&object, &rest, &extra), 0);
	}
	CHECK_BYTES(elements[0].string.bytes, elements[0].string.len, S("\n1"));
	CHECK_BYTES(elements[3].string.bytes, elements[3].string.len, S("\t2"));
	CHECK(elements[4].d == 3.5);
	CHECK_INT(tr_json_array_next(&object, &elements[1].source, &extra), 1);
	CHECK_BYTES(extra.string.bytes, extra.string.len, S("]\""));
	tr_json_release(&object);
}

static void check_put(void)
{
	static const struct {
		int64_t value;
		const char *as_signed, *as_unsigned, *as_hex;
	} rows[] = {
		{0, "0", "0", "\"0x0\""},
		{-1, "-1", "\"18446744073709551615\"", "\"0xffffffffffffffff\""},
		{1LL << 53, "9007199254740992", "9007199254740992", "\"0x20000000000000\""},
		{(1LL << 53) + 1, "\"9007199254740993\"", "\"9007199254740993\"",
		 "\"0x20000000000001\""},
		{-(1LL << 53), "-9007199254740992", "\"18437736874454810624\"",
		 "\"0xffe0000000000000\""},
		{-(1LL << 53) - 1, "\"-9007199254740993\"", "\"18437736874454810623\"",
		 "\"0xffdfffffffffffff\""},
		{INT64_MIN, "\"-9223372036854775808\"", "\"9223372036854775808\"",
		 "\"0x8000000000000000\""},
	};
	char out[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_BYTES(out, tr_json_put_i64(out, rows[i].value) - out, rows[i].as_signed,
			    strlen(rows[i].as_signed));
		CHECK_BYTES(out, tr_json_put_u64(out, rows[i].value) - out, rows[i].as_unsigned,
			    strlen(rows[i].as_unsigned));
		CHECK_BYTES(out, tr_json_put_hex(out, rows[i].value) - out, rows[i].as_hex,
			    strlen(rows[i].as_hex));
	}
	CHECK_BYTES(out, tr_json_put_string(out, (struct tr_string){S("a\"\xff")}) - out,
		    S("\"a\\\"\\udcff\""));
}

int main(void)
{
	check_texts();
	check_ours();
	check_depth();
	check_array();
	check_put();
	return check_status();
}
