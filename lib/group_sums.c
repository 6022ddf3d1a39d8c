/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding up: one loop over a batch for the totals and one for each measure. */
#include <string.h>

#include "group_plan.h"
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
		    size_t n, struct tr_group *const *groups)
{
	size_t offset = f->offset;

	for (size_t i = 0; i < n; i++) {
		struct tr_sums *s = &groups[i]->sums[measure];
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

static void add_values(size_t measure, const struct tr_field *f, const unsigned char *const *bodies,
		       size_t n, struct tr_group *const *groups)
{
	if (is_unsigned(f)) {
		add_u64(measure, f, bodies, n, groups);
		return;
	}
	for (size_t i = 0; i < n; i++)
		tr_sums_add(&groups[i]->sums[measure], tr_field_int(f, bodies[i], 0));
}

static void add_samples(struct tr_groups *g, size_t measure, const struct tr_field *f,
			const unsigned char *const *bodies, size_t n,
			struct tr_group *const *groups)
{
	size_t offset = f->offset;

	if (!is_unsigned(f)) {
		for (size_t i = 0; i < n; i++)
			tr_groups_sample_one(g, groups[i], measure,
					     tr_sample_bucket(tr_field_int(f, bodies[i], 0)));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		tr_groups_sample_one(g, groups[i], measure, tr_bucket_of(v));
	}
}

static void add_rows(struct tr_groups *g, size_t measure, const struct tr_field *f,
		     const unsigned char *const *bodies, size_t n, struct tr_group *const *groups)
{
	const struct tr_scale *scale = &g->measures[measure].scale;
	size_t offset = f->offset;

	if (scale->how != TR_SCALE_TIME || !is_unsigned(f)) {
		for (size_t i = 0; i < n; i++)
			tr_groups_row_one(g, groups[i], measure,
					  tr_scale_row(scale, field_value(f, bodies[i])));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		tr_groups_row_one(g, groups[i], measure, tr_time_row(v));
	}
}

static void add_errnos(struct tr_groups *g, size_t measure, const struct tr_field *ret,
		       const unsigned char *const *bodies, size_t n, struct tr_group *const *groups)
{
	for (size_t i = 0; i < n; i++) {
		int number = tr_result_errno(tr_field_int(ret, bodies[i], 0));

		if (!number)
			continue;
		tr_sums_add(&groups[i]->sums[measure], number);
		if (g->measures[measure].sampled)
			tr_groups_sample(g, groups[i], measure, tr_sample_bucket(number), 1);
		if (tr_scale_is_counted(&g->measures[measure].scale))
			tr_groups_row(g, groups[i], measure,
				      tr_scale_row(&g->measures[measure].scale, number), 1);
	}
}

/* Records that each stand for as many events as their weight says. */
static void add_aggregates(const struct tr_plan *plan, size_t measure,
			   const unsigned char *const *bodies, size_t n,
			   struct tr_group *const *groups)
{
	const struct tr_measured *m = &plan->measures[measure];

	for (size_t i = 0; i < n; i++) {
		struct tr_sums *s = &groups[i]->sums[measure];
		__int128 v;

		if (m->sum) {
			tr_groups_count(plan->groups, &s->n,
					plan->weight ? tr_field_int(plan->weight, bodies[i], 0)
						     : 1);
			s->sum += field_value(m->sum, bodies[i]);
		}
		if (m->min) {
			v = field_value(m->min, bodies[i]);
			s->min = v < s->min ? v : s->min;
		}
		if (m->max) {
			v = field_value(m->max, bodies[i]);
			s->max = v > s->max ? v : s->max;
		}
	}
}

/* Records that each say how many samples fell between two values. */
static void add_buckets(const struct tr_plan *plan, size_t measure,
			const unsigned char *const *bodies, size_t n,
			struct tr_group *const *groups)
{
	const struct tr_measured *m = &plan->measures[measure];

	for (size_t i = 0; i < n; i++)
		tr_groups_sample_between(
			plan->groups, groups[i], measure, field_value(m->lo, bodies[i]),
			m->hi ? field_value(m->hi, bodies[i]) : INT64_MIN,
			plan->weight ? tr_field_int(plan->weight, bodies[i], 0) : 1);
}

void tr_plan_add_measure(const struct tr_plan *plan, size_t measure,
			 const unsigned char *const *bodies, size_t n,
			 struct tr_group *const *groups)
{
	const struct tr_measured *m = &plan->measures[measure];
	bool sampled = plan->groups->measures[measure].sampled;

	if (m->value)
		add_values(measure, m->value, bodies, n, groups);
	if (m->value && sampled)
		add_samples(plan->groups, measure, m->value, bodies, n, groups);
	if (m->value && tr_scale_is_counted(&plan->groups->measures[measure].scale))
		add_rows(plan->groups, measure, m->value, bodies, n, groups);
	if (m->ret)
		add_errnos(plan->groups, measure, m->ret, bodies, n, groups);
	if (m->sum || m->min || m->max)
		add_aggregates(plan, measure, bodies, n, groups);
	if (m->lo && sampled)
		add_buckets(plan, measure, bodies, n, groups);
}

/* The common shape, apart: one event a record, with an 8-byte result. */
static void add_results(const struct tr_field *ret, const unsigned char *const *bodies, size_t n,
			struct tr_group *const *groups)
{
	size_t offset = ret->offset;

	for (size_t i = 0; i < n; i++) {
		int64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		groups[i]->count++;
		groups[i]->errors += tr_result_is_error(v);
	}
}

void tr_plan_add_totals(const struct tr_plan *plan, const unsigned char *const *bodies, size_t n,
			struct tr_group *const *groups)
{
	if (!plan->weight && !plan->errors && plan->ret && tr_types[plan->ret->type].bytes == 8) {
		add_results(plan->ret, bodies, n, groups);
		return;
	}
	if (!plan->weight && !plan->errors && !plan->ret) {
		for (size_t i = 0; i < n; i++)
			groups[i]->count++;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tr_group *g = groups[i];

		tr_groups_count(plan->groups, plan->buckets ? &g->in_buckets : &g->count,
				plan->weight ? tr_field_int(plan->weight, bodies[i], 0) : 1);
		if (plan->errors)
			tr_groups_count(plan->groups, &g->errors,
					tr_field_int(plan->errors, bodies[i], 0));
		else if (plan->ret)
			g->errors += tr_result_is_error(tr_field_int(plan->ret, bodies[i], 0));
	}
}
