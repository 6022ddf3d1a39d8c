/* SPDX-License-Identifier: GPL-2.0-only */
/* What view.c hands to rows.c: the rows in order, the columns that there are, and their values. */
#ifndef TR_ROWS_H
#define TR_ROWS_H

#include "view.h"

enum {
	TITLE_MAX = TR_MAX_NAME + 16,
	SCALE = 1000, /* an average is kept in thousandths */
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
	struct group **rows;
	size_t sort_key;           /* when sort_column is NULL */
	const struct column *sort; /* column to sort by */
};

bool table_is_time(const struct table *table, const struct column *column);
/* As machines read it, "total_ns", and as a heading, "TOTAL"; TITLE_MAX bytes each. */
void table_column_name(const struct table *table, const struct column *column, char *name);
void table_column_title(const struct table *table, const struct column *column, char *title);
struct value table_value(const struct column *column, const struct group *group);

/* Writes the first ROWS rows; FROM and TO are the interval's. */
void rows_print(const struct table *table, struct tr_out *out, size_t rows, uint64_t from,
		uint64_t to);

#endif
