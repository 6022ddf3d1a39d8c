/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The least that sends each of one process's system calls, with the fields of a syscall record and
 * without wakeups: what --syscalls is measured against.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

enum { RING_BYTES = 8 << 20 };

const volatile __u32 cfg_pid;

struct call {
	__u64 start;
	__u32 nr;
};

struct event {
	__u64 ts, ns;
	__s64 ret;
	char comm[16];
	__u32 pid, tid, nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} events SEC(".maps");

/* Calls that found no room. */
__u64 dropped;

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
	__u64 id = bpf_get_current_pid_tgid(), now;
	struct event *event;
	struct call *call;

	if (id >> 32 != cfg_pid)
		return 0;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	if (!call)
		return 0;
	now = bpf_ktime_get_ns();
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		__sync_fetch_and_add(&dropped, 1);
		return 0;
	}
	event->ts = now;
	event->ns = now - call->start;
	event->ret = ctx[1];
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	event->pid = id >> 32;
	event->tid = id;
	event->nr = call->nr;
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}
