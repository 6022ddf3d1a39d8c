/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzing of expressions: the first line of the input is one, the rest a packed record and a JSON
 * object. Whatever holds for the record must hold for its JSON form.
 */
#include "../unit/try_expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TEXT = 4096, MAX_BODY = 1024 };

static struct tr_part *part;
static struct tr_part_kind *kind;

static void must(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

static void try_record(const char *text, const uint8_t *data, size_t size)
{
	static unsigned char body[MAX_BODY + 64];
	static struct tr_json_object object;
	static char json[16 * MAX_BODY];
	struct tr_expr_error error = {0};
	enum verdict packed, as_object;
	char *end;

	memset(body, 0, sizeof(body));
	memcpy(body, data, size < MAX_BODY ? size : MAX_BODY);
	if (!tr_body_bytes(kind->kind, body, MAX_BODY))
		return;
	packed = expr_packed(kind, text, body, &error);
	must(packed != IS_ERROR || (error.column && *error.what), "an error says where and what");
	must(error.column <= strlen(text) + 1, "it is a place in the text");
	end = tr_record_json_write(tr_part_kind_json(kind), json, body, 0);
	must(!tr_json_parse(&object, json, end - json - 1), "a record's JSON parses");
	as_object = expr_object(part, kind->kind, text, &object, &error);
	must(packed == IS_ERROR || packed == as_object, "both forms are selected alike");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tr_json_object object;
	const uint8_t *newline = memchr(data, '\n', size);
	struct tr_string type = {"odd", 3};
	struct tr_expr_error error;
	char text[MAX_TEXT + 1];
	size_t len = newline ? (size_t)(newline - data) : size;

	if (!part) {
		part = expr_part();
		kind = tr_part_next_kind(part, type, NULL);
	}
	if (len > MAX_TEXT)
		return 0;
	memcpy(text, data, len);
	text[len] = 0;
	if (newline)
		len++;
	try_record(text, data + len, size - len);
	if (!tr_json_parse(&object, (const char *)data + len, size - len)) {
		expr_object(part, NULL, text, &object, &error);
		expr_object(part, kind->kind, text, &object, &error);
	}
	return 0;
}
