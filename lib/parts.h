/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a stream as its control lines begin, continue and end them; one is current. */
#ifndef TR_PARTS_H
#define TR_PARTS_H

#include "part.h"
#include "skipped.h"

enum tr_control { TR_CONTROL_TRACERY, TR_CONTROL_SCHEMA, TR_CONTROL_LOST, TR_CONTROL_END };

enum { TR_MAX_PARTS = 64 }; /* that are remembered, to be continued */

/* Start with zeroes and SKIPPED. */
struct tr_parts {
	struct tr_skipped *skipped;         /* told of parts that are forgotten */
	struct tr_part *list[TR_MAX_PARTS]; /* the current one first, then the latest */
	size_t n;
};

void tr_parts_release(struct tr_parts *parts);
/* The part that data belongs to: before any header one of its own. */
struct tr_part *tr_parts_current(struct tr_parts *parts);
/* Takes LINE in, a control line: OBJECT is what stands inside. 0, or -EINVAL: it makes no sense. */
int tr_parts_control(struct tr_parts *parts, enum tr_control control, struct tr_json_object *object,
		     struct tr_string line);

/*
 * Writers repeat headers and schemas over and over. What LINE is, enum tr_control, when the current
 * part has had it already, so that it says nothing new; else -1.
 */
int tr_parts_repeated(const struct tr_parts *parts, struct tr_string line);

#endif
