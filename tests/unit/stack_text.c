/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks as JSON arrays and as lines, and how one form follows from the other. */
#include "stack_text.h"

#include <stdlib.h>

#include "check.h"

#define S(text)                                                                                    \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}

static const struct {
	struct tr_string frames[4];
	size_t n, room;
	const char *json, *text;
} rows[] = {
	{{{0}}, 0, 1000, "[]", ""},
	{{S("main")}, 1, 1000, "[\"main\"]", "    main\n"},
	{{S("main"), S("f"), S("read")},
	 3,
	 1000,
	 "[\"main\",\"f\",\"read\"]",
	 "    read\n    f\n    main\n"},
	{{S("[my prog+0x12]"), S("a\"b\n"), S("\xff")},
	 3,
	 1000,
	 "[\"[my prog+0x12]\",\"a\\\"b\\n\",\"\\udcff\"]",
	 "    \\xff\n    a\"b\\n\n    [my prog+0x12]\n"},
	{{S("main"), S("f"), S("read")}, 3, 12, "[\"[cut]\"]", "    read\n    f\n    main\n"},
	{{S("main"), S("f"), S("read")},
	 3,
	 24,
	 "[\"[cut]\",\"f\",\"read\"]",
	 "    read\n    f\n    main\n"},
};

/* The lines of the array in JSON. */
static size_t lines_of_array(char *text, const char *json)
{
	struct tr_json_object object = {0};
	char line[256];
	char *end = text;

	snprintf(line, sizeof(line), "{\"stack\":%s}", json);
	CHECK(!tr_json_parse(&object, line, strlen(line)));
	if (object.n == 1)
		end = tr_stack_text_write_array(text, &object, &object.members[0].value);
	tr_json_release(&object);
	return end - text;
}

/* However little room there is, the array takes no more. */
static void check_room(void)
{
	struct tr_string frames[] = {S("main"), S("a\"b"), S("\x01\x02"), S("read")};
	struct tr_stack stack = {frames, 4};
	char json[256];

	for (size_t room = 10; room < 100; room++)
		CHECK(tr_stack_json_write(json, &stack, room) - json <= (long)room);
}

int main(void)
{
	static const char odd[] = "    null\n    {\"a\":2}\n    1\n";
	char out[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tr_stack stack = {rows[i].frames, rows[i].n};
		size_t len = tr_stack_json_write(out, &stack, rows[i].room) - out;

		CHECK_BYTES(out, len, rows[i].json, strlen(rows[i].json));
		len = tr_stack_text_write(out, &stack) - out;
		CHECK_BYTES(out, len, rows[i].text, strlen(rows[i].text));
		CHECK(len <= tr_stack_text_max(&stack));
		if (rows[i].room < 1000)
			continue;
		len = lines_of_array(out, rows[i].json);
		CHECK_BYTES(out, len, rows[i].text, strlen(rows[i].text));
	}
	CHECK_BYTES(out, lines_of_array(out, "[1,{\"a\":2},null]"), odd, strlen(odd));
	check_room();
	return check_status();
}
