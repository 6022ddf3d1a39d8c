/* SPDX-License-Identifier: GPL-2.0-only */
/* A kind's plan, which group_plan.c makes, and what group_keys.c and group_sums.c do with a batch
 * by it. */
#ifndef TR_GROUP_PLAN_H
#define TR_GROUP_PLAN_H

#include "groups.h"
#include "measured.h"

enum { FIRST_SLOTS_LOG2 = 6, MAX_KEY_WORDS = 4 };

/* How a key is taken from a body. */
enum key_how {
	KEY_NONE, /* it is the same for all */
	KEY_4,
	KEY_8,
	KEY_16,
	KEY_BYTES, /* any other number of them */
	KEY_ERRNO, /* of the result that is there */
	KEY_STRING,
};

/* How one kind's records are added. */
struct tr_plan {
	struct tr_groups *groups;
	uint64_t epoch;
	struct tr_part_kind *kind;
	size_t n_keys;
	const struct tr_field *keys[TR_MAX_KEYS]; /* NULL: it has no such field */
	const char *names[TR_MAX_KEYS];
	enum key_how how[TR_MAX_KEYS];
	uint8_t bytes[TR_MAX_KEYS];  /* that it takes, but for a string */
	const struct tr_field *only; /* the one of them that there is, when there is one */
	unsigned words;  /* of 8 bytes that a key takes: 1, 2 or 4; 0: it is not remembered */
	uint64_t *slots; /* keys.c */
	size_t n_slots, used;
	unsigned shift;         /* 64 - log2(n_slots) */
	const char *first_cell; /* of TR_BY_TYPE and TR_BY_KEY */
	bool buckets;           /* its records are of buckets */
	const struct tr_field *weight, *errors, *ret;
	struct tr_measured measures[TR_MAX_MEASURES];
};

/* The group of each of N records. */
void tr_plan_find_groups(struct tr_plan *plan, const unsigned char *const *bodies, size_t n,
			 struct tr_group **groups);
/* Counts N records and their errors. */
void tr_plan_add_totals(const struct tr_plan *plan, const unsigned char *const *bodies, size_t n,
			struct tr_group *const *groups);
void tr_plan_add_measure(const struct tr_plan *plan, size_t measure,
			 const unsigned char *const *bodies, size_t n,
			 struct tr_group *const *groups);

#endif
