/* SPDX-License-Identifier: GPL-2.0-only */
/* What bpf/tally.h adds up: read at each interval, and written as the records of that interval. */
#ifndef TALLY_H
#define TALLY_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "emit.h"
#include "latency.h"

struct tally {
	struct tr_tally_config config;
	const uint64_t *counts; /* the maps' memory; NULL: not asked for */
	struct tr_times *times;
	size_t counts_bytes, times_bytes;
	int keyed_fd;
	unsigned keyed_cpus;    /* that have values of their own under a key; else 1 */
	struct tr_keyed *keyed; /* of one key */
	uint32_t *epoch;        /* of the programs, likewise */
	uint64_t *told;         /* counts that have been written, by row */
	struct latency latency; /* opened by itself, released with this */
};

/* The system call that has ROW in the maps. */
uint32_t tally_row_code(uint32_t row);

/* Opens the maps of an object that has been loaded as TALLY's config says; a descriptor below 0:
 * there is no such map. The epoch is the first thing in its. Returns 0 or -errno. */
int tally_open(struct tally *tally, int counts_fd, int times_fd, int keyed_fd, int epoch_fd);
void tally_release(struct tally *tally);

/* Writes a record for each call that was counted or timed since last time, for each process. */
void tally_emit(struct tally *tally, struct emit *emit);

#endif
