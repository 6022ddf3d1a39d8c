/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsed JSON objects turned into records, whatever their members' order. */
#include <errno.h>
#include <stdlib.h>

#include "packed.h"
#include "record_json.h"
#include "number.h"
#include "record_json_plan.h"
#include "result.h"

/* A decimal number as it would be written, all of TEXT: a sign and how much. */
static int parse_integer(struct tr_string text, bool *negative, uint64_t *magnitude)
{
	size_t i = *negative = text.len && text.bytes[0] == '-';

	*magnitude = 0;
	if (i == text.len || (text.bytes[i] == '0' && text.len > 1))
		return -EINVAL;
	for (; i < text.len; i++) {
		unsigned digit = (unsigned char)text.bytes[i] - '0';

		if (digit > 9 || __builtin_mul_overflow(*magnitude, 10, magnitude) ||
		    __builtin_add_overflow(*magnitude, digit, magnitude))
			return -EINVAL;
	}
	return 0;
}

/* An integer's value, signed or unsigned: sign and magnitude. */
static int integer_of(const struct tr_json_value *value, bool *negative, uint64_t *magnitude)
{
	switch (value->type) {
	case TR_JSON_INT:
		*negative = value->i < 0;
		*magnitude = *negative ? -(uint64_t)value->i : (uint64_t)value->i;
		return 0;
	case TR_JSON_UINT:
		*negative = false;
		*magnitude = value->u;
		return 0;
	case TR_JSON_STRING: return parse_integer(value->string, negative, magnitude);
	case TR_JSON_NULL:
	case TR_JSON_BOOL:
	case TR_JSON_DOUBLE:
	case TR_JSON_ARRAY:
	case TR_JSON_OBJECT: break;
	}
	return -EINVAL;
}

static int pack_integer(const struct tr_json_value *value, bool is_signed, unsigned bytes,
			uint64_t *v)
{
	uint64_t magnitude;
	bool negative;

	if (integer_of(value, &negative, &magnitude) || (negative && !is_signed) ||
	    magnitude > tr_int_max(bytes, is_signed) + negative)
		return -EINVAL;
	*v = negative ? -magnitude : magnitude;
	return 0;
}

/* true, false, or a number that is neither. */
static int pack_flag(const struct tr_json_value *value, uint64_t *v)
{
	if (value->type == TR_JSON_BOOL) {
		*v = value->boolean;
		return 0;
	}
	*v = value->type == TR_JSON_INT ? value->i : 0;
	return *v > 1 && *v <= UINT8_MAX ? 0 : -EINVAL;
}

static int pack_code(const struct tr_json_value *value, const struct tr_syscalls *calls,
		     uint64_t *v)
{
	uint32_t code;

	if (value->type != TR_JSON_STRING ||
	    tr_syscall_find(calls, value->string.bytes, value->string.len, &code))
		return -EINVAL;
	*v = code;
	return 0;
}

int tr_field_pack(const struct tr_field *field, const struct tr_syscalls *calls,
		  const struct tr_json_value *value, unsigned char *element)
{
	unsigned bytes = tr_types[field->type].bytes;
	int err = -EINVAL;
	uint64_t v;

	switch ((enum tr_class)tr_types[field->type].class) {
	case TR_C_uint: err = pack_integer(value, false, bytes, &v); break;
	case TR_C_sint: err = pack_integer(value, true, bytes, &v); break;
	case TR_C_hex:
		if (value->type == TR_JSON_STRING)
			err = tr_hex_parse(value->string.bytes, value->string.len, &v);
		break;
	case TR_C_flag: err = pack_flag(value, &v); break;
	case TR_C_code: err = pack_code(value, calls, &v); break;
	case TR_C_text: break;
	}
	if (!err)
		memcpy(element, &v, bytes);
	return err;
}

static int pack_array(const struct tr_record_json *plan, struct tr_json_object *object,
		      const struct tr_field *field, const struct tr_json_value *value,
		      unsigned char *p)
{
	struct tr_string rest = value->source;
	struct tr_json_value element;
	unsigned n = 0;

	if (value->type != TR_JSON_ARRAY)
		return -EINVAL;
	for (; tr_json_array_next(object, &rest, &element); n++, p += tr_types[field->type].bytes)
		if (n == field->n || tr_field_pack(field, plan->calls, &element, p))
			return -EINVAL;
	return n == field->n ? 0 : -EINVAL;
}

static int pack_comm(const struct tr_json_value *value, unsigned char *comm)
{
	struct tr_string text = value->string;

	if (value->type != TR_JSON_STRING || text.len > sizeof(struct tr_comm) ||
	    memchr(text.bytes, 0, text.len))
		return -EINVAL;
	memset(comm, 0, sizeof(struct tr_comm));
	memcpy(comm, text.bytes, text.len);
	return 0;
}

/* Whether the line has the mark itself, not an escape, before the string's closing quote. */
static bool is_cut(const struct tr_json_value *value)
{
	static const char mark[] = TR_CUT_MARK;
	struct tr_string source = value->source;

	return source.len >= strlen(mark) + 2 &&
	       !memcmp(source.bytes + source.len - 1 - strlen(mark), mark, strlen(mark));
}

static int pack_str(const struct tr_json_value *value, unsigned char *length, unsigned char *body,
		    size_t *at)
{
	struct tr_string text = value->string;
	uint16_t n = 0;

	if (value->type != TR_JSON_STRING)
		return -EINVAL;
	if (is_cut(value)) {
		n = TR_STR_CUT;
		text.len -= strlen(TR_CUT_MARK);
	}
	if (text.len > TR_MAX_STR || text.len > TR_MAX_LINE - *at)
		return -EINVAL;
	n |= text.len;
	memcpy(length, &n, 2);
	memcpy(body + *at, text.bytes, text.len);
	*at += text.len;
	return 0;
}

/* The member called NAME, most likely the one at PLACE, which the object has. */
static const struct tr_json_value *find(const struct tr_json_object *object, size_t place,
					const char *name, size_t name_len)
{
	const struct tr_json_member *member = &object->members[place];

	if (member->key.len == name_len && !memcmp(member->key.bytes, name, name_len))
		return &member->value;
	return tr_json_get(object, name);
}

size_t tr_record_json_pack(struct tr_record_json *plan, struct tr_json_object *object,
			   unsigned char *body)
{
	const struct tr_kind *kind = plan->kind;
	const struct tr_json_value *value;
	size_t at = kind->fixed_bytes;

	/* As many members as fields, each of which is found: there are no others. */
	if (object->n != (size_t)kind->n_fields + 1)
		return 0;
	value = find(object, 0, "type", 4);
	if (!value || value->type != TR_JSON_STRING || !tr_string_is(value->string, kind->type))
		return 0;
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_json_step *step = &plan->steps[i];
		unsigned char *bytes = body + step->offset;
		int err;

		value = find(object, i + 1, step->field->name, step->name_len);
		if (!value)
			return 0;
		if (step->op == TR_OP_COMM)
			err = pack_comm(value, bytes);
		else if (step->op == TR_OP_STR)
			err = pack_str(value, bytes, body, &at);
		else if (step->op == TR_OP_ARRAY)
			err = pack_array(plan, object, step->field, value, bytes);
		else
			err = tr_field_pack(step->field, plan->calls, value, bytes);
		if (err)
			return 0;
	}
	return tr_packed_max(at + 2) <= TR_MAX_LINE ? at : 0;
}

int tr_object_errno(const struct tr_json_object *object)
{
	const struct tr_json_value *ret = tr_json_get(object, "ret");

	return ret && ret->type == TR_JSON_INT ? tr_result_errno(ret->i) : 0;
}
