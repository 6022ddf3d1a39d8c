/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as text for people. */
#include "record_text.h"

#include "call_text.h"
#include "colour.h"
#include "errno_name.h"
#include "event_text.h"
#include "number.h"
#include "record_format.h"
#include "result.h"
#include "stack_text.h"
#include "text.h"

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
		return cut ? put(p, TR_CUT_MARK) : p;
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
	size_t max = 64 + 2 * TR_COLOUR_MAX + (kind->text ? tr_event_text_max(kind) : 0) +
		     (kind->format ? tr_record_format_max(kind->format) : 0);

	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];
		size_t len = TR_SYSCALL_NAME_MAX;
		bool cut;

		if (tr_types[f->type].class == TR_C_text)
			tr_field_text(kind, f, body, &len, &cut);
		max += TR_MAX_NAME + 24 + (4 * len + 4) * f->n;
		if (f->n == TR_MAX_ARGS)
			max += TR_CALL_ARGS_MAX;
	}
	return max;
}

static bool is_who(const char *name)
{
	return !strcmp(name, "pid") || !strcmp(name, "tid") || !strcmp(name, "comm");
}

/* A record whose line is written. */
struct line {
	const struct tr_kind *kind;
	const struct tr_syscalls *calls;
	const unsigned char *body;
	unsigned flags;
	const struct tr_field *ts, *key;
	const struct tr_field *args;                /* those of a call, not told by name yet */
	const struct tr_field *paths[TR_MAX_PATHS]; /* shown among the arguments */
	const struct tr_call *call;                 /* NULL: no call, or an unknown one */
};

static const struct tr_field *field_of(const struct tr_kind *kind, const char *name,
				       enum tr_type type, unsigned n)
{
	const struct tr_field *f = tr_kind_field(kind, name, strlen(name));

	return f && f->type == type && f->n == n ? f : NULL;
}

static void find_call(struct line *line)
{
	if (!line->key || line->key->type != TR_T_syscall || line->key->n != 1)
		return;
	line->call = tr_call_find(line->calls, tr_field_int(line->key, line->body, 0));
	if (!line->call)
		return;
	line->args = field_of(line->kind, "args", TR_T_hex, TR_MAX_ARGS);
	if (!line->args)
		return;
	line->paths[0] = field_of(line->kind, "path", TR_T_str, 1);
	line->paths[1] = field_of(line->kind, "path2", TR_T_str, 1);
}

static char *put_args(char *p, const struct line *line)
{
	struct tr_call_values values = {.code = tr_field_int(line->key, line->body, 0)};

	for (size_t i = 0; i < TR_MAX_ARGS; i++)
		values.args[i] = tr_field_int(line->args, line->body, i);
	for (size_t i = 0; i < TR_MAX_PATHS; i++) {
		struct tr_call_path *path = &values.paths[i];

		if (line->paths[i])
			path->bytes = tr_field_text(line->kind, line->paths[i], line->body,
						    &path->len, &path->cut);
	}
	return tr_call_args_write(p, line->calls, line->call, &values);
}

static char *put_field(char *p, const struct line *line, const struct tr_field *f)
{
	bool is_ns = !strcmp(f->name, "ns"), is_ret = !strcmp(f->name, "ret");

	if (f == line->args)
		return put_args(p, line);
	if (f == line->paths[0] || f == line->paths[1])
		return p;
	*p++ = ' ';
	p = put(put(p, is_ns ? "latency" : is_ret ? "retval" : f->name), "=");
	if (line->flags && line->flags & tr_field_null_flags(f))
		return put(p, "?");
	if (is_ret && line->call)
		p = tr_call_ret_write(p, line->call, tr_field_int(f, line->body, 0));
	else
		p = put_value(p, line->kind, f, line->calls, line->body, SIZE_MAX);
	if (is_ns)
		return put(p, "ns");
	return is_ret ? put_error(p, tr_field_int(f, line->body, 0)) : p;
}

char *tr_record_text_untimed(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const unsigned char *body, unsigned flags)
{
	struct line line = {
		.kind = kind,
		.calls = calls,
		.body = body,
		.flags = flags,
		.ts = tr_kind_field(kind, "ts", 2),
		.key = kind->role[TR_R_key] < 0 ? NULL : &kind->fields[kind->role[TR_R_key]],
	};

	if (kind->text)
		return tr_event_text_write(p, kind, calls, body, flags);
	find_call(&line);
	*p++ = '[';
	p = line.key ? put_value(p, kind, line.key, calls, body, SIZE_MAX) : put(p, kind->type);
	*p++ = ']';
	if (kind->format) {
		*p++ = ' ';
		p = tr_record_format_write(p, kind, calls, body, flags);
		*p++ = '\n';
		return p;
	}
	for (int who = 1; who >= 0; who--)
		for (size_t i = 0; i < kind->n_fields; i++) {
			const struct tr_field *f = &kind->fields[i];

			if (f != line.ts && f != line.key && is_who(f->name) == who)
				p = put_field(p, &line, f);
		}
	if (flags & TR_STILL_RUNNING)
		p = put(p, " why=still running");
	*p++ = '\n';
	return p;
}

char *tr_record_text_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			   const unsigned char *body, unsigned flags)
{
	const struct tr_field *ts = tr_kind_field(kind, "ts", 2);

	if (ts) {
		p = tr_colour_put(p, TR_FAINT);
		p = put_seconds(p, tr_field_int(ts, body, 0));
		p = tr_colour_put(p, TR_PLAIN);
		*p++ = ' ';
	}
	return tr_record_text_untimed(p, kind, calls, body, flags);
}

static char *put_json_value(char *p, const struct tr_json_value *v)
{
	if (v->type == TR_JSON_STRING)
		return tr_text_terminal(p, v->string.bytes, v->string.len, 1);
	if (v->type == TR_JSON_NULL)
		return put(p, "?");
	return tr_text_terminal(p, v->source.bytes, v->source.len, 1);
}

/* A JSON object whose line is written, as far as it is about a call. */
struct object_line {
	const struct tr_syscalls *calls;
	const struct tr_call *call;                      /* NULL: no call, or an unknown one */
	const struct tr_json_value *args;                /* all six; NULL: not known */
	const struct tr_json_value *paths[TR_MAX_PATHS]; /* shown among the arguments */
	struct tr_call_values values;
};

/* False unless ARGS are six numbers "0x..". */
static bool read_args(struct tr_json_object *object, const struct tr_json_value *args,
		      uint64_t *values)
{
	struct tr_string rest = args->source;
	struct tr_json_value v;
	size_t n = 0;

	for (; tr_json_array_next(object, &rest, &v) > 0; n++)
		if (n == TR_MAX_ARGS || v.type != TR_JSON_STRING ||
		    tr_hex_parse(v.string.bytes, v.string.len, &values[n]))
			return false;
	return n == TR_MAX_ARGS;
}

/* A cut string ends in the mark; one that is so of itself has it as an escape. */
static struct tr_call_path read_path(const struct tr_json_value *v)
{
	static const char mark[] = TR_CUT_MARK "\"";
	size_t len = strlen(mark);
	struct tr_call_path path = {0};

	if (!v || v->type != TR_JSON_STRING)
		return path;
	path.bytes = v->string.bytes;
	path.len = v->string.len;
	path.cut = v->source.len > len && !memcmp(v->source.bytes + v->source.len - len, mark, len);
	if (path.cut)
		path.len -= strlen(TR_CUT_MARK);
	return path;
}

static void find_object_call(struct object_line *line, struct tr_json_object *object)
{
	const struct tr_json_value *name = tr_json_get(object, "syscall");
	const struct tr_json_value *args = tr_json_get(object, "args");

	if (!name || name->type != TR_JSON_STRING ||
	    tr_syscall_find(line->calls, name->string.bytes, name->string.len, &line->values.code))
		return;
	line->call = tr_call_find(line->calls, line->values.code);
	if (!line->call || !args || args->type != TR_JSON_ARRAY ||
	    !read_args(object, args, line->values.args))
		return;
	line->args = args;
	line->paths[0] = tr_json_get(object, "path");
	line->paths[1] = tr_json_get(object, "path2");
	for (size_t i = 0; i < TR_MAX_PATHS; i++)
		line->values.paths[i] = read_path(line->paths[i]);
}

/* ` latency=12ns`: a member beside time and label. */
static char *put_member(char *p, const struct object_line *line, const struct tr_json_member *m)
{
	const struct tr_json_value *v = &m->value;
	bool is_ns = tr_string_is(m->key, "ns"), is_ret = tr_string_is(m->key, "ret");

	if (v == line->args)
		return tr_call_args_write(p, line->calls, line->call, &line->values);
	if (v == line->paths[0] || v == line->paths[1])
		return p;
	*p++ = ' ';
	if (is_ns || is_ret)
		p = put(p, is_ns ? "latency" : "retval");
	else
		p = tr_text_terminal(p, m->key.bytes, m->key.len, 1);
	*p++ = '=';
	if (is_ret && v->type == TR_JSON_INT && line->call)
		return put_error(tr_call_ret_write(p, line->call, v->i), v->i);
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

size_t tr_object_text_max(const struct tr_json_object *object, size_t len,
			  const struct tr_kind *kind)
{
	return 64 + 4 * len + 64 * object->n + TR_CALL_ARGS_MAX +
	       (kind && kind->text ? tr_event_text_max(kind) : 0) +
	       (kind && kind->format ? tr_record_format_max(kind->format) : 0);
}

char *tr_object_text_write(char *p, struct tr_json_object *object, const struct tr_syscalls *calls,
			   const struct tr_kind *kind, const char *label)
{
	const char *key =
		kind && kind->role[TR_R_key] >= 0 ? kind->fields[kind->role[TR_R_key]].name : NULL;
	const struct tr_json_value *ts = tr_json_get(object, "ts");
	const struct tr_json_value *type = tr_json_get(object, "type");
	const struct tr_json_value *shown = key ? tr_json_get(object, key) : NULL;
	const struct tr_json_value *stack = tr_json_get(object, "stack");
	struct object_line line = {.calls = calls};

	if (kind && kind->text)
		return tr_event_object_write(p, kind, calls, object);
	if (stack && stack->type != TR_JSON_ARRAY)
		stack = NULL;
	find_object_call(&line, object);
	if (!shown)
		shown = type;
	*p++ = '[';
	p = shown ? put_json_value(p, shown) : put(p, label);
	*p++ = ']';
	if (kind && kind->format) {
		*p++ = ' ';
		p = tr_object_format_write(p, kind, calls, object);
		*p++ = '\n';
		return stack ? tr_stack_text_write_array(p, object, stack) : p;
	}
	for (int who = 1; who >= 0; who--)
		for (size_t i = 0; i < object->n; i++) {
			const struct tr_json_member *m = &object->members[i];

			if (&m->value != ts && &m->value != type && &m->value != shown &&
			    &m->value != stack && is_who_member(m->key) == who)
				p = put_member(p, &line, m);
		}
	*p++ = '\n';
	return stack ? tr_stack_text_write_array(p, object, stack) : p;
}
