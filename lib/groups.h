/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records grouped by the values of their key fields, and what is added up for each group. Knows
 * nothing of how it is printed.
 */
#ifndef TR_GROUPS_H
#define TR_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "cells.h"
#include "measured.h"
#include "samples.h"
#include "scale.h"
#include "stream.h"

enum {
	TR_MAX_KEYS = 8,
	TR_MAX_MEASURES = 16,
	TR_MAX_GROUPS = 1 << 20, /* what is beyond goes into one group, "other" */
	/* Octaves of all groups' samples, 240 MiB. The last quarter is for groups that have some
	 * already; a group that gets none has no percentiles. */
	TR_MAX_OCTAVES = 3 << 20,
	TR_LAST_OCTAVES = TR_MAX_OCTAVES / 4,
};

/* Which records a measure is taken from. */
enum tr_measure_of {
	TR_OF_ALL,
	TR_OF_EVENTS,     /* those that stand for one event each, which has the value */
	TR_OF_AGGREGATES, /* those that stand for many */
};

struct tr_measure {
	char name[TR_MAX_NAME + 1]; /* "": whatever field the kind says is its value */
	bool sampled;               /* its percentiles are wanted */
	enum tr_measure_of of;
	struct tr_scale scale; /* TR_SCALE_NONE: samples are not counted by row */
	bool seen;
	bool straddled; /* samples are known only by buckets that are not in one row */
	uint8_t units;  /* bits of those that it was seen in */
};

/* The unit that all agree on. */
static inline enum tr_unit tr_measure_unit(const struct tr_measure *measure)
{
	if (measure->units == 1 << TR_UNIT_TIME)
		return TR_UNIT_TIME;
	return measure->units == 1 << TR_UNIT_BYTES ? TR_UNIT_BYTES : TR_UNIT_NONE;
}

/* What records are a group. */
enum tr_groups_by {
	TR_BY_TYPE,   /* those of a type, by its own key; hist records are of the type summary */
	TR_BY_KEY,    /* by the key of their type, whatever the type is */
	TR_BY_FIELDS, /* by the fields given; none: all are one group */
};

struct tr_groups {
	/* set by the user, then tr_groups_init() */
	enum tr_groups_by by;
	size_t n_keys; /* of TR_BY_FIELDS */
	const char *keys[TR_MAX_KEYS];
	size_t n_measures;
	struct tr_measure measures[TR_MAX_MEASURES];

	/* results */
	size_t n;
	struct tr_group **list;
	struct tr_group *other; /* of the records that found TR_MAX_GROUPS groups; NULL: none did */
	uint64_t others;        /* how many these are */
	uint64_t left_out;      /* groups without percentiles, for want of memory */
	bool errors_seen;
	bool saturated; /* a sum is beyond what it can hold, and stands at its limit */

	/* private */
	char *key_list; /* that keys point into */
	size_t n_max;
	struct tr_group **index; /* open addressing */
	size_t index_size;
	size_t octaves;    /* that may be allocated yet */
	size_t remembered; /* keys, by all plans of this epoch */
	uint64_t epoch;    /* counts tr_groups_clear(): what plans remember is of one epoch */
	struct tr_type_seen {
		char name[TR_MAX_NAME + 1]; /* "" for objects without a type */
		size_t n_keys;              /* beside the type itself */
		char keys[TR_MAX_KEYS][TR_MAX_NAME + 1];
	} * types;
	size_t n_types;
};

/* "comm,pid": by these fields, said before tr_groups_init(). 0, or -EINVAL with *WHY set. */
int tr_groups_set_keys(struct tr_groups *groups, const char *list, const char **why);
void tr_groups_init(struct tr_groups *groups);
void tr_groups_release(struct tr_groups *groups);
/* Forgets all groups, for the next interval. */
void tr_groups_clear(struct tr_groups *groups);

/* Records from..to of a batch. */
void tr_groups_add(struct tr_groups *groups, const struct tr_event *event, size_t from, size_t to);
/* A record that fits no kind. */
void tr_groups_add_object(struct tr_groups *groups, const struct tr_event *event);

/*
 * The key cells of GROUP, TR_MAX_KEYS + 1 at most: the values of the given fields; or the type
 * (null for an object without) and the values of the type's own keys; or the name of the type's own
 * key, or the type's where it has none, and its value. Returns how many.
 */
size_t tr_groups_cells(const struct tr_groups *groups, const struct tr_group *group,
		       struct tr_cell *cells);

/* The order of their key cells from FROM on, as tr_cell_compare() has it. */
int tr_groups_compare(const struct tr_groups *groups, const struct tr_group *a,
		      const struct tr_group *b, size_t from);
/*
 * What the cells are called: the given fields; or else `record`, for the first cell, and the types'
 * own keys, `key` where they differ. Where all first cells are the same *FIRST is 1: they go
 * without a name. Returns how many names there are; NAMES has room for TR_MAX_KEYS + 1.
 */
size_t tr_groups_name_keys(const struct tr_groups *groups, char (*names)[TR_MAX_NAME + 1],
			   size_t *first);

/* The cells as they are packed, which no other group has. */
const unsigned char *tr_group_name(const struct tr_groups *groups, const struct tr_group *group,
				   size_t *len);
uint64_t tr_hash_bytes(const unsigned char *bytes, size_t len);

/* For those that add: a name under construction is cells one behind the other. */
enum { TR_GROUP_NAME_BYTES = (TR_MAX_KEYS + 1) * (TR_CELL_BYTES + 3) };
/* The type whose groups records of TYPE are in, by TR_BY_TYPE. */
struct tr_string tr_group_type(struct tr_string type);
/* Notes in which unit a measure was seen. */
void tr_measure_see(struct tr_measure *measure, enum tr_unit unit);
struct tr_group *tr_groups_find(struct tr_groups *groups, const unsigned char *name, size_t len);
/* What is known of the keys of TYPE. NULL: too many types. */
struct tr_type_seen *tr_groups_see_type(struct tr_groups *groups, struct tr_string type,
					bool *is_new);

/* Adds to a count, which stays at its limit when it gets there. */
static inline void tr_groups_count(struct tr_groups *groups, uint64_t *count, uint64_t n)
{
	if (__builtin_expect(__builtin_add_overflow(*count, n, count), 0)) {
		*count = UINT64_MAX;
		groups->saturated = true;
	}
}

#endif
