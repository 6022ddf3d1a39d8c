/* SPDX-License-Identifier: GPL-2.0-only */
/* Buckets that are counted, sixteen of an octave together. */
#include "histogram.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

_Static_assert(sizeof(struct tr_octave) == TR_OCTAVE_BYTES, "what a budget counts");

static int octave_of(int bucket)
{
	return bucket >> 4;
}

void tr_histogram_release(struct tr_histogram *h)
{
	for (uint32_t i = 0; i < h->n_octaves; i++)
		free(h->octaves[i].high);
	free(h->octaves);
	*h = (struct tr_histogram){0};
}

/* The first octave whose number is not below NUMBER. */
static uint32_t find(const struct tr_histogram *h, int number)
{
	uint32_t low = 0, high = h->n_octaves;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (h->octaves[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct tr_histogram *h, uint32_t at, int number)
{
	struct tr_octave *o;

	h->octaves = tr_xrealloc(h->octaves, (h->n_octaves + 1) * sizeof(*o));
	o = &h->octaves[at];
	memmove(o + 1, o, (h->n_octaves - at) * sizeof(*o));
	*o = (struct tr_octave){.number = number};
	h->n_octaves++;
}

static uint64_t count_of(const struct tr_octave *o, unsigned i)
{
	return o->high ? (uint64_t)o->high[i] << 32 | o->low[i] : o->low[i];
}

/* Adds what does not fit the lower half alone. */
__attribute__((noinline)) static void add_wide(struct tr_octave *o, unsigned i, uint64_t n)
{
	uint64_t sum;

	if (!o->high)
		o->high = tr_xcalloc(TR_OCTAVE_BUCKETS, sizeof(*o->high));
	if (__builtin_add_overflow(count_of(o, i), n, &sum))
		sum = UINT64_MAX;
	o->low[i] = sum;
	o->high[i] = sum >> 32;
}

bool tr_histogram_add(struct tr_histogram *h, int bucket, uint64_t n, size_t *budget)
{
	int number = octave_of(bucket);
	uint32_t at = find(h, number);
	unsigned i = bucket & (TR_OCTAVE_BUCKETS - 1);
	struct tr_octave *o;

	if (at == h->n_octaves || h->octaves[at].number != number) {
		if (!*budget)
			return false;
		--*budget;
		insert(h, at, number);
	}
	o = &h->octaves[at];
	if (n <= UINT32_MAX - o->low[i])
		o->low[i] += n;
	else
		add_wide(o, i, n);
	if (__builtin_add_overflow(h->n, n, &h->n))
		h->n = UINT64_MAX;
	return true;
}

bool tr_histogram_next(const struct tr_histogram *h, int *bucket, uint64_t *n)
{
	int from = *bucket == INT_MIN ? INT_MIN : *bucket + 1;
	unsigned i = from & (TR_OCTAVE_BUCKETS - 1);

	for (uint32_t at = find(h, octave_of(from)); at < h->n_octaves; at++, i = 0) {
		const struct tr_octave *o = &h->octaves[at];

		if (o->number > octave_of(from))
			i = 0;
		for (; i < TR_OCTAVE_BUCKETS; i++) {
			*n = count_of(o, i);
			if (!*n)
				continue;
			*bucket = o->number * TR_OCTAVE_BUCKETS + (int)i;
			return true;
		}
	}
	return false;
}

__int128 tr_sample_middle(int bucket)
{
	return bucket < 0 ? -(__int128)tr_bucket_middle(-bucket) : tr_bucket_middle(bucket);
}

/* A double is its exponent, 52 bits, the first four of which number the octave's buckets. */
enum { FRACTION_SHIFT = 48 };

int tr_fraction_bucket(double value)
{
	double magnitude = __builtin_fabs(value);
	uint64_t bits;

	memcpy(&bits, &magnitude, sizeof(bits));
	return value < 0 ? -(int)(bits >> FRACTION_SHIFT) : (int)(bits >> FRACTION_SHIFT);
}

double tr_fraction_low(int bucket)
{
	uint64_t bits = (uint64_t)(bucket < 0 ? -bucket : bucket) << FRACTION_SHIFT;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return bucket < 0 ? -value : value;
}

double tr_fraction_middle(int bucket)
{
	uint64_t bits = (uint64_t)(bucket < 0 ? -bucket : bucket) << FRACTION_SHIFT;
	double value;

	if (bits)
		bits |= 1ULL << (FRACTION_SHIFT - 1);
	memcpy(&value, &bits, sizeof(value));
	return bucket < 0 ? -value : value;
}
