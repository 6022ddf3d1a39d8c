/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TR_SYSCALL_CODE_H
#define TR_SYSCALL_CODE_H
enum tr_abi { TR_ABI_NATIVE, TR_ABI_32, TR_ABI_X32 };
enum { TR_SYSCALL_OUT_OF_RANGE = -(1 << 23) };
static __always_inline __u32 tr_syscall_code(enum tr_abi abi, __s32 nr)
{
	return (__u32)abi << 24 | ((__u32)nr & 0xffffff);
}
#endif
