/* SPDX-License-Identifier: GPL-2.0-only */
/* The least that sends each switch away from a process's threads, or each signal that it sends: no
 * options, nothing that is not in the record. */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

enum { RING_BYTES = 8 << 20 };

const volatile __u32 cfg_pid;

struct event {
	__u64 ts;
	__u64 ns;
	char comm[16];
	char next_comm[16];
	__u32 pid, tid, next_pid, next_tid, cpu, what;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} came SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} events SEC(".maps");

/* Events that found no room. */
__u64 dropped;

static __always_inline void put_names(struct event *event, struct task_struct *from,
				      struct task_struct *to)
{
	__builtin_memcpy(event->comm, from->comm, sizeof(event->comm));
	__builtin_memcpy(event->next_comm, to->comm, sizeof(event->next_comm));
	event->pid = from->tgid;
	event->tid = from->pid;
	event->next_pid = to->tgid;
	event->next_tid = to->pid;
}

SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	struct task_struct *next = (struct task_struct *)ctx[2];
	__u64 *since, now = bpf_ktime_get_ns();
	struct event *event;

	if ((__u32)next->tgid == cfg_pid) {
		since = bpf_task_storage_get(&came, next, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (since)
			*since = now;
	}
	if ((__u32)prev->tgid != cfg_pid)
		return 0;
	since = bpf_task_storage_get(&came, prev, NULL, 0);
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		__sync_fetch_and_add(&dropped, 1);
		return 0;
	}
	event->ts = now;
	event->ns = since ? now - *since : 0;
	put_names(event, prev, next);
	event->cpu = bpf_get_smp_processor_id();
	event->what = ctx[3];
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/signal_generate")
int on_signal(__u64 *ctx)
{
	struct task_struct *from = bpf_get_current_task_btf();
	struct event *event;

	if ((__u32)from->tgid != cfg_pid)
		return 0;
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		__sync_fetch_and_add(&dropped, 1);
		return 0;
	}
	event->ts = bpf_ktime_get_ns();
	event->ns = ctx[4];
	put_names(event, from, (struct task_struct *)ctx[2]);
	event->what = ctx[0];
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}
