/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time between attaching and detaching: waits for records, signals, the ends of targets,
 * intervals and a reader who leaves, all in one place.
 */
#ifndef RUN_H
#define RUN_H

#include "tracer.h"

enum why {
	WHY_SIGNAL,
	WHY_TARGETS, /* all have ended, or the command has */
	WHY_TIME,
	WHY_RECORDS, /* as many as were asked for */
	WHY_OUTPUT,  /* the reader left, or it cannot be written */
};

struct run {
	struct tracer *tracer;
	const struct source *const *sources; /* in use; ends in NULL */
	int epoll_fd, signal_fd;
	bool waits_for_room; /* stdout is asked about */
	bool is_full;        /* records wait in a ring because the window has no room */
	bool done;
	enum why why;
	unsigned interrupts;
	uint64_t next_interval, end, next_search, search_gap; /* kernel's time */
	uint64_t pause_ns;                                    /* between looks at the rings */
};

/* Takes signals over. Returns 0 or -errno. A zeroed one with fds -1 can be released. */
int run_init(struct run *run, struct tracer *tracer);
void run_release(struct run *run);

/* Until there is a reason to stop. Returns 0, or -errno when waiting failed. */
int run_loop(struct run *run, const struct source *const *sources);

/* From now on a signal ends us at once. */
void run_let_signals_kill(struct run *run);

/* Moves all that the rings and the window hold to stdout, however long it takes. */
void run_drain(struct tracer *tracer);
/* Writes what was lost since last time. */
void run_tell_lost(struct tracer *tracer, bool with_skipped);

#endif
