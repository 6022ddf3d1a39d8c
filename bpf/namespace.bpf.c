/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run once by a tr-attach that lives in a PID namespace of its own: how deep is it nested (/proc
 * does not tell inside), and where do tasks have their numbers?
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"

char LICENSE[] SEC("license") = "GPL";

struct tr_namespace found;

SEC("raw_tp")
int look(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u32 number_at;

	(void)ctx;
	found.level = BPF_CORE_READ(pid, level);
	number_at = bpf_core_field_offset(struct pid, numbers) +
		    found.level * bpf_core_type_size(struct upid);
	found.level_at = bpf_core_field_offset(struct pid, level);
	found.number_at = number_at + bpf_core_field_offset(struct upid, nr);
	found.ns_at = number_at + bpf_core_field_offset(struct upid, ns);
	found.inum_at = bpf_core_field_offset(struct pid_namespace, ns.inum);
	return 0;
}
