/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs that do nothing, at everything that they could be called from when a call is made. */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

#define NOTHING(section, name)                                                                     \
	SEC(section)                                                                               \
	int name(void *ctx)                                                                        \
	{                                                                                          \
		(void)ctx;                                                                         \
		return 0;                                                                          \
	}

NOTHING("tp_btf/sys_enter", enter_tp_btf)
NOTHING("tp_btf/sys_exit", exit_tp_btf)
NOTHING("raw_tp/sys_enter", enter_raw_tp)
NOTHING("raw_tp/sys_exit", exit_raw_tp)
NOTHING("tp/raw_syscalls/sys_enter", enter_tracepoint)
NOTHING("tp/raw_syscalls/sys_exit", exit_tracepoint)
NOTHING("tp", enter_own)
NOTHING("tp", exit_own)
NOTHING("fentry", enter_fentry)
NOTHING("fexit", exit_fentry)
