/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --follow: what a traced thread creates is traced as well, and what has ended no longer. Only ids
 * are kept here; when none is left, tr-attach is done.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "target.h"

char LICENSE[] SEC("license") = "GPL";

/* How many bytes of `ids` were cleared: a reason for tr-attach to look whether any is left. */
__u64 cleared;

static __always_inline void clear(__u32 base, __u32 id)
{
	if (!id_is_set(base, id))
		return;
	id_set(base, id, 0);
	__sync_fetch_and_add(&cleared, 1);
}

/* The first argument is the creator, also where the child gets another parent. */
SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *creator = (struct task_struct *)ctx[0];
	struct task_struct *child = (struct task_struct *)ctx[1];

	if (!traced(creator))
		return 0;
	if (cfg_target.by_pid)
		id_set(0, process_id(child), 1);
	if (cfg_target.by_tid)
		id_set(cfg_target.tid_base, thread_id(child), 1);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int on_exit(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];

	if (!traced(task))
		return 0;
	if (cfg_target.by_tid)
		clear(cfg_target.tid_base, thread_id(task));
	if (cfg_target.by_pid && task->signal->live.counter == 0)
		clear(0, process_id(task));
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

	if (cfg_target.ns_level || former == (__u32)task->pid ||
	    !id_is_set(cfg_target.tid_base, former))
		return 0;
	id_set(cfg_target.tid_base, task->pid, 1);
	clear(cfg_target.tid_base, former);
	return 0;
}
