/* SPDX-License-Identifier: GPL-2.0-only */
/* What view.c hands to rows.c: the rows in order, the columns that there are, and their values. */
#ifndef TR_ROWS_H
#define TR_ROWS_H

#include "view.h"

enum {
	TITLE_MAX = TR_MAX_NAME + 16,
	SCALE = 1000, /* an average is kept in thousandths */
};

/* A group, with what it is sorted by. */
struct row {
	union {
		__int128 i;
		double d;
	};
	struct tr_group *group;
	bool null, is_double;
};

/* What is printed: the columns and keys that there are, and the groups in order. */
struct table {
	struct view *view;
	const struct tr_groups *groups;
	struct tr_screen screen; /* no limits where it is 0 */
	size_t n_columns;
	const struct column *columns[MAX_COLUMNS];
	size_t first_cell; /* 1 where all rows are of one type, which then is not shown */
	size_t n_keys;     /* cells shown */
	char key_names[TR_MAX_KEYS + 1][TR_MAX_NAME + 1];
	size_t n_rows;
	struct row *rows;
	size_t more;               /* rows that the screen has no room for */
	size_t sort_key;           /* when sort is NULL */
	const struct column *sort; /* column to sort by */
};

bool table_is_time(const struct table *table, const struct column *column);
/* As machines read it, "total_ns", and as a heading, "TOTAL"; TITLE_MAX bytes each. */
void table_column_name(const struct table *table, const struct column *column, char *name);
void table_column_title(const struct table *table, const struct column *column, char *title);
struct tr_value table_value(const struct column *column, const struct tr_group *group);
/* The cells of a row that are shown (n_keys), missing ones as null. */
void table_cells(const struct table *table, size_t row, struct tr_cell *cells);

/* A value as machines read it: at most 64 bytes. An average has up to three decimals. Returns the
 * end. */
char *value_put(char *p, const struct column *column, const struct tr_value *value);

/* Writes the first ROWS rows; FROM and TO are the interval's. Returns how many lines a table for
 * people took. */
size_t rows_print(const struct table *table, struct tr_out *out, size_t rows, uint64_t from,
		  uint64_t to);

/* The forms that have files of their own. */
size_t rows_print_table(const struct table *table, struct tr_out *out, size_t rows);
void rows_print_markdown(const struct table *table, struct tr_out *out, size_t rows);
void rows_print_openmetrics(const struct table *table, struct tr_out *out, size_t rows);

#endif
