/* SPDX-License-Identifier: GPL-2.0-only */
/* The least that counts one process's system calls by number: what --count is measured against. */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

enum { MAX_CALLS = 512 };

const volatile __u32 cfg_pid;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MAX_CALLS);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	__u32 nr = ctx[1];
	__u64 *n;

	if (bpf_get_current_pid_tgid() >> 32 != cfg_pid)
		return 0;
	n = bpf_map_lookup_elem(&counts, &nr);
	if (n)
		++*n;
	return 0;
}
