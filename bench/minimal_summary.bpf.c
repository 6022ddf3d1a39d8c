/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The least that adds up the times of one process's system calls by number, the start being kept in
 * task storage: what --summary is measured against.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

enum { MAX_CALLS = 512 };

const volatile __u32 cfg_pid;

struct call {
	__u64 start;
	__u32 nr;
};

struct times {
	__u64 n, total, max;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MAX_CALLS);
	__type(key, __u32);
	__type(value, struct times);
} times SEC(".maps");

SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	struct call *call;

	if (bpf_get_current_pid_tgid() >> 32 != cfg_pid)
		return 0;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL,
				    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!call)
		return 0;
	call->nr = ctx[1];
	call->start = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int on_exit(__u64 *ctx)
{
	struct call *call;
	struct times *t;
	__u64 ns;

	(void)ctx;
	if (bpf_get_current_pid_tgid() >> 32 != cfg_pid)
		return 0;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	if (!call)
		return 0;
	ns = bpf_ktime_get_ns() - call->start;
	t = bpf_map_lookup_elem(&times, &call->nr);
	if (!t)
		return 0;
	t->n++;
	t->total += ns;
	if (ns > t->max)
		t->max = ns;
	return 0;
}
