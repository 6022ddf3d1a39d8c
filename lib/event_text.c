/* SPDX-License-Identifier: GPL-2.0-only */
/* Events as text. */
#include "event_text.h"

#include <ctype.h>
#include <string.h>

#include "colour.h"
#include "event_value.h"
#include "number.h"
#include "text.h"

enum {
	TYPE_WIDTH = 11, /* that of the longest, and a blank */
	WHO_WIDTH = 23,  /* a name of 15 bytes and a number of 7 */
};

size_t tr_event_text_max(const struct tr_kind *kind)
{
	return 64 + TYPE_WIDTH + WHO_WIDTH + 8 * TR_COLOUR_MAX + strlen(kind->text) +
	       (size_t)kind->n_fields * (TR_EVENT_VALUE_MAX + sizeof(TR_CUT_MARK)) +
	       3 * TR_MAX_NAME;
}

static struct tr_record_value value_named(const struct tr_record_source *s, const char *name)
{
	return tr_record_value(s, tr_kind_field(s->kind, name, strlen(name)));
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
		p = tr_event_value_put(p, s, text + 1, close - text - 1, &empty);
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
		p = tr_event_string_put(p, &comm);
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
