/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run once by a tr-attach that is to trace a cgroup of version 1: where do tasks have theirs, and
 * which controller is in which hierarchy?
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"

char LICENSE[] SEC("license") = "GPL";

struct tr_cgroup_places found;

SEC("raw_tp")
int look(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state *state = NULL;

	(void)ctx;
	found.states_at = bpf_core_field_offset(struct css_set, subsys);
	found.links_at = bpf_core_field_offset(struct css_set, cgrp_links);
	found.linked_at = bpf_core_field_offset(struct cgrp_cset_link, cgrp) -
			  bpf_core_field_offset(struct cgrp_cset_link, cgrp_link);
	found.cgroup_at = bpf_core_field_offset(struct cgroup_subsys_state, cgroup);
	found.parent_at = bpf_core_field_offset(struct cgroup, self.parent);
	found.node_at = bpf_core_field_offset(struct cgroup, kn);
	found.node_id_at = bpf_core_field_offset(struct kernfs_node, id);
	found.root_at = bpf_core_field_offset(struct cgroup, root);
	found.root_id_at = bpf_core_field_offset(struct cgroup_root, hierarchy_id);
	found.n_controllers = bpf_core_field_size(struct css_set, subsys) / sizeof(void *);
	for (__u32 i = 0; i < TR_MAX_CONTROLLERS && i < found.n_controllers; i++) {
		bpf_probe_read_kernel(&state, sizeof(state),
				      (void *)set + found.states_at + i * sizeof(void *));
		found.hierarchies[i] = BPF_CORE_READ(state, cgroup, root, hierarchy_id);
	}
	return 0;
}
