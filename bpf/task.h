/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task and its members. Kernels from 5.12 on let programs look at a task as C does. An object
 * that is compiled with TR_OLD_KERNEL does without what older ones have not got: a typed current
 * task, storage that belongs to a task, and atomic operations that return something.
 */
#ifndef TR_TASK_H
#define TR_TASK_H

/* READ(a, b) is a->b, READ(a, b, c) is a->b->c. TYPED_TASKS: any pointer from a task on may be
 * followed so. */
#ifdef TR_OLD_KERNEL
enum { TYPED_TASKS = false };
#define READ(...) BPF_CORE_READ(__VA_ARGS__)
#else
enum { TYPED_TASKS = true };
#define READ(...)                    READ_OF(__VA_ARGS__, READ_TWICE, READ_ONCE, 0)(__VA_ARGS__)
#define READ_OF(a, b, c, which, ...) which
#define READ_ONCE(a, b)              ((a)->b)
#define READ_TWICE(a, b, c)          ((a)->b->c)
#endif

static __always_inline struct task_struct *current_task(void)
{
#ifdef TR_OLD_KERNEL
	return (struct task_struct *)bpf_get_current_task();
#else
	return bpf_get_current_task_btf();
#endif
}

/* On its way off a CPU it is what the task does then, unless another wakes it just now. */
static __always_inline __u32 task_state(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return READ(task, __state);
	return BPF_CORE_READ((struct task_struct___former *)task, state);
}

#endif
