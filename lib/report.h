/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loop of a filter that adds records up and then says what they come to: all of them at the
 * end, with an interval those of each interval of the records' own time, and on a terminal those so
 * far, drawn again each second.
 */
#ifndef TR_REPORT_H
#define TR_REPORT_H

#include "live.h"
#include "out.h"
#include "stream.h"
#include "where.h"

struct tr_report;

/* What the tool does; CONTEXT is its own. */
struct tr_report_hooks {
	/* Records FROM..TO of a batch, and a record that fits no kind. */
	void (*add)(void *context, const struct tr_event *event, size_t from, size_t to);
	void (*add_object)(void *context, const struct tr_event *event);
	/* An interval is over that had records: it begins at report->begin_ns, and what comes next
	 * belongs to another one. */
	void (*end_interval)(void *context);
	/* There are no more records. */
	void (*end)(void *context);
	/* What there is so far, on a terminal. */
	tr_live_draw_fn *draw;
};

/* The tool sets the first ones and zeroes the rest. */
struct tr_report {
	const struct tr_report_hooks *hooks;
	void *context;
	struct tr_where *where;
	uint64_t interval_ns; /* 0: none; end_interval() may change it */
	bool note_empty;      /* "no records" is worth a note where not even a header came */
	bool live;            /* to be drawn while records come, where stdout is a terminal */

	struct tr_out out; /* stdout, between the first hook and the last */
	uint64_t begin_ns; /* of the interval, in the part's time */
	bool seen;         /* a record was */
	/* private */
	bool headed; /* a header was */
	struct tr_live drawing;
	bool begun;       /* an interval */
	uint64_t last_ms; /* when its last record came */
};

/*
 * Reads NAMES (none: stdin) from beginning to end, shut in by tr_sandbox_enter(). Returns the
 * status to exit with, everything else having been said.
 */
int tr_report_run(struct tr_report *report, char **names, size_t n);

/* "from 1s to 2s": a line above what is of an interval. */
void tr_report_put_interval(struct tr_out *out, uint64_t from_ns, uint64_t to_ns);

#endif
