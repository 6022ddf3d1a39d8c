/* SPDX-License-Identifier: GPL-2.0-only */
/* All histograms, the one with most values first: as text, JSON or CSV. */
#ifndef TR_SHOW_H
#define TR_SHOW_H

#include "draw.h"

enum output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

struct show {
	enum output output;
	struct percentiles percentiles;
	bool linear;    /* JSON and CSV have its rows, not the finest buckets */
	bool intervals; /* each histogram is of one */
	bool headed;    /* the line of names of CSV was written */
	size_t shown;   /* histograms, the last time */
	size_t both;    /* of these, how many left single records out */
	size_t summed;  /* groups that have sums alone, and are not shown */
};

/*
 * Writes the histograms of GROUPS; FROM and TO (ns) are the interval's where there are intervals.
 * Where SCREEN has a number of lines they are as many as fit. Returns how many lines it took.
 */
size_t show_groups(struct show *show, const struct tr_groups *groups, struct tr_out *out,
		   uint64_t from, uint64_t to, const struct tr_screen *screen);

/* "syscall=read", safe for a terminal; empty where all is one. HEADING_MAX bytes. */
enum { HEADING_MAX = (TR_MAX_KEYS + 1) * (TR_MAX_NAME + 4 * TR_CELL_BYTES + 4) };
void put_group_heading(const struct tr_groups *groups, const struct tr_group *group, char *heading);

/* The other forms of one histogram. */
void show_json(const struct show *show, const struct dist *dist, struct tr_out *out, uint64_t to);
void show_csv(struct show *show, const struct dist *dist, struct tr_out *out, uint64_t to);

#endif
