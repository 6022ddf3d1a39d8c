/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is traced: the first test in every program. A single process or thread is compared with a
 * constant; more of them, and those that --follow adds, have a byte each in an array over all ids.
 * Bytes rather than bits: they need no atomic operation, which kernels before 5.12 have not got.
 * What conditions.h asks for comes on top. With conditions alone everybody may meet them, and
 * --follow's bytes say who need not.
 */
#ifndef TR_TARGET_H
#define TR_TARGET_H

#include "conditions.h"
#include "config.h"

const volatile struct tr_target_config cfg_target;

/* Made by tr-attach, eight ids an entry. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} ids SEC(".maps");

/* ID's byte, NULL when the id is beyond the array. */
static __always_inline __u8 *id_byte(__u32 base, __u32 id)
{
	__u32 key = (base + id) / 8;
	__u8 *bytes;

	if (id >= cfg_target.n_ids)
		return NULL;
	bytes = bpf_map_lookup_elem(&ids, &key);
	return bytes ? bytes + id % 8 : NULL;
}

static __always_inline bool id_is_set(__u32 base, __u32 id)
{
	__u8 *byte = id_byte(base, id);

	return byte && *byte;
}

static __always_inline void id_set(__u32 base, __u32 id, __u8 value)
{
	__u8 *byte = id_byte(base, id);

	if (byte)
		*byte = value;
}

static __always_inline __u32 read_u32(void *from)
{
	__u32 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), from);
	return value;
}

/* The number of PID in tr-attach's own namespace, 0 when it is not visible there. */
static __always_inline __u32 number_in_namespace(void *pid)
{
	void *ns = NULL;

	if (read_u32(pid + cfg_target.ns.level_at) < cfg_target.ns.level)
		return 0;
	bpf_probe_read_kernel(&ns, sizeof(ns), pid + cfg_target.ns.ns_at);
	if (read_u32(ns + cfg_target.ns.inum_at) != cfg_target.ns.inum)
		return 0;
	return read_u32(pid + cfg_target.ns.number_at);
}

static __always_inline __u32 thread_id(struct task_struct *task)
{
	return cfg_target.ns.level ? number_in_namespace(READ(task, thread_pid)) : READ(task, pid);
}

static __always_inline __u32 process_id(struct task_struct *task)
{
	if (cfg_target.ns.level)
		return number_in_namespace(READ(task, group_leader, thread_pid));
	return READ(task, tgid);
}

static __always_inline bool is_left_out(struct task_struct *task)
{
	__u32 pid = process_id(task);

	return id_is_set(0, pid) || (!pid && cfg_target.ns.level);
}

static __always_inline bool is_target(struct task_struct *task)
{
	if (cfg_target.pid && process_id(task) != cfg_target.pid)
		return false;
	if (cfg_target.tid && thread_id(task) != cfg_target.tid)
		return false;
	if (cfg_target.by_pid && !id_is_set(0, process_id(task)))
		return false;
	if (cfg_target.by_tid && !id_is_set(cfg_target.tid_base, thread_id(task)))
		return false;
	return true;
}

/* TASK is the current one: helpers tell of its user. */
static __always_inline bool traced(struct task_struct *task)
{
	if (cfg_target.only_pid)
		return (__u32)READ(task, tgid) == cfg_target.pid;
	if (cfg_target.all) {
		bool wanted =
			!cfg_conditions.any || meets_conditions(task) ||
			(cfg_target.by_tid && id_is_set(cfg_target.tid_base, thread_id(task)));

		return wanted && !is_left_out(task);
	}
	return is_target(task) && (!cfg_conditions.any || meets_conditions(task));
}

/* What TASK, the current one, creates is a target as well. */
static __always_inline bool is_followed(struct task_struct *task)
{
	return cfg_target.all ? traced(task) : is_target(task);
}

#endif
