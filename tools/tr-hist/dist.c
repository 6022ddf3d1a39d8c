/* SPDX-License-Identifier: GPL-2.0-only */
/* From what was added up to a distribution. */
#include "dist.h"

#include <limits.h>
#include <stdlib.h>

#include "message.h"

static const struct tr_histogram *histogram_of(const struct tr_histogram *list, size_t measure)
{
	static const struct tr_histogram none;

	return list ? &list[measure] : &none;
}

static const struct tr_fractions *fractions_of(const struct tr_group *group, size_t measure)
{
	static const struct tr_fractions none;

	return group->fractions ? &group->fractions[measure] : &none;
}

static struct tr_unbounded open_of(const struct tr_group *group, size_t measure)
{
	return group->open ? group->open[measure] : (struct tr_unbounded){0};
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* How many values are in buckets. */
static uint64_t bucketed(const struct tr_group *group, size_t measure)
{
	return add(add(histogram_of(group->samples, measure)->n,
		       fractions_of(group, measure)->samples.n),
		   open_of(group, measure).n);
}

static bool is_left_out(const struct tr_group *group, size_t measure)
{
	return group->left_out >> measure & 1;
}

static uint64_t events(const struct tr_group *group)
{
	return add(group->sums[OF_EVENTS].n, fractions_of(group, OF_EVENTS)->n);
}

/* Buckets win over single records: those who ask for both get the same events in both. */
static size_t measure_of(const struct tr_group *group)
{
	return bucketed(group, OF_AGGREGATES) || is_left_out(group, OF_AGGREGATES) ? OF_AGGREGATES
										   : OF_EVENTS;
}

static uint64_t count_of(const struct tr_group *group, size_t measure)
{
	if (measure == OF_EVENTS)
		return events(group);
	return is_left_out(group, OF_AGGREGATES) ? group->sums[OF_AGGREGATES].n
						 : bucketed(group, OF_AGGREGATES);
}

uint64_t dist_count(const struct tr_group *group)
{
	return count_of(group, measure_of(group));
}

static struct tr_value whole(__int128 value)
{
	return (struct tr_value){.i = value, .d = (double)value};
}

static struct tr_value mean_of(__int128 sum, uint64_t n)
{
	return whole(sum / n * MEAN_SCALE + sum % n * MEAN_SCALE / n);
}

/* Sum, mean, least and greatest from the values themselves. */
static void set_exact(struct dist *d)
{
	const struct tr_sums *s = &d->group->sums[d->measure];
	const struct tr_fractions *f = fractions_of(d->group, d->measure);

	d->least.value = tr_group_end(d->group, d->measure, false);
	d->greatest.value = tr_group_end(d->group, d->measure, true);
	d->sum.value = whole(s->sum);
	d->mean.value = s->n ? mean_of(s->sum, s->n) : whole(0);
	if (f->n) {
		d->sum.value = (struct tr_value){.is_double = true, .d = (double)s->sum + f->sum};
		d->mean.value = d->sum.value;
		d->mean.value.d /= (double)s->n + (double)f->n;
	}
}

/* What the buckets say of them. */
static void set_bounds(struct dist *d)
{
	struct bar *bars = NULL;
	size_t n = dist_buckets(d, &bars);
	__int128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += bars[i].low.i * bars[i].n;
	d->sum = (struct figure){whole(sum), AT_LEAST};
	d->mean = (struct figure){mean_of(sum, d->n), AT_LEAST};
	if (n) {
		const struct bar *last = &bars[n - 1];

		d->least = (struct figure){bars[0].low, AT_LEAST};
		d->greatest = last->open ? (struct figure){last->low, AT_LEAST}
					 : (struct figure){last->high, BELOW};
	}
	free(bars);
}

bool dist_of_measure(struct dist *d, const struct tr_groups *groups, const struct tr_group *group,
		     size_t measure)
{
	const struct tr_sums *s = &group->sums[measure];

	*d = (struct dist){
		.groups = groups,
		.group = group,
		.measure = measure,
		.left_out = is_left_out(group, measure),
		.unit = tr_measure_unit(&groups->measures[measure]),
		.scale = &groups->measures[measure].scale,
		.n = count_of(group, measure),
	};
	if (!d->n)
		return false;
	if (measure == OF_EVENTS || d->left_out || (s->n == d->n && s->min <= s->max))
		set_exact(d);
	else
		set_bounds(d);
	return true;
}

bool dist_of(struct dist *d, const struct tr_groups *groups, const struct tr_group *group)
{
	if (!dist_of_measure(d, groups, group, measure_of(group)))
		return false;
	d->both = d->measure == OF_AGGREGATES && events(group);
	return true;
}

struct figure dist_percentile(const struct dist *d, uint64_t part, uint64_t of)
{
	struct figure f = {tr_group_percentile(d->group, d->measure, part, of), EXACT};

	if (f.value.at_least)
		f.known = AT_LEAST;
	return f;
}

/* Adds N to the last bar where that is the same row, else to a new one. */
static size_t add_row(const struct dist *d, struct bar *bars, size_t n_bars, int row, uint64_t n)
{
	struct bar *bar = &bars[n_bars];

	if (n_bars && bar[-1].row == row) {
		bar[-1].n = add(bar[-1].n, n);
		return n_bars;
	}
	*bar = (struct bar){.row = row, .n = n};
	tr_scale_ends(d->scale, row, &bar->low, &bar->high);
	bar->open = d->scale->how == TR_SCALE_LINEAR && (row == TR_LAST_ROW || row == -TR_LAST_ROW);
	return n_bars + 1;
}

static size_t add_open(const struct dist *d, struct bar *bars, size_t n_bars)
{
	struct tr_unbounded open = open_of(d->group, d->measure);

	if (!open.n)
		return n_bars;
	bars[n_bars] =
		(struct bar){.low = whole(open.low), .open = true, .row = INT_MAX, .n = open.n};
	return n_bars + 1;
}

static size_t count_buckets(const struct tr_histogram *h)
{
	int bucket = INT_MIN;
	size_t count = 0;
	uint64_t n;

	while (tr_histogram_next(h, &bucket, &n))
		count++;
	return count;
}

/* Buckets of whole numbers and of fractions, together in order. */
struct both {
	const struct tr_histogram *whole, *fractions;
	int i, f;                      /* the next bucket of each */
	uint64_t n_whole, n_fractions; /* what it has, 0 when there is none */
};

static void next_of(const struct tr_histogram *h, int *bucket, uint64_t *n)
{
	if (!tr_histogram_next(h, bucket, n))
		*n = 0;
}

static void both_begin(struct both *b, const struct dist *d)
{
	*b = (struct both){.whole = histogram_of(d->group->samples, d->measure),
			   .fractions = &fractions_of(d->group, d->measure)->samples,
			   .i = INT_MIN,
			   .f = INT_MIN};
	next_of(b->whole, &b->i, &b->n_whole);
	next_of(b->fractions, &b->f, &b->n_fractions);
}

/* The next one, in *BUCKET: *FRACTIONS says of which. Returns its count, 0 at the end. */
static uint64_t both_next(struct both *b, int *bucket, bool *fractions)
{
	uint64_t n;

	*fractions = b->n_fractions &&
		     (!b->n_whole || tr_fraction_middle(b->f) < (double)tr_sample_middle(b->i));
	if (*fractions) {
		n = b->n_fractions;
		*bucket = b->f;
		next_of(b->fractions, &b->f, &b->n_fractions);
	} else {
		n = b->n_whole;
		*bucket = b->i;
		next_of(b->whole, &b->i, &b->n_whole);
	}
	return n;
}

static struct bar *new_bars(const struct dist *d)
{
	size_t n = count_buckets(histogram_of(d->group->samples, d->measure)) +
		   count_buckets(&fractions_of(d->group, d->measure)->samples) +
		   count_buckets(histogram_of(d->group->rows, d->measure));

	return tr_xcalloc(n + 1, sizeof(struct bar));
}

size_t dist_rows(const struct dist *d, struct bar **bars)
{
	const struct tr_histogram *rows = histogram_of(d->group->rows, d->measure);
	size_t n_bars = 0;
	int at = INT_MIN;
	struct both both;
	bool fractions;
	uint64_t n;

	*bars = new_bars(d);
	if (d->scale->how != TR_SCALE_LOG2) {
		while (tr_histogram_next(rows, &at, &n))
			n_bars = add_row(d, *bars, n_bars, at, n);
		return add_open(d, *bars, n_bars);
	}
	both_begin(&both, d);
	while ((n = both_next(&both, &at, &fractions)))
		n_bars = add_row(d, *bars, n_bars,
				 fractions ? tr_log2_row_of_fractions(at) : tr_log2_row(at), n);
	return add_open(d, *bars, n_bars);
}

static void set_ends(struct bar *bar, int bucket, bool fractions)
{
	int size = bucket < 0 ? -bucket : bucket, sign = bucket < 0 ? -1 : 1;
	struct tr_value near, far;

	if (fractions) {
		near = (struct tr_value){.is_double = true, .d = tr_fraction_low(bucket)};
		far = (struct tr_value){.is_double = true, .d = tr_fraction_low(bucket + sign)};
	} else {
		/* of whole numbers there is a next one: the lower end is always in the bucket */
		near = whole(sign * (__int128)tr_bucket_low(size) + (sign < 0));
		far = whole(sign * (size + 1 == TR_BUCKETS ? (__int128)1 << 64
							   : (__int128)tr_bucket_low(size + 1)) +
			    (sign < 0));
	}
	bar->low = bucket < 0 ? far : near;
	bar->high = bucket < 0 ? near : far;
}

size_t dist_buckets(const struct dist *d, struct bar **bars)
{
	size_t n_bars = 0;
	struct both both;
	bool fractions;
	uint64_t n;
	int bucket;

	*bars = new_bars(d);
	both_begin(&both, d);
	while ((n = both_next(&both, &bucket, &fractions))) {
		set_ends(&(*bars)[n_bars], bucket, fractions);
		(*bars)[n_bars++].n = n;
	}
	return add_open(d, *bars, n_bars);
}
