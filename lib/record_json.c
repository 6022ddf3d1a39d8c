/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans of kinds, and records written as JSON lines by them. */
#include "record_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "record_json_plan.h"
#include "text.h"

static const char still_running[] = ",\"why\":\"still running\"}\n";

/* The most bytes that writing one element of a field touches, without what a str's text takes. */
static size_t max_value(const struct tr_field *field)
{
	switch ((enum tr_class)tr_types[field->type].class) {
	case TR_C_code: return TR_SYSCALL_NAME_MAX + 2;
	case TR_C_text: return 6 * sizeof(struct tr_comm) + 2;
	case TR_C_uint:
	case TR_C_sint:
	case TR_C_hex:
	case TR_C_flag: break;
	}
	return 24;
}

static enum tr_json_op op_of(enum tr_type type)
{
	switch ((enum tr_class)tr_types[type].class) {
	case TR_C_uint: return TR_OP_UINT;
	case TR_C_sint: return TR_OP_SINT;
	case TR_C_hex: return TR_OP_HEX;
	case TR_C_flag: return TR_OP_FLAG;
	case TR_C_code: return TR_OP_CODE;
	case TR_C_text: break;
	}
	return type == TR_T_comm ? TR_OP_COMM : TR_OP_STR;
}

static void make_literal(struct tr_json_step *step, const struct tr_kind *kind)
{
	const char *name = step->field->name;
	char text[32 + 2 * TR_MAX_NAME];
	int n;

	if (step->field == kind->fields)
		n = snprintf(text, sizeof(text), "{\"type\":\"%s\",\"%s\":", kind->type, name);
	else
		n = snprintf(text, sizeof(text), ",\"%s\":", name);
	step->literal_len = n;
	step->head_len = (n - 1) / 16 * 16;
	step->tail_len = n - step->head_len;
	step->head = tr_xmalloc(step->head_len);
	memcpy(step->head, text, step->head_len);
	memcpy(step->tail, text + step->head_len, step->tail_len);
	memset(step->tail_mask, 0xff, step->tail_len);
}

static void make_step(struct tr_json_step *step, const struct tr_kind *kind,
		      const struct tr_field *field)
{
	unsigned bytes = tr_types[field->type].bytes;
	enum tr_json_op op = op_of(field->type);

	*step = (struct tr_json_step){
		.op = field->array ? TR_OP_ARRAY : op,
		.element_op = op,
		.bytes = bytes,
		.name_len = strlen(field->name),
		.offset = field->offset,
		.max = bytes <= 8 ? tr_int_max(bytes, op == TR_OP_SINT) : 0,
		.null_flags = tr_field_null_flags(field),
		.field = field,
	};
	make_literal(step, kind);
}

struct tr_record_json *tr_record_json_new(const struct tr_kind *kind,
					  const struct tr_syscalls *calls)
{
	struct tr_record_json *plan = tr_xcalloc(1, sizeof(*plan));

	plan->kind = kind;
	plan->calls = calls;
	plan->steps = tr_xcalloc(kind->n_fields, sizeof(*plan->steps));
	plan->max_bytes = sizeof(still_running);
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *field = &kind->fields[i];

		make_step(&plan->steps[i], kind, field);
		plan->max_bytes +=
			plan->steps[i].head_len + 16 + 2 + field->n * (max_value(field) + 1);
	}
	return plan;
}

void tr_record_json_free(struct tr_record_json *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->kind->n_fields; i++)
		free(plan->steps[i].head);
	free(plan->steps);
	free(plan);
}

size_t tr_record_json_max(const struct tr_record_json *plan, const unsigned char *body)
{
	size_t max = plan->max_bytes;

	for (size_t i = 0; plan->kind->has_strings && i < plan->kind->n_fields; i++) {
		uint16_t len;

		if (plan->steps[i].op != TR_OP_STR)
			continue;
		memcpy(&len, body + plan->steps[i].offset, 2);
		max += 6 * (len & TR_MAX_STR);
	}
	return max;
}

static inline char *put_literal(char *p, const struct tr_json_step *step)
{
	for (unsigned i = 0; i < step->head_len; i += 16, p += 16)
		memcpy(p, step->head + i, 16);
	memcpy(p, step->tail, 16);
	return p + step->tail_len;
}

/* A byte that is neither 0 nor 1 is no boolean, but comes back as it was. */
static char *put_flag(char *p, unsigned value)
{
	if (value > 1)
		return tr_json_put_u64(p, value);
	memcpy(p, value ? "true\0\0\0" : "false\0\0", 8);
	return p + 5 - value;
}

static char *put_code(const struct tr_record_json *plan, char *p, uint32_t code)
{
	*p++ = '"';
	p += tr_syscall_name(plan->calls, code, p);
	*p++ = '"';
	return p;
}

/* The BYTES long integer at P. */
static inline uint64_t load(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	switch (bytes) {
	case 8: memcpy(&v, p, 8); break;
	case 4: memcpy(&v, p, 4); break;
	case 2: memcpy(&v, p, 2); break;
	default: v = *p; break;
	}
	return v;
}

static inline int64_t load_signed(const unsigned char *p, unsigned bytes)
{
	unsigned unused = 64 - 8 * bytes;

	return (int64_t)(load(p, bytes) << unused) >> unused;
}

static TR_ALWAYS_INLINE char *put_value(const struct tr_record_json *plan, char *p,
					const struct tr_json_step *step, const unsigned char *bytes,
					enum tr_json_op op)
{
	switch (op) {
	case TR_OP_UINT: return tr_json_put_u64(p, load(bytes, step->bytes));
	case TR_OP_SINT: return tr_json_put_i64(p, load_signed(bytes, step->bytes));
	case TR_OP_HEX: return tr_json_put_hex(p, load(bytes, step->bytes));
	case TR_OP_FLAG: return put_flag(p, *bytes);
	case TR_OP_CODE: return put_code(plan, p, load(bytes, 4));
	case TR_OP_COMM:
	case TR_OP_STR:
	case TR_OP_ARRAY: break;
	}
	return p;
}

static char *put_array(const struct tr_record_json *plan, char *p, const struct tr_json_step *step,
		       const unsigned char *bytes)
{
	*p++ = '[';
	for (unsigned i = 0; i < step->field->n; i++) {
		p = put_value(plan, p, step, bytes + i * step->bytes, step->element_op);
		*p++ = ',';
	}
	p[-1] = ']';
	return p;
}

static inline char *put_comm(char *p, const char *comm)
{
	unsigned n = tr_text_plain(comm);

	*p++ = '"';
	if (n == sizeof(struct tr_comm) || !comm[n]) {
		memcpy(p, comm, sizeof(struct tr_comm));
		p += n;
	} else {
		p = tr_text_json(p, comm, strnlen(comm, sizeof(struct tr_comm)));
	}
	*p++ = '"';
	return p;
}

/* A str field, its text being at *TEXT, which moves on. */
static char *put_str(char *p, const unsigned char *length, const unsigned char **text)
{
	static const char mark[] = TR_CUT_MARK, escaped[] = TR_CUT_MARK_ESCAPED;
	const char *bytes = (const char *)*text;
	uint16_t n;

	memcpy(&n, length, 2);
	*p++ = '"';
	if (n & TR_STR_CUT) {
		n &= TR_MAX_STR;
		p = tr_text_json(p, bytes, n);
		memcpy(p, mark, strlen(mark));
		p += strlen(mark);
	} else {
		bool ends_in_mark =
			n >= strlen(mark) && !memcmp(bytes + n - strlen(mark), mark, strlen(mark));

		p = tr_text_json(p, bytes, ends_in_mark ? n - strlen(mark) : n);
		memcpy(p, escaped, strlen(escaped));
		p += ends_in_mark ? strlen(escaped) : 0;
	}
	*p++ = '"';
	*text += n;
	return p;
}

char *tr_record_json_write(struct tr_record_json *plan, char *p, const unsigned char *body,
			   unsigned flags)
{
	const unsigned char *text = body + plan->kind->fixed_bytes;
	const struct tr_json_step *end = plan->steps + plan->kind->n_fields;

	for (const struct tr_json_step *step = plan->steps; step < end; step++) {
		const unsigned char *bytes = body + step->offset;

		p = put_literal(p, step);
		if (__builtin_expect(flags & step->null_flags, 0)) {
			memcpy(p, "null", 4);
			p += 4;
			continue;
		}
		switch ((enum tr_json_op)step->op) {
		case TR_OP_COMM: p = put_comm(p, (const char *)bytes); break;
		case TR_OP_STR: p = put_str(p, bytes, &text); break;
		case TR_OP_ARRAY: p = put_array(plan, p, step, bytes); break;
		case TR_OP_UINT: p = put_value(plan, p, step, bytes, TR_OP_UINT); break;
		case TR_OP_SINT: p = put_value(plan, p, step, bytes, TR_OP_SINT); break;
		case TR_OP_HEX: p = put_value(plan, p, step, bytes, TR_OP_HEX); break;
		case TR_OP_FLAG: p = put_value(plan, p, step, bytes, TR_OP_FLAG); break;
		case TR_OP_CODE: p = put_value(plan, p, step, bytes, TR_OP_CODE); break;
		}
	}
	if (flags & TR_STILL_RUNNING) {
		memcpy(p, still_running, strlen(still_running));
		return p + strlen(still_running);
	}
	memcpy(p, "}\n", 2);
	return p + 2;
}
