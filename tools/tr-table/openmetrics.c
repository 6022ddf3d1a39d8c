/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as an OpenMetrics exposition that Prometheus' older text format reads to the same effect:
 * node_exporter's textfile collector and promtool know only that. The two differ in what a
 *counter's TYPE line names, so what is counted has none; all else is a gauge.
 *
 *	# HELP tracery_count_total How many events there were.
 *	tracery_count_total{syscall="read"} 15234
 *	# HELP tracery_max_seconds The greatest value.
 *	# TYPE tracery_max_seconds gauge
 *	# UNIT tracery_max_seconds seconds
 *	tracery_max_seconds{syscall="read"} 0.000004423
 *	# EOF
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "rows.h"
#include "text.h"

enum { METRIC_MAX = 2 * TR_MAX_NAME + 64, NS_DIGITS = 9, SCALE_DIGITS = 3 };

/* TEXT as a part of a name: letters, digits and underscores. */
static char *put_name(char *p, const char *text)
{
	for (; *text; text++)
		*p++ = isalnum((unsigned char)*text) ? *text : '_';
	*p = 0;
	return p;
}

/* A field's name followed by a unit: of a duration without its own, ns. */
static char *put_field(char *p, const char *field, bool is_time)
{
	char name[TR_MAX_NAME + 1], *rest = name, *word;

	put_name(name, field);
	while ((word = strsep(&rest, "_")))
		if (*word && !(is_time && !strcmp(word, "ns")))
			p += sprintf(p, "_%s", word);
	return is_time ? stpcpy(p, "_seconds") : p;
}

static bool ends_in(const char *name, const char *ending)
{
	size_t n = strlen(name), len = strlen(ending);

	return n >= len && !strcmp(name + n - len, ending);
}

/* "tracery_max_len", METRIC_MAX bytes. AGAIN: another field has that name already. */
static void name_metric(const struct table *t, const struct column *c, bool again, char *name)
{
	static const char *const endings[] = {"_total",  "_sum",  "_count",
					      "_bucket", "_info", "_created"};
	static const char *const aggs[] = {
		[AGG_COUNT] = "_count",  [AGG_ERRORS] = "_errors", [AGG_SUM] = "",
		[AGG_AVG] = "_avg",      [AGG_MIN] = "_min",       [AGG_MAX] = "_max",
		[AGG_PERCENTILE] = "_p",
	};
	const char *field = t->groups->measures[c->measure].name;
	char *p = stpcpy(stpcpy(name, "tracery"), aggs[c->agg]);
	bool is_time = table_is_time(t, c);

	p = put_name(p, c->percentile);
	if (again)
		p += sprintf(p, "_%zu", c->measure);
	if (c->agg > AGG_ERRORS)
		p = put_field(p, *field || is_time ? field : "value", is_time);
	if (c->agg <= AGG_SUM) {
		strcpy(p, "_total");
		return;
	}
	/* only what is counted, or a distribution, may be called so */
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (ends_in(name, endings[i])) {
			strcpy(name + strlen(name), "_value");
			return;
		}
}

/* The labels' names, each a different one. */
static void name_labels(const struct table *t, char (*names)[TR_MAX_NAME + 16])
{
	for (size_t i = 0; i < t->n_keys; i++) {
		const char *key = t->key_names[i];
		bool odd = isdigit((unsigned char)*key) || !strncmp(key, "__", 2) || !*key ||
			   !strcmp(key, "le") || !strcmp(key, "quantile");
		size_t same = 0;
		char *end = put_name(odd ? stpcpy(names[i], "key_") : names[i], key);

		for (size_t j = 0; j < i; j++)
			same += !strcmp(names[j], names[i]);
		if (same)
			sprintf(end, "_key%zu", i);
	}
}

/*
 * A label's value. Bytes that are no UTF-8, and control characters, become \xNN and a backslash
 * two, so that different keys stay different; an empty key is \0, since an empty label is none at
 * all, as it is for a record that lacks the field.
 */
static void put_label(struct tr_out *out, const struct tr_cell *cell)
{
	char text[4 * TR_CELL_BYTES];
	size_t len = 0;

	if (cell->type == TR_CELL_STRING && !cell->text.len)
		len = stpcpy(text, "\\0") - text;
	else if (cell->type != TR_CELL_NULL)
		len = tr_text_terminal(text, cell->text.bytes, cell->text.len, 0) - text;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\\' || text[i] == '"')
			tr_out_text(out, "\\");
		tr_out_bytes(out, &text[i], 1);
	}
}

/* The whole number VALUE divided by ten to the power of DIGITS. */
static void put_divided(struct tr_out *out, __int128 value, int digits)
{
	char text[TR_NUMBER_MAX + 16];
	unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
	unsigned __int128 one = 1;
	uint64_t fraction;
	size_t n;

	for (int i = 0; i < digits; i++)
		one *= 10;
	fraction = size % one;
	n = tr_i128_format(text, size / one);
	if (fraction)
		n += sprintf(text + n, ".%0*llu", digits, (unsigned long long)fraction);
	while (fraction && text[n - 1] == '0')
		n--;
	tr_out_printf(out, "%s%.*s", value < 0 ? "-" : "", (int)n, text);
}

static void put_value(const struct table *t, struct tr_out *out, const struct column *c,
		      const struct tr_value *v)
{
	bool is_time = table_is_time(t, c);

	if (v->is_double)
		tr_out_printf(out, "%.17g", is_time ? v->d / 1e9 : v->d);
	else
		put_divided(out, v->i,
			    (c->agg == AGG_AVG ? SCALE_DIGITS : 0) + (is_time ? NS_DIGITS : 0));
}

static void put_help(const struct table *t, struct tr_out *out, const struct column *c)
{
	static const char *const sentences[] = {
		[AGG_COUNT] = "How many events there were",
		[AGG_ERRORS] = "How many of them were errors",
		[AGG_SUM] = "The sum",
		[AGG_AVG] = "The average",
		[AGG_MIN] = "The least value",
		[AGG_MAX] = "The greatest value",
		[AGG_PERCENTILE] = "Percentile ",
	};
	const char *field = t->groups->measures[c->measure].name;
	char name[TR_MAX_NAME + 1];

	tr_out_printf(out, "%s%s", sentences[c->agg], c->percentile);
	if (c->agg > AGG_ERRORS && *field) {
		put_name(name, field);
		tr_out_printf(out, " of %s", name);
	}
	tr_out_text(out, ".\n");
}

static void print_metric(const struct table *t, struct tr_out *out, const struct column *c,
			 const char *name, size_t rows)
{
	char labels[TR_MAX_KEYS + 1][TR_MAX_NAME + 16];
	struct tr_cell cells[TR_MAX_KEYS + 1];

	name_labels(t, labels);
	tr_out_printf(out, "# HELP %s ", name);
	put_help(t, out, c);
	if (c->agg > AGG_SUM)
		tr_out_printf(out, "# TYPE %s gauge\n", name);
	if (ends_in(name, "_seconds"))
		tr_out_printf(out, "# UNIT %s seconds\n", name);
	for (size_t row = 0; row < rows; row++) {
		struct tr_value v = table_value(c, t->rows[row].group);

		if (v.null)
			continue;
		table_cells(t, row, cells);
		tr_out_text(out, name);
		for (size_t i = 0; i < t->n_keys; i++) {
			tr_out_printf(out, "%s%s=\"", i ? "," : "{", labels[i]);
			put_label(out, &cells[i]);
			tr_out_text(out, "\"");
		}
		tr_out_text(out, t->n_keys ? "} " : " ");
		put_value(t, out, c, &v);
		tr_out_text(out, "\n");
	}
}

void rows_print_openmetrics(const struct table *t, struct tr_out *out, size_t rows)
{
	char names[MAX_COLUMNS][METRIC_MAX];

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = t->columns[i];
		bool done = false, again = false;

		name_metric(t, c, false, names[i]);
		for (size_t j = 0; j < i; j++) {
			bool same = !strcmp(names[i], names[j]);

			done |= same && c->measure == t->columns[j]->measure;
			again |= same && c->measure != t->columns[j]->measure;
		}
		/* names of fields may differ in what no metric's name may have */
		if (again)
			name_metric(t, c, true, names[i]);
		if (!done)
			print_metric(t, out, c, names[i], rows);
	}
	tr_out_text(out, "# EOF\n");
}
