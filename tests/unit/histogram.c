/* SPDX-License-Identifier: GPL-2.0-only */
/* Log-linear buckets: every boundary, there and back, the error; and counts that are kept in them.
 */
#include "histogram.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "check.h"

/* Whether REPORTED is within 1/32 of VALUE, without rounding. */
static bool is_near(uint64_t reported, uint64_t value)
{
	uint64_t off = reported > value ? reported - value : value - reported;

	return (unsigned __int128)off * 32 <= value;
}

static void check_value(uint64_t value)
{
	unsigned bucket = tr_bucket_of(value);

	CHECK(bucket < TR_BUCKETS);
	CHECK(tr_bucket_low(bucket) <= value);
	CHECK(bucket == TR_BUCKETS - 1 || value < tr_bucket_low(bucket + 1));
	CHECK(is_near(tr_bucket_middle(bucket), value));
	CHECK_INT(tr_bucket_of(tr_bucket_middle(bucket)), bucket);
}

static void check_boundaries(void)
{
	for (unsigned i = 0; i < TR_BUCKETS; i++) {
		uint64_t low = tr_bucket_low(i), last = tr_bucket_low(i + 1) - 1;

		CHECK_INT(tr_bucket_of(low), i);
		CHECK_INT(tr_bucket_of(last), i);
		CHECK_INT(tr_bucket_of(last + 1), last == UINT64_MAX ? 0 : i + 1);
		CHECK(low <= last);
		check_value(low);
		check_value(last);
		check_value(low + (last - low) / 2);
		/* sixteen to an octave, from 16 on; below that, and up to 31, one for each value */
		if (low >= 16)
			CHECK_INT(last - low + 1, 1ULL << (59 - __builtin_clzll(low)));
		else
			CHECK_INT(low, last);
	}
	CHECK_INT(tr_bucket_low(TR_BUCKETS - 1), 31ULL << 59);
	CHECK_INT(tr_bucket_of(UINT64_MAX), TR_BUCKETS - 1);
	CHECK_INT(tr_bucket_of(1ULL << 36), TR_OPEN_BUCKET);
	CHECK_INT(tr_bucket_low(TR_OPEN_BUCKET), 1LL << 36);
	for (int i = 0; i < 1000000; i++)
		check_value(check_random_sized());
}

static void check_signs(void)
{
	int before = INT_MIN;

	for (int bucket = -959; bucket < 960; bucket++) {
		int64_t low = bucket < 0 ? -(int64_t)tr_bucket_low(-bucket)
					 : (int64_t)tr_bucket_low(bucket);

		CHECK_INT(tr_sample_bucket(low), bucket);
		CHECK(bucket > before);
		before = bucket;
	}
	CHECK_INT(tr_sample_bucket(INT64_MIN), -960);
	CHECK(tr_sample_middle(-960) < INT64_MIN);
	CHECK(tr_sample_middle(TR_BUCKETS - 1) > INT64_MAX);
	CHECK_INT(tr_sample_middle(tr_sample_bucket(-7)), -7);
	CHECK_INT(tr_sample_middle(0), 0);
}

static void check_fractions(void)
{
	for (int i = 0; i < 1000000; i++) {
		double value = ldexp(1 + ldexp(check_random() >> 12, -52),
				     (int)(check_random() % 2046) - 1022);
		int bucket = tr_fraction_bucket(value);

		CHECK(fabs(tr_fraction_middle(bucket) - value) <= value / 32);
		CHECK_INT(tr_fraction_bucket(tr_fraction_middle(bucket)), bucket);
		CHECK_INT(tr_fraction_bucket(-value), -bucket);
		CHECK(tr_fraction_middle(-bucket) == -tr_fraction_middle(bucket));
		CHECK(tr_fraction_bucket(value * (1 + 1.0 / 15)) > bucket || value > DBL_MAX / 2);
	}
	CHECK_INT(tr_fraction_bucket(0.0), 0);
	CHECK_INT(tr_fraction_bucket(-0.0), 0);
	CHECK(tr_fraction_middle(0) == 0);
	CHECK(isfinite(tr_fraction_middle(tr_fraction_bucket(DBL_MAX))));
}

static void check_counts(void)
{
	static uint64_t counts[2 * TR_BUCKETS];
	struct tr_histogram h = {0};
	size_t budget = SIZE_MAX;
	uint64_t n, total = 0;
	int bucket = INT_MIN;

	CHECK(!tr_histogram_next(&h, &bucket, &n));
	for (int i = 0; i < 100000; i++) {
		int b = (int)(check_random() % 1900) - 950;

		n = i % 3 ? 1 : check_random() >> 24;
		total += n;
		counts[b + TR_BUCKETS] += n;
		CHECK(tr_histogram_add(&h, b, n, &budget));
	}
	CHECK_INT(h.n, total);
	bucket = INT_MIN;
	for (int b = -TR_BUCKETS; b < TR_BUCKETS; b++) {
		if (!counts[b + TR_BUCKETS])
			continue;
		CHECK(tr_histogram_next(&h, &bucket, &n));
		CHECK_INT(bucket, b);
		CHECK_INT(n, counts[b + TR_BUCKETS]);
	}
	CHECK(!tr_histogram_next(&h, &bucket, &n));
	tr_histogram_release(&h);
	CHECK_INT(h.n, 0);
}

/* Buckets with gaps between them, and the edges of octaves. */
static void check_sparse(void)
{
	static const int buckets[] = {-960, -33, -32, -17, -16, -1, 0, 15, 16, 31, 32, 500, 32655};
	enum { N = sizeof(buckets) / sizeof(buckets[0]) };
	struct tr_histogram h = {0};
	size_t budget = SIZE_MAX;
	int bucket = INT_MIN;
	uint64_t n;

	for (int i = N - 1; i >= 0; i--)
		CHECK(tr_histogram_add(&h, buckets[i], i + 1, &budget));
	for (int i = 0; i < N; i++) {
		CHECK(tr_histogram_next(&h, &bucket, &n));
		CHECK_INT(bucket, buckets[i]);
		CHECK_INT(n, i + 1);
	}
	CHECK(!tr_histogram_next(&h, &bucket, &n));
	tr_histogram_release(&h);
}

static void check_limits(void)
{
	struct tr_histogram h = {0};
	size_t budget = 2;
	int bucket = INT_MIN;
	uint64_t n;

	CHECK(tr_histogram_add(&h, 5, UINT32_MAX, &budget));
	CHECK(tr_histogram_add(&h, 5, 1, &budget));
	CHECK(tr_histogram_next(&h, &bucket, &n));
	CHECK_INT(n, 1LL << 32);
	CHECK_INT(budget, 1);
	CHECK(tr_histogram_add(&h, 100, 1, &budget));
	CHECK_INT(budget, 0);
	CHECK(!tr_histogram_add(&h, 200, 1, &budget));
	CHECK(tr_histogram_add(&h, 6, 1, &budget));
	CHECK_INT(h.n, (1LL << 32) + 2);
	/* saturates */
	CHECK(tr_histogram_add(&h, 5, UINT64_MAX, &budget));
	bucket = INT_MIN;
	CHECK(tr_histogram_next(&h, &bucket, &n));
	CHECK_INT(n, UINT64_MAX);
	CHECK_INT(h.n, UINT64_MAX);
	tr_histogram_release(&h);
}

int main(void)
{
	check_boundaries();
	check_signs();
	check_fractions();
	check_counts();
	check_sparse();
	check_limits();
	return check_status();
}
