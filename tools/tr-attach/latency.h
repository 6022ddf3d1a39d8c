/* SPDX-License-Identifier: GPL-2.0-only */
/* The histograms of bpf/latency.h: how many there are, who has which, and what they have gained. */
#ifndef LATENCY_H
#define LATENCY_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "aggregate.h"
#include "settings.h"

struct bpf_object;

struct latency {
	uint32_t n;    /* histograms, 0: none, and the rest is not used */
	uint32_t keys; /* of them that can be taken at the same time */
	uint32_t cpus;
	const uint64_t *buckets; /* the maps' memory */
	uint64_t *rows;
	size_t buckets_bytes, rows_bytes;
	uint64_t *told; /* what has been written of each bucket */
	uint8_t *idle; /* by histogram: intervals since its owner made a call; see latency_recycle()
			*/
	int free_fd, taken_fd;
};

/* Before an object with these maps is loaded: how many there will be for each of CPUS processors.
 * Returns 0 or -errno. */
int latency_configure(struct latency *latency, const struct settings *settings, unsigned cpus,
		      struct bpf_object *object);
/* After it: calls that are named get theirs, others can take one. Returns 0 or -errno. */
int latency_open(struct latency *latency, const struct settings *settings,
		 struct bpf_object *object);
void latency_release(struct latency *latency);

/* Writes a record for each bucket of HISTOGRAM, OWNER's, that has gained something; 0: none. */
void latency_emit(struct latency *latency, struct emit *emit, uint64_t now,
		  const struct owner *owner, uint64_t histogram);

/*
 * After an interval's histograms were written, and when no program uses what it noted in that
 * interval any more: takes them from owners that have been idle for a while, and gives what was
 * taken an interval ago to whoever comes. Not for histograms that belong to rows.
 */
void latency_recycle(struct latency *latency);

#endif
