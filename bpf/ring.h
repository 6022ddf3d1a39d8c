/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a record gets to tr-attach: a struct tr_ring_header, then the record as it stands on the
 * wire. tr-attach looks by itself every so often, and is woken only when a ring fills up.
 */
#ifndef TR_RING_H
#define TR_RING_H

#include "layout.h"
#include "lost.h"

const volatile struct tr_ring_config cfg_ring;

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

/* Made by tr-attach: the only ring, or one for each cpus_per_ring CPUs. */
struct ring events SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct ring);
} rings SEC(".maps");

/* A string's length in a record: it was cut. */
enum { STR_CUT = 0x8000 };

static __always_inline void *ring_here(void)
{
	__u32 i;

	if (cfg_ring.rings <= 1)
		return &events;
	i = bpf_get_smp_processor_id() / cfg_ring.cpus_per_ring;
	return bpf_map_lookup_elem(&rings, &i);
}

/* Room in RING for SIZE bytes, a header and a record of BYTES bytes on the wire; NULL: none, which
 * has been counted. SIZE and BYTES are constants. */
static __always_inline struct tr_ring_header *ring_reserve(void *ring, __u64 size, __u16 kind,
							   __u16 flags, __u32 bytes)
{
	struct tr_ring_header *header = NULL;

	if (ring)
		header = bpf_ringbuf_reserve(ring, size, 0);
	if (header)
		*header = (struct tr_ring_header){kind, flags, bytes};
	else
		count_lost(TR_LOST_RING);
	return header;
}

/* NOW, the record's time, serves as dice: one record in 64 looks at how full the ring is. */
static __always_inline __u64 ring_wakeup(void *ring, __u64 now)
{
	if (now % 64 == 0 && bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) > cfg_ring.wake_bytes)
		return BPF_RB_FORCE_WAKEUP;
	return BPF_RB_NO_WAKEUP;
}

static __always_inline void ring_submit(void *ring, struct tr_ring_header *header, __u64 now)
{
	bpf_ringbuf_submit(header, ring_wakeup(ring, now));
}

#endif
