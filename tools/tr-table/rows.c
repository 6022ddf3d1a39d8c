/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows on their way out: a table for people, JSON lines, CSV and TSV. */
#include "rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "number.h"
#include "text.h"

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
	if (table_is_time(t, c) && !v->is_double && i >= 0 && i <= INT64_MAX)
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

	if (t->rows[row] == t->groups->other) {
		cells[t->first_cell] =
			(struct cell){.type = CELL_STRING, .text = {"other", strlen("other")}};
		n = t->first_cell + 1;
	} else {
		n = groups_cells(t->rows[row], cells);
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
			table_column_title(t, t->columns[i - t->n_keys], text);
			return strlen(text);
		}
		const char *name = strcmp(t->key_names[i], "record") ? t->key_names[i] : "type";

		while (*name)
			*p++ = toupper((unsigned char)*name++);
		return p - text;
	}
	if (i < t->n_keys) {
		row_cells(t, row, cells);
		return put_cell(text, &cells[i]) - text;
	}
	const struct column *c = t->columns[i - t->n_keys];
	struct value v = table_value(c, t->rows[row]);

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
		struct value v = table_value(t->columns[i], t->rows[row]);
		bool big = !v.is_double && (v.i > (1LL << 53) || v.i < -(1LL << 53)) &&
			   t->columns[i]->agg != AGG_AVG;

		table_column_name(t, t->columns[i], name);
		p = v.null ? stpcpy(text, "null") : put_plain(text, t->columns[i], &v);
		tr_out_printf(out, big && !v.null ? "%s\"%s\":\"%.*s\"" : "%s\"%s\":%.*s", comma,
			      name, (int)(p - text), text);
	}
	tr_out_text(out, "}\n");
}

/* A field of a CSV line as RFC 4180 has it, of a TSV line with \t \n \\ escaped. */
static void put_separated(struct tr_out *out, enum output output, const char *text, size_t len)
{
	bool quote = output == OUTPUT_CSV && (memchr(text, ',', len) || memchr(text, '"', len) ||
					      memchr(text, '\n', len) || memchr(text, '\r', len));

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
		struct value v = table_value(t->columns[i], t->rows[row]);

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
		table_column_name(t, t->columns[i], name);
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

static void put_interval(struct tr_out *out, uint64_t from, uint64_t to)
{
	tr_out_text(out, "from ");
	put_edge(out, from);
	tr_out_text(out, " to ");
	put_edge(out, to);
	tr_out_text(out, "\n");
}

void rows_print(const struct table *t, struct tr_out *out, size_t rows, uint64_t from, uint64_t to)
{
	switch (t->view->output) {
	case OUTPUT_TABLE:
		if (t->view->intervals)
			put_interval(out, from, to);
		print_table(t, out, rows);
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
	}
}
