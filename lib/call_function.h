/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own functions of system calls, by the names that they have in it: __x64_sys_read is
 * that of read on x86_64, __ia32_compat_sys_newstat of i386:stat. What a kernel really calls for a
 * number depends on its version and how it was built; so a call has several possible functions, of
 * which a kernel has one or two.
 */
#ifndef TR_CALL_FUNCTION_H
#define TR_CALL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "syscalls.h"

/*
 * Whether the call CODE may be in FUNCTION, of those that take the saved registers as their only
 * argument. Of each call that a kernel has on x86_64, i386, x32, aarch64 and arm, every function
 * that it may be in is known; others have none.
 */
bool tr_call_has_function(const struct tr_syscalls *calls, uint32_t code, const char *function);

/* The ABI (enum tr_abi) that every kernel has that has FUNCTION, -1 when there is none. */
int tr_function_abi(const char *function);

#endif
