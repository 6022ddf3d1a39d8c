/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call that a thread is in: kept with the thread, or, on kernels that can't, in a hash map of
 * threads, where it is for as long as the call takes.
 */
#ifndef TR_STATE_H
#define TR_STATE_H

#include "task.h"

struct call {
	__u64 start; /* 0: in none that is timed or sent */
	__u32 code;
	__u64 args[6]; /* with --args */
};

#ifdef TR_OLD_KERNEL

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TR_MAX_CALLS_UNDER_WAY);
	__type(key, __u64); /* the task's address: its id changes in execve */
	__type(value, struct call);
} calls SEC(".maps");

/* NULL: there is no room. */
static __always_inline struct call *call_begin(struct task_struct *task)
{
	__u64 key = (__u64)task;
	struct call none = {0};

	bpf_map_update_elem(&calls, &key, &none, BPF_ANY);
	return bpf_map_lookup_elem(&calls, &key);
}

/* Of all who want the call that ends one gets it: who could delete it. */
static __always_inline struct call *call_end(struct task_struct *task, struct call *room,
					     __u64 *start)
{
	__u64 key = (__u64)task;
	struct call *call = bpf_map_lookup_elem(&calls, &key);

	if (!call)
		return NULL;
	*room = *call;
	*start = room->start;
	return *start && !bpf_map_delete_elem(&calls, &key) ? room : NULL;
}

#else

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} calls SEC(".maps");

/* NULL: there is no room. */
static __always_inline struct call *call_begin(struct task_struct *task)
{
	return bpf_task_storage_get(&calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Of all who want the call that ends one gets it: who takes START. ROOM is not needed. */
static __always_inline struct call *call_end(struct task_struct *task, struct call *room,
					     __u64 *start)
{
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);

	(void)room;
	if (!call)
		return NULL;
	*start = __sync_lock_test_and_set(&call->start, 0);
	return *start ? call : NULL;
}

#endif

#endif
