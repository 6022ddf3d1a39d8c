/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of times, each with buckets of its own for every CPU. A call, or the call of a
 * process, takes one when it returns for the first time, as long as any are left, and keeps it.
 */
#ifndef TR_LATENCY_H
#define TR_LATENCY_H

#include "buckets.h"
#include "config.h"
#include "lost.h"
#include "sum.h"

/* Those of the first CPU, histogram by histogram, then those of the second ... They only grow. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TR_KERNEL_BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} buckets SEC(".maps");

/* By row, the call's histogram, from 1 up; 0: it has none. The last entry: 1 when none is left. (An
 * array's entries take 8 bytes anyway.) */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TR_NONE_LEFT + 1);
	__type(key, __u32);
	__type(value, __u64);
} histograms SEC(".maps");

/* Which tr-attach has filled: each comes out of it once, on any kernel. It has some more than there
 * are keys, so that it is never empty while a program holds one that its key may not need. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, __u32);
} free_histograms SEC(".maps");

/* Who has which: as many as there may be keys. Of several CPUs that take one for the same key one
 * succeeds. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct tr_histogram_key);
	__type(value, __u32);
} taken_histograms SEC(".maps");

/* Found or taken; 0: none is left. */
static __noinline __u32 take_histogram(__u32 pid, __u32 code)
{
	struct tr_histogram_key key = {pid, code};
	__u32 last = TR_NONE_LEFT, mine, *found;
	__u64 *none_left;
	long err;

	found = bpf_map_lookup_elem(&taken_histograms, &key);
	if (found)
		return *found;
	none_left = bpf_map_lookup_elem(&histograms, &last);
	if (!none_left || *none_left)
		return 0;
	if (bpf_map_pop_elem(&free_histograms, &mine))
		return 0;
	err = bpf_map_update_elem(&taken_histograms, &key, &mine, BPF_NOEXIST);
	if (!err)
		return mine;
	bpf_map_push_elem(&free_histograms, &mine, 0);
	if (err == -E2BIG) {
		*none_left = 1;
		return 0;
	}
	found = bpf_map_lookup_elem(&taken_histograms, &key);
	return found ? *found : 0;
}

/* HISTOGRAM is where the key's is noted. */
static __always_inline void add_to_histogram(__u64 *histogram, __u32 pid, __u32 code, __u64 ns)
{
	__u32 which = *histogram, key, bucket;
	__u64 *n;

	if (!which) {
		which = take_histogram(pid, code);
		if (!which) {
			count_lost(TR_LOST_HISTOGRAMS);
			return;
		}
		*histogram = which;
	}
	bucket = ns < tr_bucket_low(TR_OPEN_BUCKET) ? tr_bucket_of(ns) : TR_OPEN_BUCKET;
	key = bpf_get_smp_processor_id() * cfg_tally.histograms + which - 1;
	key = key * TR_KERNEL_BUCKETS + bucket;
	n = bpf_map_lookup_elem(&buckets, &key);
	if (n)
		add(n, 1, cfg_tally.preemptible);
}

#endif
