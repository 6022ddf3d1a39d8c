/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as text for people. */
#include "record_text.h"

#include "errno_name.h"
#include "number.h"
#include "result.h"
#include "text.h"

static const char cut_mark[] = "\xe2\x80\xa6"; /* U+2026 */

static char *put(char *p, const char *text)
{
	return stpcpy(p, text);
}

/* "0.003417123": seconds, all nine digits, so that no two records look alike by rounding. */
static char *put_seconds(char *p, uint64_t ns)
{
	char digits[TR_NUMBER_MAX];

	p = tr_u64_put(p, ns / 1000000000);
	tr_u64_put(digits, 1000000000 + ns % 1000000000);
	digits[0] = '.';
	memcpy(p, digits, 10);
	return p + 10;
}

/* What a negative result means: " (ENOENT)". */
static char *put_error(char *p, int64_t ret)
{
	char name[TR_ERRNO_NAME_MAX];

	if (tr_result_is_restart(ret))
		return put(p, " (restarted)");
	if (!tr_result_is_error(ret))
		return p;
	tr_errno_name(-ret, name);
	return *name == 'E' ? put(put(put(p, " ("), name), ")") : p;
}

static char *put_int(char *p, const struct tr_field *f, const unsigned char *body, size_t i)
{
	int64_t v = tr_field_int(f, body, i);

	switch ((enum tr_class)tr_types[f->type].class) {
	case TR_C_uint: return tr_u64_put(p, v);
	case TR_C_sint: return tr_i64_put(p, v);
	case TR_C_hex: return p + tr_hex_format(p, v);
	case TR_C_flag: return put(p, v ? "true" : "false");
	case TR_C_text:
	case TR_C_code: break;
	}
	return p;
}

static char *put_value(char *p, const struct tr_kind *kind, const struct tr_field *f,
		       const struct tr_syscalls *calls, const unsigned char *body, size_t max_text)
{
	if (tr_types[f->type].class == TR_C_text) {
		bool cut;
		size_t len;
		const char *text = tr_field_text(kind, f, body, &len, &cut);

		if (len > max_text) {
			len = max_text;
			cut = true;
		}
		p = tr_text_terminal(p, text, len, 1);
		return cut ? put(p, cut_mark) : p;
	}
	for (size_t i = 0; i < f->n; i++) {
		if (i)
			*p++ = ',';
		p = tr_types[f->type].class == TR_C_code
			    ? p + tr_syscall_name(calls, tr_field_int(f, body, i), p)
			    : put_int(p, f, body, i);
	}
	return p;
}

char *tr_field_cell(char *p, const struct tr_kind *kind, const struct tr_field *field,
		    const struct tr_syscalls *calls, const unsigned char *body)
{
	return put_value(p, kind, field, calls, body, (TR_CELL_MAX - 8) / 4);
}

size_t tr_record_text_max(const struct tr_kind *kind, const unsigned char *body)
{
	size_t max = 64;

	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];
		size_t len = TR_SYSCALL_NAME_MAX;
		bool cut;

		if (tr_types[f->type].class == TR_C_text)
			tr_field_text(kind, f, body, &len, &cut);
		max += TR_MAX_NAME + 24 + (4 * len + 4) * f->n;
	}
	return max;
}

static bool is_who(const char *name)
{
	return !strcmp(name, "pid") || !strcmp(name, "tid") || !strcmp(name, "comm");
}

static char *put_field(char *p, const struct tr_kind *kind, const struct tr_field *f,
		       const struct tr_syscalls *calls, const unsigned char *body, bool null)
{
	bool is_ns = !strcmp(f->name, "ns"), is_ret = !strcmp(f->name, "ret");

	*p++ = ' ';
	p = put(put(p, is_ns ? "latency" : is_ret ? "retval" : f->name), "=");
	if (null && tr_field_is_result(f))
		return put(p, "?");
	p = put_value(p, kind, f, calls, body, SIZE_MAX);
	if (is_ns)
		return put(p, "ns");
	return is_ret ? put_error(p, tr_field_int(f, body, 0)) : p;
}

char *tr_record_text_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			   const unsigned char *body, unsigned flags)
{
	const struct tr_field *ts = tr_kind_field(kind, "ts", 2);
	const struct tr_field *key =
		kind->role[TR_R_key] < 0 ? NULL : &kind->fields[kind->role[TR_R_key]];

	if (ts) {
		p = put_seconds(p, tr_field_int(ts, body, 0));
		*p++ = ' ';
	}
	*p++ = '[';
	p = key ? put_value(p, kind, key, calls, body, SIZE_MAX) : put(p, kind->type);
	*p++ = ']';
	for (int who = 1; who >= 0; who--)
		for (size_t i = 0; i < kind->n_fields; i++) {
			const struct tr_field *f = &kind->fields[i];

			if (f != ts && f != key && is_who(f->name) == who)
				p = put_field(p, kind, f, calls, body, flags & TR_NO_RESULT);
		}
	if (flags & TR_STILL_RUNNING)
		p = put(p, " why=still running");
	*p++ = '\n';
	return p;
}

static char *put_json_value(char *p, const struct tr_json_value *v)
{
	if (v->type == TR_JSON_STRING)
		return tr_text_terminal(p, v->string.bytes, v->string.len, 1);
	if (v->type == TR_JSON_NULL)
		return put(p, "?");
	return tr_text_terminal(p, v->source.bytes, v->source.len, 1);
}

/* ` latency=12ns`: a member beside time and label. */
static char *put_member(char *p, const struct tr_json_member *m)
{
	const struct tr_json_value *v = &m->value;
	bool is_ns = tr_string_is(m->key, "ns"), is_ret = tr_string_is(m->key, "ret");

	*p++ = ' ';
	if (is_ns || is_ret)
		p = put(p, is_ns ? "latency" : "retval");
	else
		p = tr_text_terminal(p, m->key.bytes, m->key.len, 1);
	*p++ = '=';
	p = put_json_value(p, v);
	if (v->type != TR_JSON_INT)
		return p;
	if (is_ns)
		return put(p, "ns");
	return is_ret ? put_error(p, v->i) : p;
}

static bool is_who_member(struct tr_string key)
{
	return tr_string_is(key, "pid") || tr_string_is(key, "tid") || tr_string_is(key, "comm");
}

char *tr_object_text_write(char *p, const struct tr_json_object *object, const char *key,
			   const char *label)
{
	const struct tr_json_value *ts = tr_json_get(object, "ts");
	const struct tr_json_value *type = tr_json_get(object, "type");
	const struct tr_json_value *shown = key ? tr_json_get(object, key) : NULL;

	if (!shown)
		shown = type;
	if (ts && ts->type == TR_JSON_INT && ts->i >= 0) {
		p = put_seconds(p, ts->i);
		*p++ = ' ';
	}
	*p++ = '[';
	p = shown ? put_json_value(p, shown) : put(p, label);
	*p++ = ']';
	for (int who = 1; who >= 0; who--)
		for (size_t i = 0; i < object->n; i++) {
			const struct tr_json_member *m = &object->members[i];

			if (&m->value != ts && &m->value != type && &m->value != shown &&
			    is_who_member(m->key) == who)
				p = put_member(p, m);
		}
	*p++ = '\n';
	return p;
}
