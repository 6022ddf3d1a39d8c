/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls, counted when they are entered and sent one by one when they have returned. One
 * program on each side does both, so that what is counted is what is sent. The programs exist in
 * three forms, which differ in how they get at the number and the result: tr-attach loads one.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "call.h"
#include "follow.h"
#include "ring.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct tr_call_list cfg_count;
const volatile struct tr_call_list cfg_stream;

/* The kernel may interrupt a program here and run it for another thread on the same CPU. */
const volatile bool cfg_preemptible;

/* A row of each call for each CPU; tr-attach sets the size. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TR_N_ROWS);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

/* The calls that have no row, by code. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TR_MAX_ODD_CALLS);
	__type(key, __u32);
	__type(value, __u64);
} odd_counts SEC(".maps");

/* The call that a thread is in. */
struct call {
	__u64 start; /* 0: in none that is to be sent */
	__u32 code;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} calls SEC(".maps");

static __noinline void count_odd(__u32 code)
{
	__u64 *n = bpf_map_lookup_elem(&odd_counts, &code);
	__u64 zero = 0;

	if (!n) {
		/* Another CPU may be first, hence no look at the result. */
		bpf_map_update_elem(&odd_counts, &code, &zero, BPF_NOEXIST);
		n = bpf_map_lookup_elem(&odd_counts, &code);
	}
	if (n)
		__sync_fetch_and_add(n, 1);
	else
		count_lost(TR_LOST_COUNTS);
}

static __always_inline void count(__u32 row, __u32 code)
{
	__u32 key = bpf_get_smp_processor_id() * TR_N_ROWS + row;
	__u64 *n;

	if (row >= TR_N_ROWS) {
		count_odd(code);
		return;
	}
	n = bpf_map_lookup_elem(&counts, &key);
	if (!n)
		return;
	if (cfg_preemptible)
		__sync_fetch_and_add(n, 1);
	else
		++*n;
}

static __always_inline void note_start(struct task_struct *task, __u32 code)
{
	struct call *call;

	call = bpf_task_storage_get(&calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!call) {
		count_lost(TR_LOST_STATE);
		return;
	}
	call->code = code;
	call->start = bpf_ktime_get_ns();
}

static __always_inline void enter_call(struct task_struct *task, __u32 row, __u32 code)
{
	if (is_wanted(&cfg_count, row, code))
		count(row, code);
	if (is_wanted(&cfg_stream, row, code))
		note_start(task, code);
}

static __always_inline int enter(long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 code;

	if (!traced(task))
		return 0;
	/* Nearly all: row, code and number are the same. */
	if (!is_32bit(task) && (__u64)id < TR_ROWS_PER_ABI) {
		enter_call(task, id, id);
		return 0;
	}
	code = call_code(task, id);
	enter_call(task, call_row(code), code);
	return 0;
}

/* The bytes of WORD before its first zero byte; sets ENDED when there is one. */
static __always_inline __u64 before_zero(__u64 word, bool *ended)
{
	__u64 zeroes = (word - 0x0101010101010101) & ~word & 0x8080808080808080;

	*ended = zeroes;
	return zeroes ? word & (((zeroes & -zeroes) >> 7) - 1) : word;
}

/* Kernels before 5.17 leave bytes of a former name behind the zero byte. */
static __always_inline void put_comm(struct tr_comm *to, struct task_struct *task)
{
	__u64 *from = (__u64 *)task->comm;
	bool ended;

	to->words[0] = before_zero(from[0], &ended);
	to->words[1] = ended ? 0 : before_zero(from[1], &ended);
}

/* The call that TASK is in, which ends now one way or another. Whoever gets START sends it. */
static __always_inline void send(struct task_struct *task, long ret, __u16 flags)
{
	struct {
		struct tr_ring_header header;
		struct tr_syscall record;
	} * event;
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);
	void *ring;
	__u64 start, now;

	if (!call)
		return;
	start = __sync_lock_test_and_set(&call->start, 0);
	if (!start)
		return;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	event = (void *)ring_reserve(ring, sizeof(*event), TR_KIND_syscall, flags,
				     TR_BYTES_syscall);
	if (!event)
		return;
	event->record.ts = now;
	event->record.ns = now - start;
	event->record.ret = call->code >> 24 == TR_ABI_32 ? (__s32)ret : ret;
	put_comm(&event->record.comm, task);
	event->record.pid = process_id(task);
	event->record.tid = thread_id(task);
	event->record.syscall = call->code;
	ring_submit(ring, &event->header, now);
}

static __always_inline int leave(long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();

	/* A thread's id changes when it calls execve and is not the first of its process. */
	if (cfg_target.tid || cfg_target.by_tid || traced(task))
		send(task, ret, 0);
	return 0;
}

SEC("tp_btf/sys_enter")
int on_enter_tp_btf(__u64 *ctx)
{
	return enter(ctx[1]);
}

SEC("raw_tp/sys_enter")
int on_enter_raw_tp(__u64 *ctx)
{
	return enter(ctx[1]);
}

SEC("tp/raw_syscalls/sys_enter")
int on_enter_tracepoint(struct trace_event_raw_sys_enter *ctx)
{
	return enter(ctx->id);
}

SEC("tp_btf/sys_exit")
int on_exit_tp_btf(__u64 *ctx)
{
	return leave(ctx[1]);
}

SEC("raw_tp/sys_exit")
int on_exit_raw_tp(__u64 *ctx)
{
	return leave(ctx[1]);
}

SEC("tp/raw_syscalls/sys_exit")
int on_exit_tracepoint(struct trace_event_raw_sys_exit *ctx)
{
	return leave(ctx->ret);
}

/* exit, exit_group, and whatever a thread was in when it was killed. */
SEC("tp_btf/sched_process_exit")
int on_thread_exit(__u64 *ctx)
{
	send((struct task_struct *)ctx[0], 0, TR_NO_RESULT);
	return 0;
}

/* Run over all threads once, at the end, when no more calls begin. */
SEC("iter/task")
int on_task(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task)
		send(task, 0, TR_NO_RESULT | TR_STILL_RUNNING);
	return 0;
}
