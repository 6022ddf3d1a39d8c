/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes from elsewhere, made safe to show and to write. */
#ifndef TR_TEXT_H
#define TR_TEXT_H

#include <stddef.h>

#ifdef __SSE2__
#include <emmintrin.h>
#else
#include <stdint.h>
#include <string.h>
#endif

/* After a string that was cut: U+2026. */
#define TR_CUT_MARK "\xe2\x80\xa6"

/*
 * For JSON, without the quotes: escapes what JSON needs escaped, DEL and C1 (a terminal obeys
 * them), and each byte that is no part of valid UTF-8 as \udcXX. Writes at most 6 * LEN bytes at
 * OUT, no zero byte; returns the end.
 */
char *tr_text_json(char *out, const char *text, size_t len);

/*
 * For a terminal or a table's cell: control characters (C0, DEL, C1, line separators, those that
 * turn the direction of writing) as \n, \t or their bytes' \xNN, bytes that are no UTF-8 as \xNN,
 * backslash doubled only where KEEP_BACKSLASH is 0. At most 4 * LEN bytes, no zero byte; returns
 * the end.
 */
char *tr_text_terminal(char *out, const char *text, size_t len, int keep_backslash);

/* Columns that UTF-8 text takes on a terminal: wide characters count 2, combining ones 0. */
size_t tr_text_width(const char *text, size_t len);

/* Bytes of the valid UTF-8 character at TEXT, 0 when there is none (LEN is at least 1). */
size_t tr_utf8_length(const char *text, size_t len);

/* How many letters must be added, dropped or changed to make A into B; those beyond 64 bytes are
 * not looked at. For near names: 2 or fewer is near. */
size_t tr_text_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/* How many of these 16 bytes, from the first on, are ASCII that JSON shows as it is. */
static inline unsigned tr_text_plain(const char *text)
{
#ifdef __SSE2__
	__m128i v = _mm_loadu_si128((const __m128i *)text);
	/* As signed bytes, what is below a space is control characters and all beyond ASCII. */
	__m128i odd = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(' ')),
				   _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));

	odd = _mm_or_si128(odd, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
	odd = _mm_or_si128(odd, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
	return __builtin_ctz(_mm_movemask_epi8(odd) | 0x10000);
#else
	const uint64_t ones = 0x0101010101010101, highs = 0x80 * ones;

	for (unsigned i = 0; i < 16; i += 8) {
		uint64_t v, odd;

		memcpy(&v, text + i, 8);
		/* Each term sets the high bit of the first byte that it means, and perhaps wrongly
		 * of later ones: only the first counts. */
		odd = v | (v - ' ' * ones) | ((v ^ '"' * ones) - ones) |
		      ((v ^ '\\' * ones) - ones) | ((v ^ 0x7f * ones) - ones);
		odd &= highs;
		if (odd)
			return i + __builtin_ctzll(odd) / 8;
	}
	return 16;
#endif
}

#endif
