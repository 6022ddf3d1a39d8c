/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts records of several CPUs into the order of their times: they are held here for a while and
 * leave oldest first. What comes too late for that leaves at once. No more than a fixed number of
 * bytes is held.
 *
 * A ring buffer's records come nearly sorted, those of two rings one after the other not at all. So
 * each ring has a lane, sorted by insertion, and the oldest head of the lanes is the next to leave.
 */
#ifndef ORDER_H
#define ORDER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* A record that is held. */
struct order_record {
	uint32_t bytes; /* in the arena, with this */
	uint32_t gone;
	struct tr_ring_header header;
	unsigned char body[]; /* header.bytes, readable for 64; the first field is ts */
};

struct order {
	struct lane *lanes;
	size_t n_lanes;
	struct lane *oldest; /* has the record that order_first() returned */
};

void order_init(struct order *order, size_t n_lanes);
void order_release(struct order *order);

/* Takes a copy of the record behind HEADER; false: no room in the lane, let some go first. */
bool order_add(struct order *order, size_t lane, const struct tr_ring_header *header);

/* The oldest one and its time, NULL when there is none. Good, also for writing, until dropped. */
struct order_record *order_first(struct order *order, uint64_t *ts);
void order_drop_first(struct order *order);

/* A time that half of the records of LANE are older than, UINT64_MAX when it is empty. */
uint64_t order_middle(const struct order *order, size_t lane);

#endif
