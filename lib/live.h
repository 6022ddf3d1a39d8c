/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a filter shows on a terminal and draws again in its own place: what stood on the screen
 * before stays, and no mode of the terminal is changed, so that nothing is left to be undone
 * whichever way the program ends.
 */
#ifndef TR_LIVE_H
#define TR_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "out.h"

/* What a terminal has room for. */
struct tr_screen {
	size_t lines, columns;
};

struct tr_live {
	bool on;
	/* private */
	uint64_t drawn_ms; /* when, on CLOCK_MONOTONIC */
	uint64_t pause_ms; /* until it is due again */
	size_t lines;      /* on the screen now */
	size_t columns;    /* of the terminal, then */
};

/* Writes what is to be seen, in no more than SCREEN has room for; returns how many lines it took.
 */
typedef size_t tr_live_draw_fn(void *context, struct tr_out *out, const struct tr_screen *screen);

void tr_live_init(struct tr_live *live, bool on);
/* Draws, when that is due. */
void tr_live_draw(struct tr_live *live, struct tr_out *out, tr_live_draw_fn *draw, void *context);
/* Clears what is drawn; what is written next stands in its place. */
void tr_live_erase(struct tr_live *live, struct tr_out *out);
/* How long until the next drawing is due, -1 when none ever is. */
int tr_live_timeout_ms(const struct tr_live *live);

/* The terminal as it is now, for it may have been resized; 80 columns and 24 lines where FD is
 * none. */
struct tr_screen tr_screen_of(int fd);

uint64_t tr_now_ms(void); /* on CLOCK_MONOTONIC */

#endif
