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

/* Samples of which only a lower bound is known. */
struct tr_unbounded {
	uint64_t n;
	uint64_t low; /* the least of these bounds */
};

/* A group never moves, so plans keep pointers to it. */
struct tr_group {
	uint64_t count; /* records, or what those that stand for several say: tr_group_count() */
	uint64_t in_buckets; /* events that records of buckets stand for */
	uint64_t errors;
	struct tr_fractions *fractions; /* of each measure; NULL while there are none */
	struct tr_histogram *samples;   /* of each measure; NULL while there are none */
	struct tr_histogram *rows;      /* the same by rows of their scales */
	struct tr_unbounded *open;      /* of each measure; NULL while there are none */
	uint16_t left_out;     /* bits of measures whose samples would take too much memory */
	uint16_t name_len;     /* of its key cells, behind the sums: tr_groups_cells() */
	struct tr_sums sums[]; /* of each measure */
};

/* What a group comes to in a column. */
struct tr_value {
	bool null, is_double;
	bool at_least; /* it may be more */
	__int128 i;    /* of an average: SCALE times it */
	double d;
};

/*
 * How many events there are. Those that fell into buckets are told of by summaries too, so that
 * they count only where nothing else does.
 */
static inline uint64_t tr_group_count(const struct tr_group *group)
{
	return group->count ? group->count : group->in_buckets;
}

/* The least value of a measure, or the greatest. */
struct tr_value tr_group_end(const struct tr_group *group, size_t measure, bool greatest);
/*
 * The value that PART of OF samples of a measure do not exceed, by nearest rank: the middle of its
 * bucket, but never below the least value nor above the greatest, and these where it is theirs. Of
 * samples with a lower bound alone it is this bound, at least.
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
/* The same in a row of the measure's scale. */
void tr_groups_row(struct tr_groups *groups, struct tr_group *group, size_t measure, int row,
		   uint64_t n);
static inline void tr_groups_row_one(struct tr_groups *groups, struct tr_group *group,
				     size_t measure, int row)
{
	if (!group->rows || !tr_histogram_hit(&group->rows[measure], row))
		tr_groups_row(groups, group, measure, row, 1);
}
/* Counts N samples between LO and HI, which is beyond them, or which are LO at least where HI is
 * not above it. */
void tr_groups_sample_between(struct tr_groups *groups, struct tr_group *group, size_t measure,
			      __int128 lo, __int128 hi, uint64_t n);
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

/* "99.9": a number above 0 and up to 100, as PART of OF. 0 or -EINVAL. */
int tr_percentile_parse(const char *text, size_t len, uint64_t *part, uint64_t *of);

#endif
