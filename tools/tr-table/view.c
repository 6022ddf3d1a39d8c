/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns, their values, the order of the rows; then one writer for each form of output. */
#include "view.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "number.h"
#include "text.h"

enum { TITLE_MAX = TR_MAX_NAME + 16, SCALE = 1000 };

static const char *const agg_names[] = {
	[AGG_COUNT] = "count", [AGG_ERRORS] = "errors", [AGG_SUM] = "sum",
	[AGG_AVG] = "avg",     [AGG_MIN] = "min",       [AGG_MAX] = "max",
};

/* What a column holds in a row. */
struct value {
	bool null, is_double;
	__int128 i; /* of an average: SCALE times it */
	double d;
};

/* What is printed: the columns and keys that there are, and the groups in order. */
struct table {
	struct view *view;
	const struct groups *groups;
	size_t n_columns;
	const struct column *columns[MAX_COLUMNS];
	size_t first_cell; /* 1 where all rows are of one type, which then is not shown */
	size_t n_keys;     /* cells shown */
	char key_names[MAX_KEYS + 1][TR_MAX_NAME + 1];
	size_t n_rows;
	uint32_t *rows;
	size_t sort_key;           /* when sort_column is NULL */
	const struct column *sort; /* column to sort by */
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

static bool is_time(const struct table *t, const struct column *c)
{
	const struct measure *m = &t->groups->measures[c->measure];

	return c->agg > AGG_ERRORS && m->is_time && !m->is_other;
}

/* "sum_len"; of the default measure "total_ns". */
static void column_name(const struct table *t, const struct column *c, char *name)
{
	const struct measure *m = &t->groups->measures[c->measure];

	if (c->agg <= AGG_ERRORS)
		strcpy(name, agg_names[c->agg]);
	else if (*m->name)
		sprintf(name, "%s_%s", agg_names[c->agg], m->name);
	else
		sprintf(name, "%s%s", c->agg == AGG_SUM ? "total" : agg_names[c->agg],
			is_time(t, c) ? "_ns" : "");
}

/* "SUM(len)", "TOTAL" */
static void column_title(const struct table *t, const struct column *c, char *title)
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

static struct value value_of(const struct table *t, const struct column *c, size_t group)
{
	const struct groups *g = t->groups;
	size_t at = group * g->n_measures + c->measure;
	const struct sums *s = &g->sums[at];
	struct fractions none = {0}, f;
	struct value v = {0};

	if (c->agg == AGG_COUNT || c->agg == AGG_ERRORS) {
		v.i = c->agg == AGG_COUNT ? g->totals[group].count : g->totals[group].errors;
		return v;
	}
	f = g->fractions ? g->fractions[at] : none;
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
		double x = a->is_double ? a->d : (double)a->i, y = b->is_double ? b->d : (double)b->i;

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

static int compare_keys(const struct table *t, size_t a, size_t b, size_t from)
{
	struct cell x[MAX_KEYS + 1], y[MAX_KEYS + 1];
	size_t n = groups_cells(t->groups, a, x), m = groups_cells(t->groups, b, y);

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
	size_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int diff;

	if (groups_is_other(t->groups, x) || groups_is_other(t->groups, y))
		return groups_is_other(t->groups, x) - groups_is_other(t->groups, y);
	if (t->sort) {
		struct value v = value_of(t, t->sort, x), w = value_of(t, t->sort, y);

		diff = compare_values(&v, &w);
	} else {
		diff = compare_keys(t, x, y, t->first_cell + t->sort_key);
	}
	if (t->view->reverse)
		diff = -diff;
	return diff ? diff : compare_keys(t, x, y, 0);
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
		column_name(t, t->columns[i], name);
		column_title(t, t->columns[i], title);
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

static char *put_i128(char *p, __int128 value)
{
	return p + tr_i128_format(p, value);
}

/* A value as machines read it: at most 64 bytes. An average has up to three decimals. */
static char *put_plain(char *p, const struct column *c, const struct value *v)
{
	int decimals;

	if (v->is_double)
		return p + sprintf(p, "%.15g", v->d);
	if (c->agg != AGG_AVG)
		return put_i128(p, v->i);
	if (v->i < 0 && v->i > -SCALE)
		*p++ = '-';
	p = put_i128(p, v->i / SCALE);
	decimals = v->i % SCALE < 0 ? -(v->i % SCALE) : v->i % SCALE;
	if (!decimals)
		return p;
	p += sprintf(p, ".%03d", decimals);
	while (p[-1] == '0')
		p--;
	return p;
}

/* ... and as people do. */
static char *put_shown(const struct table *t, char *p, const struct column *c,
		       const struct value *v)
{
	__int128 i = c->agg == AGG_AVG ? v->i / SCALE : v->i;

	if (v->null)
		return stpcpy(p, "-");
	if (is_time(t, c) && !v->is_double && i >= 0 && i <= INT64_MAX)
		return p + tr_time_format(p, i);
	return put_plain(p, c, v);
}

static char *put_cell(char *p, const struct cell *cell)
{
	return cell->type == CELL_NULL ? stpcpy(p, "-")
				       : tr_text_terminal(p, cell->text.bytes, cell->text.len, 1);
}

/* The cells of a row that are shown, missing ones as null. */
static void row_cells(const struct table *t, size_t row, struct cell *shown)
{
	struct cell cells[MAX_KEYS + 1] = {0};
	size_t n;

	if (groups_is_other(t->groups, t->rows[row])) {
		cells[t->first_cell] =
			(struct cell){.type = CELL_STRING, .text = {"other", strlen("other")}};
		n = t->first_cell + 1;
	} else {
		n = groups_cells(t->groups, t->rows[row], cells);
	}
	for (size_t i = 0; i < t->n_keys; i++)
		shown[i] = t->first_cell + i < n ? cells[t->first_cell + i] : (struct cell){0};
}

/* Text in a column: left for keys, right for numbers. The last left one is not filled up. */
static void pad(struct tr_out *out, const char *text, size_t len, size_t width, bool right)
{
	size_t fill = tr_text_width(text, len) < width ? width - tr_text_width(text, len) : 0;

	if (right)
		tr_out_printf(out, "%*s", (int)fill, "");
	tr_out_bytes(out, text, len);
	if (!right)
		tr_out_printf(out, "%*s", (int)fill, "");
}

/* Text of column I (keys first) of a row, or of the heading when ROW is n_rows. */
static size_t table_text(const struct table *t, size_t row, size_t i, char *text)
{
	struct cell cells[MAX_KEYS + 1];
	char *p = text;

	if (row == t->n_rows) {
		if (i >= t->n_keys) {
			column_title(t, t->columns[i - t->n_keys], text);
			return strlen(text);
		}
		for (const char *name = t->key_names[i]; *name; name++)
			*p++ = toupper((unsigned char)*name);
		return p - text;
	}
	if (i < t->n_keys) {
		row_cells(t, row, cells);
		return put_cell(text, &cells[i]) - text;
	}
	const struct column *c = t->columns[i - t->n_keys];
	struct value v = value_of(t, c, t->rows[row]);

	return put_shown(t, text, c, &v) - text;
}

static void print_table(const struct table *t, struct tr_out *out, size_t rows)
{
	size_t n = t->n_keys + t->n_columns, width[MAX_KEYS + 1 + MAX_COLUMNS] = {0}, len;
	char text[4 * CELL_BYTES + 64];

	for (size_t row = 0; row <= rows; row++)
		for (size_t i = 0; i < n; i++) {
			len = table_text(t, row < rows ? row : t->n_rows, i, text);
			len = tr_text_width(text, len);
			width[i] = len > width[i] ? len : width[i];
		}
	for (size_t line = 0; line <= rows; line++) {
		for (size_t i = 0; i < n; i++) {
			len = table_text(t, line ? line - 1 : t->n_rows, i, text);
			if (i)
				tr_out_text(out, "  ");
			pad(out, text, len, i + 1 < n || i >= t->n_keys ? width[i] : 0,
			    i >= t->n_keys);
		}
		tr_out_text(out, "\n");
	}
}

static void print_json_row(const struct table *t, struct tr_out *out, size_t row, uint64_t to)
{
	char name[TITLE_MAX], text[6 * CELL_BYTES + 64], *p;
	struct cell cells[MAX_KEYS + 1];
	const char *comma = "";

	row_cells(t, row, cells);
	tr_out_text(out, "{");
	if (t->view->intervals) {
		p = tr_json_put_u64(text, to);
		tr_out_printf(out, "\"ts\":%.*s", (int)(p - text), text);
		comma = ",";
	}
	for (size_t i = 0; i < t->n_keys; i++, comma = ",") {
		struct tr_string key = {t->key_names[i], strlen(t->key_names[i])};

		p = text;
		if (cells[i].type == CELL_NULL)
			p = stpcpy(p, "null");
		else if (cells[i].type == CELL_STRING)
			p = tr_json_put_string(p, cells[i].text);
		else
			p = mempcpy(p, cells[i].text.bytes, cells[i].text.len);
		tr_out_text(out, comma);
		tr_out_bytes(out, name, tr_json_put_string(name, key) - name);
		tr_out_text(out, ":");
		tr_out_bytes(out, text, p - text);
	}
	for (size_t i = 0; i < t->n_columns; i++, comma = ",") {
		struct value v = value_of(t, t->columns[i], t->rows[row]);
		bool big = !v.is_double && (v.i > (1LL << 53) || v.i < -(1LL << 53)) &&
			   t->columns[i]->agg != AGG_AVG;

		column_name(t, t->columns[i], name);
		p = v.null ? stpcpy(text, "null") : put_plain(text, t->columns[i], &v);
		tr_out_printf(out, big && !v.null ? "%s\"%s\":\"%.*s\"" : "%s\"%s\":%.*s", comma,
			      name, (int)(p - text), text);
	}
	tr_out_text(out, "}\n");
}

/* A field of a CSV line as RFC 4180 has it, of a TSV line with \t \n \\ escaped. */
static void put_separated(struct tr_out *out, enum output output, const char *text, size_t len)
{
	bool quote = output == OUTPUT_CSV &&
		     (memchr(text, ',', len) || memchr(text, '"', len) || memchr(text, '\n', len) ||
		      memchr(text, '\r', len));

	if (quote)
		tr_out_text(out, "\"");
	for (size_t i = 0; i < len; i++) {
		if (quote && text[i] == '"')
			tr_out_text(out, "\"");
		if (output == OUTPUT_TSV && strchr("\t\n\r\\", text[i]) && text[i])
			tr_out_printf(out, "\\%c",
				      text[i] == '\t'   ? 't'
				      : text[i] == '\n' ? 'n'
				      : text[i] == '\r' ? 'r'
							: '\\');
		else
			tr_out_bytes(out, &text[i], 1);
	}
	if (quote)
		tr_out_text(out, "\"");
}

static void print_separated_row(const struct table *t, struct tr_out *out, size_t row, uint64_t to)
{
	const char *separator = t->view->output == OUTPUT_CSV ? "," : "\t", *between = "";
	char text[TR_NUMBER_MAX + 32];
	struct cell cells[MAX_KEYS + 1];

	row_cells(t, row, cells);
	if (t->view->intervals) {
		tr_u64_format(text, to);
		tr_out_text(out, text);
		between = separator;
	}
	for (size_t i = 0; i < t->n_keys; i++, between = separator) {
		tr_out_text(out, between);
		put_separated(out, t->view->output, cells[i].text.len ? cells[i].text.bytes : "",
			      cells[i].text.len);
	}
	for (size_t i = 0; i < t->n_columns; i++, between = separator) {
		struct value v = value_of(t, t->columns[i], t->rows[row]);

		tr_out_text(out, between);
		if (!v.null)
			tr_out_bytes(out, text, put_plain(text, t->columns[i], &v) - text);
	}
	tr_out_text(out, "\n");
}

static void print_separated_header(const struct table *t, struct tr_out *out)
{
	const char *separator = t->view->output == OUTPUT_CSV ? "," : "\t", *between = "";
	char name[TITLE_MAX];

	if (t->view->headed)
		return;
	t->view->headed = true;
	if (t->view->intervals) {
		tr_out_text(out, "ts");
		between = separator;
	}
	for (size_t i = 0; i < t->n_keys; i++, between = separator) {
		tr_out_text(out, between);
		put_separated(out, t->view->output, t->key_names[i], strlen(t->key_names[i]));
	}
	for (size_t i = 0; i < t->n_columns; i++, between = separator) {
		column_name(t, t->columns[i], name);
		tr_out_printf(out, "%s%s", between, name);
	}
	tr_out_text(out, "\n");
}

/* "12.5s": an interval's edge. */
static void put_edge(struct tr_out *out, uint64_t ns)
{
	char text[32];
	int n = sprintf(text, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
			(unsigned long long)(ns % 1000000000));

	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	tr_out_printf(out, "%.*ss", n, text);
}

static void print_rows(const struct table *t, struct tr_out *out, size_t rows, uint64_t to)
{
	switch (t->view->output) {
	case OUTPUT_TABLE: print_table(t, out, rows); break;
	case OUTPUT_JSON:
		for (size_t i = 0; i < rows; i++)
			print_json_row(t, out, i, to);
		break;
	case OUTPUT_CSV:
	case OUTPUT_TSV:
		print_separated_header(t, out);
		for (size_t i = 0; i < rows; i++)
			print_separated_row(t, out, i, to);
		break;
	}
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
	for (size_t i = 0; i < groups->n; i++)
		t.rows[i] = i;
	qsort_r(t.rows, groups->n, sizeof(*t.rows), compare_rows, &t);
	if (view->top && view->top < rows)
		rows = view->top;
	if (fit && fit < rows + 1)
		rows = fit > 1 ? fit - 1 : 1;
	if (view->intervals && view->output == OUTPUT_TABLE) {
		tr_out_text(out, "from ");
		put_edge(out, from);
		tr_out_text(out, " to ");
		put_edge(out, to);
		tr_out_text(out, "\n");
	}
	print_rows(&t, out, rows, to);
	if (view->intervals && view->output == OUTPUT_TABLE)
		tr_out_text(out, "\n");
	free(t.rows);
	return found;
}
