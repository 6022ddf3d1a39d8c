/* SPDX-License-Identifier: GPL-2.0-only */
/* A record's text as its kind's format has it: packed and as a JSON object. */
#include "record_format.h"

#include <stdlib.h>

#include "check.h"
#include "part.h"
#include "record_json.h"
#include "record_text.h"

static const struct {
	const char *format, *text, *object; /* NULL: the same */
} rows[] = {
	{"", "", NULL},
	{"plain", "plain", NULL},
	{"fd={{.fd}} at 0x{{printf \"%x\" .addr}}", "fd=-3 at 0x7f00ab", NULL},
	{"{{.fd}}{{ .n }}{{\t.name }}", "-312a \"b\"\\x1b", NULL},
	{"{{.addr}} {{.ok}} {{.list}} {{.call}}", "0x7f00ab true 1,-2 read",
	 "0x7f00ab true [1,-2] read"},
	{"{{.nothing}} {{printf \"%d\" .nothing}}", "? ?", NULL},
	{"{{printf \"%d|%\" .n}}", "{{printf \"%d|%\" .n}}", NULL},
	{"{{printf \"%5d|\" .n}}{{printf \"%-5d|\" .n}}{{printf \"%05d|\" .fd}}",
	 "   12|12   |-0003|", NULL},
	{"{{printf \"%x %X\" .n}}", "{{printf \"%x %X\" .n}}", NULL}, /* one verb */
	{"{{printf \"%X\" .addr}} {{printf \"%#x\" .addr}} {{printf \"%#o\" .n}} {{printf \"%+d\" "
	 ".n}}",
	 "7F00AB 0x7f00ab 014 +12", NULL},
	{"{{printf \"%x\" .fd}} {{printf \"%x\" .big}} {{printf \"%d\" .big}}",
	 "-3 ffffffffffffffff 18446744073709551615", NULL},
	{"{{printf \"%08x\" .addr}}", "007f00ab", NULL},
	{"{{printf \"%c%c\" .letter}}", "{{printf \"%c%c\" .letter}}", NULL},
	{"{{printf \"%c\" .letter}}{{printf \"%c\" .escape}}", "A\\x1b", NULL},
	{"{{printf \"[%s]\" .name}} {{printf \"%q\" .name}} {{printf \"%v\" .n}} {{printf \"%s\" "
	 ".n}}",
	 "[a \"b\"\\x1b] \"a \\\"b\\\"\\x1b\" 12 12", NULL},
	{"{{printf \"%10s|\" .name}}{{printf \"%-10s|\" .call}}", " a \"b\"\\x1b|read      |",
	 NULL},
	{"{{printf \"%d\" .name}}", "a \"b\"\\x1b", NULL},
	{"{{printf \"%64d\" .n}}",
	 "                                                              12", NULL},
	{"{{printf \"%65d\" .n}} {{printf \"%z\" .n}} {{printf %d .n}} {{fd}} {{.fd} {{.fd }",
	 "{{printf \"%65d\" .n}} {{printf \"%z\" .n}} {{printf %d .n}} {{fd}} {{.fd} {{.fd }",
	 NULL},
	{"{ {{ {{{.n}}} }} \x1b[31m\n", "{ {{ {12} }} \\x1b[31m\\n", NULL},
	{"{{.}} {{", "{{.}} {{", NULL},
};

static const char schema[] = "{\"kind\":64,\"type\":\"odd\",\"key\":\"name\",\"fields\":[[\"fd\","
			     "\"i32\"],[\"n\",\"u16\"],"
			     "[\"addr\",\"addr\"],[\"big\",\"u64\"],[\"ok\",\"bool\"],[\"list\","
			     "\"i8[2]\"],[\"letter\",\"u8\"],"
			     "[\"escape\",\"u32\"],[\"call\",\"syscall\"],[\"name\",\"str\"]]}";
static const char record[] = "{\"type\":\"odd\",\"fd\":-3,\"n\":12,\"addr\":\"0x7f00ab\",\"big\":"
			     "\"18446744073709551615\","
			     "\"ok\":true,\"list\":[1,-2],\"letter\":65,\"escape\":27,\"call\":"
			     "\"read\",\"name\":\"a \\\"b\\\"\\u001b\"}";

int main(void)
{
	static unsigned char body[TR_MAX_LINE];
	static char text[1 << 16];
	struct tr_json_object object = {0};
	struct tr_part *part = tr_part_new(NULL);
	struct tr_part_kind *kind;

	CHECK(!tr_json_parse(&object, schema, strlen(schema)));
	CHECK_INT(tr_part_add_schema(part, &object), 1);
	kind = tr_part_find_kind(part, 64);
	CHECK(!tr_json_parse(&object, record, strlen(record)));
	CHECK(tr_record_json_pack(tr_part_kind_json(kind), &object, body) > 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *as_object = rows[i].object ? rows[i].object : rows[i].text;
		size_t len;

		kind->own.format = (char *)rows[i].format;
		len = tr_record_format_write(text, kind->kind, part->calls, body, 0) - text;
		CHECK_BYTES(text, len, rows[i].text, strlen(rows[i].text));
		CHECK(len <= tr_record_format_max(rows[i].format));
		len = tr_object_format_write(text, kind->kind, part->calls, &object) - text;
		CHECK_BYTES(text, len, as_object, strlen(as_object));
	}
	/* the line around it */
	kind->own.format = (char *)"n is {{.n}}";
	*tr_record_text_write(text, kind->kind, part->calls, body, 0) = 0;
	CHECK_TEXT(text, "[a \"b\"\\x1b] n is 12\n");
	*tr_object_text_write(text, &object, part->calls, kind->kind, "") = 0;
	CHECK_TEXT(text, "[a \"b\"\\x1b] n is 12\n");
	kind->own.format = NULL;
	tr_json_release(&object);
	tr_part_free(part);
	return check_status();
}
