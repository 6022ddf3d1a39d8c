/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters read traces of strangers: once their files are open they give up all other powers. */
#ifndef TR_SANDBOX_H
#define TR_SANDBOX_H

/*
 * From here on this process can read, write, poll, map memory and exit; any other system call fails
 * with EPERM. Returns 0 or -errno (a kernel without seccomp: the caller may go on).
 */
int tr_sandbox_enter(void);

#endif
