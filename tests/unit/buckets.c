/* SPDX-License-Identifier: GPL-2.0-only */
/* Buckets as the kernel side works them out, which is another way than ours. */
#define __bpf__

#include <linux/types.h>

#include "buckets.h"
#include "check.h"

int main(void)
{
	for (int bit = 0; bit < 64; bit++) {
		CHECK_INT(tr_octave_of(1ULL << bit), bit);
		CHECK_INT(tr_octave_of(UINT64_MAX >> bit), 63 - bit);
	}
	for (int i = 0; i < 100000; i++) {
		uint64_t value = check_random_sized() | 1;

		CHECK_INT(tr_octave_of(value), 63 - __builtin_clzll(value));
	}
	for (unsigned i = 0; i < TR_BUCKETS; i++)
		CHECK_INT(tr_bucket_of(tr_bucket_low(i)), i);
	return check_status();
}
