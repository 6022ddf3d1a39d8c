/* SPDX-License-Identifier: GPL-2.0-only */
/* Lanes: each a circular arena of records and an index over it that is kept sorted by time. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	ARENA_BYTES = 4 << 20, /* of all lanes */
	ARENA_MIN = 256 << 10, /* of one lane: a few of the longest records */
	ALIGNMENT = 16,
	PLACES_PER_BYTE = 64, /* a place for so many bytes: no record is smaller */
	READABLE = 64,        /* bytes behind the last record's body that may be read */
};

struct place {
	uint64_t ts;
	size_t at; /* in the arena */
};

struct lane {
	unsigned char *arena; /* in the order of arrival, from `tail` round to `head` */
	size_t bytes;         /* of it, a power of two */
	size_t head, tail;    /* count on and on; modulo `bytes` they are places in it */
	struct place *places; /* in the order of time, from `first` round to `end` */
	size_t n_places;      /* a power of two */
	size_t first, end;    /* likewise modulo n_places */
};

void order_init(struct order *order, size_t n_lanes)
{
	*order = (struct order){.n_lanes = n_lanes};
	order->lanes = tr_xcalloc(n_lanes, sizeof(*order->lanes));
	for (struct lane *lane = order->lanes; lane < order->lanes + n_lanes; lane++) {
		lane->bytes = ARENA_BYTES;
		while (lane->bytes > ARENA_BYTES / n_lanes && lane->bytes > ARENA_MIN)
			lane->bytes /= 2;
		lane->n_places = lane->bytes / PLACES_PER_BYTE;
		lane->arena = tr_xmalloc(lane->bytes + READABLE);
		lane->places = tr_xmalloc(lane->n_places * sizeof(*lane->places));
	}
}

void order_release(struct order *order)
{
	for (size_t i = 0; i < order->n_lanes; i++) {
		free(order->lanes[i].arena);
		free(order->lanes[i].places);
	}
	free(order->lanes);
	*order = (struct order){0};
}

static struct order_record *record_at(struct lane *lane, size_t at)
{
	return (struct order_record *)(lane->arena + (at & (lane->bytes - 1)));
}

static struct place *place_at(const struct lane *lane, size_t at)
{
	return &lane->places[at & (lane->n_places - 1)];
}

/* Room for BYTES in one piece at the head. */
static bool make_room(struct lane *lane, size_t bytes)
{
	size_t to_end = lane->bytes - (lane->head & (lane->bytes - 1));
	size_t skip = to_end < bytes ? to_end : 0;

	if (lane->end - lane->first == lane->n_places ||
	    lane->bytes - (lane->head - lane->tail) < skip + bytes)
		return false;
	if (skip) {
		struct order_record *filler = record_at(lane, lane->head);

		filler->bytes = skip;
		filler->gone = 1;
		lane->head += skip;
	}
	return true;
}

/* Nearly always the youngest so far. */
static void insert(struct lane *lane, uint64_t ts, size_t at)
{
	size_t place;

	for (place = lane->end++; place > lane->first; place--) {
		const struct place *before = place_at(lane, place - 1);

		if (before->ts <= ts)
			break;
		*place_at(lane, place) = *before;
	}
	*place_at(lane, place) = (struct place){ts, at};
}

bool order_add(struct order *order, size_t lane_number, const struct tr_ring_header *header)
{
	size_t bytes = sizeof(struct order_record) + header->bytes;
	struct lane *lane = &order->lanes[lane_number];
	struct order_record *record;
	uint64_t ts;

	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (!make_room(lane, bytes))
		return false;
	record = record_at(lane, lane->head);
	record->bytes = bytes;
	record->gone = 0;
	memcpy(&record->header, header, sizeof(*header) + header->bytes);
	memcpy(&ts, record->body, sizeof(ts));
	insert(lane, ts, lane->head);
	lane->head += bytes;
	return true;
}

struct order_record *order_first(struct order *order, uint64_t *ts)
{
	struct lane *oldest = NULL;

	for (struct lane *lane = order->lanes; lane < order->lanes + order->n_lanes; lane++) {
		if (lane->first == lane->end)
			continue;
		if (!oldest || place_at(lane, lane->first)->ts < *ts) {
			oldest = lane;
			*ts = place_at(lane, lane->first)->ts;
		}
	}
	order->oldest = oldest;
	return oldest ? record_at(oldest, place_at(oldest, oldest->first)->at) : NULL;
}

void order_drop_first(struct order *order)
{
	struct lane *lane = order->oldest;

	record_at(lane, place_at(lane, lane->first++)->at)->gone = 1;
	while (lane->tail < lane->head && record_at(lane, lane->tail)->gone)
		lane->tail += record_at(lane, lane->tail)->bytes;
	/* A quiet stream stays in the memory that is warm. */
	if (lane->tail == lane->head)
		lane->tail = lane->head = 0;
}

uint64_t order_middle(const struct order *order, size_t lane_number)
{
	const struct lane *lane = &order->lanes[lane_number];

	if (lane->first == lane->end)
		return UINT64_MAX;
	return place_at(lane, lane->first + (lane->end - lane->first) / 2)->ts;
}
