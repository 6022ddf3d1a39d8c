/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of one kind on their way out of the reader: as packed bodies, in the input's memory where
 * they can be used as they stand there, else decoded into an arena.
 */
#ifndef TR_BATCH_H
#define TR_BATCH_H

#include "part.h"

enum {
	TR_BATCH = 256,              /* records at most */
	TR_BATCH_ARENA = 128 << 10,  /* bytes of decoded bodies */
	TR_BATCH_BODY = TR_MAX_LINE, /* bytes that the next decoded body may take */
	TR_BATCH_READABLE = 64,      /* bytes from each body's start that may be read */
};

struct tr_batch {
	struct tr_part_kind *kind; /* of the last record; NULL when its part may be gone */
	size_t n;
	const unsigned char *bodies[TR_BATCH];
	size_t arena_used;
	unsigned char arena[TR_BATCH_ARENA + TR_BATCH_BODY];
};

/* Empty; the kind is remembered. */
static inline void tr_batch_clear(struct tr_batch *batch)
{
	batch->n = batch->arena_used = 0;
}

static inline bool tr_batch_has_room(const struct tr_batch *batch)
{
	return batch->n < TR_BATCH && batch->arena_used <= TR_BATCH_ARENA - TR_BATCH_READABLE;
}

/* Whether a record of KIND can join. */
static inline bool tr_batch_fits(const struct tr_batch *batch, const struct tr_part_kind *kind)
{
	return !batch->n || batch->kind == kind;
}

/* Where the next body may be decoded to; tr_batch_add() then makes it one of the batch. */
static inline unsigned char *tr_batch_next(struct tr_batch *batch)
{
	return batch->arena + batch->arena_used;
}

static inline void tr_batch_add(struct tr_batch *batch, struct tr_part_kind *kind, size_t bytes)
{
	batch->kind = kind;
	batch->bodies[batch->n++] = tr_batch_next(batch);
	batch->arena_used += (bytes + 15) & ~(size_t)15;
	kind->part->records++;
}

/*
 * The hot road: takes packed lines of KIND, which has lines of a fixed length (line_bytes) and
 * fits, from AT on, as many as stand one behind the other before END and there is room for. Returns
 * where it stopped. Reads up to 64 bytes beyond END.
 */
const unsigned char *tr_batch_take_run(struct tr_batch *batch, struct tr_part_kind *kind,
				       const unsigned char *at, const unsigned char *end);

#endif
