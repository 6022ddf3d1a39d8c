/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The least that makes a histogram of the times of each of one process's system calls, or of one of
 * them, in buckets as fine as tr-attach's: what --latency is measured against.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "buckets.h"

char LICENSE[] SEC("license") = "GPL";

enum { MAX_CALLS = 512 };

const volatile __u32 cfg_pid;
const volatile __s32 cfg_nr; /* -1: all */

struct call {
	__u64 start;
	__u32 nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} calls SEC(".maps");

/* Of one call, the first TR_KERNEL_BUCKETS. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MAX_CALLS *TR_KERNEL_BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} buckets SEC(".maps");

SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	struct call *call;

	if (bpf_get_current_pid_tgid() >> 32 != cfg_pid)
		return 0;
	if (cfg_nr >= 0 && (__s32)ctx[1] != cfg_nr)
		return 0;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL,
				    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!call)
		return 0;
	call->nr = cfg_nr >= 0 ? 0 : ctx[1];
	call->start = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int on_exit(__u64 *ctx)
{
	struct call *call;
	__u64 ns, *n;
	__u32 key;

	(void)ctx;
	if (bpf_get_current_pid_tgid() >> 32 != cfg_pid)
		return 0;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	if (!call || !call->start)
		return 0;
	ns = bpf_ktime_get_ns() - call->start;
	if (cfg_nr >= 0)
		call->start = 0; /* other calls return as well */
	key = ns < tr_bucket_low(TR_OPEN_BUCKET) ? tr_bucket_of(ns) : TR_OPEN_BUCKET;
	key += call->nr * TR_KERNEL_BUCKETS;
	n = bpf_map_lookup_elem(&buckets, &key);
	if (n)
		++*n;
	return 0;
}
