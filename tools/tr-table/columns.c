/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns: those asked for, their names, and what a group has there. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

static const char *const agg_names[] = {
	[AGG_COUNT] = "count", [AGG_ERRORS] = "errors", [AGG_SUM] = "sum",      [AGG_AVG] = "avg",
	[AGG_MIN] = "min",     [AGG_MAX] = "max",       [AGG_PERCENTILE] = "p",
};

static int measure_index(struct tr_groups *g, const char *name, size_t len)
{
	struct tr_measure *m;

	for (size_t i = 0; i < g->n_measures; i++)
		if (strlen(g->measures[i].name) == len && !memcmp(g->measures[i].name, name, len))
			return i;
	if (g->n_measures == TR_MAX_MEASURES || len > TR_MAX_NAME)
		return -EINVAL;
	m = &g->measures[g->n_measures];
	memcpy(m->name, name, len);
	m->name[len] = 0;
	return g->n_measures++;
}

/* "p99.9" */
static bool parse_percentile(struct column *c, const char *text, size_t len)
{
	if (len < 2 || len > sizeof(c->percentile) || text[0] != 'p' ||
	    tr_percentile_parse(text + 1, len - 1, &c->part, &c->of) < 0)
		return false;
	memcpy(c->percentile, text + 1, len - 1);
	c->agg = AGG_PERCENTILE;
	return true;
}

/* What LEN bytes of TEXT call an aggregate, without its field. */
static bool parse_agg_name(struct column *c, const char *text, size_t len)
{
	for (c->agg = AGG_COUNT; c->agg < AGG_PERCENTILE; c->agg++)
		if (strlen(agg_names[c->agg]) == len && !memcmp(text, agg_names[c->agg], len))
			return true;
	return parse_percentile(c, text, len);
}

/* One of the list: "count", "errors" or "sum(FIELD)". */
static const char *parse_agg(struct view *view, struct tr_groups *g, const char *text, size_t len)
{
	const char *open = memchr(text, '(', len);
	size_t n = open ? (size_t)(open - text) : len;
	struct column c = {0};
	int measure;

	if (!parse_agg_name(&c, text, n))
		return "not count, errors, sum(F), avg(F), min(F), max(F) or pN(F), N up to 100";
	if (view->n_columns == MAX_COLUMNS)
		return "too many";
	if (c.agg <= AGG_ERRORS && open)
		return "count and errors take no field";
	if (c.agg > AGG_ERRORS) {
		if (!open || text[len - 1] != ')' || len - n < 3)
			return "sum, avg, min, max and percentiles take a field, as in sum(ns)";
		measure = measure_index(g, open + 1, len - n - 2);
		if (measure < 0)
			return "too many fields";
		c.measure = measure;
		g->measures[measure].sampled |= c.agg == AGG_PERCENTILE;
	}
	view->columns[view->n_columns++] = c;
	return NULL;
}

int view_parse_aggs(struct view *view, struct tr_groups *g, const char *text, const char **why)
{
	for (;;) {
		size_t len = strcspn(text, ",");

		*why = parse_agg(view, g, text, len);
		if (*why)
			return -EINVAL;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

void view_default_aggs(struct view *view, struct tr_groups *g)
{
	static const enum agg aggs[] = {AGG_COUNT, AGG_ERRORS, AGG_SUM, AGG_AVG, AGG_MAX};
	int measure = measure_index(g, "", 0);

	for (size_t i = 0; i < sizeof(aggs) / sizeof(aggs[0]); i++)
		view->columns[view->n_columns++] =
			(struct column){.agg = aggs[i], .measure = measure, .if_seen = true};
}

bool table_is_time(const struct table *t, const struct column *c)
{
	return c->agg > AGG_ERRORS &&
	       tr_measure_unit(&t->groups->measures[c->measure]) == TR_UNIT_TIME;
}

/* "sum_len"; of the default measure "total_ns". */
void table_column_name(const struct table *t, const struct column *c, char *name)
{
	const struct tr_measure *m = &t->groups->measures[c->measure];

	if (c->agg <= AGG_ERRORS)
		strcpy(name, agg_names[c->agg]);
	else if (*m->name)
		sprintf(name, "%s%s_%s", agg_names[c->agg], c->percentile, m->name);
	else
		sprintf(name, "%s%s", c->agg == AGG_SUM ? "total" : agg_names[c->agg],
			table_is_time(t, c) ? "_ns" : "");
}

/* "SUM(len)", "TOTAL" */
void table_column_title(const struct table *t, const struct column *c, char *title)
{
	const struct tr_measure *m = &t->groups->measures[c->measure];
	const char *agg = c->agg == AGG_SUM && !*m->name ? "total" : agg_names[c->agg];
	char *p = title;

	while (*agg)
		*p++ = toupper((unsigned char)*agg++);
	p = stpcpy(p, c->percentile);
	if (c->agg > AGG_ERRORS && *m->name)
		sprintf(p, "(%s)", m->name);
}

/* Thousandths of a sum's N-th part. */
static __int128 average(__int128 sum, uint64_t n)
{
	return sum / n * SCALE + sum % n * SCALE / n;
}

struct tr_value table_value(const struct column *c, const struct tr_group *group)
{
	const struct tr_sums *s = &group->sums[c->measure];
	struct tr_fractions none = {0};
	const struct tr_fractions *f = group->fractions ? &group->fractions[c->measure] : &none;
	struct tr_value v = {0};

	switch (c->agg) {
	case AGG_COUNT: v.i = tr_group_count(group); return v;
	case AGG_ERRORS: v.i = group->errors; return v;
	case AGG_MIN: return tr_group_end(group, c->measure, false);
	case AGG_MAX: return tr_group_end(group, c->measure, true);
	case AGG_PERCENTILE: return tr_group_percentile(group, c->measure, c->part, c->of);
	case AGG_SUM:
		v.i = s->sum;
		v.d = (double)s->sum + f->sum;
		break;
	case AGG_AVG:
		v.i = s->n ? average(s->sum, s->n) : 0;
		v.d = ((double)s->sum + f->sum) / ((double)s->n + (double)f->n);
		break;
	}
	v.null = !s->n && !f->n;
	v.is_double = f->n > 0;
	return v;
}
