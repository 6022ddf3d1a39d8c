/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --follow: what a traced thread creates is traced as well, and what has ended no longer. Programs
 * that every object carries and the first to be loaded uses: an object of their own would cost
 * another reading of the kernel's BTF, 20 ms.
 */
#ifndef TR_FOLLOW_H
#define TR_FOLLOW_H

#include "target.h"

/* Tells tr-attach, too, that it may be time to look whether anyone is left. */
static __always_inline void clear(__u32 base, __u32 id)
{
	__u32 key = cfg_target.cleared;
	__u64 *n;

	if (!id_is_set(base, id))
		return;
	id_set(base, id, 0);
	n = bpf_map_lookup_elem(&ids, &key);
	if (n)
		__sync_fetch_and_add(n, 1);
}

static __always_inline void follow(struct task_struct *task)
{
	if (cfg_target.by_pid)
		id_set(0, process_id(task), 1);
	if (cfg_target.by_tid)
		id_set(cfg_target.tid_base, thread_id(task), 1);
}

/* TASK ends, and with its last thread a process. */
static __always_inline void forget(struct task_struct *task)
{
	if (cfg_target.by_tid)
		clear(cfg_target.tid_base, thread_id(task));
	if (cfg_target.by_pid && READ(task, signal, live.counter) == 0)
		clear(0, process_id(task));
}

/* The first argument is the creator, also where the child gets another parent. */
SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *creator = (struct task_struct *)ctx[0];
	struct task_struct *child = (struct task_struct *)ctx[1];

	if (is_followed(creator))
		follow(child);
	return 0;
}

/*
 * Run over all threads when on_fork is there: what targets created before that, but after they were
 * looked up. The parent of a process is the thread that created it; who created a further thread of
 * a process is not known any more.
 */
SEC("iter/task")
int on_newborn(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (!task || READ(task, start_time) < cfg_target.opened ||
	    !is_target(READ(task, real_parent)))
		return 0;
	follow(task);
	/* on_end may have come before us. */
	if (READ(task, flags) & PF_EXITING)
		forget(task);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int on_end(__u64 *ctx)
{
	forget((struct task_struct *)ctx[0]);
	return 0;
}

/*
 * A thread that calls execve takes over its process's id. The former one is numbered as the initial
 * namespace has it, so that in another one such a thread is lost sight of.
 */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	__u32 former = ctx[1];

	if (cfg_target.ns.level || former == (__u32)READ(task, pid) ||
	    !id_is_set(cfg_target.tid_base, former))
		return 0;
	id_set(cfg_target.tid_base, READ(task, pid), 1);
	clear(cfg_target.tid_base, former);
	return 0;
}

#endif
