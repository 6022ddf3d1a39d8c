/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of histograms: every value is between its row's ends, and rows follow one another. */
#include "scale.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "check.h"

/* Of rows below 0 that are not linear it is the upper end that is in the row. */
static bool is_between(const struct tr_scale *scale, int row, __int128 value)
{
	struct tr_value low, high;

	tr_scale_ends(scale, row, &low, &high);
	if (row < 0 && scale->how != TR_SCALE_LINEAR)
		return value > low.i && value <= high.i;
	return value >= low.i && value < high.i;
}

static void check_value(const struct tr_scale *scale, __int128 value)
{
	CHECK(is_between(scale, tr_scale_row(scale, value), value));
}

static void check_whole(const struct tr_scale *scale)
{
	for (int i = 0; i < 200000; i++) {
		uint64_t value = check_random_sized();

		check_value(scale, value);
		check_value(scale, -(__int128)(value >> 1));
	}
	check_value(scale, UINT64_MAX);
	check_value(scale, INT64_MIN);
	check_value(scale, 0);
}

/* As people count: each end is 1, 2, 4 to 512 of a unit. */
static void check_times(void)
{
	const struct tr_scale scale = {.how = TR_SCALE_TIME};
	struct tr_value low, high, last = {.i = 1};

	check_whole(&scale);
	for (int row = 1; row < 66; row++) {
		tr_scale_ends(&scale, row, &low, &high);
		CHECK(low.i == last.i);
		CHECK(high.i == 2 * low.i || (high.i % 1000 == 0 && 1000 * low.i == 512 * high.i));
		CHECK_INT(tr_time_row((uint64_t)low.i), row);
		CHECK_INT(tr_time_row((uint64_t)low.i - 1), row - 1);
		last = high;
	}
	tr_scale_ends(&scale, 31, &low, &high);
	CHECK_INT(low.i, 1000000000);
	CHECK_INT(tr_time_row(UINT64_MAX), 65);
	CHECK_INT(tr_scale_row_fraction(&scale, 1999.9), tr_time_row(1999));
	CHECK_INT(tr_scale_row_fraction(&scale, -1e300), -65);
}

static void check_linear(void)
{
	struct tr_scale scale = {
		.how = TR_SCALE_LINEAR, .step = 7e14, .whole_step = 700000000000000};
	struct tr_value low, high;

	check_whole(&scale);
	CHECK_INT(tr_scale_row(&scale, -1), -1);
	CHECK_INT(tr_scale_row(&scale, -700000000000000), -1);
	CHECK_INT(tr_scale_row_fraction(&scale, -0.5), -1);
	scale = (struct tr_scale){.how = TR_SCALE_LINEAR, .step = 0.25};
	CHECK_INT(tr_scale_row_fraction(&scale, 0.75), 3);
	CHECK_INT(tr_scale_row_fraction(&scale, -0.25), -1);
	CHECK_INT(tr_scale_row(&scale, 2), 8);
	tr_scale_ends(&scale, -1, &low, &high);
	CHECK(low.is_double && low.d == -0.25 && high.d == 0);
	/* what is beyond the last row is in it */
	CHECK_INT(tr_scale_row(&scale, UINT64_MAX), TR_LAST_ROW);
	CHECK_INT(tr_scale_row_fraction(&scale, -DBL_MAX), -TR_LAST_ROW);
}

static void check_log2(void)
{
	const struct tr_scale scale = {.how = TR_SCALE_LOG2};
	struct tr_value low, high;

	for (int i = 0; i < 200000; i++) {
		int64_t value = (int64_t)(check_random_sized() >> 1);
		double fraction = ldexp(1 + ldexp(check_random() >> 12, -52),
					(int)(check_random() % 2046) - 1022);

		CHECK(is_between(&scale, tr_log2_row(tr_sample_bucket(value)), value));
		CHECK(is_between(&scale, tr_log2_row(tr_sample_bucket(-value)), -value));
		tr_scale_ends(&scale, tr_log2_row_of_fractions(tr_fraction_bucket(fraction)), &low,
			      &high);
		CHECK(fraction >= low.d && fraction < high.d);
		CHECK_INT(tr_log2_row_of_fractions(tr_fraction_bucket(-fraction)),
			  -tr_log2_row_of_fractions(tr_fraction_bucket(fraction)));
	}
	CHECK_INT(tr_log2_row(tr_sample_bucket(1)), TR_LOG2_ROW_OF_1);
	CHECK_INT(tr_log2_row(0), 0);
	CHECK_INT(tr_log2_row_of_fractions(tr_fraction_bucket(1.5)), TR_LOG2_ROW_OF_1);
	CHECK(tr_log2_row_of_fractions(tr_fraction_bucket(DBL_TRUE_MIN * 3)) >= 0);
}

int main(void)
{
	check_times();
	check_linear();
	check_log2();
	return check_status();
}
