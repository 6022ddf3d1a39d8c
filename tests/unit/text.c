/* SPDX-License-Identifier: GPL-2.0-only */
/* Text made safe: escapes for JSON and for terminals, UTF-8, columns, near names. */
#include "text.h"

#include <iconv.h>
#include <stdlib.h>

#include "check.h"

#define S(text) text, sizeof(text) - 1

static void check_escapes(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *json, *terminal;
	} rows[] = {
		{S(""), "", ""},
		{S("plain text"), "plain text", "plain text"},
		{S("a\"b\\c/d"), "a\\\"b\\\\c/d", "a\"b\\\\c/d"},
		{S("\b\f\n\r\t\x01\x1f"), "\\b\\f\\n\\r\\t\\u0001\\u001f",
		 "\\x08\\x0c\\n\\x0d\\t\\x01\\x1f"},
		{S("a\0b"), "a\\u0000b", "a\\x00b"},
		{S("\x1b[31m"), "\\u001b[31m", "\\x1b[31m"},
		{S("\x7f\xc2\x9b\xc2\xa0"), "\\u007f\\u009b\xc2\xa0", "\\x7f\\xc2\\x9b\xc2\xa0"},
		{S("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d"),
		 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d",
		 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d"},
		{S("\xff\xc3;d"), "\\udcff\\udcc3;d", "\\xff\\xc3;d"},
		{S("\xc0\xaf"), "\\udcc0\\udcaf", "\\xc0\\xaf"},
		{S("\xed\xa0\x80"), "\\udced\\udca0\\udc80", "\\xed\\xa0\\x80"},
		{S("\xf4\x90\x80\x80"), "\\udcf4\\udc90\\udc80\\udc80", "\\xf4\\x90\\x80\\x80"},
		{S("\xe2\x82"), "\\udce2\\udc82", "\\xe2\\x82"},
		{S("x\xe2\x80\xae"
		   "y"),
		 "x\xe2\x80\xae"
		 "y",
		 "x\\xe2\\x80\\xaey"},
		{S("sixteen letters! and \"more\" of them, plain"),
		 "sixteen letters! and \\\"more\\\" of them, plain",
		 "sixteen letters! and \"more\" of them, plain"},
	};
	char out[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *end = tr_text_json(out, rows[i].text, rows[i].len);

		CHECK_BYTES(out, end - out, rows[i].json, strlen(rows[i].json));
		end = tr_text_terminal(out, rows[i].text, rows[i].len, 0);
		CHECK_BYTES(out, end - out, rows[i].terminal, strlen(rows[i].terminal));
	}
	CHECK_BYTES(out, tr_text_terminal(out, S("a\\b\n"), 1) - out, "a\\b\\n", 5);
}

/* A byte that is not plain, in each of the sixteen places, behind others that are. */
static void check_plain(void)
{
	for (int byte = 0; byte < 256; byte++) {
		bool plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';

		for (int at = 0; at < 16; at++) {
			char text[16];

			memset(text, at % 2 ? 0x20 : 0x7e, sizeof(text));
			text[at] = (char)byte;
			CHECK_INT(tr_text_plain(text), plain ? 16 : at);
			if (at < 15)
				text[15] = '"';
			CHECK_INT(tr_text_plain(text), at == 15 && plain ? 16 : plain ? 15 : at);
		}
	}
}

/* Every three bytes, and four that begin a character: against iconv. */
static void check_utf8(void)
{
	iconv_t to_utf32 = iconv_open("UTF-32LE", "UTF-8");

	CHECK(to_utf32 != (iconv_t)-1);
	for (uint32_t i = 0; i < 1 << 21; i++) {
		char text[4] = {(char)(0x80 | i >> 14), (char)(i >> 6), (char)i,
				(char)(0x80 | i % 61)};
		char *in = text, wide[4], *out = wide;
		size_t in_left = 4, out_left = 4, n;

		if (i % 3) /* most: all but the first are continuations */
			for (int k = 1; k < 3; k++)
				text[k] = (char)(0x80 | (text[k] & 0x3f));
		iconv(to_utf32, NULL, NULL, NULL, NULL);
		iconv(to_utf32, &in, &in_left, &out, &out_left);
		n = out_left ? 0 : 4 - in_left;
		CHECK_INT(tr_utf8_length(text, 4), n);
		if (n > 1)
			CHECK_INT(tr_utf8_length(text, n - 1), 0);
	}
	iconv_close(to_utf32);
}

static void check_width(void)
{
	CHECK_INT(tr_text_width(S("")), 0);
	CHECK_INT(tr_text_width(S("abc")), 3);
	CHECK_INT(tr_text_width(S("gr\xc3\xbc")), 3);
	CHECK_INT(tr_text_width(S("e\xcc\x81")), 1);                /* a combining accent */
	CHECK_INT(tr_text_width(S("\xe6\x97\xa5\xe6\x9c\xac")), 4); /* two wide ones */
	CHECK_INT(tr_text_width(S("\xf0\x9f\x90\x9d")), 2);         /* a bee */
	CHECK_INT(tr_text_width(S("\xff"
				  "a")),
		  2);
	CHECK_INT(tr_text_width(S("\xf3\xbf\xbf\xbd")), 1);
}

static void check_distance(void)
{
	CHECK_INT(tr_text_distance(S(""), S("")), 0);
	CHECK_INT(tr_text_distance(S("read"), S("read")), 0);
	CHECK_INT(tr_text_distance(S("raed"), S("read")), 2);
	CHECK_INT(tr_text_distance(S("red"), S("read")), 1);
	CHECK_INT(tr_text_distance(S("reads"), S("read")), 1);
	CHECK_INT(tr_text_distance(S("kitten"), S("sitting")), 3);
	CHECK_INT(tr_text_distance(S(""), S("abc")), 3);
}

int main(void)
{
	check_escapes();
	check_plain();
	check_utf8();
	check_width();
	check_distance();
	return check_status();
}
