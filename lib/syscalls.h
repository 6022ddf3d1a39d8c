/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls by name and by code. A code is what records hold: the number in the low 24 bits,
 * signed, and the ABI in the high byte. Names come from libseccomp, for every architecture; those
 * of the 32-bit ABI carry its name ("i386:getpid", "arm:getpid", "x32:getpid"), and a number that
 * nobody has named reads "syscall_463". Every code has a name of its own, also one of an ABI that
 * an architecture does not have ("abi7:syscall_1"). Not for several threads: names are fetched when
 * first wanted.
 */
#ifndef TR_SYSCALLS_H
#define TR_SYSCALLS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "syscall_code.h"

enum { TR_SYSCALL_NAME_MAX = 48 }; /* bytes that hold any name, with its zero byte */

static inline int32_t tr_syscall_nr(uint32_t code)
{
	return (int32_t)(code << 8) >> 8;
}

struct tr_syscalls; /* one architecture's */

/* ARCH as uname -m says it ("x86_64", "aarch64"); one that is unknown has only numbers. Never NULL;
 * owned by the module and kept. */
const struct tr_syscalls *tr_syscalls_of(const char *arch);
/* That of this machine. */
const struct tr_syscalls *tr_syscalls_native(void);

/* Writes the name of CODE (zero-ended; TR_SYSCALL_NAME_MAX bytes are touched) and returns its
 * length. */
size_t tr_syscall_name(const struct tr_syscalls *calls, uint32_t code, char *name);

/* What CODE's ABI is called whichever machine runs it: "x86_64", "i386", "arm"; "" when that is
 * not known. */
const char *tr_syscall_abi(const struct tr_syscalls *calls, uint32_t code);

/* Whether CALLS is of the architecture that this is built for, whose constants flags.h has. */
bool tr_syscalls_are_ours(const struct tr_syscalls *calls);

/* The code of a name as tr_syscall_name() writes it, here or where a call had no name yet:
 * "syscall_0" is a number's also when it has a name. 0, or -ENOENT. */
int tr_syscall_find(const struct tr_syscalls *calls, const char *name, size_t len, uint32_t *code);

/*
 * One name of a user's list: as tr_syscall_find(), but a plain name is looked for in every ABI.
 * Writes up to TR_N_ABIS codes and returns how many, 0 for an unknown name.
 */
size_t tr_syscall_select(const struct tr_syscalls *calls, const char *name, size_t len,
			 uint32_t *codes);

/* The known name nearest to a misspelt one (edit distance at most 2), or NULL. Kept. */
const char *tr_syscall_nearest(const struct tr_syscalls *calls, const char *name, size_t len);

#endif
