/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table on a terminal that is drawn again in its own place: what stood on the screen before
 * stays, and no mode of the terminal is changed, so that nothing is left to be undone whichever way
 * the program ends.
 */
#ifndef TR_LIVE_H
#define TR_LIVE_H

#include "view.h"

struct live {
	bool on;
	/* private */
	uint64_t drawn_ms; /* when, on CLOCK_MONOTONIC */
	uint64_t pause_ms; /* until it is due again */
	size_t lines;      /* on the screen now */
	size_t columns;    /* of the terminal, then */
};

void live_init(struct live *live, bool on);
/* The total so far, when that is due. */
void live_draw(struct live *live, struct view *view, const struct groups *groups,
	       struct tr_out *out);
/* Clears what is drawn; what is written next stands in its place. */
void live_erase(struct live *live, struct tr_out *out);
/* How long until the next drawing is due, -1 when none ever is. */
int live_timeout_ms(const struct live *live);

uint64_t now_ms(void); /* on CLOCK_MONOTONIC */

#endif
