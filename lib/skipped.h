/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reader could not use or found missing, counted and said at the end. */
#ifndef TR_SKIPPED_H
#define TR_SKIPPED_H

#include <stdbool.h>
#include <stdint.h>

struct tr_part;

enum tr_skip {
	TR_SKIP_CUT,          /* the last line has no newline */
	TR_SKIP_LONG,         /* longer than TR_MAX_LINE */
	TR_SKIP_CHAIN,        /* a packed line whose chain does not end at its newline */
	TR_SKIP_LENGTH,       /* ... whose length does not fit its kind */
	TR_SKIP_UNKNOWN_KIND, /* ... of a kind that no schema has defined */
	TR_SKIP_NO_JSON,
	TR_SKIP_PRETTY,  /* no JSON either, but its first line is only "{" */
	TR_SKIP_CONTROL, /* a control line that makes no sense */
	TR_SKIP_FOREIGN,
	TR_N_SKIPS
};

struct tr_skipped {
	uint64_t n; /* lines */
	uint64_t by_reason[TR_N_SKIPS];
	const char *first_name; /* where the first was */
	uint64_t first_line;
	enum tr_skip first_why;
	uint64_t parts, parts_cut, parts_selected;
	uint64_t lost;
	bool headless; /* records came before any header */
};

/* NAME must outlive SKIPPED. */
void tr_skipped_add(struct tr_skipped *skipped, enum tr_skip why, const char *name, uint64_t line);
/* What a part that is done says about itself: lost records, no end, another number of records. */
void tr_skipped_part(struct tr_skipped *skipped, const struct tr_part *part);
/* Prints an error when lines were skipped, and notes on the rest. Whether lines were skipped. */
bool tr_skipped_report(const struct tr_skipped *skipped);

#endif
