/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the current thread must meet at the very moment of each event, whatever else makes it a
 * target: its name, its user, its cgroup. A function of its own, so that programs that are asked
 * for nothing of it lose one call.
 */
#ifndef TR_CONDITIONS_H
#define TR_CONDITIONS_H

#include "cgroups.h"
#include "comm.h"

static __always_inline bool comm_is_listed(struct task_struct *task)
{
	struct tr_comm comm;

	put_comm(&comm, task);
	for (__u32 i = 0; i < TR_MAX_COMMS && i < cfg_conditions.n_comms; i++)
		if (comm.words[0] == cfg_conditions.comms[i][0] &&
		    comm.words[1] == cfg_conditions.comms[i][1])
			return true;
	return false;
}

static __always_inline bool uid_is_listed(void)
{
	__u32 uid = bpf_get_current_uid_gid();

	for (__u32 i = 0; i < TR_MAX_UIDS && i < cfg_conditions.n_uids; i++)
		if (uid == cfg_conditions.uids[i])
			return true;
	return false;
}

static __noinline bool meets_conditions(struct task_struct *task)
{
	if (cfg_conditions.n_comms && !comm_is_listed(task))
		return false;
	if (cfg_conditions.n_uids && !uid_is_listed())
		return false;
	for (int kind = 0; kind < TR_N_CGROUP_KINDS; kind++)
		if (cfg_conditions.n_cgroups[kind] && !is_in_cgroups(task, kind))
			return false;
	return true;
}

#endif
