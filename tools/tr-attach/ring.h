/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring buffers between the programs and us. libbpf's reader tells the kernel after each record
 * how far it is, which costs the traced thread a cache miss per record; this one tells it now and
 * then.
 */
#ifndef RING_H
#define RING_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "order.h"

struct ring;

struct rings {
	struct ring *rings;
	size_t n;
	int outer_fd; /* the map of ring maps, -1 when there is one ring */
	struct tr_ring_config config;
};

/* BYTES, a legal size or not: the next one up, a power of two and at least a page. */
uint64_t rings_legal_bytes(uint64_t bytes);

/*
 * Makes the rings for CPUS processors, which share BYTES and have at least LEAST each. Returns 0 or -errno. A zeroed RINGS with
 * outer_fd -1 can be released.
 */
int rings_init(struct rings *rings, unsigned cpus, uint64_t bytes, uint64_t least);
void rings_release(struct rings *rings);

/* The map of ring I; to be polled edge-triggered: it is readable when a program woke us. */
int rings_fd(const struct rings *rings, size_t i);

/*
 * Moves what the rings hold to ORDER, ring I's to lane I, at most MAX records of each. Returns how
 * many there were. When a lane takes no more, LET_GO is the time up to which records must leave for
 * that to change, else 0.
 */
size_t rings_drain(struct rings *rings, struct order *order, size_t max, uint64_t *let_go);

#endif
