/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Log-linear buckets, for both sides of the kernel: 16 for each power of two, so that no value in a
 * bucket is further from its middle than 1/32 of itself. Those below 32 hold one value each:
 *
 *	bucket  0 1 2 ... 31   32       33       ... 47       48       ...  975
 *	values  0 1 2 ... 31   32 33    34 35        62 63    64 to 67      31 * 2^59 to 2^64 - 1
 *
 * The includer has defined __u64.
 */
#ifndef TR_BUCKETS_H
#define TR_BUCKETS_H

enum {
	TR_OCTAVE_BUCKETS = 16,
	TR_BUCKETS = 976, /* of all 64-bit values */
	/* Where the kernel counts, the last bucket holds all values from 2^36 on. */
	TR_OPEN_BUCKET = 528,
	TR_KERNEL_BUCKETS = TR_OPEN_BUCKET + 1,
};

/* How many bits there are behind the first one of VALUE, which is not 0. */
static inline unsigned tr_octave_of(__u64 value)
{
#ifdef __bpf__
	/* clang 14 cannot compile __builtin_clzll() for BPF */
	unsigned bits = 0, step;

	step = (value > 0xffffffff) << 5, value >>= step, bits += step;
	step = (value > 0xffff) << 4, value >>= step, bits += step;
	step = (value > 0xff) << 3, value >>= step, bits += step;
	step = (value > 0xf) << 2, value >>= step, bits += step;
	step = (value > 3) << 1, value >>= step, bits += step;
	return bits + (value > 1);
#else
	return 63 - __builtin_clzll(value);
#endif
}

/* The bucket of VALUE. */
static inline unsigned tr_bucket_of(__u64 value)
{
	/* how far to shift a value so that 16 to 31 is left */
	unsigned shift = value < 2 * TR_OCTAVE_BUCKETS ? 0 : tr_octave_of(value) - 4;

	return shift * TR_OCTAVE_BUCKETS + (unsigned)(value >> shift);
}

/* Its least value. That of bucket TR_BUCKETS would be 2^64, and reads 0. */
static inline __u64 tr_bucket_low(unsigned bucket)
{
	unsigned shift = bucket < 2 * TR_OCTAVE_BUCKETS ? 0 : bucket / TR_OCTAVE_BUCKETS - 1;

	if (bucket >= TR_BUCKETS)
		return 0;
	return (__u64)(bucket - shift * TR_OCTAVE_BUCKETS) << shift;
}

/* Its middle, rounded down: what stands for the values in it. */
static inline __u64 tr_bucket_middle(unsigned bucket)
{
	return tr_bucket_low(bucket) + (tr_bucket_low(bucket + 1) - 1 - tr_bucket_low(bucket)) / 2;
}

#endif
