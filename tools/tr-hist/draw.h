/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms for people: a bar for each row, and the figures beneath. */
#ifndef TR_DRAW_H
#define TR_DRAW_H

#include "dist.h"
#include "live.h"
#include "out.h"

enum { MAX_PERCENTILES = 16, PERCENTILE_MAX = 12 };

struct percentile {
	char text[PERCENTILE_MAX]; /* "99.9" */
	uint64_t part, of;
};

struct percentiles {
	size_t n;
	struct percentile list[MAX_PERCENTILES];
};

/*
 * Writes one histogram below its heading (unless that is empty), in lines no wider than SCREEN.
 * Where SCREEN has a number of lines it takes no more, if need be without the rows at its ends that
 * have least. Returns how many lines it took.
 */
size_t draw_histogram(const struct dist *dist, const char *heading, const struct percentiles *list,
		      struct tr_out *out, const struct tr_screen *screen);

/*
 * Rows as they are shown, to be freed: those in between that have no values as well, but a long run
 * of them as one whose row is NO_ROW.
 */
enum { NO_ROW = INT32_MIN };
size_t rows_with_gaps(const struct dist *dist, const struct bar *bars, size_t n, struct bar **all);

#endif
