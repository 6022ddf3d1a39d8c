/* SPDX-License-Identifier: GPL-2.0-only */
/* What was lost, whatever the cause: counted by programs, or by the kernel that skipped them. */
#ifndef LOST_H
#define LOST_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"

enum { LOST_MAX_PROGRAMS = 160, LOST_SKIPPED = TR_N_LOST, LOST_N_CAUSES };

struct lost {
	int map_fd;
	unsigned cpus;
	uint64_t *counters; /* the map's memory: TR_N_LOST for each CPU */
	int programs[LOST_MAX_PROGRAMS];
	size_t n_programs;
	uint64_t told[LOST_N_CAUSES]; /* of each cause, what lost_next() has returned */
	uint64_t total;
};

/* Makes the map for CPUS processors. 0 or -errno; a zeroed one with map_fd -1 can be released. */
int lost_init(struct lost *lost, unsigned cpus);
void lost_release(struct lost *lost);

/* From now on what the kernel skips of PROGRAM's runs counts. */
void lost_watch(struct lost *lost, int program_fd);

/*
 * What has been lost of some cause since this was last asked, and its name; 0 when there is nothing
 * new. The skipped runs of programs, which take a system call each, only when WITH_SKIPPED.
 */
uint64_t lost_next(struct lost *lost, int with_skipped, const char **why);

#endif
