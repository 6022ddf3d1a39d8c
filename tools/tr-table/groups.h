/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records grouped by the values of their key fields, and what is added up for each group. Knows
 * nothing of how it is printed.
 */
#ifndef TR_GROUPS_H
#define TR_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "samples.h"
#include "stream.h"

enum {
	MAX_KEYS = 8,
	MAX_MEASURES = 16,
	MAX_GROUPS = 1 << 20, /* what is beyond goes into one group, "other" */
	/* Octaves of all groups' samples, 240 MiB. The last quarter is for groups that have some
	 * already; a group that gets none has no percentiles. */
	MAX_OCTAVES = 3 << 20,
	LAST_OCTAVES = MAX_OCTAVES / 4,
};

/* One of a group's key values. */
enum cell_type {
	CELL_NULL,    /* the record has no such field */
	CELL_LITERAL, /* a number, true or false, as JSON spells it */
	CELL_STRING,
};

struct cell {
	enum cell_type type;
	struct tr_string text;
};

struct measure {
	char name[TR_MAX_NAME + 1]; /* "": whatever field the kind says is its value */
	bool sampled;               /* its percentiles are wanted */
	bool seen;
	bool is_time;  /* every kind that has it says that it is a duration */
	bool is_other; /* some kind says that it is not */
};

struct groups {
	/* set by the user, then groups_init() */
	size_t n_keys; /* 0: each type by its own key, the type in front */
	const char *keys[MAX_KEYS];
	size_t n_measures;
	struct measure measures[MAX_MEASURES];

	/* results */
	size_t n;
	struct group **list;
	struct group *other; /* of the records that found MAX_GROUPS groups; NULL: none did */
	uint64_t others;     /* how many these are */
	uint64_t left_out;   /* groups without percentiles, for want of memory */
	bool errors_seen;
	bool saturated; /* a sum is beyond what it can hold, and stands at its limit */

	/* private */
	size_t n_max;
	struct group **index; /* open addressing */
	size_t index_size;
	size_t octaves;    /* that may be allocated yet */
	size_t remembered; /* keys, by all plans of this epoch */
	uint64_t epoch;    /* counts groups_clear(): what plans remember is of one epoch */
	struct type_seen {
		char name[TR_MAX_NAME + 1]; /* "" for objects without a type */
		size_t n_keys;              /* beside the type itself */
		char keys[MAX_KEYS][TR_MAX_NAME + 1];
	} * types;
	size_t n_types;
};

void groups_init(struct groups *groups);
void groups_release(struct groups *groups);
/* Forgets all groups, for the next interval. */
void groups_clear(struct groups *groups);

/* Records from..to of a batch. */
void groups_add(struct groups *groups, const struct tr_event *event, size_t from, size_t to);
/* A record that fits no kind. */
void groups_add_object(struct groups *groups, const struct tr_event *event);

/*
 * The key cells of GROUP, MAX_KEYS + 1 at most: the values of the given keys, or else the type
 * (null for an object without) and the values of the type's own keys. Returns how many.
 */
size_t groups_cells(const struct groups *groups, const struct group *group, struct cell *cells);

/* For those that add: a name under construction is cells one behind the other. */
enum { CELL_BYTES = 256, NAME_BYTES = (MAX_KEYS + 1) * (CELL_BYTES + 3) };
unsigned char *cell_put(unsigned char *name, enum cell_type type, struct tr_string text);
unsigned char *cell_put_errno(unsigned char *name, int number); /* by name; null for 0 */
struct group *groups_find(struct groups *groups, const unsigned char *name, size_t len);
/* What is known of the keys of TYPE. NULL: too many types. */
struct type_seen *groups_see_type(struct groups *groups, struct tr_string type, bool *is_new);

/* Adds to a count, which stays at its limit when it gets there. */
static inline void groups_count(struct groups *groups, uint64_t *count, uint64_t n)
{
	if (__builtin_expect(__builtin_add_overflow(*count, n, count), 0)) {
		*count = UINT64_MAX;
		groups->saturated = true;
	}
}

#endif
