/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of --count: per-CPU rows and a map of odd calls, read as deltas. */
#ifndef COUNTS_H
#define COUNTS_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "emit.h"

struct counts {
	unsigned cpus;
	const uint64_t *rows; /* the map's memory: TR_N_ROWS for each CPU */
	size_t bytes;
	int odd_fd;
	uint64_t *told; /* what has been written, by row */
	struct odd_count *odd;
	size_t n_odd;
};

/* Opens the maps of an object that has been loaded. Returns 0 or -errno. */
int counts_open(struct counts *counts, unsigned cpus, int rows_fd, int odd_fd);
void counts_release(struct counts *counts);

/* Writes a record for each call that was made since last time. */
void counts_emit(struct counts *counts, struct emit *emit);

#endif
