/* SPDX-License-Identifier: GPL-2.0-only */
/* A kind's plan, which plan.c makes, and what keys.c and sums.c do with a batch by it. */
#ifndef TR_PLAN_H
#define TR_PLAN_H

#include "groups.h"
#include "measured.h"

enum { FIRST_SLOTS_LOG2 = 6 };

struct remembered {
	uint64_t a, b;
	struct group *group; /* NULL: free */
};

/* How one kind's records are added. */
struct plan {
	struct groups *groups;
	uint64_t epoch;
	struct tr_part_kind *kind;
	size_t n_keys;
	const struct tr_field *keys[MAX_KEYS]; /* NULL: it has no such field */
	const char *names[MAX_KEYS];
	bool is_errno[MAX_KEYS];     /* what it has is the result that tells the errno */
	const struct tr_field *only; /* the one of them that there is, when there is one */
	bool short_key;              /* at most 16 bytes of fixed fields: remembered */
	struct remembered *slots;
	size_t n_slots, used;
	unsigned shift; /* 64 - log2(n_slots) */
	const struct tr_field *weight, *errors, *ret;
	struct measured measures[MAX_MEASURES];
};

/* The group of each of N records. */
void plan_find_groups(struct plan *plan, const unsigned char *const *bodies, size_t n,
		      struct group **groups);
/* Counts N records and their errors. */
void plan_add_totals(const struct plan *plan, const unsigned char *const *bodies, size_t n,
		     struct group *const *groups);
void plan_add_measure(const struct plan *plan, size_t measure, const unsigned char *const *bodies,
		      size_t n, struct group *const *groups);

#endif
