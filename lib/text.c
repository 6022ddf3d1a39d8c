/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes from elsewhere, made safe to show and to write: UTF-8, escapes, columns, near names. */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Characters that take no column, and those of the others that take two: the first of a range and
 * its last. The vowel signs of the scripts of India are left out: terminals do not agree on them.
 */
struct range {
	uint32_t first, last;
};

/* clang-format off */
static const struct range no_columns[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
	{0x05c4, 0x05c5}, {0x05c7, 0x05c7}, {0x0610, 0x061a}, {0x061c, 0x061c}, {0x064b, 0x065f},
	{0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4}, {0x06e7, 0x06e8}, {0x06ea, 0x06ed},
	{0x0711, 0x0711}, {0x0730, 0x074a}, {0x07a6, 0x07b0}, {0x07eb, 0x07f3}, {0x0816, 0x082d},
	{0x0859, 0x085b}, {0x0898, 0x089f}, {0x08ca, 0x0902}, {0x093a, 0x093a}, {0x093c, 0x093c},
	{0x0941, 0x0948}, {0x094d, 0x094d}, {0x0951, 0x0957}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
	{0x0e47, 0x0e4e}, {0x0eb1, 0x0eb1}, {0x0eb4, 0x0ebc}, {0x0ec8, 0x0ece}, {0x1160, 0x11ff},
	{0x135d, 0x135f}, {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2028, 0x202e},
	{0x2060, 0x206f}, {0x20d0, 0x20f0}, {0x302a, 0x302d}, {0x3099, 0x309a}, {0xa66f, 0xa672},
	{0xa674, 0xa67d}, {0xfb1e, 0xfb1e}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
	{0xe0001, 0xe01ef},
};
static const struct range two_columns[] = {
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0},
	{0x23f3, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
	{0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5},
	{0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5},
	{0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728},
	{0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55},
	{0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6b}, {0xff01, 0xff60}, {0xffe0, 0xffe6},
	{0x16fe0, 0x18d08}, {0x1aff0, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
	{0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335},
	{0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3},
	{0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440},
	{0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567},
	{0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6d7},
	{0x1f6dc, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0},
	{0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff},
	{0x20000, 0x3fffd},
};
/* clang-format on */

/* Whether C is in one of the N ranges, which are in order. */
static bool is_in(const struct range *ranges, size_t n, uint32_t c)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && c >= ranges[low].first;
}

size_t tr_utf8_length(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	/* The second byte's range leaves out overlong forms, surrogates and what is too large. */
	unsigned char low = 0x80, high = 0xbf;
	size_t n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	switch (p[0]) {
	case 0xe0: low = 0xa0; break;
	case 0xed: high = 0x9f; break;
	case 0xf0: low = 0x90; break;
	case 0xf4: high = 0x8f; break;
	}
	if (p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* The character of N valid bytes at TEXT. */
static uint32_t character(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	uint32_t c = n == 1 ? p[0] : p[0] & (0x7f >> n);

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

static char *put_hex_byte(char *out, const char *before, unsigned char byte)
{
	size_t n = strlen(before);

	memcpy(out, before, n);
	out[n] = "0123456789abcdef"[byte >> 4];
	out[n + 1] = "0123456789abcdef"[byte & 15];
	return out + n + 2;
}

/* The letter after the backslash of a two-letter escape for C, or 0. */
static char short_escape(unsigned char c)
{
	switch (c) {
	case '"': return '"';
	case '\\': return '\\';
	case '\b': return 'b';
	case '\f': return 'f';
	case '\n': return 'n';
	case '\r': return 'r';
	case '\t': return 't';
	default: return 0;
	}
}

char *tr_text_json(char *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		size_t n = end - text >= 16 ? tr_text_plain(text) : 0;
		unsigned char c;

		if (n) {
			memcpy(out, text, 16);
			text += n;
			out += n;
			continue;
		}
		c = *text;
		n = tr_utf8_length(text, end - text);
		if (short_escape(c)) {
			*out++ = '\\';
			*out++ = short_escape(c);
		} else if (c < 0x20 || c == 0x7f) {
			out = put_hex_byte(out, "\\u00", c);
		} else if (n == 2 && c == 0xc2 && (unsigned char)text[1] < 0xa0) {
			out = put_hex_byte(out, "\\u00", text[1]);
		} else if (n) {
			memcpy(out, text, n);
			out += n;
		} else {
			out = put_hex_byte(out, "\\udc", c);
			n = 1;
		}
		text += n;
	}
	return out;
}

/* Characters that a terminal would obey rather than show. */
static bool is_obeyed(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *tr_text_terminal(char *out, const char *text, size_t len, int keep_backslash)
{
	for (const char *end = text + len; text < end;) {
		size_t n = tr_utf8_length(text, end - text), bytes = n ? n : 1;

		if (*text == '\n' || *text == '\t' || (*text == '\\' && !keep_backslash)) {
			*out++ = '\\';
			*out++ = short_escape(*text);
		} else if (!n || is_obeyed(character(text, n))) {
			for (size_t i = 0; i < bytes; i++)
				out = put_hex_byte(out, "\\x", text[i]);
		} else {
			memcpy(out, text, n);
			out += n;
		}
		text += bytes;
	}
	return out;
}

size_t tr_text_width(const char *text, size_t len)
{
	size_t width = 0;

	for (const char *end = text + len; text < end;) {
		size_t n = tr_utf8_length(text, end - text);
		uint32_t c = n ? character(text, n) : 0xfffd;

		if (c < 0x300)
			width++;
		else if (!is_in(no_columns, sizeof(no_columns) / sizeof(no_columns[0]), c))
			width += 1 + is_in(two_columns,
					   sizeof(two_columns) / sizeof(two_columns[0]), c);
		text += n ? n : 1;
	}
	return width;
}

size_t tr_text_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	/* One row of the table of distances between the beginnings of A and of B. */
	size_t row[65];

	size_t n_a = a_len < 64 ? a_len : 64, n_b = b_len < 64 ? b_len : 64;

	for (size_t j = 0; j <= n_b; j++)
		row[j] = j;
	for (size_t i = 0; i < n_a; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < n_b; j++) {
			size_t best = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			if (best > row[j] + 1)
				best = row[j] + 1;
			if (best > row[j + 1] + 1)
				best = row[j + 1] + 1;
			row[j + 1] = best;
		}
	}
	return row[n_b];
}
