/* SPDX-License-Identifier: GPL-2.0-only */
/* What an expression's fields are: in the records of a kind, and in one JSON object. */
#include <errno.h>
#include <string.h>

#include "expr_program.h"
#include "record_json.h"

static enum tr_expr_type type_of(const struct tr_field *field)
{
	switch ((enum tr_class)tr_types[field->type].class) {
	case TR_C_hex: return TR_EXPR_UINT;
	case TR_C_flag: return TR_EXPR_FLAG;
	case TR_C_text: return TR_EXPR_STRING;
	case TR_C_code: return TR_EXPR_CODE;
	case TR_C_sint: return field->type == TR_T_errno ? TR_EXPR_ERRNO : TR_EXPR_INT;
	case TR_C_uint: break;
	}
	return field->type == TR_T_u64 || field->type == TR_T_bytes ? TR_EXPR_UINT : TR_EXPR_INT;
}

static bool is_named(const struct tr_expr_field *field, const char *name)
{
	return !strcmp(field->name, name);
}

/* The field itself, or, asked for an element, that. */
static void take_field(struct tr_expr_source *source, const struct tr_field *f, int element)
{
	if (element >= 0 && !f->array) {
		source->type = TR_EXPR_NO_ARRAY;
	} else if (element >= f->n) {
		source->type = TR_EXPR_NO_ELEMENT;
	} else if (element < 0 && f->array) {
		source->type = TR_EXPR_ARRAY;
	} else {
		source->type = type_of(f);
		source->field = f;
		source->text =
			(struct tr_expr_text){.field = f, .element = element < 0 ? 0 : element};
	}
}

void tr_expr_source_of_kind(struct tr_expr_source *source, const struct tr_expr_field *field,
			    const struct tr_kind *kind)
{
	const struct tr_field *f = tr_kind_field(kind, field->name, strlen(field->name));

	*source = (struct tr_expr_source){.type = TR_EXPR_NULL};
	if (f) {
		take_field(source, f, field->element);
	} else if (is_named(field, "type")) {
		source->type = field->element < 0 ? TR_EXPR_STRING : TR_EXPR_NO_ARRAY;
		source->text.string = (struct tr_string){kind->type, strlen(kind->type)};
	} else if (is_named(field, "errno") && tr_kind_errno(kind)) {
		source->type = field->element < 0 ? TR_EXPR_ERRNO : TR_EXPR_NO_ARRAY;
		source->field = tr_kind_errno(kind);
		source->from_result = true;
	}
}

/* The value as a number of a field's type; false when it is none. */
static bool number_of_type(struct tr_expr_source *source, const struct tr_field *found,
			   const struct tr_json_value *value, const struct tr_syscalls *calls)
{
	struct tr_field field = *found;
	unsigned char bytes[8];

	field.offset = 0;
	if (tr_types[field.type].class == TR_C_text ||
	    tr_field_pack(&field, calls, value, bytes) < 0)
		return false;
	source->type = type_of(&field);
	source->value = tr_field_int(&field, bytes, 0);
	if (source->type == TR_EXPR_FLAG)
		source->value = source->value != 0;
	return true;
}

/* By what JSON says alone. */
static void take_value(struct tr_expr_source *source, const struct tr_json_value *value)
{
	switch (value->type) {
	case TR_JSON_BOOL:
		source->type = TR_EXPR_FLAG;
		source->value = value->boolean;
		break;
	case TR_JSON_INT:
		source->type = TR_EXPR_INT;
		source->value = value->i;
		break;
	case TR_JSON_UINT:
		source->type = TR_EXPR_UINT;
		source->value = (int64_t)value->u;
		break;
	case TR_JSON_DOUBLE:
		if (value->d > -9.2e18 && value->d < 9.2e18) {
			source->type = TR_EXPR_INT;
			source->value = (int64_t)value->d;
		}
		break;
	case TR_JSON_STRING:
		source->type = TR_EXPR_STRING;
		source->text.string = value->string;
		break;
	case TR_JSON_ARRAY: source->type = TR_EXPR_ARRAY; break;
	case TR_JSON_NULL:
	case TR_JSON_OBJECT: break;
	}
}

static const struct tr_json_value *element_of(struct tr_json_object *object,
					      const struct tr_json_value *array, int element,
					      struct tr_json_value *value)
{
	struct tr_string rest = array->source;

	if (array->type != TR_JSON_ARRAY)
		return NULL;
	for (int i = 0; i <= element; i++)
		if (tr_json_array_next(object, &rest, value) != 1)
			return NULL;
	return value;
}

void tr_expr_source_of_object(struct tr_expr_source *source, const struct tr_expr_field *field,
			      struct tr_json_object *object, const struct tr_field *found,
			      const struct tr_syscalls *calls)
{
	const struct tr_json_value *value = tr_json_get(object, field->name);
	struct tr_json_value element;

	*source = (struct tr_expr_source){.type = TR_EXPR_NULL};
	if (!value) {
		source->value = is_named(field, "errno") && field->element < 0
					? tr_object_errno(object)
					: 0;
		if (source->value)
			source->type = TR_EXPR_ERRNO;
		return;
	}
	if (field->element >= 0)
		value = element_of(object, value, field->element, &element);
	if (!value)
		return;
	if (found && (field->element >= 0) == found->array &&
	    number_of_type(source, found, value, calls)) {
		if (source->type == TR_EXPR_CODE)
			source->text = (struct tr_expr_text){.string = value->string,
							     .has_code = true,
							     .code = (uint32_t)source->value};
		return;
	}
	take_value(source, value);
	if (source->type == TR_EXPR_INT && is_named(field, "errno"))
		source->type = TR_EXPR_ERRNO;
}

int tr_expr_string_number(struct tr_string text, int64_t *value, bool *is_unsigned)
{
	static const uint8_t types[] = {TR_T_i64, TR_T_u64, TR_T_hex};
	const struct tr_json_value string = {.type = TR_JSON_STRING, .string = text};

	for (size_t i = 0; i < sizeof(types); i++) {
		struct tr_field field = {.type = types[i], .n = 1};
		unsigned char bytes[8];

		if (tr_field_pack(&field, NULL, &string, bytes) < 0)
			continue;
		memcpy(value, bytes, 8);
		*is_unsigned = i > 0;
		return 0;
	}
	return -EINVAL;
}
