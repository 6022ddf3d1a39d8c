/* SPDX-License-Identifier: GPL-2.0-only */
/* The least that sends a process's events of one kind: no options, nothing that is not in the
 * record. */
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

/* Those that need no second process. SIZE: of the event and what follows it. */
static __always_inline void *begin(struct task_struct *task, const __u64 size)
{
	struct event *event = bpf_ringbuf_reserve(&events, size, 0);

	if (!event) {
		__sync_fetch_and_add(&dropped, 1);
		return NULL;
	}
	event->ts = bpf_ktime_get_ns();
	__builtin_memcpy(event->comm, task->comm, sizeof(event->comm));
	event->pid = task->tgid;
	event->tid = task->pid;
	return event;
}

struct named {
	struct event event;
	char path[96];
};

enum { SI = 13, R8 = 9, NR_OPENAT = 257, NR_SENDTO = 44 }; /* of x86_64 */

SEC("tp_btf/sys_exit")
int on_open(__u64 *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *registers = (const void *)ctx[0];
	struct named *named;
	__u64 path = 0;

	if ((__u32)task->tgid != cfg_pid || registers->orig_ax != NR_OPENAT)
		return 0;
	named = begin(task, sizeof(*named));
	if (!named)
		return 0;
	named->event.ns = ctx[1];
	bpf_probe_read_kernel(&path, sizeof(path), (void *)ctx[0] + SI * 8);
	bpf_probe_read_user_str(named->path, sizeof(named->path), (const void *)path);
	bpf_ringbuf_submit(named, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/sys_exit")
int on_datagram(__u64 *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *registers = (const void *)ctx[0];
	struct event *event;
	__u64 address = 0;

	if ((__u32)task->tgid != cfg_pid || registers->orig_ax != NR_SENDTO)
		return 0;
	event = begin(task, sizeof(*event));
	if (!event)
		return 0;
	event->ns = ctx[1];
	bpf_probe_read_kernel(&address, sizeof(address), (void *)ctx[0] + R8 * 8);
	bpf_probe_read_user(event->next_comm, sizeof(event->next_comm), (const void *)address);
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("perf_event")
int on_fault(struct perf_event_context *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct event *event;

	if ((__u32)task->tgid != cfg_pid)
		return 0;
	event = begin(task, sizeof(*event));
	if (!event)
		return 0;
	event->ns = ctx->addr;
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}

/* Of its children. */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct linux_binprm *program = (struct linux_binprm *)ctx[2];
	struct named *named;

	if ((__u32)task->real_parent->tgid != cfg_pid)
		return 0;
	named = begin(task, sizeof(*named));
	if (!named)
		return 0;
	bpf_probe_read_kernel_str(named->path, 48, program->filename);
	bpf_probe_read_user(named->path + 48, 48, (const void *)task->mm->arg_start);
	bpf_ringbuf_submit(named, BPF_RB_NO_WAKEUP);
	return 0;
}

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, __u64);
} begun SEC(".maps");

enum { SYN_SENT = 2 };

SEC("tp_btf/inet_sock_set_state")
int on_connect(__u64 *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct sock *sk = (struct sock *)ctx[0];
	__u64 key = ctx[0], now = bpf_ktime_get_ns(), *since;
	struct event *event;

	if ((__u32)ctx[2] == SYN_SENT && (__u32)task->tgid == cfg_pid) {
		bpf_map_update_elem(&begun, &key, &now, BPF_ANY);
		return 0;
	}
	since = bpf_map_lookup_elem(&begun, &key);
	if (!since)
		return 0;
	event = begin(task, sizeof(*event));
	if (event) {
		event->ns = now - *since;
		event->what = sk->sk_err;
		event->next_pid = sk->__sk_common.skc_daddr;
		event->next_tid = sk->__sk_common.skc_rcv_saddr;
		event->cpu = sk->__sk_common.skc_dport;
		bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	}
	bpf_map_delete_elem(&begun, &key);
	return 0;
}
