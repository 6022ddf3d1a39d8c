/* SPDX-License-Identifier: GPL-2.0-only */
/* Values, written as each form has them. */
#include "cells.h"

#include <string.h>

#include "errno_name.h"
#include "number.h"
#include "text.h"

enum { MAX_ELEMENT = TR_SYSCALL_NAME_MAX + 8 };

static const char cut_mark[] = "\xe2\x80\xa6"; /* U+2026 */

void cell_null(struct tr_out *out, enum cell_form form)
{
	static const char *const nulls[] = {
		[CELL_JSON] = "null", [CELL_CSV] = "", [CELL_TEXT] = "?"};

	tr_out_text(out, nulls[form]);
}

/* As RFC 4180 has it, TEXT being safe for a terminal already. */
static char *put_quoted(char *p, const char *text, size_t len)
{
	if (!memchr(text, ',', len) && !memchr(text, '"', len)) {
		memcpy(p, text, len);
		return p + len;
	}
	*p++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			*p++ = '"';
		*p++ = text[i];
	}
	*p++ = '"';
	return p;
}

void cell_string(struct tr_out *out, enum cell_form form, struct tr_string text, bool cut)
{
	char *p = tr_out_reserve(out, 12 * text.len + 64), *shown;

	if (form == CELL_JSON) {
		p = tr_json_put_string(p, text);
		if (cut) {
			p = stpcpy(p - 1, cut_mark);
			*p++ = '"';
		}
		tr_out_commit(out, p);
		return;
	}
	/* behind what it may take with quotes */
	shown = form == CELL_CSV ? p + 8 * text.len + 32 : p;
	char *end = tr_text_terminal(shown, text.bytes, text.len, 1);

	if (cut)
		end = stpcpy(end, cut_mark);
	tr_out_commit(out, form == CELL_CSV ? put_quoted(p, shown, end - shown) : end);
}

static char *put_integer(char *p, enum cell_form form, const struct tr_field *f, int64_t v)
{
	bool json = form == CELL_JSON;

	switch ((enum tr_class)tr_types[f->type].class) {
	case TR_C_uint: return json ? tr_json_put_u64(p, v) : tr_u64_put(p, v);
	case TR_C_sint: return json ? tr_json_put_i64(p, v) : tr_i64_put(p, v);
	case TR_C_hex: return json ? tr_json_put_hex(p, v) : p + tr_hex_format(p, v);
	case TR_C_flag: return stpcpy(p, v ? "true" : "false");
	case TR_C_text:
	case TR_C_code: break;
	}
	return p;
}

static char *put_element(char *p, enum cell_form form, const struct tr_part_kind *kind,
			 const struct tr_field *f, int64_t v)
{
	if (tr_types[f->type].class != TR_C_code)
		return put_integer(p, form, f, v);
	if (form == CELL_JSON)
		*p++ = '"';
	p += tr_syscall_name(kind->part->calls, v, p);
	if (form == CELL_JSON)
		*p++ = '"';
	return p;
}

/* An array in full: as JSON has it; elsewhere with spaces, which need no quotes. */
static char *put_array(char *p, enum cell_form form, const struct tr_part_kind *kind,
		       const struct tr_field *f, const unsigned char *body)
{
	if (form == CELL_JSON)
		*p++ = '[';
	for (int i = 0; i < f->n; i++) {
		if (i)
			*p++ = form == CELL_CSV ? ' ' : ',';
		p = put_element(p, form, kind, f, tr_field_int(f, body, i));
	}
	if (form == CELL_JSON)
		*p++ = ']';
	return p;
}

void cell_field(struct tr_out *out, enum cell_form form, const struct tr_part_kind *kind,
		const struct tr_field *f, int element, const unsigned char *body)
{
	char *p;

	if (element >= (f->array ? f->n : 0)) {
		cell_null(out, form);
	} else if (tr_types[f->type].class == TR_C_text) {
		struct tr_string text;
		bool cut;

		text.bytes = tr_field_text(kind->kind, f, body, &text.len, &cut);
		cell_string(out, form, text, cut);
	} else {
		p = tr_out_reserve(out, (size_t)f->n * MAX_ELEMENT + 8);
		if (element < 0 && f->array)
			p = put_array(p, form, kind, f, body);
		else
			p = put_element(p, form, kind, f,
					tr_field_int(f, body, element < 0 ? 0 : element));
		tr_out_commit(out, p);
	}
}

void cell_value(struct tr_out *out, enum cell_form form, struct tr_json_object *object,
		const struct tr_json_value *value, int element)
{
	struct tr_json_value found;
	struct tr_string rest;

	if (value && element >= 0) {
		rest = value->source;
		for (int i = 0; value && i <= element; i++)
			if (value->type != TR_JSON_ARRAY ||
			    tr_json_array_next(object, &rest, &found) != 1)
				value = NULL;
		value = value ? &found : NULL;
	}
	if (!value || value->type == TR_JSON_NULL)
		cell_null(out, form);
	else if (form == CELL_JSON)
		tr_out_bytes(out, value->source.bytes, value->source.len);
	else
		cell_string(out, form,
			    value->type == TR_JSON_STRING ? value->string : value->source, false);
}

void cell_errno(struct tr_out *out, enum cell_form form, int number)
{
	char name[TR_ERRNO_NAME_MAX];

	if (number)
		cell_string(out, form, (struct tr_string){name, tr_errno_name(number, name)},
			    false);
	else
		cell_null(out, form);
}
