/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows: powers of two, steps of a size, and for times both people's units and doubling. */
#include "scale.h"

#include <math.h>

#define DOUBLING(unit)                                                                             \
	(unit), 2 * (unit), 4 * (unit), 8 * (unit), 16 * (unit), 32 * (unit), 64 * (unit),         \
		128 * (unit), 256 * (unit), 512 * (unit)

#define SECOND 1000000000ULL

const uint64_t tr_time_edges[66] = {
	0,
	DOUBLING(1ULL),
	DOUBLING(1000ULL),
	DOUBLING(1000000ULL),
	DOUBLING(SECOND),
	DOUBLING(SECOND << 10),
	DOUBLING(SECOND << 20),
	SECOND << 30,
	SECOND << 31,
	SECOND << 32,
	SECOND << 33,
	SECOND << 34,
};

/* Rounded down; what is beyond 64 bits has no fraction. */
static double rounded_down(double value)
{
	double whole;

	if (!(__builtin_fabs(value) < 0x1p63))
		return value;
	whole = (double)(int64_t)value;
	return whole > value ? whole - 1 : whole;
}

static int within(double row)
{
	if (row >= TR_LAST_ROW)
		return TR_LAST_ROW;
	return row <= -TR_LAST_ROW ? -TR_LAST_ROW : (int)row;
}

static int linear_row(const struct tr_scale *scale, __int128 value)
{
	__int128 row;

	if (!scale->whole_step)
		return within(rounded_down((double)value / scale->step));
	if (value == (int64_t)value)
		row = (int64_t)value / scale->whole_step;
	else
		row = value / scale->whole_step;
	row -= value < row * scale->whole_step;
	if (row >= TR_LAST_ROW)
		return TR_LAST_ROW;
	return row <= -TR_LAST_ROW ? -TR_LAST_ROW : (int)row;
}

int tr_scale_row(const struct tr_scale *scale, __int128 value)
{
	if (scale->how == TR_SCALE_LINEAR)
		return linear_row(scale, value);
	return value < 0 ? -tr_time_row(-value) : tr_time_row(value);
}

int tr_scale_row_fraction(const struct tr_scale *scale, double value)
{
	double size = rounded_down(__builtin_fabs(value));

	if (scale->how == TR_SCALE_LINEAR)
		return within(rounded_down(value / scale->step));
	if (size >= 0x1p64)
		return value < 0 ? -tr_time_row(UINT64_MAX) : tr_time_row(UINT64_MAX);
	return value < 0 ? -tr_time_row((uint64_t)size) : tr_time_row((uint64_t)size);
}

static int with_sign(int bucket, int row)
{
	return bucket < 0 ? -row : row;
}

int tr_log2_row(int bucket)
{
	uint64_t low = tr_bucket_low(bucket < 0 ? -bucket : bucket);

	return low ? with_sign(bucket, TR_LOG2_ROW_OF_1 + (int)tr_octave_of(low)) : 0;
}

int tr_log2_row_of_fractions(int bucket)
{
	int exponent;

	if (!bucket)
		return 0;
	frexp(tr_fraction_middle(bucket), &exponent);
	return with_sign(bucket, TR_LOG2_ROW_OF_1 + exponent - 1);
}

static struct tr_value whole(__int128 value)
{
	return (struct tr_value){.i = value, .d = (double)value};
}

static struct tr_value fraction(double value)
{
	return (struct tr_value){.is_double = true, .d = value};
}

static struct tr_value power_of_2(int exponent, int sign)
{
	if (exponent < 0 || exponent > 100)
		return fraction(sign * ldexp(1, exponent));
	return whole(sign * ((__int128)1 << exponent));
}

static struct tr_value time_edge(int row, int sign)
{
	__int128 edge = row < 66 ? tr_time_edges[row] : (__int128)SECOND << 35;

	return whole(sign * edge);
}

void tr_scale_ends(const struct tr_scale *scale, int row, struct tr_value *low,
		   struct tr_value *high)
{
	int size = row < 0 ? -row : row, sign = row < 0 ? -1 : 1;
	struct tr_value near, far;

	if (scale->how == TR_SCALE_LINEAR && scale->whole_step) {
		*low = whole((__int128)row * scale->whole_step);
		*high = whole(((__int128)row + 1) * scale->whole_step);
		return;
	}
	if (scale->how == TR_SCALE_LINEAR) {
		*low = fraction(row * scale->step);
		*high = fraction((row + 1) * scale->step);
		return;
	}
	if (scale->how == TR_SCALE_TIME) {
		near = time_edge(size, sign);
		far = time_edge(size + 1, sign);
	} else {
		near = row ? power_of_2(size - TR_LOG2_ROW_OF_1, sign) : whole(0);
		far = row ? power_of_2(size + 1 - TR_LOG2_ROW_OF_1, sign) : whole(1);
	}
	*low = row < 0 ? far : near;
	*high = row < 0 ? near : far;
}
