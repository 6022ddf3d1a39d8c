/* SPDX-License-Identifier: GPL-2.0-only */
/* Where 0x0A stands in 64 bytes: the one question that packed lines are written and read by. */
#ifndef TR_NEWLINE_H
#define TR_NEWLINE_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { TR_NEWLINE = 0x0a, TR_MASK_BYTES = 64 };

#ifdef __SSE2__
static inline uint64_t tr_newline_mask16(const unsigned char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);

	return _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(TR_NEWLINE)));
}
#endif

/* Bit I is set when P[I] is 0x0A. Reads 64 bytes at P. */
static inline uint64_t tr_newline_mask(const unsigned char *p)
{
#ifdef __SSE2__
	return tr_newline_mask16(p) | tr_newline_mask16(p + 16) << 16 |
	       tr_newline_mask16(p + 32) << 32 | tr_newline_mask16(p + 48) << 48;
#else
	const uint64_t ones = 0x0101010101010101, low7 = 0x7f7f7f7f7f7f7f7f;
	uint64_t mask = 0;

	for (int i = 0; i < 8; i++) {
		uint64_t x;

		memcpy(&x, p + 8 * i, 8);
		x ^= ones * TR_NEWLINE;
		/* the top bit of each byte that is zero now; then these bits side by side */
		x = ~(((x & low7) + low7) | x | low7);
		mask |= (((x >> 7) * 0x0102040810204080) >> 56) << (8 * i);
	}
	return mask;
#endif
}

#endif
