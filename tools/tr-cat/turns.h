/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces that take turns in the output: where it goes from one to another, that one's header comes
 * again, so that every record is read as its own trace's.
 */
#ifndef TR_TURNS_H
#define TR_TURNS_H

#include "out.h"
#include "stream.h"

enum { TURNS_MAX = 4096 }; /* traces */

/* Start with zeroes. */
struct turns {
	size_t n;
	struct turn *list; /* slot 1 is the first */
	size_t current;    /* the slot whose turn it is; 0: none yet */
	uint64_t lines;
};

void turns_release(struct turns *turns);

/* Whether EVENT is a header or schema line, which this keeps and writes where it is needed. */
bool turns_keeps(const struct tr_event *event);
/* The slot of the event's part, having kept its line if it is such; 0 after an error: too many. */
uint32_t turns_see(struct turns *turns, const struct tr_event *event);
/* N lines of SLOT come next. */
void turns_enter(struct turns *turns, struct tr_out *out, uint32_t slot, size_t n);

#endif
