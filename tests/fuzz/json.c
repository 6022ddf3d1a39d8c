/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzing of JSON lines. The first byte says what the others are: a text, which our parser must
 * understand as jansson does; or a kind's fields and a body, which must come back from its line; or
 * the same fields and a line, which scan may only take when the parser does and packs the same.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/oracle.h"
#include "record_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char scanned[TR_MAX_LINE], packed[TR_MAX_LINE];

/* A kind of up to 12 fields, whose types the bytes at DATA choose. Returns how many it used, 0
 * when they are no kind. */
static size_t make_kind(struct tr_kind *kind, const uint8_t *data, size_t size)
{
	size_t n = size ? data[0] % 12 + 1 : 1, used = 1;
	struct tr_field *fields = calloc(n, sizeof(*fields));

	for (size_t i = 0; i < n; i++, used++) {
		uint8_t byte = used < size ? data[used] : 0;
		struct tr_field *f = &fields[i];

		f->type = (byte & 31) % TR_N_TYPES;
		f->array = byte >> 5 & 1 && tr_types[f->type].class != TR_C_text;
		f->n = f->array ? 1 + (byte >> 6) : 1;
		/* One that is null for a call without result, then a, bb, ccc ... */
		if (i == 0)
			strcpy(f->name, "ns");
		else
			memset(f->name, 'a' + (int)i, 3 * i);
	}
	if (tr_kind_init(kind, TR_FIRST_YAML_KIND, "t", fields, n)) {
		free(fields);
		return 0;
	}
	return used;
}

/* Makes a body of the kind from these bytes: strings end where the bytes do, and a comm holds
 * nothing behind its first zero. Returns its size, or 0. */
static size_t make_body(const struct tr_kind *kind, unsigned char *body, const uint8_t *data,
			size_t size)
{
	size_t rest;

	if (size < kind->fixed_bytes || size > 60000)
		return 0;
	memcpy(body, data, size);
	rest = size - kind->fixed_bytes;
	for (size_t i = 0; i < kind->n_fields; i++) {
		unsigned char *p = body + kind->fields[i].offset;
		uint16_t n;

		if (kind->fields[i].type == TR_T_comm) {
			size_t len = strnlen((char *)p, 16);

			memset(p + len, 0, 16 - len);
		} else if (kind->fields[i].type == TR_T_str) {
			memcpy(&n, p, 2);
			if ((n & 0x7fffU) > rest)
				n = (n & 0x8000) | (rest & 0x7fff);
			rest -= n & 0x7fff;
			memcpy(p, &n, 2);
		}
	}
	return size - rest;
}

/* What scan takes of a line with these bytes behind it. */
static size_t scan(struct tr_record_json *plan, const char *line, size_t len, int behind)
{
	char *copy = malloc(len + 32);
	size_t bytes;

	memcpy(copy, line, len);
	memset(copy + len, behind, 32);
	bytes = tr_record_json_scan(plan, copy, len, scanned);
	free(copy);
	return bytes;
}

static size_t pack(struct tr_record_json *plan, struct tr_json_object *object, const char *line,
		   size_t len)
{
	char *copy = malloc(len ? len : 1);
	size_t bytes = 0;

	memcpy(copy, line, len);
	if (!tr_json_parse(object, copy, len))
		bytes = tr_record_json_pack(plan, object, packed);
	else if (bytes)
		abort();
	free(copy);
	return bytes;
}

static void try_body(struct tr_record_json *plan, struct tr_json_object *object,
		     const unsigned char *body, size_t bytes)
{
	char *line = malloc(tr_record_json_max(plan, body)), *end;

	end = tr_record_json_write(plan, line, body, TR_NO_RESULT | TR_STILL_RUNNING);
	if (scan(plan, line, end - line - 1, '\n') || tr_json_parse(object, line, end - line - 1))
		abort();
	end = tr_record_json_write(plan, line, body, 0);
	if (end[-1] != '\n' || memchr(line, '\n', end - line - 1))
		abort();
	if (scan(plan, line, end - line - 1, body[0]) != bytes || memcmp(scanned, body, bytes))
		abort();
	if (pack(plan, object, line, end - line - 1) != bytes || memcmp(packed, body, bytes))
		abort();
	free(line);
}

static void try_line(struct tr_record_json *plan, struct tr_json_object *object, const char *line,
		     size_t len)
{
	size_t bytes = scan(plan, line, len, '0'), again = scan(plan, line, len, '"');
	size_t full = pack(plan, object, line, len);

	if (bytes != again)
		abort();
	/* What either takes is a body that comes back. */
	if (bytes && (full != bytes || memcmp(scanned, packed, bytes)))
		abort();
	if (full) {
		unsigned char *body = malloc(full);

		memcpy(body, packed, full);
		try_body(plan, object, body, full);
		free(body);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tr_syscalls *calls = tr_syscalls_of("x86_64");
	static struct tr_json_object object;
	static unsigned char body[TR_MAX_LINE];
	struct tr_record_json *plan;
	struct tr_kind kind;
	size_t used, bytes;

	if (!size)
		return 0;
	if (data[0] == '{') {
		if (!oracle_agrees(&object, (const char *)data, size))
			abort();
		return 0;
	}
	used = make_kind(&kind, data + 1, size - 1);
	if (!used++)
		return 0;
	if (used > size)
		used = size;
	plan = tr_record_json_new(&kind, calls);
	bytes = make_body(&kind, body, data + used, size - used);
	if (data[0] & 1)
		try_line(plan, &object, (const char *)data + used, size - used);
	else if (bytes)
		try_body(plan, &object, body, bytes);
	tr_record_json_free(plan);
	tr_kind_release(&kind);
	return 0;
}
