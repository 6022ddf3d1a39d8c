/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts records of several CPUs into the order of their times: they are held here for a while and
 * leave oldest first. What comes too late for that leaves at once. No more than a fixed number of
 * bytes is held.
 */
#ifndef ORDER_H
#define ORDER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* A record that is held; what is before its first byte of body is this module's. */
struct order_record {
	uint32_t bytes; /* in the arena, with this */
	uint32_t gone;
	struct tr_ring_header header;
	unsigned char body[]; /* header.bytes, readable for 64; the first field is ts */
};

struct order_place {
	uint64_t ts;
	size_t at; /* in the arena */
};

struct order {
	unsigned char *arena; /* in the order of arrival, from `tail` round to `head` */
	size_t head, tail;    /* count on and on; modulo ARENA_BYTES they are places */
	struct order_place *places; /* in the order of time, from `first` round to `end` */
	size_t first, end;          /* likewise modulo MAX_PLACES */
};

void order_init(struct order *order);
void order_release(struct order *order);

/* Takes a copy of the record behind HEADER; false: no room, let some go first. */
bool order_add(struct order *order, const struct tr_ring_header *header);

/* The oldest one and its time, NULL when there is none. Good, also for writing, until it is dropped. */
struct order_record *order_first(struct order *order, uint64_t *ts);
void order_drop_first(struct order *order);

#endif
