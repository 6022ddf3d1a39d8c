/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Digits, eight at a time in a word, the first digit in its lowest byte. In a header because they
 * are most of the work of writing and of reading a record's JSON line.
 */
#ifndef TR_DIGITS_H
#define TR_DIGITS_H

#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "digits are made eight in a word");

/* The values of VALUE's eight digits (it is below 10^8): halves, quarters and single digits are
 * divided all at once, by multiplication. */
static inline uint64_t tr_digits_split(uint32_t value)
{
	uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t hundreds = (fours * 5243 >> 19) & 0x0000007f0000007f;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;

	return tens | (twos - 10 * tens) << 8;
}

/* The number that the first N (1 to 8) of these eight characters make: neighbours are joined into
 * pairs, pairs into fours, those into eight. */
static inline uint64_t tr_digits_join(uint64_t word, unsigned n)
{
	word = (word ^ 0x3030303030303030) << (64 - 8 * n);
	word = (word & 0x00ff00ff00ff00ff) * 10 + (word >> 8 & 0x00ff00ff00ff00ff);
	word = (word & 0x0000ffff0000ffff) * 100 + (word >> 16 & 0x0000ffff0000ffff);
	return (word & 0xffffffff) * 10000 + (word >> 32);
}

/* How many of these eight characters, from the first on, are digits. */
static inline unsigned tr_digits_count(uint64_t word)
{
	const uint64_t high = 0xf0f0f0f0f0f0f0f0, zeros = 0x3030303030303030;
	/* A digit's high half is 3, and stays so when 6 is added. */
	uint64_t odd = ((word & high) ^ zeros) | (((word + 0x0606060606060606) & high) ^ zeros);

	return odd ? __builtin_ctzll(odd) / 8 : 8;
}

/* How many digits VALUE has. */
static inline unsigned tr_u64_digits(uint64_t value)
{
	static const uint64_t tens[20] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000U,
	};
	/* Bits times log10(2): right, or one too few. */
	unsigned n = (64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return n + (value >= tens[n]);
}

static inline void tr_put_eight(char *p, uint32_t value)
{
	uint64_t digits = tr_digits_split(value) | 0x3030303030303030;

	memcpy(p, &digits, 8);
}

/* VALUE's last N digits (1 to 8); touches eight bytes. */
static inline void tr_put_up_to_eight(char *p, uint32_t value, unsigned n)
{
	uint64_t digits = (tr_digits_split(value) | 0x3030303030303030) >> (64 - 8 * n);

	memcpy(p, &digits, 8);
}

/* The digits of VALUE at P, no zero byte; returns the end. Touches at most 20 bytes. They are
 * counted first: then what is written next need not wait until they are made. */
static inline char *tr_u64_put(char *p, uint64_t value)
{
	const uint64_t e8 = 100000000;
	unsigned n = tr_u64_digits(value);

	if (n <= 8) {
		tr_put_up_to_eight(p, value, n);
	} else if (n <= 16) {
		tr_put_up_to_eight(p, value / e8, n - 8);
		tr_put_eight(p + n - 8, value % e8);
	} else {
		tr_put_up_to_eight(p, value / (e8 * e8), n - 16);
		tr_put_eight(p + n - 16, value / e8 % e8);
		tr_put_eight(p + n - 8, value % e8);
	}
	return p + n;
}

/* With a sign where it is negative: at most 21 bytes. */
static inline char *tr_i64_put(char *p, int64_t value)
{
	*p = '-';
	return tr_u64_put(p + (value < 0), value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* High bits of the bytes of WORD that are not 0; none may have its low four bits set. */
static inline uint64_t tr_bytes_set(uint64_t word)
{
	return ((word >> 1) + 0x7878787878787878) & 0x8080808080808080;
}

/* How many of these eight characters, from the first on, are hexadecimal digits in small letters.
 */
static inline unsigned tr_hex_count(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101, high = 0xf0 * ones, top = 0x80 * ones;
	uint64_t low = word & ~top;
	/* 0 to 9 are 30 to 39, and stay below 40 when 6 is added; a to f are 61 to 66, stay above
	 * 60 when 1 is taken away and below 70 when 9 is added. */
	uint64_t no_digit =
		((low & high) ^ 0x30 * ones) | (((low + 6 * ones) & high) ^ 0x30 * ones);
	uint64_t no_letter = ((low & high) ^ 0x60 * ones) |
			     ((((low | top) - ones) & high) ^ 0xe0 * ones) |
			     (((low + 9 * ones) & high) ^ 0x60 * ones);
	uint64_t odd = (tr_bytes_set(no_digit) & tr_bytes_set(no_letter)) | (word & top);

	return odd ? __builtin_ctzll(odd) / 8 : 8;
}

/* The number that the first N (1 to 8) of these hexadecimal digits make. */
static inline uint64_t tr_hex_join(uint64_t word, unsigned n)
{
	word = (word & 0x0f0f0f0f0f0f0f0f) + 9 * (word >> 6 & 0x0101010101010101);
	word <<= 64 - 8 * n;
	word = (word & 0x00ff00ff00ff00ff) << 4 | (word >> 8 & 0x00ff00ff00ff00ff);
	word = (word & 0x0000ffff0000ffff) << 8 | (word >> 16 & 0x0000ffff0000ffff);
	return (word & 0xffffffff) << 16 | word >> 32;
}

#endif
