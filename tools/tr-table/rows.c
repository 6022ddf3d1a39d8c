/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows on their way out: JSON lines, CSV and TSV; the other forms have files of their own. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "number.h"
#include "report.h"

char *value_put(char *p, const struct column *c, const struct tr_value *v)
{
	int decimals;

	if (v->is_double) {
		char text[32];

		/* as few digits as it takes to read the same number again */
		sprintf(text, "%.15g", v->d);
		if (strtod(text, NULL) != v->d)
			sprintf(text, "%.17g", v->d);
		return stpcpy(p, text);
	}
	if (c->agg != AGG_AVG)
		return p + tr_i128_format(p, v->i);
	if (v->i < 0 && v->i > -SCALE)
		*p++ = '-';
	p += tr_i128_format(p, v->i / SCALE);
	decimals = v->i % SCALE < 0 ? -(v->i % SCALE) : v->i % SCALE;
	if (!decimals)
		return p;
	p += sprintf(p, ".%03d", decimals);
	while (p[-1] == '0')
		p--;
	return p;
}

void table_cells(const struct table *t, size_t row, struct tr_cell *shown)
{
	struct tr_cell cells[TR_MAX_KEYS + 1] = {0};
	size_t n;

	if (t->rows[row].group == t->groups->other) {
		cells[t->first_cell] = (struct tr_cell){.type = TR_CELL_STRING,
							.text = {"other", strlen("other")}};
		n = t->first_cell + 1;
	} else {
		n = tr_groups_cells(t->groups, t->rows[row].group, cells);
	}
	for (size_t i = 0; i < t->n_keys; i++)
		shown[i] = t->first_cell + i < n ? cells[t->first_cell + i] : (struct tr_cell){0};
}

static void print_json_row(const struct table *t, struct tr_out *out, size_t row, uint64_t to)
{
	char name[TITLE_MAX], text[6 * TR_CELL_BYTES + 64], *p;
	struct tr_cell cells[TR_MAX_KEYS + 1];
	const char *comma = "";

	table_cells(t, row, cells);
	tr_out_text(out, "{");
	if (t->view->intervals) {
		p = tr_json_put_u64(text, to);
		tr_out_printf(out, "\"ts\":%.*s", (int)(p - text), text);
		comma = ",";
	}
	for (size_t i = 0; i < t->n_keys; i++, comma = ",") {
		struct tr_string key = {t->key_names[i], strlen(t->key_names[i])};

		p = tr_cell_put_json(text, &cells[i]);
		tr_out_text(out, comma);
		tr_out_bytes(out, name, tr_json_put_string(name, key) - name);
		tr_out_text(out, ":");
		tr_out_bytes(out, text, p - text);
	}
	for (size_t i = 0; i < t->n_columns; i++, comma = ",") {
		struct tr_value v = table_value(t->columns[i], t->rows[row].group);
		bool big = !v.is_double && (v.i > (1LL << 53) || v.i < -(1LL << 53)) &&
			   t->columns[i]->agg != AGG_AVG;

		table_column_name(t, t->columns[i], name);
		p = v.null ? stpcpy(text, "null") : value_put(text, t->columns[i], &v);
		tr_out_printf(out, big && !v.null ? "%s\"%s\":\"%.*s\"" : "%s\"%s\":%.*s", comma,
			      name, (int)(p - text), text);
	}
	tr_out_text(out, "}\n");
}

static void print_separated_row(const struct table *t, struct tr_out *out, size_t row, uint64_t to)
{
	const char *separator = t->view->output == OUTPUT_CSV ? "," : "\t", *between = "";
	char text[TR_NUMBER_MAX + 32];
	struct tr_cell cells[TR_MAX_KEYS + 1];

	table_cells(t, row, cells);
	if (t->view->intervals) {
		tr_u64_format(text, to);
		tr_out_text(out, text);
		between = separator;
	}
	for (size_t i = 0; i < t->n_keys; i++, between = separator) {
		tr_out_text(out, between);
		tr_out_separated(out, *separator, cells[i].text.len ? cells[i].text.bytes : "",
				 cells[i].text.len);
	}
	for (size_t i = 0; i < t->n_columns; i++, between = separator) {
		struct tr_value v = table_value(t->columns[i], t->rows[row].group);

		tr_out_text(out, between);
		if (!v.null)
			tr_out_bytes(out, text, value_put(text, t->columns[i], &v) - text);
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
		tr_out_separated(out, *separator, t->key_names[i], strlen(t->key_names[i]));
	}
	for (size_t i = 0; i < t->n_columns; i++, between = separator) {
		table_column_name(t, t->columns[i], name);
		tr_out_printf(out, "%s%s", between, name);
	}
	tr_out_text(out, "\n");
}

static void put_interval(const struct table *t, struct tr_out *out, uint64_t from, uint64_t to)
{
	tr_report_put_interval(out, from, to);
	if (t->view->output == OUTPUT_MARKDOWN)
		tr_out_text(out, "\n");
}

size_t rows_print(const struct table *t, struct tr_out *out, size_t rows, uint64_t from,
		  uint64_t to)
{
	size_t lines = 0;

	/* An exposition without samples has its end all the same. */
	if (!rows && t->view->output != OUTPUT_OPENMETRICS)
		return 0;
	switch (t->view->output) {
	case OUTPUT_TABLE:
	case OUTPUT_MARKDOWN:
		if (t->view->intervals)
			put_interval(t, out, from, to);
		if (t->view->output == OUTPUT_TABLE)
			lines = rows_print_table(t, out, rows);
		else
			rows_print_markdown(t, out, rows);
		if (t->view->intervals)
			tr_out_text(out, "\n");
		break;
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
	case OUTPUT_OPENMETRICS: rows_print_openmetrics(t, out, rows); break;
	}
	return lines;
}
