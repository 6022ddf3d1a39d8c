/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding up, in numbers that others may be adding to. */
#ifndef TR_SUM_H
#define TR_SUM_H

#include "config.h"

const volatile struct tr_tally_config cfg_tally;

/* Who else adds to the same number: SHARED says that another CPU, or on a kernel that interrupts
 * programs another thread, may. */
static __always_inline void add(__u64 *sum, __u64 n, bool shared)
{
	if (shared)
		__sync_fetch_and_add(sum, n);
	else
		*sum += n;
}

enum { TRIES = 128 };

/* Each failed try means that another has raised it. Where there is no such exchange each CPU has its
 * own. */
static __always_inline void raise(__u64 *max, __u64 n, bool shared)
{
#ifdef TR_OLD_KERNEL
	(void)shared;
#else
	for (int i = 0; shared && i < TRIES; i++) {
		__u64 seen = *(volatile __u64 *)max;

		if (n <= seen || __sync_val_compare_and_swap(max, seen, n) == seen)
			return;
	}
	if (shared)
		return;
#endif
	if (n > *max)
		*max = n;
}

#endif
