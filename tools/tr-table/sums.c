/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding up: one loop over a batch for the totals and one for each measure. */
#include <string.h>

#include "plan.h"
#include "result.h"

static bool is_unsigned(const struct tr_field *f)
{
	return tr_types[f->type].class != TR_C_sint && tr_types[f->type].bytes == 8;
}

static __int128 field_value(const struct tr_field *f, const unsigned char *body)
{
	int64_t v = tr_field_int(f, body, 0);

	return is_unsigned(f) ? (__int128)(uint64_t)v : v;
}

/* The common shape, one 8-byte field that is not negative, apart: its loop keeps to 64 bits. */
static void add_u64(size_t measure, const struct tr_field *f, const unsigned char *const *bodies,
		    size_t n, struct group *const *groups)
{
	size_t offset = f->offset;

	for (size_t i = 0; i < n; i++) {
		struct sums *s = &groups[i]->sums[measure];
		uint64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		s->sum += v;
		s->n++;
		if (__builtin_expect(v < s->min, 0))
			s->min = v;
		if (__builtin_expect(v > s->max, 0))
			s->max = v;
	}
}

void plan_add_measure(struct plan *plan, size_t measure, const unsigned char *const *bodies,
		      size_t n, struct group *const *groups)
{
	const struct tr_field *sum = plan->measures[measure].sum;
	const struct tr_field *min = plan->measures[measure].min;
	const struct tr_field *max = plan->measures[measure].max;

	if (!sum)
		return;
	if (sum == min && sum == max && is_unsigned(sum)) {
		add_u64(measure, sum, bodies, n, groups);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct sums *s = &groups[i]->sums[measure];
		uint64_t events = 1;
		__int128 v;

		/* an aggregate's sum is that of as many events as its weight says */
		if (plan->weight && sum != max)
			events = tr_field_int(plan->weight, bodies[i], 0);
		s->n += events;
		s->sum += field_value(sum, bodies[i]);
		v = field_value(min, bodies[i]);
		s->min = v < s->min ? v : s->min;
		v = field_value(max, bodies[i]);
		s->max = v > s->max ? v : s->max;
	}
}

/* The common shape, apart: one event a record, with an 8-byte result. */
static void add_results(const struct tr_field *ret, const unsigned char *const *bodies, size_t n,
			struct group *const *groups)
{
	size_t offset = ret->offset;

	for (size_t i = 0; i < n; i++) {
		int64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		groups[i]->count++;
		groups[i]->errors += tr_result_is_error(v);
	}
}

void plan_add_totals(struct plan *plan, const unsigned char *const *bodies, size_t n,
		     struct group *const *groups)
{
	if (!plan->weight && !plan->errors && plan->ret && tr_types[plan->ret->type].bytes == 8) {
		add_results(plan->ret, bodies, n, groups);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct group *g = groups[i];

		g->count += plan->weight ? (uint64_t)tr_field_int(plan->weight, bodies[i], 0) : 1;
		if (plan->errors)
			g->errors += tr_field_int(plan->errors, bodies[i], 0);
		else if (plan->ret)
			g->errors += tr_result_is_error(tr_field_int(plan->ret, bodies[i], 0));
	}
}
