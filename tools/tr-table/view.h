/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups as rows: which columns there are, their order, and how they are written. */
#ifndef TR_VIEW_H
#define TR_VIEW_H

#include "groups.h"
#include "out.h"

enum { MAX_COLUMNS = 32 };

enum output { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_TSV };

enum agg { AGG_COUNT, AGG_ERRORS, AGG_SUM, AGG_AVG, AGG_MIN, AGG_MAX };

struct column {
	enum agg agg;
	size_t measure; /* of the groups; for AGG_SUM and later */
	bool if_seen;   /* left out when no record has what it is about */
};

struct view {
	enum output output;
	size_t n_columns;
	struct column columns[MAX_COLUMNS];
	const char *sort; /* NULL: by the first column */
	bool reverse;
	size_t top; /* rows at most; 0: all */
	bool intervals;
	bool headed; /* a CSV header was written */
};

/* "count,sum(ns),errors": adds columns, and measures to GROUPS. 0, or -EINVAL with *WHY set. */
int view_parse_aggs(struct view *view, struct groups *groups, const char *text, const char **why);
/* COUNT, ERRORS, and TOTAL, AVG, MAX of each kind's value, as far as the records have them. */
void view_default_aggs(struct view *view, struct groups *groups);

/*
 * Writes the rows; FROM and TO (ns) are the interval's where there are intervals. FIT is how many
 * lines a screen has, 0 for no limit. Returns 0, or -ENOENT when there is no column to sort by (the
 * rows then are in order of the first).
 */
int view_print(struct view *view, const struct groups *groups, struct tr_out *out, uint64_t from,
	       uint64_t to, size_t fit);

#endif
