/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the values of one group: figures, exact or bounded, and how they are spread. */
#ifndef TR_DIST_H
#define TR_DIST_H

#include "groups.h"
#include "scale.h"

/* The two measures of the groups: values of records that stand for one event each, and what
 * aggregates say of theirs, in buckets and sums. */
enum { OF_EVENTS, OF_AGGREGATES, N_MEASURES };

/* A number, or what is known of one. */
struct figure {
	struct tr_value value;
	enum { EXACT, AT_LEAST, BELOW } known;
};

struct dist {
	const struct tr_groups *groups;
	const struct tr_group *group;
	size_t measure; /* which of the two it is taken from */
	bool both;      /* the other one has values as well, which are left out */
	bool left_out;  /* its buckets did not fit into memory */
	enum tr_unit unit;
	const struct tr_scale *scale;
	uint64_t n;
	struct figure sum, least, greatest;
	struct figure mean; /* MEAN_SCALE times it, unless a double */
};

/* Mean values that are whole numbers are thousandths. */
enum { MEAN_SCALE = 1000 };

/* False: the group has no values. */
bool dist_of(struct dist *dist, const struct tr_groups *groups, const struct tr_group *group);
/* The same of one of the two measures, whether or not it is the one to be shown. */
bool dist_of_measure(struct dist *dist, const struct tr_groups *groups,
		     const struct tr_group *group, size_t measure);
/* How many values the group has, for the order of groups. */
uint64_t dist_count(const struct tr_group *group);
/* By nearest rank; null where it is not known. */
struct figure dist_percentile(const struct dist *dist, uint64_t part, uint64_t of);

/* Values from LOW to HIGH, which is beyond them; of rows that are not linear and of buckets of
 * fractions, where they are below 0, it is LOW that is beyond. */
struct bar {
	struct tr_value low, high;
	bool open;  /* there is no HIGH, or of the lowest row there is no LOW */
	int row;    /* of the scale */
	uint64_t n; /* never 0 */
};

/* The rows of its scale that have values, and its finest buckets; in order, to be freed. */
size_t dist_rows(const struct dist *dist, struct bar **bars);
size_t dist_buckets(const struct dist *dist, struct bar **bars);

#endif
