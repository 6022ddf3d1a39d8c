/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields behind a measure, by name or by role. */
#include "measured.h"

static bool is_number(const struct tr_field *f)
{
	return f && tr_types[f->type].class != TR_C_text && !f->array;
}

/* The field of that role when it says something of NAME. */
static const struct tr_field *role_of(const struct tr_kind *kind, enum tr_role role,
				      const char *name)
{
	const struct tr_field *f = tr_role_field(kind, role);
	size_t len = strlen(name);

	if (!is_number(f) || !len)
		return is_number(f) ? f : NULL;
	if (f->type == TR_T_duration && !strcmp(name, "ns"))
		return f;
	return !strncmp(f->name, name, len) && f->name[len] == '_' ? f : NULL;
}

struct tr_measured tr_measured_of(const struct tr_kind *kind, const char *name)
{
	const struct tr_field *named = tr_kind_field(kind, name, strlen(name));
	struct tr_measured m = {.value = *name ? named : tr_role_field(kind, TR_R_value)};

	if (!is_number(m.value))
		m.value = NULL;
	if (m.value || (*name && named))
		return m;
	if (!strcmp(name, "errno")) {
		m.ret = tr_kind_errno(kind);
		return m;
	}
	m.sum = role_of(kind, TR_R_sum, name);
	m.min = role_of(kind, TR_R_min, name);
	m.max = role_of(kind, TR_R_max, name);
	m.lo = role_of(kind, TR_R_lo, name);
	m.hi = role_of(kind, TR_R_hi, name);
	return m;
}

bool tr_measured_is_there(const struct tr_measured *m)
{
	return m->value || m->sum || m->min || m->max || m->lo || m->ret;
}

enum tr_unit tr_measured_unit(const struct tr_measured *m)
{
	const struct tr_field *f = m->value ? m->value
				   : m->sum ? m->sum
				   : m->min ? m->min
				   : m->max ? m->max
					    : m->lo;

	if (f && f->type == TR_T_duration)
		return TR_UNIT_TIME;
	return f && f->type == TR_T_bytes ? TR_UNIT_BYTES : TR_UNIT_NONE;
}
