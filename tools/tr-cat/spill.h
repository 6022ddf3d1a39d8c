/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs of sorted items in a temporary file, read back as one. */
#ifndef TR_SPILL_H
#define TR_SPILL_H

#include <stdbool.h>
#include <stdint.h>

#include "out.h"

/* What is sorted: a line and when it is due. In memory and in the file its bytes follow. */
struct item {
	int64_t moment;
	uint32_t slot; /* of its trace */
	uint32_t len;
};

struct spill;

/* A file without a name in TMPDIR, or in /tmp, read and written by its descriptor. -errno. */
int spill_open(void);

/* FD as spill_open() gave it. Never NULL. */
struct spill *spill_new(int fd);
void spill_free(struct spill *spill);

/* Items of one run, in order; spill_end_run() ends it. */
void spill_add(struct spill *spill, const struct item *item);
/* 0, or -errno: not all could be written. */
int spill_end_run(struct spill *spill);
bool spill_is_empty(const struct spill *spill);

/*
 * The next item of all runs, of equal ones that of the earlier run, once the last has ended: its
 * bytes, which are good until the next call. NULL at the end, with *ERROR set after a failure.
 */
const char *spill_next(struct spill *spill, struct item *item, int *error);

#endif
