/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns, their values, and the order of the rows. */
#include "view.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "rows.h"

static const char *const agg_names[] = {
	[AGG_COUNT] = "count", [AGG_ERRORS] = "errors", [AGG_SUM] = "sum",
	[AGG_AVG] = "avg",     [AGG_MIN] = "min",       [AGG_MAX] = "max",
};

static int measure_index(struct groups *g, const char *name, size_t len)
{
	struct measure *m;

	for (size_t i = 0; i < g->n_measures; i++)
		if (strlen(g->measures[i].name) == len && !memcmp(g->measures[i].name, name, len))
			return i;
	if (g->n_measures == MAX_MEASURES || len > TR_MAX_NAME)
		return -EINVAL;
	m = &g->measures[g->n_measures];
	memcpy(m->name, name, len);
	m->name[len] = 0;
	return g->n_measures++;
}

/* One of the list: "count", "errors" or "sum(FIELD)". */
static const char *parse_agg(struct view *view, struct groups *g, const char *text, size_t len)
{
	const char *open = memchr(text, '(', len);
	size_t n = open ? (size_t)(open - text) : len;
	struct column column = {0};
	int measure;

	for (int agg = AGG_COUNT; agg <= AGG_MAX; agg++) {
		if (strlen(agg_names[agg]) != n || memcmp(text, agg_names[agg], n))
			continue;
		if (view->n_columns == MAX_COLUMNS)
			return "too many";
		column.agg = agg;
		if (agg <= AGG_ERRORS && open)
			return "count and errors take no field";
		if (agg > AGG_ERRORS) {
			if (!open || text[len - 1] != ')' || len - n < 3)
				return "sum, avg, min and max take a field, as in sum(ns)";
			measure = measure_index(g, open + 1, len - n - 2);
			if (measure < 0)
				return "too many fields";
			column.measure = measure;
		}
		view->columns[view->n_columns++] = column;
		return NULL;
	}
	return "not count, errors, sum(F), avg(F), min(F) or max(F)";
}

int view_parse_aggs(struct view *view, struct groups *g, const char *text, const char **why)
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

void view_default_aggs(struct view *view, struct groups *g)
{
	static const enum agg aggs[] = {AGG_COUNT, AGG_ERRORS, AGG_SUM, AGG_AVG, AGG_MAX};
	int measure = measure_index(g, "", 0);

	for (size_t i = 0; i < sizeof(aggs) / sizeof(aggs[0]); i++)
		view->columns[view->n_columns++] =
			(struct column){.agg = aggs[i], .measure = measure, .if_seen = true};
}

bool table_is_time(const struct table *t, const struct column *c)
{
	const struct measure *m = &t->groups->measures[c->measure];

	return c->agg > AGG_ERRORS && m->is_time && !m->is_other;
}

/* "sum_len"; of the default measure "total_ns". */
void table_column_name(const struct table *t, const struct column *c, char *name)
{
	const struct measure *m = &t->groups->measures[c->measure];

	if (c->agg <= AGG_ERRORS)
		strcpy(name, agg_names[c->agg]);
	else if (*m->name)
		sprintf(name, "%s_%s", agg_names[c->agg], m->name);
	else
		sprintf(name, "%s%s", c->agg == AGG_SUM ? "total" : agg_names[c->agg],
			table_is_time(t, c) ? "_ns" : "");
}

/* "SUM(len)", "TOTAL" */
void table_column_title(const struct table *t, const struct column *c, char *title)
{
	const struct measure *m = &t->groups->measures[c->measure];
	const char *agg = c->agg == AGG_SUM && !*m->name ? "total" : agg_names[c->agg];
	char *p = title;

	while (*agg)
		*p++ = toupper((unsigned char)*agg++);
	*p = 0;
	if (c->agg > AGG_ERRORS && *m->name)
		sprintf(p, "(%s)", m->name);
}

struct value table_value(const struct column *c, const struct group *group)
{
	const struct sums *s = &group->sums[c->measure];
	struct fractions none = {0}, f;
	struct value v = {0};

	if (c->agg == AGG_COUNT || c->agg == AGG_ERRORS) {
		v.i = c->agg == AGG_COUNT ? group->count : group->errors;
		return v;
	}
	f = group->fractions ? group->fractions[c->measure] : none;
	v.null = !s->n && !f.n;
	v.is_double = f.n > 0;
	switch (c->agg) {
	case AGG_COUNT:
	case AGG_ERRORS: break;
	case AGG_SUM:
		v.i = s->sum;
		v.d = (double)s->sum + f.sum;
		break;
	case AGG_AVG:
		v.i = s->n ? s->sum * SCALE / s->n : 0;
		v.d = ((double)s->sum + f.sum) / (double)(s->n + f.n);
		break;
	case AGG_MIN:
		v.i = s->min;
		v.d = s->n && (double)s->min < f.min ? (double)s->min : f.min;
		break;
	case AGG_MAX:
		v.i = s->max;
		v.d = s->n && (double)s->max > f.max ? (double)s->max : f.max;
		break;
	}
	return v;
}

/* Bigger first; rows without a value last. */
static int compare_values(const struct value *a, const struct value *b)
{
	if (a->null || b->null)
		return a->null - b->null;
	if (a->is_double || b->is_double) {
		double x = a->is_double ? a->d : (double)a->i,
		       y = b->is_double ? b->d : (double)b->i;

		return (x < y) - (x > y);
	}
	return (a->i < b->i) - (a->i > b->i);
}

/* Numbers by size, then text by bytes. */
static int compare_cells(const struct cell *a, const struct cell *b)
{
	size_t n = a->text.len < b->text.len ? a->text.len : b->text.len;
	int diff;

	if (a->type != b->type)
		return (a->type > b->type) - (a->type < b->type);
	if (a->type == CELL_LITERAL) {
		long double x = strtold(a->text.bytes, NULL), y = strtold(b->text.bytes, NULL);

		if (x != y)
			return (x > y) - (x < y);
	}
	diff = n ? memcmp(a->text.bytes, b->text.bytes, n) : 0;
	return diff ? diff : (a->text.len > b->text.len) - (a->text.len < b->text.len);
}

static int compare_keys(const struct group *a, const struct group *b, size_t from)
{
	struct cell x[MAX_KEYS + 1], y[MAX_KEYS + 1];
	size_t n = groups_cells(a, x), m = groups_cells(b, y);

	for (size_t i = from; i < n && i < m; i++) {
		int diff = compare_cells(&x[i], &y[i]);

		if (diff)
			return diff;
	}
	return (n > m) - (n < m);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct table *t = context;
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;
	int diff;

	if (x == t->groups->other || y == t->groups->other)
		return (x == t->groups->other) - (y == t->groups->other);
	if (t->sort) {
		struct value v = table_value(t->sort, x), w = table_value(t->sort, y);

		diff = compare_values(&v, &w);
	} else {
		diff = compare_keys(x, y, t->first_cell + t->sort_key);
	}
	if (t->view->reverse)
		diff = -diff;
	return diff ? diff : compare_keys(x, y, 0);
}

static bool column_seen(const struct groups *g, const struct column *c)
{
	if (!c->if_seen || c->agg == AGG_COUNT)
		return true;
	return c->agg == AGG_ERRORS ? g->errors_seen : g->measures[c->measure].seen;
}

/* The names of the key cells: those given, or those of the types that there are. */
static void name_keys(struct table *t)
{
	const struct groups *g = t->groups;

	if (g->n_keys) {
		t->n_keys = g->n_keys;
		for (size_t i = 0; i < g->n_keys; i++)
			snprintf(t->key_names[i], sizeof(t->key_names[i]), "%s", g->keys[i]);
		return;
	}
	t->first_cell = g->n_types == 1 && (*g->types[0].name == 0 || g->types[0].n_keys);
	if (!t->first_cell)
		strcpy(t->key_names[t->n_keys++], "record");
	for (size_t i = 0; i < g->n_types; i++)
		for (size_t k = 0; k < g->types[i].n_keys; k++) {
			char *name = t->key_names[!t->first_cell + k];

			if (*name && strcmp(name, g->types[i].keys[k]))
				strcpy(name, "key");
			else
				strcpy(name, g->types[i].keys[k]);
			if (t->n_keys < !t->first_cell + k + 1)
				t->n_keys = !t->first_cell + k + 1;
		}
}

/* Finds what to sort by: a column by its name, its title or as --agg spells it, or a key. */
static int find_sort(struct table *t)
{
	const char *sort = t->view->sort;
	char name[TITLE_MAX], title[TITLE_MAX];

	t->sort = t->n_columns ? t->columns[0] : NULL;
	if (!sort)
		return 0;
	for (size_t i = 0; i < t->n_columns; i++) {
		table_column_name(t, t->columns[i], name);
		table_column_title(t, t->columns[i], title);
		if (!strcasecmp(sort, name) || !strcasecmp(sort, title)) {
			t->sort = t->columns[i];
			return 0;
		}
	}
	for (size_t i = 0; i < t->n_keys; i++)
		if (!strcasecmp(sort, t->key_names[i]) ||
		    (!strcmp(t->key_names[i], "record") && !strcasecmp(sort, "type"))) {
			t->sort = NULL;
			t->sort_key = i;
			return 0;
		}
	return -ENOENT;
}

int view_print(struct view *view, const struct groups *groups, struct tr_out *out, uint64_t from,
	       uint64_t to, size_t fit)
{
	struct table t = {.view = view, .groups = groups, .n_rows = groups->n};
	size_t rows = groups->n;
	int found;

	if (!groups->n)
		return 0;
	for (size_t i = 0; i < view->n_columns; i++)
		if (column_seen(groups, &view->columns[i]))
			t.columns[t.n_columns++] = &view->columns[i];
	name_keys(&t);
	found = find_sort(&t);
	t.rows = tr_xmalloc(groups->n * sizeof(*t.rows));
	memcpy(t.rows, groups->list, groups->n * sizeof(*t.rows));
	qsort_r(t.rows, groups->n, sizeof(*t.rows), compare_rows, &t);
	if (view->top && view->top < rows)
		rows = view->top;
	if (fit && fit < rows + 1)
		rows = fit > 1 ? fit - 1 : 1;
	rows_print(&t, out, rows, from, to);
	free(t.rows);
	return found;
}
