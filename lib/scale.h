/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows that people read a distribution by: which row a value is in, and where rows begin. A row is
 * a number; 0 is where 0 is, and negative rows are those of negative values.
 */
#ifndef TR_SCALE_H
#define TR_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "samples.h"

enum tr_scale_how {
	TR_SCALE_NONE,    /* there are no rows */
	TR_SCALE_BY_UNIT, /* not known yet: TR_SCALE_TIME where values are durations, else log2 */
	/* A row for each power of two. No counting is needed: tr_histogram's buckets say it. */
	TR_SCALE_LOG2,
	/* Of nanoseconds: 0, 1-2, 2-4, ... 512 ns-1 us, 1-2 us, ... 512 ms-1 s, 1-2 s, ... */
	TR_SCALE_TIME,
	TR_SCALE_LINEAR, /* each STEP wide */
};

struct tr_scale {
	enum tr_scale_how how;
	double step;        /* of TR_SCALE_LINEAR, above 0 */
	int64_t whole_step; /* the same where it is a whole number, else 0 */
};

/* The last row that there is, and the first: it has all that is beyond. */
enum { TR_LAST_ROW = 1 << 24 };

extern const uint64_t tr_time_edges[66]; /* where rows from 0 on begin */

/* Whether samples are counted by row too: of log2 rows their buckets say all. */
static inline bool tr_scale_is_counted(const struct tr_scale *scale)
{
	return scale->how == TR_SCALE_TIME || scale->how == TR_SCALE_LINEAR;
}

int tr_scale_row(const struct tr_scale *scale, __int128 value);
int tr_scale_row_fraction(const struct tr_scale *scale, double value);
/* The row of TR_SCALE_TIME for what is not negative. */
static inline int tr_time_row(uint64_t ns)
{
	unsigned octave;

	if (!ns)
		return 0;
	/* Ten rows are a thousand, ten octaves a little more: 2^n is always in row n + 1. */
	octave = tr_octave_of(ns);
	return octave + 1 + (ns >= tr_time_edges[octave + 2]);
}

/* The row of TR_SCALE_LOG2 that has 1 in it; below, fractions have rows of their own. */
enum { TR_LOG2_ROW_OF_1 = 1100 };
/* The row of TR_SCALE_LOG2 that a bucket of whole numbers is in, and one of fractions. */
int tr_log2_row(int bucket);
int tr_log2_row_of_fractions(int bucket);

/*
 * The lower and the upper end of a row. The lower one is in the row and the upper one is not, but
 * for rows below 0 that are not linear: of those it is the other way round.
 */
void tr_scale_ends(const struct tr_scale *scale, int row, struct tr_value *low,
		   struct tr_value *high);

#endif
