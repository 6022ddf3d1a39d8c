/* SPDX-License-Identifier: GPL-2.0-only */
/* What is added up for a group, and what follows from it. */
#ifndef TR_SAMPLES_H
#define TR_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"

struct tr_groups;

/* A field added up. */
struct tr_sums {
	uint64_t n;
	__int128 sum, min, max; /* min > max while there are none */
};

/* The same for numbers with a fraction, which only JSON has. */
struct tr_fractions {
	uint64_t n;
	double sum, min, max;
	struct tr_histogram samples;
};

/* A group never moves, so plans keep pointers to it. */
struct tr_group {
	uint64_t count; /* records, or what those that stand for several say */
	uint64_t errors;
	struct tr_fractions *fractions; /* of each measure; NULL while there are none */
	struct tr_histogram *samples;   /* of each measure; NULL while there are none */
	uint16_t left_out;     /* bits of measures whose samples would take too much memory */
	uint16_t name_len;     /* of its key cells, behind the sums: tr_groups_cells() */
	struct tr_sums sums[]; /* of each measure */
};

/* What a group comes to in a column. */
struct tr_value {
	bool null, is_double;
	__int128 i; /* of an average: SCALE times it */
	double d;
};

/* The least value of a measure, or the greatest. */
struct tr_value tr_group_end(const struct tr_group *group, size_t measure, bool greatest);
/*
 * The value that PART of OF samples of a measure do not exceed, by nearest rank: the middle of its
 * bucket, but never below the least value nor above the greatest, and these where it is theirs.
 */
struct tr_value tr_group_percentile(const struct tr_group *group, size_t measure, uint64_t part,
				    uint64_t of);

/* Counts N samples of a measure in their bucket. */
void tr_groups_sample(struct tr_groups *groups, struct tr_group *group, size_t measure, int bucket,
		      uint64_t n);
/* One of them. */
static inline void tr_groups_sample_one(struct tr_groups *groups, struct tr_group *group,
					size_t measure, int bucket)
{
	if (!group->samples || !tr_histogram_hit(&group->samples[measure], bucket))
		tr_groups_sample(groups, group, measure, bucket, 1);
}
/* Adds a number with a fraction to a measure, also as a sample. */
void tr_groups_add_fraction(struct tr_groups *groups, struct tr_group *group, size_t measure,
			    double value);
static inline void tr_sums_add(struct tr_sums *sums, __int128 value)
{
	sums->n++;
	sums->sum += value;
	sums->min = value < sums->min ? value : sums->min;
	sums->max = value > sums->max ? value : sums->max;
}

/* Where samples between LO and HI belong, HI being beyond them, or not above LO where it is not
 * known: the middle's bucket. */
static inline int tr_bucket_between(__int128 lo, __int128 hi)
{
	__int128 middle = hi > lo ? lo + (hi - 1 - lo) / 2 : lo;

	return middle < 0 ? tr_sample_bucket(middle) : (int)tr_bucket_of(middle);
}

#endif
