/* SPDX-License-Identifier: GPL-2.0-only */
/* Events as text. */
#include "event_text.h"

#include <ctype.h>
#include <string.h>

#include "colour.h"
#include "flags.h"
#include "number.h"
#include "record_value.h"
#include "text.h"

enum {
	TYPE_WIDTH = 8,
	WHO_WIDTH = 23, /* a name of 15 bytes and a number of 7 */
	VALUE_MAX = TR_NUMBER_MAX + TR_FLAGS_MAX,
};

size_t tr_event_text_max(const struct tr_kind *kind)
{
	return 64 + TYPE_WIDTH + WHO_WIDTH + 8 * TR_COLOUR_MAX + strlen(kind->text) +
	       (size_t)kind->n_fields * (VALUE_MAX + sizeof(TR_CUT_MARK)) + 3 * TR_MAX_NAME;
}

static struct tr_record_value value_named(const struct tr_record_source *s, const char *name)
{
	return tr_record_value(s, tr_kind_field(s->kind, name, strlen(name)));
}

/* Zero bytes stand between a program's arguments. */
static char *put_text(char *p, const struct tr_record_value *v)
{
	const char *text = v->text, *end = text + v->len;

	while (text < end) {
		size_t len = strnlen(text, end - text);

		p = tr_text_terminal(p, text, len, 1);
		text += len;
		if (text < end) {
			*p++ = ' ';
			text++;
		}
	}
	return v->cut ? stpcpy(p, TR_CUT_MARK) : p;
}

static char *put_number(char *p, const struct tr_record_source *s, const struct tr_field *f,
			int64_t number)
{
	switch ((enum tr_type)f->type) {
	case TR_T_duration: return p + tr_time_format(p, number);
	case TR_T_bytes: return p + tr_size_format(p, number);
	case TR_T_syscall: return p + tr_syscall_name(s->calls, number, p);
	default: break;
	}
	switch ((enum tr_class)tr_types[f->type].class) {
	case TR_C_hex: return p + tr_hex_format(p, number);
	case TR_C_flag: return stpcpy(p, number ? "true" : "false");
	case TR_C_sint: return tr_i64_put(p, number);
	default: return tr_u64_put(p, number);
	}
}

/* {NAME} or {NAME:SET}, LEN bytes without the braces. Sets EMPTY when there is nothing to say. */
static char *put_value(char *p, const struct tr_record_source *s, const char *name, size_t len,
		       bool *empty)
{
	const char *colon = memchr(name, ':', len);
	size_t name_len = colon ? (size_t)(colon - name) : len;
	const struct tr_field *f = tr_kind_field(s->kind, name, name_len);
	const struct tr_flag_set *set = colon ? tr_flags_find(colon + 1, len - name_len - 1) : NULL;
	struct tr_record_value v = tr_record_value(s, f);

	*empty = v.known && (v.is_text ? !v.len : !v.number);
	if (!v.known)
		return stpcpy(p, "?");
	if (v.is_text)
		return put_text(p, &v);
	return set ? tr_flags_write(p, set, v.number) : put_number(p, s, f, v.number);
}

/* TEXT up to END or a closing bracket, filled in. Returns the end; REST is where it stopped. */
static char *put_filled(char *p, const struct tr_record_source *s, const char *text,
			const char **rest, bool *first_is_empty)
{
	bool first = true;

	while (*text && *text != ']') {
		const char *close;
		bool empty;

		if (*text == '[') {
			char *begin = p;

			p = put_filled(p, s, text + 1, &text, &empty);
			text++;
			if (empty)
				p = begin;
			continue;
		}
		if (*text != '{') {
			*p++ = *text++;
			continue;
		}
		close = strchr(text, '}');
		p = put_value(p, s, text + 1, close - text - 1, &empty);
		text = close + 1;
		if (first)
			*first_is_empty = empty;
		first = false;
	}
	*rest = text;
	return p;
}

/* Spaces up to WIDTH columns from BEGIN, one at least. */
static char *pad(char *p, const char *begin, size_t width)
{
	size_t used = tr_text_width(begin, p - begin);

	do
		*p++ = ' ';
	while (++used < width);
	return p;
}

static char *put_type(char *p, const char *type)
{
	char *begin;

	p = tr_colour_put(p, TR_STRONG);
	begin = p;
	while (*type)
		*p++ = toupper((unsigned char)*type++);
	p = pad(p, begin, TYPE_WIDTH);
	return tr_colour_put(p, TR_PLAIN);
}

/* "nginx 1234", and the thread where it is not the process's first. */
static char *put_who(char *p, const struct tr_record_source *s)
{
	struct tr_record_value comm = value_named(s, "comm"), pid = value_named(s, "pid");
	struct tr_record_value tid = value_named(s, "tid");
	char *begin = p;

	if (comm.known && comm.is_text)
		p = put_text(p, &comm);
	*p++ = ' ';
	p = pid.known ? tr_u64_put(p, pid.number) : stpcpy(p, "?");
	if (tid.known && tid.number != pid.number) {
		*p++ = '/';
		p = tr_u64_put(p, tid.number);
	}
	return pad(p, begin, WHO_WIDTH);
}

static char *put_event(char *p, const struct tr_record_source *s)
{
	const char *rest;
	bool empty;

	p = put_type(p, s->kind->type);
	p = put_who(p, s);
	p = put_filled(p, s, s->kind->text, &rest, &empty);
	*p++ = '\n';
	return p;
}

char *tr_event_text_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			  const unsigned char *body, unsigned flags)
{
	struct tr_record_source s = {.kind = kind, .calls = calls, .body = body, .flags = flags};

	return put_event(p, &s);
}

char *tr_event_object_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			    const struct tr_json_object *object)
{
	struct tr_record_source s = {.kind = kind, .calls = calls, .object = object};

	return put_event(p, &s);
}
