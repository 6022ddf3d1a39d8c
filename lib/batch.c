/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of one kind, one 64-byte compare each. */
#include "batch.h"

#include "newline.h"
#include "packed.h"

enum { PREFETCH_BYTES = 1024 }; /* ahead: the processor's own prefetching ends with a page */

/* Copies a line's body and puts its newlines back: false when the chain does not end at BYTES. */
static inline bool decode_chain(const unsigned char *line, size_t bytes, unsigned char *body)
{
	size_t at = line[1] ^ TR_NEWLINE;

	memcpy(body, line + 2, TR_MASK_BYTES);
	while (at < bytes) {
		unsigned distance = line[1 + at] ^ TR_NEWLINE;

		body[at - 1] = TR_NEWLINE;
		at += distance;
		if (!distance)
			return false;
	}
	return at == bytes;
}

/*
 * A line is taken when its first newline stands where the kind's lines end, and its code byte says
 * that there is none inside (then the body is used where it is), or its chain ends right.
 */
const unsigned char *tr_batch_take_run(struct tr_batch *batch, struct tr_part_kind *kind,
				       const unsigned char *at, const unsigned char *end)
{
	const size_t line_bytes = kind->line_bytes, coded = line_bytes - 2;
	const uint64_t newline_bit = UINT64_C(1) << (line_bytes - 1);
	const unsigned char first = kind->first, no_newline = coded ^ TR_NEWLINE;
	const size_t skip_number = kind->kind->number >= TR_PACKED_ESCAPE ? 2 : 0;
	const uint16_t number = kind->kind->number;
	unsigned char *arena = tr_batch_next(batch);
	size_t n = batch->n, room = (TR_BATCH_ARENA - batch->arena_used) / TR_MASK_BYTES + n;

	if (room > TR_BATCH)
		room = TR_BATCH;
	while (n < room && (size_t)(end - at) >= line_bytes) {
		uint64_t mask = tr_newline_mask(at);
		const unsigned char *body = at + 2;
		uint16_t its_number;

		__builtin_prefetch(at + PREFETCH_BYTES);
		if ((mask & -mask) != newline_bit || *at != first)
			break;
		if (at[1] != no_newline) {
			if (!decode_chain(at, coded, arena))
				break;
			body = arena;
			arena += TR_MASK_BYTES;
		}
		if (skip_number) {
			memcpy(&its_number, body, 2);
			if (its_number != number)
				break;
		}
		batch->bodies[n++] = body + skip_number;
		at += line_bytes;
	}
	if (n > batch->n)
		batch->kind = kind;
	kind->part->records += n - batch->n;
	batch->n = n;
	batch->arena_used = arena - batch->arena;
	return at;
}
