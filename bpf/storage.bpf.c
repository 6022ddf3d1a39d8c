/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run once: is there task storage? Kernels before 5.12 refuse to load this, and a later one may
 * have no memory for it where programs run, as on a processor without cmpxchg16b.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} kept SEC(".maps");

SEC("raw_tp")
int keep(void *ctx)
{
	(void)ctx;
	return bpf_task_storage_get(&kept, bpf_get_current_task_btf(), NULL,
				    BPF_LOCAL_STORAGE_GET_F_CREATE) != NULL;
}
