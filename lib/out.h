/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffered writing to a descriptor. Whole lines only leave: tr_out_flush() is called between lines,
 * and by tr_out_reserve() when the buffer is full. A failure is kept in `error`: later calls do
 * nothing.
 */
#ifndef TR_OUT_H
#define TR_OUT_H

#include <stdbool.h>
#include <stddef.h>

struct tr_out {
	int fd;
	int error; /* errno of the first failed write; EPIPE: the reader left */
	char *buffer;
	size_t used;
	size_t size;
};

/* Takes no ownership of FD. Asks for a 1 MiB pipe where FD is one. */
void tr_out_init(struct tr_out *out, int fd);
/* Frees the buffer without flushing. */
void tr_out_release(struct tr_out *out);

/* Room for BYTES at the end of the buffer, flushing first when it lacks. Never NULL. */
char *tr_out_reserve(struct tr_out *out, size_t bytes);
/* What was written into the reserved room, up to END, counts. */
static inline void tr_out_commit(struct tr_out *out, const char *end)
{
	out->used = end - out->buffer;
}

void tr_out_bytes(struct tr_out *out, const void *bytes, size_t len);
void tr_out_text(struct tr_out *out, const char *text);
void tr_out_printf(struct tr_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes all that is buffered. Waits for a slow reader. Returns 0 or the kept -errno. */
int tr_out_flush(struct tr_out *out);

/*
 * The last act of a filter: flushes, closes FD, and says "cannot write: No space left on device"
 * when that failed, or nothing when the reader left. Returns TR_DONE or TR_FAILED; a reader that
 * left is TR_DONE.
 */
int tr_out_close(struct tr_out *out);

#endif
