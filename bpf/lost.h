/* SPDX-License-Identifier: GPL-2.0-only */
/* What could not be kept is counted: per CPU, by cause. */
#ifndef TR_LOST_H
#define TR_LOST_H

#include "config.h"

/* Made by tr-attach: TR_N_LOST counters for each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TR_N_LOST);
	__type(key, __u32);
	__type(value, __u64);
} lost SEC(".maps");

static __always_inline void count_lost_n(enum tr_lost why, __u64 more)
{
	__u32 key = bpf_get_smp_processor_id() * TR_N_LOST + why;
	__u64 *n = bpf_map_lookup_elem(&lost, &key);

	if (n)
		__sync_fetch_and_add(n, more);
}

static __always_inline void count_lost(enum tr_lost why)
{
	count_lost_n(why, 1);
}

#endif
