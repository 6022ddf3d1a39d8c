/* SPDX-License-Identifier: GPL-2.0-only */
/* Which fields of a kind a measure is taken from. */
#ifndef TR_MEASURED_H
#define TR_MEASURED_H

#include "record.h"

enum tr_unit { TR_UNIT_NONE, TR_UNIT_TIME, TR_UNIT_BYTES };

/* NULL: it has no such field. */
struct tr_measured {
	const struct tr_field *value;           /* of each record's own event */
	const struct tr_field *sum, *min, *max; /* else of those that an aggregate stands for */
	const struct tr_field *lo, *hi;         /* or of the bucket that they fell into */
	const struct tr_field *ret; /* or the result that the errno is worked out from */
};

static inline const struct tr_field *tr_role_field(const struct tr_kind *kind, enum tr_role role)
{
	return kind->role[role] < 0 ? NULL : &kind->fields[kind->role[role]];
}

/*
 * The fields that NAME means. "" is what the kind says is its value, or what its roles say of an
 * aggregate. Any other name is a field; of an aggregate that has none it is what its roles' fields
 * say it of: `ns`, where they are durations, and what their names begin with before a `_`.
 */
struct tr_measured tr_measured_of(const struct tr_kind *kind, const char *name);

/* Whether it is there at all, and what it is measured in. */
bool tr_measured_is_there(const struct tr_measured *measured);
/* Whether it is of the one event that a record stands for. */
static inline bool tr_measured_is_event(const struct tr_measured *measured)
{
	return measured->value || measured->ret;
}
enum tr_unit tr_measured_unit(const struct tr_measured *measured);

#endif
