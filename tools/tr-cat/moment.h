/* SPDX-License-Identifier: GPL-2.0-only */
/* When a record was made, in ns since 1970: its part's start and its own time. */
#ifndef TR_MOMENT_H
#define TR_MOMENT_H

#include "stream.h"

/* The time of PART's start is known. */
static inline bool moment_has_start(const struct tr_part *part)
{
	return part->start_ns > 0;
}

static inline int64_t moment_of(const struct tr_part *part, uint64_t ts)
{
	int64_t moment;

	if (ts > INT64_MAX || __builtin_add_overflow(part->start_ns, (int64_t)ts, &moment))
		return INT64_MAX;
	return moment;
}

/* The field that tells the time of a batch's records, or NULL. */
static inline const struct tr_field *moment_field(const struct tr_kind *kind)
{
	const struct tr_field *ts = tr_kind_field(kind, "ts", 2);

	return ts && !ts->array && tr_types[ts->type].class == TR_C_uint ? ts : NULL;
}

/* The time that an object tells, as a record or inside a control line; false when it tells none. */
static inline bool moment_ts(const struct tr_json_object *object, uint64_t *ts)
{
	const struct tr_json_value *v = object ? tr_json_get(object, "ts") : NULL;

	if (!v || v->type != TR_JSON_INT || v->i < 0)
		return false;
	*ts = v->i;
	return true;
}

#endif
