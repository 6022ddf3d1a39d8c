/* SPDX-License-Identifier: GPL-2.0-only */
/* A call's six arguments, as they stand in saved registers when it is entered and when it returns.
 */
#ifndef TR_REGISTERS_H
#define TR_REGISTERS_H

#include "call.h"

/* Registers as the kernel saves them, which is for good: no relocation. */
struct tr_registers {
#if defined(__TARGET_ARCH_x86)
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
#elif defined(__TARGET_ARCH_arm64)
	__u64 x[6];
#endif
};

/* ARGS as the call's ABI has them in the registers at FROM. */
static __always_inline void read_args(__u64 *args, struct task_struct *task, const void *from)
{
	struct tr_registers r;

	bpf_probe_read_kernel(&r, sizeof(r), from);
#if defined(__TARGET_ARCH_x86)
	if (is_32bit(task)) {
		args[0] = (__u32)r.bx;
		args[1] = (__u32)r.cx;
		args[2] = (__u32)r.dx;
		args[3] = (__u32)r.si;
		args[4] = (__u32)r.di;
		args[5] = (__u32)r.bp;
		return;
	}
	args[0] = r.di;
	args[1] = r.si;
	args[2] = r.dx;
	args[3] = r.r10;
	args[4] = r.r8;
	args[5] = r.r9;
#elif defined(__TARGET_ARCH_arm64)
	for (int i = 0; i < 6; i++)
		args[i] = is_32bit(task) ? (__u32)r.x[i] : r.x[i];
#endif
}

/* The same when the call has returned: its result stands where an argument was on some machines. */
static __always_inline void read_args_after(__u64 *args, struct task_struct *task,
					    const struct pt_regs *from)
{
	read_args(args, task, from);
#if defined(__TARGET_ARCH_arm64)
	args[0] = is_32bit(task) ? (__u32)from->orig_x0 : from->orig_x0;
#endif
}

#endif
