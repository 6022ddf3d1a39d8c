/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One input as a run of bytes in memory: a regular file is mapped piece by piece, anything else is
 * read. The bytes from `at` to `end` are there, and 64 more are readable (their content undefined).
 */
#ifndef TR_INPUT_H
#define TR_INPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TR_INPUT_SLACK = 64 };

struct tr_input {
	const char *name; /* for messages: "-" is "stdin" */
	int fd;
	bool regular;
	const unsigned char *at; /* the user moves it on */
	const unsigned char *end;
	/* private */
	unsigned char *buffer;
	size_t mapped_bytes; /* 0: `buffer` is malloc'd */
	uint64_t offset;     /* of `buffer` in the file */
	volatile sig_atomic_t shrank;
	struct tr_input *next_mapped;
};

/* NAME is kept; "-" is stdin. IN must stay where it is. Returns 0 or -errno. */
int tr_input_open(struct tr_input *in, const char *name);
/* Whether tr_input_more() may have to wait for a writer. */
static inline bool tr_input_may_wait(const struct tr_input *in)
{
	return !in->regular;
}
/*
 * Brings more bytes; those not yet used stay, perhaps elsewhere. Returns 1, 0 at the end, -errno,
 * or -ENOBUFS when TR_MAX_LINE bytes or more are unused already and there is no room.
 */
int tr_input_more(struct tr_input *in);
void tr_input_close(struct tr_input *in);
/* Whether the mapped file became shorter while it was read; what it lacked reads as zeroes. */
static inline bool tr_input_shrank(const struct tr_input *in)
{
	return in->shrank;
}

#endif
