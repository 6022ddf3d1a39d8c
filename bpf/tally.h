/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls counted and their times added up, in the kernel: in a row for each call and CPU, or, by
 * process and for calls that have no row, under a key in a hash map.
 *
 * Times and keys belong to an epoch, 0 or 1. tr-attach changes it when an interval ends, waits
 * until no program uses the old one any more, and then has its sums to itself.
 */
#ifndef TR_TALLY_H
#define TR_TALLY_H

#include "call.h"
#include "comm.h"
#include "latency.h"
#include "lost.h"
#include "sum.h"
#include "target.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} epochs SEC(".maps");

/* A row of each call for each CPU; tr-attach sets the sizes of these maps. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TR_N_ROWS);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

/* The same, first for epoch 0, then for epoch 1. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 2 * TR_N_ROWS);
	__type(key, __u32);
	__type(value, struct tr_times);
} times SEC(".maps");

/* Where nothing but adding is atomic, each CPU has sums of its own. */
#ifdef TR_OLD_KERNEL
enum { KEYED_TYPE = BPF_MAP_TYPE_PERCPU_HASH, KEYED_IS_SHARED = false };
#else
enum { KEYED_TYPE = BPF_MAP_TYPE_HASH, KEYED_IS_SHARED = true };
#endif

struct {
	__uint(type, KEYED_TYPE);
	__uint(max_entries, TR_MAX_ODD_CALLS);
	__type(key, struct tr_keyed_key);
	__type(value, struct tr_keyed);
} keyed SEC(".maps");

static __always_inline __u32 epoch_now(void)
{
	__u32 zero = 0, *epoch = bpf_map_lookup_elem(&epochs, &zero);

	return epoch ? *epoch & 1 : 0;
}

static __noinline struct tr_keyed *keyed_at(struct task_struct *task, __u32 code)
{
	struct tr_keyed_key key = {.epoch = epoch_now(), .code = code};
	struct tr_keyed *found;

	if (cfg_tally.per_process)
		key.pid = process_id(task);
	found = bpf_map_lookup_elem(&keyed, &key);
	if (!found) {
		struct tr_keyed fresh = {0};

		if (cfg_tally.per_process)
			put_comm(&fresh.comm, READ(task, group_leader));
		/* Another CPU may be first, hence no look at the result. */
		bpf_map_update_elem(&keyed, &key, &fresh, BPF_NOEXIST);
		found = bpf_map_lookup_elem(&keyed, &key);
	}
	if (!found)
		count_lost(TR_LOST_COUNTS);
	return found;
}

static __always_inline bool has_row(__u32 row)
{
	return !cfg_tally.per_process && row < TR_N_ROWS;
}

static __always_inline void count(struct task_struct *task, __u32 row, __u32 code)
{
	__u32 key = bpf_get_smp_processor_id() * TR_N_ROWS + row;
	struct tr_keyed *k;
	__u64 *n;

	if (has_row(row)) {
		n = bpf_map_lookup_elem(&counts, &key);
		if (n)
			add(n, 1, cfg_tally.preemptible);
		return;
	}
	k = keyed_at(task, code);
	if (k)
		add(&k->entered, 1, KEYED_IS_SHARED);
}

static __always_inline void add_times(struct tr_times *t, __u64 ns, long ret, __u16 flags,
				      bool shared)
{
	if (flags & TR_NO_RESULT) {
		add(&t->never_returned, 1, shared);
		return;
	}
	add(&t->n, 1, shared);
	if (tr_result_is_error(ret))
		add(&t->errors, 1, shared);
	add(&t->ns_total, ns, shared);
	raise(&t->ns_max, ns, shared);
	raise(&t->not_ns_min, ~ns, shared);
}

/* HISTOGRAM: not only added up. Calls that never returned have no place in it. */
static __always_inline void time_call(struct task_struct *task, __u32 row, __u32 code, __u64 ns,
				      long ret, __u16 flags, bool histogram)
{
	__u32 cpu = bpf_get_smp_processor_id() + epoch_now() * cfg_tally.cpus;
	__u32 key = cpu * TR_N_ROWS + row;
	__u64 *which;
	struct tr_keyed *k;
	struct tr_times *t;

	if (flags & TR_NO_RESULT)
		histogram = false;
	if (has_row(row)) {
		t = bpf_map_lookup_elem(&times, &key);
		if (t)
			add_times(t, ns, ret, flags, cfg_tally.preemptible);
		which = histogram ? bpf_map_lookup_elem(&histograms, &row) : NULL;
		if (which)
			add_to_histogram(which, 0, code, ns);
		return;
	}
	k = keyed_at(task, code);
	if (!k)
		return;
	add_times(&k->times, ns, ret, flags, KEYED_IS_SHARED);
	if (histogram)
		add_to_histogram(&k->histogram, cfg_tally.per_process ? process_id(task) : 0, code,
				 ns);
}

#endif
