/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups' samples: how many fell into which bucket, and the percentiles that follow. */
#include <errno.h>
#include <limits.h>

#include "groups.h"
#include "message.h"

static void give_back(struct tr_groups *g, struct tr_histogram *h)
{
	g->octaves += h->n_octaves;
	tr_histogram_release(h);
}

/* Counts into one of GROUP's histograms. Where memory is out the measure's samples are left out for
 * good, and what they had is for others. */
static void count_sample(struct tr_groups *g, struct tr_group *group, size_t measure,
			 struct tr_histogram *h, int bucket, uint64_t n)
{
	size_t none = 0, *budget = h->n || g->octaves > TR_LAST_OCTAVES ? &g->octaves : &none;

	if (group->left_out >> measure & 1 || !n || tr_histogram_add(h, bucket, n, budget))
		return;
	if (!group->left_out)
		g->left_out++;
	group->left_out |= 1u << measure;
	if (group->samples)
		give_back(g, &group->samples[measure]);
	if (group->rows)
		give_back(g, &group->rows[measure]);
	if (group->fractions)
		give_back(g, &group->fractions[measure].samples);
}

void tr_groups_sample(struct tr_groups *g, struct tr_group *group, size_t measure, int bucket,
		      uint64_t n)
{
	if (!group->samples)
		group->samples = tr_xcalloc(g->n_measures, sizeof(*group->samples));
	count_sample(g, group, measure, &group->samples[measure], bucket, n);
}

void tr_groups_row(struct tr_groups *g, struct tr_group *group, size_t measure, int row, uint64_t n)
{
	if (!group->rows)
		group->rows = tr_xcalloc(g->n_measures, sizeof(*group->rows));
	count_sample(g, group, measure, &group->rows[measure], row, n);
}

static void sample_open(struct tr_groups *g, struct tr_group *group, size_t measure, uint64_t low,
			uint64_t n)
{
	struct tr_unbounded *open;

	if (!group->open)
		group->open = tr_xcalloc(g->n_measures, sizeof(*group->open));
	open = &group->open[measure];
	open->low = open->n && open->low < low ? open->low : low;
	tr_groups_count(g, &open->n, n);
}

void tr_groups_sample_between(struct tr_groups *g, struct tr_group *group, size_t measure,
			      __int128 lo, __int128 hi, uint64_t n)
{
	__int128 middle = lo + (hi - 1 - lo) / 2;
	struct tr_measure *m = &g->measures[measure];
	int row;

	if (hi <= lo) {
		sample_open(g, group, measure, lo < 0 ? 0 : lo, n);
		return;
	}
	tr_groups_sample(g, group, measure,
			 middle < 0 ? tr_sample_bucket(middle) : (int)tr_bucket_of(middle), n);
	if (!tr_scale_is_counted(&m->scale))
		return;
	row = tr_scale_row(&m->scale, middle);
	m->straddled |=
		row != tr_scale_row(&m->scale, lo) || row != tr_scale_row(&m->scale, hi - 1);
	tr_groups_row(g, group, measure, row, n);
}

void tr_groups_add_fraction(struct tr_groups *g, struct tr_group *group, size_t measure,
			    double value)
{
	struct tr_fractions *f;

	if (!group->fractions)
		group->fractions = tr_xcalloc(g->n_measures, sizeof(*f));
	f = &group->fractions[measure];
	f->sum += value;
	if (__builtin_isinf(f->sum)) {
		f->sum = f->sum < 0 ? -__DBL_MAX__ : __DBL_MAX__;
		g->saturated = true;
	}
	f->min = !f->n || value < f->min ? value : f->min;
	f->max = !f->n || value > f->max ? value : f->max;
	f->n++;
	if (!g->measures[measure].sampled)
		return;
	count_sample(g, group, measure, &f->samples, tr_fraction_bucket(value), 1);
	if (tr_scale_is_counted(&g->measures[measure].scale))
		tr_groups_row(g, group, measure,
			      tr_scale_row_fraction(&g->measures[measure].scale, value), 1);
}

/* The bucket that the sample of this RANK is in: of whole numbers, or of fractions when FRACTION
 * gets set. Both are gone through together, in order of their values. */
static int find_bucket(const struct tr_histogram *whole, const struct tr_histogram *fractions,
		       unsigned __int128 rank, bool *fraction)
{
	int i = INT_MIN, f = INT_MIN, bucket = 0;
	uint64_t n_whole, n_fractions;
	unsigned __int128 seen = 0;
	bool more_whole = tr_histogram_next(whole, &i, &n_whole);
	bool more_fractions = tr_histogram_next(fractions, &f, &n_fractions);

	while (seen < rank && (more_whole || more_fractions)) {
		*fraction = !more_whole ||
			    (more_fractions && tr_fraction_middle(f) < (double)tr_sample_middle(i));
		bucket = *fraction ? f : i;
		seen += *fraction ? n_fractions : n_whole;
		if (*fraction)
			more_fractions = tr_histogram_next(fractions, &f, &n_fractions);
		else
			more_whole = tr_histogram_next(whole, &i, &n_whole);
	}
	return bucket;
}

/* The least and the greatest value of a measure, null where there is none. */
static void find_ends(const struct tr_sums *s, const struct tr_fractions *f, struct tr_value *least,
		      struct tr_value *greatest)
{
	bool whole = s->min <= s->max;

	least->null = greatest->null = !whole && !f->n;
	least->is_double = greatest->is_double = f->n > 0;
	least->i = s->min;
	greatest->i = s->max;
	least->d = whole && (!f->n || (double)s->min < f->min) ? (double)s->min : f->min;
	greatest->d = whole && (!f->n || (double)s->max > f->max) ? (double)s->max : f->max;
}

struct tr_value tr_group_end(const struct tr_group *group, size_t measure, bool greatest)
{
	static const struct tr_fractions none;
	struct tr_value ends[2] = {0};

	find_ends(&group->sums[measure], group->fractions ? &group->fractions[measure] : &none,
		  &ends[0], &ends[1]);
	return ends[greatest];
}

static bool is_less(const struct tr_value *a, const struct tr_value *b)
{
	return a->is_double ? a->d < b->d : a->i < b->i;
}

struct tr_value tr_group_percentile(const struct tr_group *group, size_t measure, uint64_t part,
				    uint64_t of)
{
	static const struct tr_histogram no_samples;
	static const struct tr_fractions no_fractions;
	const struct tr_fractions *f =
		group->fractions ? &group->fractions[measure] : &no_fractions;
	const struct tr_histogram *whole = group->samples ? &group->samples[measure] : &no_samples;
	struct tr_unbounded open = group->open ? group->open[measure] : (struct tr_unbounded){0};
	unsigned __int128 closed = (unsigned __int128)whole->n + f->samples.n;
	unsigned __int128 n = closed + open.n;
	unsigned __int128 rank = (n * part + of - 1) / of;
	bool all = n == (unsigned __int128)group->sums[measure].n + f->n, fraction = false;
	struct tr_value v = {.is_double = f->n > 0}, least = {0}, greatest = {0};
	int bucket;

	v.null = !n || group->left_out >> measure & 1;
	if (v.null)
		return v;
	find_ends(&group->sums[measure], f, &least, &greatest);
	if (all && !least.null && (rank == 1 || rank == n))
		return rank == 1 ? least : greatest;
	if (rank > closed)
		return (struct tr_value){.at_least = true, .i = open.low, .d = (double)open.low};
	bucket = find_bucket(whole, &f->samples, rank, &fraction);
	v.i = fraction ? 0 : tr_sample_middle(bucket);
	v.d = fraction ? tr_fraction_middle(bucket) : (double)v.i;
	if (!least.null && is_less(&v, &least))
		return least;
	return !greatest.null && is_less(&greatest, &v) ? greatest : v;
}

int tr_percentile_parse(const char *text, size_t len, uint64_t *part, uint64_t *of)
{
	uint64_t number = 0, scale = 100;
	bool point = false;

	if (!len || len > 11)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' && !point && i && i + 1 < len) {
			point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return -EINVAL;
		number = number * 10 + (text[i] - '0');
		scale *= point ? 10 : 1;
	}
	*part = number;
	*of = scale;
	return number > 0 && number <= scale ? 0 : -EINVAL;
}
