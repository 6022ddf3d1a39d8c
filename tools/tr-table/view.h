/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups as rows: which columns there are, their order, and how they are written. */
#ifndef TR_VIEW_H
#define TR_VIEW_H

#include "groups.h"
#include "live.h"
#include "out.h"

enum { MAX_COLUMNS = 32 };

enum output {
	OUTPUT_TABLE,
	OUTPUT_JSON,
	OUTPUT_CSV,
	OUTPUT_TSV,
	OUTPUT_MARKDOWN,
	OUTPUT_OPENMETRICS,
};

/* From AGG_SUM on they are of a measure. */
enum agg { AGG_COUNT, AGG_ERRORS, AGG_SUM, AGG_AVG, AGG_MIN, AGG_MAX, AGG_PERCENTILE };

struct column {
	enum agg agg;
	size_t measure;      /* of the groups; for AGG_SUM and later */
	bool if_seen;        /* left out when no record has what it is about */
	char percentile[12]; /* "99.9", for AGG_PERCENTILE: PART of OF samples */
	uint64_t part, of;
};

struct view {
	enum output output;
	size_t n_columns;
	struct column columns[MAX_COLUMNS];
	const char *sort; /* NULL: by the first column */
	bool reverse;
	size_t top; /* rows at most; 0: all */
	bool intervals;
	bool headed;  /* a CSV header was written */
	size_t lines; /* of the last table */
};

/* "count,sum(ns),p99(ns)": adds columns, and measures to GROUPS. 0, or -EINVAL with *WHY set. */
int view_parse_aggs(struct view *view, struct tr_groups *groups, const char *text,
		    const char **why);
/* COUNT, ERRORS, and TOTAL, AVG, MAX of each kind's value, as far as the records have them. */
void view_default_aggs(struct view *view, struct tr_groups *groups);

/*
 * Writes the rows; FROM and TO (ns) are the interval's where there are intervals. With SCREEN, not
 * NULL, rows are left out and columns cut so that they fit; view->lines is how many lines it took.
 * Returns 0, or -ENOENT when there is no column to sort by (the rows then are in order of the
 * count, or of the first column).
 */
int view_print(struct view *view, const struct tr_groups *groups, struct tr_out *out, uint64_t from,
	       uint64_t to, const struct tr_screen *screen);

#endif
