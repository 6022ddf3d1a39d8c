/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows for people: a table that lines up on a terminal, and the same in Markdown. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "rows.h"
#include "text.h"

enum {
	ALL_COLUMNS = TR_MAX_KEYS + 1 + MAX_COLUMNS,
	TEXT_MAX = 4 * TR_CELL_BYTES + 64,
	BETWEEN = 2,   /* spaces between columns */
	LEAST_KEY = 6, /* columns that a key keeps at least where room is short */
};

static char *put_value(const struct table *t, char *p, const struct column *c,
		       const struct tr_value *v)
{
	__int128 i = c->agg == AGG_AVG ? v->i / SCALE : v->i;

	if (v->null)
		return stpcpy(p, "-");
	if (v->at_least)
		p = stpcpy(p, ">= ");
	if (table_is_time(t, c) && !v->is_double && i >= 0 && i <= INT64_MAX)
		return p + tr_time_format(p, i);
	return value_put(p, c, v);
}

/* The text of column I (keys first) of a row, or of the heading when ROW is n_rows. */
static size_t put_text(const struct table *t, size_t row, size_t i, char *text)
{
	const struct column *c = i < t->n_keys ? NULL : t->columns[i - t->n_keys];
	struct tr_cell cells[TR_MAX_KEYS + 1];
	struct tr_value v;

	if (row == t->n_rows && c) {
		table_column_title(t, c, text);
		return strlen(text);
	}
	if (row == t->n_rows) {
		const char *name = strcmp(t->key_names[i], "record") ? t->key_names[i] : "type";
		size_t len = strlen(name);
		char *end = tr_text_terminal(text, name, len, 1);

		for (char *p = text; p < end; p++)
			*p = toupper((unsigned char)*p);
		return end - text;
	}
	if (c) {
		v = table_value(c, t->rows[row].group);
		return put_value(t, text, c, &v) - text;
	}
	table_cells(t, row, cells);
	if (cells[i].type == TR_CELL_NULL)
		return stpcpy(text, "-") - text;
	return tr_text_terminal(text, cells[i].text.bytes, cells[i].text.len, 1) - text;
}

/* Text in a column: left for keys, right for numbers. Text that is too wide ends in an ellipsis. */
static void put_padded(struct tr_out *out, const char *text, size_t len, size_t width, bool right)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	size_t has = tr_text_width(text, len), cut = 0;
	bool is_cut = has > width;

	while (is_cut) {
		size_t n = tr_utf8_length(text + cut, len - cut);

		n = n ? n : 1;
		if (tr_text_width(text, cut + n) >= width)
			break;
		cut += n;
	}
	if (is_cut) {
		len = cut;
		has = tr_text_width(text, len) + 1;
	}
	if (right && has < width)
		tr_out_printf(out, "%*s", (int)(width - has), "");
	tr_out_bytes(out, text, len);
	if (is_cut)
		tr_out_text(out, ellipsis);
	if (!right && has < width)
		tr_out_printf(out, "%*s", (int)(width - has), "");
}

/* Narrows the widest keys until N columns fit ROOM, and returns how many of them do then. */
static size_t fit_columns(const struct table *t, size_t *width, size_t n, size_t room)
{
	size_t total = 0, fit = 0, used = 0;

	for (size_t i = 0; i < n; i++)
		total += width[i] + (i ? BETWEEN : 0);
	while (total > room) {
		size_t widest = 0;

		for (size_t i = 1; i < t->n_keys; i++)
			widest = width[i] > width[widest] ? i : widest;
		if (!t->n_keys || width[widest] <= LEAST_KEY)
			break;
		width[widest]--;
		total--;
	}
	while (fit < n && used + width[fit] + (fit ? BETWEEN : 0) <= room) {
		used += width[fit] + (fit ? BETWEEN : 0);
		fit++;
	}
	if (fit)
		return fit;
	width[0] = room;
	return 1;
}

size_t rows_print_table(const struct table *t, struct tr_out *out, size_t rows)
{
	size_t n = t->n_keys + t->n_columns, width[ALL_COLUMNS] = {0}, len;
	/* One column is kept free: some terminals go to the next line when the last one is full. */
	size_t room = t->screen.columns > 1 ? t->screen.columns - 1 : t->screen.columns;
	char text[TEXT_MAX];

	for (size_t line = 0; line <= rows; line++)
		for (size_t i = 0; i < n; i++) {
			len = put_text(t, line ? line - 1 : t->n_rows, i, text);
			len = tr_text_width(text, len);
			width[i] = len > width[i] ? len : width[i];
		}
	if (room)
		n = fit_columns(t, width, n, room);
	for (size_t line = 0; line <= rows; line++) {
		for (size_t i = 0; i < n; i++) {
			bool right = i >= t->n_keys;

			len = put_text(t, line ? line - 1 : t->n_rows, i, text);
			if (i)
				tr_out_text(out, "  ");
			/* nothing is filled up behind the last one */
			if (!right && i + 1 == n && tr_text_width(text, len) <= width[i])
				tr_out_bytes(out, text, len);
			else
				put_padded(out, text, len, width[i], right);
		}
		tr_out_text(out, "\n");
	}
	if (t->more) {
		len = sprintf(text, "... and %zu more", t->more);
		put_padded(out, text, len, room && room < len ? room : len, false);
		tr_out_text(out, "\n");
	}
	return rows + 1 + (t->more > 0);
}

/* What Markdown would take for its own gets a backslash. An underscore between letters is none of
 * it, and most names have some. */
static size_t put_markdown(const char *text, size_t len, char *out)
{
	char *p = out;

	for (size_t i = 0; i < len; i++) {
		bool inside = i && i + 1 < len && isalnum((unsigned char)text[i - 1]) &&
			      isalnum((unsigned char)text[i + 1]);

		if (text[i] == '_' ? !inside : text[i] && strchr("\\`*{}[]<>#|~&$!:@^=", text[i]))
			*p++ = '\\';
		*p++ = text[i];
	}
	return p - out;
}

static size_t put_markdown_text(const struct table *t, size_t row, size_t i, char *out)
{
	char text[TEXT_MAX];
	size_t len = put_text(t, row, i, text);

	return put_markdown(text, len, out);
}

void rows_print_markdown(const struct table *t, struct tr_out *out, size_t rows)
{
	size_t n = t->n_keys + t->n_columns, width[ALL_COLUMNS] = {0}, len;
	char text[2 * TEXT_MAX];

	for (size_t line = 0; line <= rows; line++)
		for (size_t i = 0; i < n; i++) {
			len = put_markdown_text(t, line ? line - 1 : t->n_rows, i, text);
			len = tr_text_width(text, len);
			width[i] = len > width[i] ? len : width[i];
			width[i] = width[i] < 3 ? 3 : width[i];
		}
	for (size_t line = 0; line <= rows; line++) {
		for (size_t i = 0; i < n; i++) {
			len = put_markdown_text(t, line ? line - 1 : t->n_rows, i, text);
			tr_out_text(out, i ? " | " : "| ");
			put_padded(out, text, len, width[i], i >= t->n_keys);
		}
		tr_out_text(out, " |\n");
		for (size_t i = 0; !line && i < n; i++) {
			memset(text, '-', width[i] - 1);
			text[width[i] - 1] = i < t->n_keys ? '-' : ':';
			tr_out_printf(out, "| %.*s ", (int)width[i], text);
		}
		if (!line)
			tr_out_text(out, "|\n");
	}
}
