/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread's name as records hold it: zero-padded. */
#ifndef TR_COMM_H
#define TR_COMM_H

#include "layout.h"
#include "task.h"

/* The bytes of WORD before its first zero byte; sets ENDED when there is one. */
static __always_inline __u64 before_zero(__u64 word, bool *ended)
{
	__u64 zeroes = (word - 0x0101010101010101) & ~word & 0x8080808080808080;

	*ended = zeroes;
	return zeroes ? word & (((zeroes & -zeroes) >> 7) - 1) : word;
}

/* Kernels before 5.17 leave bytes of a former name behind the zero byte. */
static __always_inline void put_comm(struct tr_comm *to, struct task_struct *task)
{
	__u64 from[2];
	bool ended;

#ifdef TR_OLD_KERNEL
	bpf_core_read(from, sizeof(from), &task->comm);
#else
	from[0] = ((__u64 *)task->comm)[0];
	from[1] = ((__u64 *)task->comm)[1];
#endif
	to->words[0] = before_zero(from[0], &ended);
	to->words[1] = ended ? 0 : before_zero(from[1], &ended);
}

#endif
