/* SPDX-License-Identifier: GPL-2.0-only */
/* Values by the names that lib/flags.awk took from the headers. */
#include "flags.h"

#include <string.h>

#include "number.h"

static const struct tr_flag_set *find_in(const struct tr_flag_set *sets, const char *name,
					 size_t len)
{
	for (; sets->name; sets++)
		if (strlen(sets->name) == len && !memcmp(sets->name, name, len))
			return sets;
	return NULL;
}

const struct tr_flag_set *tr_flags_find(const char *name, size_t len)
{
	const struct tr_flag_set *set = find_in(tr_flags_kernel, name, len);

	return set ? set : find_in(tr_flags_libc, name, len);
}

static char *put_rest(char *p, const struct tr_flag_set *set, uint64_t value)
{
	if (!value)
		return stpcpy(p, "0");
	switch ((enum tr_rest)set->rest) {
	case TR_REST_DEC: return tr_i64_put(p, set->any ? (int64_t)value : (int32_t)value);
	case TR_REST_OCT: return tr_octal_put(p, value);
	case TR_REST_HEX: break;
	}
	return p + tr_hex_format(p, value);
}

/* The name of VALUE, which may have no bits but those of MASK. */
static const char *name_of(const struct tr_flag_set *set, uint32_t value, uint32_t mask)
{
	for (const struct tr_flag *f = set->flags; f->name; f++)
		if (f->value == value && !(f->value & ~mask))
			return f->name;
	return NULL;
}

/* The next of several, with a bar before it unless it is the FIRST. */
static char *put_next(char *p, const char *first, const char *name)
{
	if (p > first)
		*p++ = '|';
	return stpcpy(p, name);
}

/* What the masks single out. Nothing is the second one's default. */
static char *put_masked(char *p, const struct tr_flag_set *set, uint64_t *value)
{
	const char *first = p;

	for (size_t i = 0; i < 2 && set->masks[i]; i++) {
		uint32_t part = *value & set->masks[i];
		const char *name = i && !part ? NULL : name_of(set, part, set->masks[i]);

		if (!name)
			continue;
		p = put_next(p, first, name);
		*value &= ~(uint64_t)part;
	}
	return p;
}

/* Those of several bits, else those of one. */
static char *put_bits(char *p, const char *first, const struct tr_flag_set *set, uint64_t *value,
		      bool several)
{
	for (const struct tr_flag *f = set->flags; f->name && *value; f++) {
		uint32_t v = f->value;

		if (!v || (v & (set->masks[0] | set->masks[1])) || (*value & v) != v ||
		    !!(v & (v - 1)) != several)
			continue;
		p = put_next(p, first, f->name);
		*value &= ~(uint64_t)v;
	}
	return p;
}

static char *put_any(char *p, const struct tr_flag_set *set, uint64_t value)
{
	const char *first = p;
	const char *zero = value || set->masks[0] ? NULL : name_of(set, 0, 0);

	if (zero)
		return stpcpy(p, zero);
	p = put_masked(p, set, &value);
	p = put_bits(p, first, set, &value, true);
	p = put_bits(p, first, set, &value, false);
	if (value || p == first)
		p = put_rest(put_next(p, first, ""), set, value);
	return p;
}

char *tr_flags_write(char *p, const struct tr_flag_set *set, uint64_t value)
{
	const char *name = set->any ? NULL : name_of(set, value, UINT32_MAX);

	if (set->any)
		return put_any(p, set, value);
	return name ? stpcpy(p, name) : put_rest(p, set, value);
}
