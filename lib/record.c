/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables that records.def and types.def expand to, and kinds built from schema lines. */
#include "record.h"

#include <errno.h>
#include <stdlib.h>

#define TR_TYPE(type, c_type, size, cls)                                                           \
	[TR_T_##type] = {.name = #type, .bytes = size, .class = TR_C_##cls},
const struct tr_type_info tr_types[TR_N_TYPES] = {
#include "types.def"
};
#undef TR_TYPE

#define TR_TYPE(type, c_type, size, cls)                                                           \
	_Static_assert(sizeof(tr_##type##_t) == (size), "types.def: size of " #type);
#include "types.def"
#undef TR_TYPE

const char *const tr_role_names[TR_N_ROLES] = {
	[TR_R_none] = "",       [TR_R_key] = "key", [TR_R_weight] = "weight",
	[TR_R_value] = "value", [TR_R_sum] = "sum", [TR_R_max] = "max",
	[TR_R_min] = "min",     [TR_R_lo] = "lo",   [TR_R_errors] = "errors",
	[TR_R_hi] = "hi",
};

/* A row's fields, then the row; offsets and roles are filled in on first use. */
#define F(f_type, f_name, f_role)                                                                  \
	{.name = #f_name, .type = TR_T_##f_type, .role = TR_R_##f_role, .n = 1},
#define FA(f_type, f_name, f_n, f_role)                                                            \
	{.name = #f_name, .type = TR_T_##f_type, .role = TR_R_##f_role, .n = (f_n), .array = true},
#define TR_KIND(number, k_name, type, sentence, text, fields)                                      \
	static struct tr_field k_name##_fields[] = {fields};
#include "records.def"
#undef TR_KIND
#undef F
#undef FA

#define F(type, name, role)
#define FA(type, name, n, role)
#define TR_KIND(k_number, k_name, k_type, k_sentence, k_text, k_fields)                            \
	[k_number] = {.number = (k_number),                                                        \
		      .type = #k_type,                                                             \
		      .sentence = (k_sentence),                                                    \
		      .text = (k_text),                                                            \
		      .n_fields = sizeof(k_name##_fields) / sizeof(k_name##_fields[0]),            \
		      .fields = k_name##_fields},
static struct tr_kind builtin[TR_N_BUILTIN] = {
#include "records.def"
};
#undef TR_KIND
#undef F
#undef FA

/* Places the fields; -EINVAL when they do not fit. */
static int lay_out(struct tr_kind *kind)
{
	size_t at = kind->number >= TR_FIRST_YAML_KIND ? 2 : 0;
	size_t start = at;

	memset(kind->role, -1, sizeof(kind->role));
	for (size_t i = 0; i < kind->n_fields; i++) {
		struct tr_field *f = &kind->fields[i];

		f->offset = at - start;
		at += (size_t)tr_types[f->type].bytes * f->n;
		if (at > TR_MAX_FIXED)
			return -EINVAL;
		if (f->type == TR_T_str)
			kind->has_strings = true;
		if (f->role != TR_R_none)
			kind->role[f->role] = i;
	}
	kind->fixed_bytes = at - start;
	return 0;
}

const struct tr_kind *tr_kind_builtin(uint32_t number)
{
	struct tr_kind *kind = number < TR_N_BUILTIN ? &builtin[number] : NULL;

	if (!kind || !kind->n_fields)
		return NULL;
	if (!kind->fixed_bytes)
		lay_out(kind);
	return kind;
}

static bool is_name(const char *s)
{
	size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.");

	return n > 0 && n <= TR_MAX_NAME && !s[n];
}

/* A JSON record has members of these names beside its fields. */
static bool is_taken(const char *name)
{
	return !strcmp(name, "type") || !strcmp(name, "why");
}

int tr_kind_init(struct tr_kind *kind, uint32_t number, const char *type, struct tr_field *fields,
		 size_t n_fields)
{
	*kind = (struct tr_kind){.number = number, .n_fields = n_fields, .fields = fields};
	if (number > TR_MAX_KIND || n_fields < 1 || n_fields > TR_MAX_FIELDS || !is_name(type))
		return -EINVAL;
	strcpy(kind->type, type);
	for (size_t i = 0; i < n_fields; i++) {
		if (!is_name(fields[i].name) || is_taken(fields[i].name))
			return -EINVAL;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(fields[i].name, fields[j].name))
				return -EINVAL;
	}
	return lay_out(kind);
}

void tr_kind_release(struct tr_kind *kind)
{
	free(kind->fields);
	free(kind->format);
	*kind = (struct tr_kind){0};
}

bool tr_kind_equal(const struct tr_kind *a, const struct tr_kind *b)
{
	if (a->number != b->number || a->n_fields != b->n_fields || strcmp(a->type, b->type))
		return false;
	for (size_t i = 0; i < a->n_fields; i++) {
		const struct tr_field *f = &a->fields[i], *g = &b->fields[i];

		if (strcmp(f->name, g->name) || f->type != g->type || f->role != g->role ||
		    f->n != g->n || f->array != g->array)
			return false;
	}
	if (!a->format || !b->format)
		return a->format == b->format;
	return !strcmp(a->format, b->format);
}

const struct tr_field *tr_kind_field(const struct tr_kind *kind, const char *name, size_t len)
{
	for (size_t i = 0; i < kind->n_fields; i++)
		if (!strncmp(kind->fields[i].name, name, len) && !kind->fields[i].name[len])
			return &kind->fields[i];
	return NULL;
}

unsigned tr_field_null_flags(const struct tr_field *field)
{
	if (tr_types[field->type].class == TR_C_text)
		return 0;
	if (field->role == TR_R_hi)
		return TR_NO_HI;
	if (!strcmp(field->name, "ns"))
		return TR_NO_RESULT | TR_NO_TIME;
	if (field->role == TR_R_sum || field->role == TR_R_min || field->role == TR_R_max ||
	    !strcmp(field->name, "ret"))
		return TR_NO_RESULT;
	if (field->type == TR_T_duration && field->role == TR_R_none)
		return TR_NO_SECOND;
	return 0;
}

const struct tr_field *tr_kind_ret(const struct tr_kind *kind)
{
	const struct tr_field *ret = tr_kind_field(kind, "ret", 3);

	return ret && tr_types[ret->type].class != TR_C_text && !ret->array ? ret : NULL;
}

const struct tr_field *tr_kind_errno(const struct tr_kind *kind)
{
	return tr_kind_field(kind, "errno", 5) ? NULL : tr_kind_ret(kind);
}

/* The N of "[N]", 0 when it is none from 1 to 64. */
static unsigned parse_elements(const char *text, size_t len)
{
	unsigned n = 0;

	if (len < 3 || len > 4 || text[0] != '[' || text[len - 1] != ']' || text[1] == '0')
		return 0;
	for (size_t i = 1; i < len - 1; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		n = n * 10 + (text[i] - '0');
	}
	return n <= 64 ? n : 0;
}

int tr_field_parse_type(struct tr_field *field, const char *text, size_t len)
{
	for (int t = 0; t < TR_N_TYPES; t++) {
		size_t n = strlen(tr_types[t].name);

		if (len < n || memcmp(text, tr_types[t].name, n))
			continue;
		field->type = t;
		field->array = len > n;
		field->n = len > n ? parse_elements(text + n, len - n) : 1;
		if (field->n && !(field->array && tr_types[t].class == TR_C_text))
			return 0;
	}
	return -EINVAL;
}

const char *tr_field_text(const struct tr_kind *kind, const struct tr_field *field,
			  const unsigned char *body, size_t *len, bool *cut)
{
	const unsigned char *p = body + field->offset, *at = body + kind->fixed_bytes;
	uint16_t n;

	*cut = false;
	if (field->type == TR_T_comm) {
		*len = strnlen((const char *)p, sizeof(struct tr_comm));
		return (const char *)p;
	}
	for (const struct tr_field *f = kind->fields; f < field; f++) {
		if (f->type != TR_T_str)
			continue;
		memcpy(&n, body + f->offset, 2);
		at += n & 0x7fff;
	}
	memcpy(&n, p, 2);
	*len = n & 0x7fff;
	*cut = n & 0x8000;
	return (const char *)at;
}

size_t tr_body_bytes(const struct tr_kind *kind, const unsigned char *body, size_t bytes)
{
	size_t need = kind->fixed_bytes;

	if (bytes < need)
		return 0;
	for (size_t i = 0; kind->has_strings && i < kind->n_fields; i++) {
		uint16_t n;

		if (kind->fields[i].type != TR_T_str)
			continue;
		memcpy(&n, body + kind->fields[i].offset, 2);
		need += n & 0x7fff;
	}
	return need <= bytes ? need : 0;
}
