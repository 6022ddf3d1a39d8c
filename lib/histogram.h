/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many samples fell into which bucket, in memory that grows with the octaves seen and not with
 * the samples. Buckets are signed: those of negative values are the negative of their magnitude's.
 * Samples are whole numbers (tr_sample_bucket()) or fractions (tr_fraction_bucket()), never both in
 * one histogram.
 */
#ifndef TR_HISTOGRAM_H
#define TR_HISTOGRAM_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buckets.h"

/* Start with zeroes. */
struct tr_histogram {
	uint64_t n; /* samples; saturates */
	/* private */
	struct tr_octave *octaves; /* in order */
	uint32_t n_octaves;
};

/* Sixteen buckets: 0 to 15, 16 to 31; downwards -16 to -1, and so on. A count has 64 bits, of which
 * most need 32: the upper halves are apart. */
struct tr_octave {
	int32_t number;
	uint32_t low[TR_OCTAVE_BUCKETS];
	uint32_t *high; /* NULL: all are 0 */
};

enum { TR_OCTAVE_BYTES = 80 }; /* memory of an octave */

void tr_histogram_release(struct tr_histogram *histogram);

/*
 * Counts N samples (1 at least) of BUCKET. One of a new octave takes one of the *BUDGET octaves
 * that may be allocated yet. Returns false, and nothing is counted, when there is none.
 */
bool tr_histogram_add(struct tr_histogram *histogram, int bucket, uint64_t n, size_t *budget);

/* The same for one sample, where that is a matter of adding 1; false, and nothing done, when it is
 * more. */
static inline bool tr_histogram_hit(struct tr_histogram *histogram, int bucket)
{
	struct tr_octave *octave = histogram->octaves;
	uint32_t *low;
	uint32_t at; /* its place, where no octave before it is missing */

	if (!octave)
		return false;
	at = (uint32_t)(bucket >> 4) - (uint32_t)octave->number;
	if (at >= histogram->n_octaves || octave[at].number != bucket >> 4)
		return false;
	low = &octave[at].low[bucket & (TR_OCTAVE_BUCKETS - 1)];
	if (*low == UINT32_MAX || histogram->n == UINT64_MAX)
		return false;
	++*low;
	histogram->n++;
	return true;
}

/* The first bucket after *BUCKET that is not empty, from INT_MIN on, and its count. False: none. */
bool tr_histogram_next(const struct tr_histogram *histogram, int *bucket, uint64_t *n);

static inline int tr_sample_bucket(int64_t value)
{
	return value < 0 ? -(int)tr_bucket_of(-(uint64_t)value) : (int)tr_bucket_of(value);
}

/* The middle of a bucket of whole numbers. */
__int128 tr_sample_middle(int bucket);

/* The same for fractions: 16 buckets for each power of two, from the smallest on. */
int tr_fraction_bucket(double value);
double tr_fraction_middle(int bucket);
/* The end of a bucket of fractions that is nearer to 0, which is in it. */
double tr_fraction_low(int bucket);

#endif
