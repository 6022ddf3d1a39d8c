/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is the current thread in a cgroup, or below it? For version 2 a helper says it. Version 1 has
 * many hierarchies, in each of which a task has a cgroup. Their types are not named here:
 * cgroups.bpf.c has found where things are, so that only those wait for it who ask for such a
 * cgroup.
 */
#ifndef TR_CGROUPS_H
#define TR_CGROUPS_H

#include "config.h"
#include "task.h"

/* All conditions, of which cgroups are a part. */
const volatile struct tr_conditions cfg_conditions;

enum { MAX_LEVELS = 64, MAX_LINKS = 64 };

/* Made by tr-attach: those of --cgroup, then those of --container, as in cfg_conditions. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, TR_N_CGROUP_KINDS *TR_MAX_CGROUPS);
	__type(key, __u32);
	__type(value, __u32);
} cgroups SEC(".maps");

#define places cfg_conditions.places

/* The pointer or number at an address: TYPED says that the kernel knows what is there. */
static __always_inline void *load(void *from, bool typed)
{
	void *value = NULL;

	if (typed && TYPED_TASKS)
		return *(void **)from;
	bpf_probe_read_kernel(&value, sizeof(value), from);
	return value;
}

static __always_inline bool is_below(void *cgroup, __u64 id, bool typed)
{
	for (int i = 0; i < MAX_LEVELS; i++) {
		void *node = load(cgroup + places.node_at, typed), *state;

		if ((__u64)load(node + places.node_id_at, typed) == id)
			return true;
		state = load(cgroup + places.parent_at, typed);
		if (!state)
			return false;
		cgroup = load(state + places.cgroup_at, typed);
	}
	return false;
}

/* A hierarchy without controllers is found only through the list of all. */
static __always_inline bool is_below_linked(void *set, const volatile struct tr_cgroup *wanted)
{
	void *head = set + places.links_at, *link = head, *cgroup, *root;
	__u32 id = 0;

	for (int i = 0; i < MAX_LINKS; i++) {
		link = load(link, false);
		if (!link || link == head)
			return false;
		cgroup = load(link + places.linked_at, false);
		root = load(cgroup + places.root_at, false);
		bpf_probe_read_kernel(&id, sizeof(id), root + places.root_id_at);
		if (id == wanted->hierarchy)
			return is_below(cgroup, wanted->id, false);
	}
	return false;
}

static __always_inline bool is_in_cgroup(struct task_struct *task, enum tr_cgroup_kind kind,
					 __u32 i)
{
	const volatile struct tr_cgroup *wanted = &cfg_conditions.cgroups[kind][i];
	void *set = READ(task, cgroups), *state;

	if (!wanted->hierarchy)
		return bpf_current_task_under_cgroup(&cgroups, kind * TR_MAX_CGROUPS + i) == 1;
	if (!wanted->state_at)
		return is_below_linked(set, wanted);
	state = load(set + wanted->state_at, true);
	return is_below(load(state + places.cgroup_at, true), wanted->id, true);
}

static __always_inline bool is_in_cgroups(struct task_struct *task, enum tr_cgroup_kind kind)
{
	for (__u32 i = 0; i < TR_MAX_CGROUPS && i < cfg_conditions.n_cgroups[kind]; i++)
		if (is_in_cgroup(task, kind, i))
			return true;
	return false;
}

#undef places

#endif
