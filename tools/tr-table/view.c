/* SPDX-License-Identifier: GPL-2.0-only */
/* Which columns and keys there are, and the order of the rows. */
#include "view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "rows.h"

/* Bigger first. */
static int compare_values(const struct row *a, const struct row *b)
{
	double x = a->is_double ? a->d : (double)a->i, y = b->is_double ? b->d : (double)b->i;

	if (a->is_double || b->is_double)
		return (x < y) - (x > y);
	return (a->i < b->i) - (a->i > b->i);
}

/* In the order of the view; rows without a value last, and behind them what was too much. */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct table *t = context;
	const struct tr_groups *g = t->groups;
	const struct row *x = a, *y = b;
	int diff;

	if (x->group == g->other || y->group == g->other)
		return (x->group == g->other) - (y->group == g->other);
	if (x->null != y->null)
		return x->null - y->null;
	diff = t->sort ? compare_values(x, y)
		       : tr_groups_compare(g, x->group, y->group, t->first_cell + t->sort_key);
	if (t->view->reverse)
		diff = -diff;
	return diff ? diff : tr_groups_compare(g, x->group, y->group, 0);
}

/* The rows with what they are sorted by, which for a percentile is not to be worked out at each
 * comparison. */
static void make_rows(struct table *t)
{
	t->rows = tr_xcalloc(t->n_rows, sizeof(*t->rows));
	for (size_t i = 0; i < t->n_rows; i++) {
		struct row *row = &t->rows[i];
		struct tr_value v = {0};

		row->group = t->groups->list[i];
		if (t->sort)
			v = table_value(t->sort, row->group);
		row->null = v.null;
		row->is_double = v.is_double;
		if (!v.is_double)
			row->i = v.i;
		else
			row->d = t->sort->agg == AGG_AVG ? v.d * SCALE : v.d;
	}
}

/* Restores a heap of N rows, the last in order on top, below I. */
static void sift(struct table *t, size_t n, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		struct row swap = t->rows[i];

		if (child + 1 < n && compare_rows(&t->rows[child], &t->rows[child + 1], t) < 0)
			child++;
		if (compare_rows(&swap, &t->rows[child], t) >= 0)
			return;
		t->rows[i] = t->rows[child];
		t->rows[child] = swap;
	}
}

/* Brings the first N rows in order to the front. */
static void sort_rows(struct table *t, size_t n)
{
	if (n < t->n_rows) {
		for (size_t i = n / 2; i-- > 0;)
			sift(t, n, i);
		for (size_t i = n; i < t->n_rows; i++) {
			if (compare_rows(&t->rows[i], &t->rows[0], t) >= 0)
				continue;
			t->rows[0] = t->rows[i];
			sift(t, n, 0);
		}
	}
	qsort_r(t->rows, n, sizeof(*t->rows), compare_rows, t);
}

static bool column_seen(const struct tr_groups *g, const struct column *c)
{
	if (!c->if_seen || c->agg == AGG_COUNT)
		return true;
	return c->agg == AGG_ERRORS ? g->errors_seen : g->measures[c->measure].seen;
}

/* Finds what to sort by: a column by its name, its title or as --agg spells it, or a key. */
static int find_sort(struct table *t)
{
	const char *sort = t->view->sort;
	char name[TITLE_MAX], title[TITLE_MAX];

	t->sort = t->columns[0];
	for (size_t i = t->n_columns; i-- > 0;)
		if (t->columns[i]->agg == AGG_COUNT)
			t->sort = t->columns[i];
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

int view_print(struct view *view, const struct tr_groups *groups, struct tr_out *out, uint64_t from,
	       uint64_t to, const struct tr_screen *screen)
{
	struct table t = {.view = view, .groups = groups, .n_rows = groups->n};
	size_t rows = groups->n, wanted;
	int found;

	if (screen)
		t.screen = *screen;
	for (size_t i = 0; i < view->n_columns; i++)
		if (column_seen(groups, &view->columns[i]))
			t.columns[t.n_columns++] = &view->columns[i];
	t.n_keys = tr_groups_name_keys(groups, t.key_names, &t.first_cell);
	found = groups->n ? find_sort(&t) : 0;
	if (view->top && view->top < rows)
		rows = view->top;
	wanted = rows;
	/* the heading, and a line that says how many rows there are beside those shown */
	if (t.screen.lines && rows + 1 > t.screen.lines)
		rows = t.screen.lines > 3 ? t.screen.lines - 2 : 1;
	make_rows(&t);
	sort_rows(&t, rows);
	t.more = wanted - rows;
	view->lines = rows_print(&t, out, rows, from, to);
	free(t.rows);
	return found;
}
