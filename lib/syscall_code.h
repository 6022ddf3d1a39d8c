/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A system call as records hold it, for both sides of the kernel: the number in the low 24 bits,
 * signed, and the ABI in the high byte. The includer has defined __u32 and __s32.
 */
#ifndef TR_SYSCALL_CODE_H
#define TR_SYSCALL_CODE_H

enum tr_abi { TR_ABI_NATIVE, TR_ABI_32, TR_ABI_X32, TR_N_ABIS };

/* Stands for a number that does not fit 24 bits; its name is "syscall_out_of_range". */
enum { TR_SYSCALL_OUT_OF_RANGE = -(1 << 23) };

static inline __u32 tr_syscall_code(enum tr_abi abi, __s32 nr)
{
	return (__u32)abi << 24 | ((__u32)nr & 0xffffff);
}

#endif
