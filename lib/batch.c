/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of one kind, one 64-byte compare each. */
#include "batch.h"

#include "newline.h"
#include "packed.h"

/* How far ahead: the processor's own prefetching ends with a page, and memory is slow. */
enum { PREFETCH_BYTES = 8192 };

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
	const uint64_t line_bits = newline_bit | (newline_bit - 1);
	/* the first byte and the code byte of a line without a newline inside */
	const uint16_t plain = kind->first | (coded ^ TR_NEWLINE) << 8;
	const size_t skip_number = kind->kind->number >= TR_PACKED_ESCAPE ? 2 : 0;
	const uint16_t number = kind->kind->number;
	unsigned char *arena = tr_batch_next(batch);
	size_t n = batch->n, room = (TR_BATCH_ARENA - batch->arena_used) / TR_MASK_BYTES + n;
	const unsigned char *last = end - line_bytes; /* where a line may start */

	if (room > TR_BATCH)
		room = TR_BATCH;
	if ((size_t)(end - at) < line_bytes)
		return at;
	for (; n < room && at <= last; at += line_bytes) {
		const unsigned char *body = at + 2;
		uint16_t start, its_number;

		__builtin_prefetch(at + PREFETCH_BYTES);
		if ((tr_newline_mask(at) & line_bits) != newline_bit)
			break;
		memcpy(&start, at, 2);
		if (start != plain) {
			if (*at != kind->first || !decode_chain(at, coded, arena))
				break;
			body = arena;
			arena += TR_MASK_BYTES;
		}
		if (skip_number) {
			memcpy(&its_number, body, 2);
			if (its_number != number)
				break;
			body += 2;
		}
		batch->bodies[n++] = body;
	}
	if (n > batch->n)
		batch->kind = kind;
	kind->part->records += n - batch->n;
	batch->n = n;
	batch->arena_used = arena - batch->arena;
	return at;
}
