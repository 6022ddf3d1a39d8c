/* SPDX-License-Identifier: GPL-2.0-only */
/* --pace: records leave as far apart as they were made. */
#ifndef TR_PACE_H
#define TR_PACE_H

#include "moment.h"
#include "out.h"

struct pace {
	struct tr_out *out;
	bool one_line; /* parts share a time line; else each begins as soon as the one before ends
			*/
	/* private */
	bool begun, over;
	int64_t moment;   /* of the record that the others are measured from */
	int64_t clock_ns; /* when it left, by CLOCK_MONOTONIC */
	int64_t now_ns;   /* the last look at it */
};

/*
 * Waits until a record of PART is due, having flushed what came before; FIRST says that it is the
 * first of its part. False when nobody waits for the rest: the reader has left, or SIGINT came and
 * the input is not LIVE. A live one is to be passed on to its end: from then on nothing waits.
 */
bool pace_wait(struct pace *pace, bool live, const struct tr_part *part, uint64_t ts, bool first);

#endif
