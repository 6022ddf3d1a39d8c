/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of events. */
#include "event_value.h"

#include <ctype.h>
#include <string.h>

#include "errno_name.h"
#include "result.h"
#include "text.h"

char *tr_event_string_put(char *p, const struct tr_record_value *v)
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

/* The names between bars at P, up to END, as the set's short ones. */
static char *shorten(char *p, const char *end, const char *set)
{
	size_t len = strlen(set);
	const char *from = p;

	while (from < end) {
		const char *bar = memchr(from, '|', end - from);
		const char *name_end = bar ? bar : end;
		bool ours = name_end - from > (ptrdiff_t)len && !memcmp(from, set, len) &&
			    from[len] == '_';

		if (ours)
			from += len + 1;
		for (; from < name_end; from++)
			*p++ = ours ? tolower((unsigned char)*from) : *from;
		if (bar)
			*p++ = ',';
		from = name_end + 1;
	}
	return p;
}

/* PROT_READ is 1, PROT_WRITE 2, PROT_EXEC 4. */
static char *put_protection(char *p, uint64_t number)
{
	for (int i = 0; i < 3; i++)
		*p++ = number >> i & 1 ? "rwx"[i] : '-';
	if (number < 8)
		return p;
	*p++ = '+';
	return p + tr_hex_format(p, number & ~7);
}

/* "127.0.0.1:80", "[::1]:80" */
static char *put_address(char *p, const struct tr_record_value *address,
			 const struct tr_record_source *s, const struct tr_field *port)
{
	struct tr_record_value number = tr_record_value(s, port);
	bool brackets = address->len && memchr(address->text, ':', address->len);

	if (!address->len)
		return stpcpy(p, "?");
	if (brackets)
		*p++ = '[';
	p = tr_event_string_put(p, address);
	if (brackets)
		*p++ = ']';
	*p++ = ':';
	return number.known ? tr_u64_put(p, number.number) : stpcpy(p, "?");
}

static bool is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static char *put_how(char *p, const char *how, size_t len, uint64_t number)
{
	const struct tr_flag_set *set;

	if (is(how, len, "?"))
		return p;
	if (is(how, len, "hex"))
		return p + tr_hex_format(p, number);
	if (is(how, len, "oct"))
		return tr_octal_put(p, number);
	if (is(how, len, "rwx"))
		return put_protection(p, number);
	set = tr_flags_find(how, len);
	return set ? shorten(p, tr_flags_write(p, set, number), set->name) : tr_u64_put(p, number);
}

/* A result that is none: an error, or that a signal came and the call begins anew. NULL: it is one.
 */
static char *put_failure(char *p, int64_t ret)
{
	if (tr_result_is_restart(ret))
		return stpcpy(p, "restarted");
	return tr_result_is_error(ret) ? p + tr_errno_name(-ret, p) : NULL;
}

char *tr_event_value_put(char *p, const struct tr_record_source *s, const char *name_how,
			 size_t len, bool *empty)
{
	const char *colon = memchr(name_how, ':', len);
	size_t name_len = colon ? (size_t)(colon - name_how) : len;
	size_t how_len = colon ? len - name_len - 1 : 0;
	const struct tr_field *f = tr_kind_field(s->kind, name_how, name_len);
	struct tr_record_value v = tr_record_value(s, f);
	char *end;

	*empty = !v.known || (v.is_text ? !v.len : !v.number);
	if (!v.known)
		return stpcpy(p, "?");
	if (v.is_text)
		return colon ? put_address(p, &v, s, tr_kind_field(s->kind, colon + 1, how_len))
			     : tr_event_string_put(p, &v);
	end = strcmp(f->name, "ret") ? NULL : put_failure(p, v.number);
	if (end)
		return end;
	return colon ? put_how(p, colon + 1, how_len, v.number) : put_number(p, s, f, v.number);
}
