/* SPDX-License-Identifier: GPL-2.0-only */
/* A circular arena of records, and an index over it that is kept sorted by time. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	ARENA_BYTES = 4 << 20,
	MAX_PLACES = 1 << 16,
	READABLE = 64, /* bytes behind the last record's body that may be read */
};

void order_init(struct order *order)
{
	*order = (struct order){0};
	order->arena = tr_xmalloc(ARENA_BYTES + READABLE);
	order->places = tr_xmalloc(MAX_PLACES * sizeof(*order->places));
}

void order_release(struct order *order)
{
	free(order->arena);
	free(order->places);
	*order = (struct order){0};
}

static struct order_record *record_at(struct order *order, size_t at)
{
	return (struct order_record *)(order->arena + at % ARENA_BYTES);
}

/* Room for BYTES in one piece at the head; -1 when there is none. */
static long make_room(struct order *order, size_t bytes)
{
	size_t to_end = ARENA_BYTES - order->head % ARENA_BYTES;
	size_t skip = to_end < bytes ? to_end : 0;

	if (ARENA_BYTES - (order->head - order->tail) < skip + bytes)
		return -1;
	if (skip) {
		struct order_record *filler = record_at(order, order->head);

		filler->bytes = skip;
		filler->gone = 1;
		order->head += skip;
	}
	return order->head;
}

bool order_add(struct order *order, const struct tr_ring_header *header)
{
	size_t bytes = (sizeof(struct order_record) + header->bytes + 15) & ~15UL, place;
	struct order_record *record;
	uint64_t ts;
	long at;

	if (order->end - order->first == MAX_PLACES || (at = make_room(order, bytes)) < 0)
		return false;
	record = record_at(order, at);
	record->bytes = bytes;
	record->gone = 0;
	memcpy(&record->header, header, sizeof(*header) + header->bytes);
	order->head += bytes;
	memcpy(&ts, record->body, sizeof(ts));
	/* Nearly always the youngest so far. */
	for (place = order->end++; place > order->first; place--) {
		struct order_place *before = &order->places[(place - 1) % MAX_PLACES];

		if (before->ts <= ts)
			break;
		order->places[place % MAX_PLACES] = *before;
	}
	order->places[place % MAX_PLACES] = (struct order_place){ts, at};
	return true;
}

struct order_record *order_first(struct order *order, uint64_t *ts)
{
	const struct order_place *first = &order->places[order->first % MAX_PLACES];

	if (order->first == order->end)
		return NULL;
	*ts = first->ts;
	return record_at(order, first->at);
}

void order_drop_first(struct order *order)
{
	record_at(order, order->places[order->first++ % MAX_PLACES].at)->gone = 1;
	while (order->tail < order->head && record_at(order, order->tail)->gone)
		order->tail += record_at(order, order->tail)->bytes;
	/* A quiet stream stays in the memory that is warm. */
	if (order->tail == order->head)
		order->tail = order->head = 0;
}
