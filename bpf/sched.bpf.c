/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler: who leaves a CPU and why, who comes onto one and how long it was off it and in the
 * queue, who wakes whom, who is moved. A thread is known from when it first leaves a CPU, or is
 * created: then it is the current one, whose user and cgroup can be asked for.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "call.h"
#include "event.h"
#include "follow.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct tr_event_program event_programs[] = {
	{.name = "on_switch",
	 .kinds = KIND(switch) | KIND(run),
	 .with_conditions = KIND(wakeup) | KIND(migrate)},
	{.name = "on_wakeup", .kinds = KIND(run)},
	{.name = "on_wakeup_new", .kinds = KIND(switch) | KIND(run)},
	{.name = "on_waking", .kinds = KIND(wakeup)},
	{.name = "on_migrate", .kinds = KIND(migrate)},
};

enum why { NEW, PREEMPTED, VOLUNTARY, BLOCKED, EXITING };

struct thread {
	__u64 came;     /* onto the CPU where it is; 0: it is on none, or that was not seen */
	__u64 left;     /* the CPU; 0: it is on one */
	__u64 queued;   /* since when it could run; 0: it waits, or that was not seen */
	enum why why;   /* it left */
	__u32 pid, tid; /* in a PID namespace, where it loses them before it ends */
};

/* By the task's address: its number changes in execve. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TR_MAX_THREADS);
	__type(key, __u64);
	__type(value, struct thread);
} threads SEC(".maps");

static __always_inline struct thread *thread_of(struct task_struct *task)
{
	__u64 key = (__u64)task;

	return bpf_map_lookup_elem(&threads, &key);
}

static __always_inline struct thread *new_thread(struct task_struct *task)
{
	__u64 key = (__u64)task;
	struct thread none = {0}, *thread;

	bpf_map_update_elem(&threads, &key, &none, BPF_ANY);
	thread = bpf_map_lookup_elem(&threads, &key);
	if (!thread)
		count_lost(TR_LOST_STATE);
	return thread;
}

static __always_inline void forget_thread(struct task_struct *task)
{
	__u64 key = (__u64)task;

	bpf_map_delete_elem(&threads, &key);
}

static __always_inline __u32 cpu_of(struct task_struct *task)
{
	if (bpf_core_field_exists(task->thread_info.cpu))
		return READ(task, thread_info.cpu);
	return BPF_CORE_READ((struct task_struct___former *)task, cpu);
}

/* It has asked for that. On the way out of the call it is still the one that the thread was in. */
static __always_inline bool yields(struct task_struct *task)
{
#ifdef TR_OLD_KERNEL
	(void)task;
#else
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs)) {
		long id = call_number((struct pt_regs *)bpf_task_pt_regs(task));

		return id == (is_32bit(task) ? SCHED_YIELD_32 : SCHED_YIELD);
	}
#endif
	return false;
}

/* What it does next says that, not why it set out to sleep: a signal may have stopped it. */
static __always_inline enum why why_left(struct task_struct *task, bool preempt)
{
	__u32 state = task_state(task);

	if (preempt)
		return PREEMPTED;
	if (!state)
		return yields(task) ? VOLUNTARY : PREEMPTED;
	return state & TASK_DEAD ? EXITING : BLOCKED;
}

static __always_inline void put_why(struct tr_comm *to, enum why why)
{
	switch (why) {
	case NEW: PUT_WORD(to, "new"); break;
	case PREEMPTED: PUT_WORD(to, "preempted"); break;
	case VOLUNTARY: PUT_WORD(to, "voluntary"); break;
	case BLOCKED: PUT_WORD(to, "blocked"); break;
	case EXITING: PUT_WORD(to, "exiting"); break;
	}
}

static __always_inline void note_ids(struct task_struct *task, struct thread *thread)
{
	if (!cfg_target.ns.level || READ(task, flags) & PF_EXITING)
		return;
	thread->pid = process_id(task);
	thread->tid = thread_id(task);
}

#define PUT_THREAD(record, task, thread)                                                           \
	do {                                                                                       \
		PUT_WHO(record, task);                                                             \
		if (cfg_target.ns.level) {                                                         \
			(record)->pid = (thread)->pid;                                             \
			(record)->tid = (thread)->tid;                                             \
		}                                                                                  \
	} while (0)

static __always_inline void send_switch(struct task_struct *task, struct thread *thread,
					struct task_struct *next, __u64 now)
{
	void *ring = ring_here();
	struct tr_switch *record = EVENT_BEGIN(switch, ring, thread->came ? 0 : TR_NO_RESULT);

	if (!record)
		return;
	record->ts = now;
	record->ns = now - thread->came;
	PUT_THREAD(record, task, thread);
	put_why(&record->state, thread->why);
	put_comm(&record->next_comm, next);
	record->next_pid = process_id(next);
	record->next_tid = thread_id(next);
	record->cpu = bpf_get_smp_processor_id();
	event_send(ring, record, now);
}

static __always_inline void send_run(struct task_struct *task, struct thread *thread, __u64 now)
{
	void *ring = ring_here();
	struct tr_run *record = EVENT_BEGIN(run, ring, thread->queued ? 0 : TR_NO_SECOND);

	if (!record)
		return;
	record->ts = now;
	record->ns = now - thread->left;
	record->queued = now - thread->queued;
	PUT_THREAD(record, task, thread);
	put_why(&record->state, thread->why);
	record->cpu = bpf_get_smp_processor_id();
	event_send(ring, record, now);
}

static __always_inline void leave(struct task_struct *task, struct task_struct *next, bool preempt,
				  __u64 now)
{
	struct thread *thread = thread_of(task);

	if (!thread)
		thread = new_thread(task);
	if (!thread)
		return;
	thread->why = why_left(task, preempt);
	note_ids(task, thread);
	if (wants(KIND(switch)))
		send_switch(task, thread, next, now);
	if (thread->why == EXITING) {
		forget_thread(task);
		return;
	}
	thread->came = 0;
	thread->left = now;
	thread->queued = thread->why == BLOCKED ? 0 : now;
}

static __always_inline void come(struct task_struct *task, __u64 now)
{
	struct thread *thread = thread_of(task);

	if (!thread)
		return;
	if (wants(KIND(run)) && thread->left)
		send_run(task, thread, now);
	thread->came = now;
	thread->left = 0;
	thread->queued = 0;
}

/* A process that has begun to end may be no target any more; its threads go on for a while. */
static __always_inline bool leaves_traced(struct task_struct *task)
{
	if (traced(task))
		return true;
	return READ(task, flags) & PF_EXITING && thread_of(task) &&
	       (!cfg_conditions.any || meets_conditions(task));
}

/* Conditions say something of the current thread alone, which is not this one. */
static __always_inline bool may_be_known(struct task_struct *task)
{
	return cfg_conditions.any || traced(task) || READ(task, flags) & PF_EXITING;
}

/* Both at one moment. The current thread is still the one that leaves. */
SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	struct task_struct *next = (struct task_struct *)ctx[2];
	bool leaves = READ(prev, pid) && leaves_traced(prev);
	bool comes = READ(next, pid) && may_be_known(next);
	__u64 now;

	if (!leaves && cfg_conditions.any)
		forget_thread(prev); /* it may have met them before */
	if (!leaves && !comes)
		return 0;
	now = bpf_ktime_get_ns();
	if (leaves)
		leave(prev, next, ctx[0], now);
	if (comes)
		come(next, now);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int on_wakeup(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct thread *thread = may_be_known(task) ? thread_of(task) : NULL;

	/* On a CPU it only goes on. */
	if (thread && thread->left && !thread->queued)
		thread->queued = bpf_ktime_get_ns();
	return 0;
}

/* Its creator is the current thread; with --follow it is a target already. */
SEC("tp_btf/sched_wakeup_new")
int on_wakeup_new(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct thread *thread;

	if (!traced(task))
		return 0;
	thread = new_thread(task);
	if (!thread)
		return 0;
	thread->left = thread->queued = bpf_ktime_get_ns();
	note_ids(task, thread);
	return 0;
}

/* Any thread, not the current one. */
static __always_inline bool is_traced(struct task_struct *task)
{
	return cfg_conditions.any ? thread_of(task) != NULL : traced(task);
}

/* In the course of the one that wakes, which is not so of sched_wakeup. */
SEC("tp_btf/sched_waking")
int on_waking(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0], *waker = current_task();
	struct tr_wakeup *record;
	void *ring;
	__u64 now;

	if (!is_traced(task))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = EVENT_BEGIN(wakeup, ring, 0);
	if (!record)
		return 0;
	record->ts = now;
	PUT_WHO(record, task);
	put_comm(&record->waker_comm, waker);
	record->waker_pid = process_id(waker);
	record->waker_tid = thread_id(waker);
	record->cpu = bpf_get_smp_processor_id();
	event_send(ring, record, now);
	return 0;
}

SEC("tp_btf/sched_migrate_task")
int on_migrate(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct tr_migrate *record;
	void *ring;
	__u64 now;

	if (!is_traced(task))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = EVENT_BEGIN(migrate, ring, 0);
	if (!record)
		return 0;
	record->ts = now;
	PUT_WHO(record, task);
	record->from_cpu = cpu_of(task);
	record->cpu = ctx[1];
	event_send(ring, record, now);
	return 0;
}
