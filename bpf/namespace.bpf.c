/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run once by a tr-attach that lives in a PID namespace of its own: how deep is it nested? /proc
 * does not tell inside.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

SEC("raw_tp")
int my_level(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	(void)ctx;
	return BPF_CORE_READ(task, thread_pid, level);
}
