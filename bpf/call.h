/* SPDX-License-Identifier: GPL-2.0-only */
/* Which system call it is, and whether a list wants it. */
#ifndef TR_CALL_H
#define TR_CALL_H

#include "config.h"
#include "result.h"
#include "syscall_code.h"
#include "task.h"

/* The call is one of the 32-bit ABI. */
static __always_inline bool is_32bit(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return READ(task, thread_info.status) & 2; /* TS_COMPAT */
#elif defined(__TARGET_ARCH_arm64)
	return READ(task, thread_info.flags) & (1 << 22); /* TIF_32BIT */
#else
#error "how does this architecture mark 32-bit calls?"
#endif
}

/* The number of the call that was entered with these registers. */
static __always_inline long call_number(const struct pt_regs *registers)
{
#if defined(__TARGET_ARCH_x86)
	return (int)registers->orig_ax;
#elif defined(__TARGET_ARCH_arm64)
	return registers->syscallno;
#endif
}

static __always_inline __u32 call_code(struct task_struct *task, long id)
{
	enum tr_abi abi = TR_ABI_NATIVE;
	__s32 nr = id;

	if (is_32bit(task)) {
		abi = TR_ABI_32;
#if defined(__TARGET_ARCH_x86)
	} else if (nr >> 30 == 1) { /* __X32_SYSCALL_BIT */
		abi = TR_ABI_X32;
		nr &= ~(1 << 30);
#endif
	}
	if (nr != nr << 8 >> 8)
		nr = TR_SYSCALL_OUT_OF_RANGE;
	return tr_syscall_code(abi, nr);
}

/* 32-bit calls have results of 32 bits: the last of them are errors, others may be addresses. */
static __always_inline long call_result(__u32 code, long ret)
{
	__u32 narrow = ret;

	if (code >> 24 != TR_ABI_32)
		return ret;
	return narrow >= (__u32)-TR_MAX_ERRNO ? (long)(__s32)narrow : (long)narrow;
}

static __always_inline __u32 call_row(__u32 code)
{
	__u32 nr = code & 0xffffff, abi = code >> 24;

	if (nr >= TR_ROWS_PER_ABI || abi > TR_ABI_X32)
		return TR_NO_ROW;
	return abi * TR_ROWS_PER_ABI + nr;
}

static __always_inline bool is_wanted(const volatile struct tr_call_list *list, __u32 row,
				      __u32 code)
{
	__u8 choice = list->choice;

	if (choice != TR_CALLS_LISTED)
		return choice == TR_CALLS_ALL;
	if (row < TR_N_ROWS)
		return list->rows[row / 64] >> row % 64 & 1;
	for (__u32 i = 0; i < TR_MAX_ODD; i++)
		if (i < list->n_odd && list->odd[i] == code)
			return !list->odd_default;
	return list->odd_default;
}

#endif
