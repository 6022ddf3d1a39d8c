/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, sizes and times: strict parsing of what people write, exact formatting. */
#include "number.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* The value of a digit in BASE (10 or 16), or -1. */
static int digit(char c, int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	if (base == 16 && c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Reads digits, at least one, and returns where they end; NULL where there is none. A value that
 * does not fit is UINT64_MAX with *OVER set. */
static const char *take_digits(const char *p, int base, uint64_t *value, bool *over)
{
	*value = 0;
	*over = false;
	if (digit(*p, base) < 0)
		return NULL;
	for (int d; (d = digit(*p, base)) >= 0; p++)
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, d, value))
			*over = true;
	if (*over)
		*value = UINT64_MAX;
	return p;
}

int tr_number_parse(const char *text, int64_t min, int64_t max, int64_t *value)
{
	bool negative = *text == '-', over;
	const char *p = text + negative;
	int base = p[0] == '0' && (p[1] | 0x20) == 'x' ? 16 : 10;
	uint64_t magnitude, limit = (uint64_t)INT64_MAX + negative;
	int64_t v;

	p = take_digits(base == 16 ? p + 2 : p, base, &magnitude, &over);
	if (!p || *p)
		return -EINVAL;
	if (over || magnitude > limit)
		return -ERANGE;
	v = (int64_t)(negative ? -magnitude : magnitude);
	if (v < min || v > max)
		return -ERANGE;
	*value = v;
	return 0;
}

int tr_size_parse(const char *text, uint64_t *bytes)
{
	static const char units[] = "kmgt";
	const char *p, *unit = NULL;
	uint64_t v;
	bool over;

	p = take_digits(text, 10, &v, &over);
	if (!p)
		return -EINVAL;
	if (*p)
		unit = strchr(units, *p | 0x20);
	if (*p && (!unit || !*unit || p[1]))
		return -EINVAL;
	if (over || (unit && __builtin_mul_overflow(v, 1ULL << 10 * (unit - units + 1), &v)))
		return -ERANGE;
	*bytes = v;
	return 0;
}

/* Nanoseconds in a unit, 0 for what is none. */
static uint64_t time_unit(const char *name)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"", 1000000000},  {"ns", 1},          {"us", 1000},         {"ms", 1000000},
		{"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(name, units[i].name))
			return units[i].ns;
	return 0;
}

int tr_time_parse(const char *text, uint64_t *ns)
{
	uint64_t whole = 0, fraction = 0, unit;
	unsigned __int128 v, scale = 1;
	const char *p = text;
	bool over = false;

	if (digit(*p, 10) >= 0)
		p = take_digits(p, 10, &whole, &over);
	else if (*p != '.' || digit(p[1], 10) < 0)
		return -EINVAL;
	if (*p == '.')
		/* Beyond the eighteenth a digit is worth less than a nanosecond of any unit. */
		for (p++; digit(*p, 10) >= 0; p++)
			if (scale < 1000000000000000000) {
				fraction = fraction * 10 + digit(*p, 10);
				scale *= 10;
			}
	unit = time_unit(p);
	if (!unit)
		return -EINVAL;
	v = (unsigned __int128)whole * unit + (unsigned __int128)fraction * unit / scale;
	if (over || !v || v > INT64_MAX)
		return -ERANGE;
	*ns = v;
	return 0;
}

size_t tr_u64_format(char *text, uint64_t value)
{
	char *end = tr_u64_put(text, value);

	*end = 0;
	return end - text;
}

size_t tr_i64_format(char *text, int64_t value)
{
	char *end = tr_i64_put(text, value);

	*end = 0;
	return end - text;
}

/* The eight hexadecimal digits of VALUE, the first in the lowest byte: its halves, bytes and
 * nibbles are moved apart, then turned round. */
static uint64_t eight_hex_digits(uint32_t value)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t word = value, letters;

	word = (word & 0xffff0000) << 16 | (word & 0xffff);
	word = (word & 0x0000ff000000ff00) << 8 | (word & 0x000000ff000000ff);
	word = (word & 0x00f000f000f000f0) << 4 | (word & 0x000f000f000f000f);
	word = __builtin_bswap64(word);
	letters = (word + 6 * ones) >> 4 & ones;
	return word + '0' * ones + letters * ('a' - '0' - 10);
}

char *tr_hex_put(char *p, uint64_t value)
{
	unsigned n = (67 - __builtin_clzll(value | 1)) / 4, first = n <= 8 ? n : n - 8;
	uint64_t word = eight_hex_digits(n <= 8 ? value : value >> 32) >> (64 - 8 * first);

	memcpy(p, &word, 8);
	if (n > 8) {
		word = eight_hex_digits((uint32_t)value);
		memcpy(p + first, &word, 8);
	}
	return p + n;
}

size_t tr_hex_format(char *text, uint64_t value)
{
	char *end;

	memcpy(text, "0x", 2);
	end = tr_hex_put(text + 2, value);
	*end = 0;
	return end - text;
}

int tr_hex_parse(const char *text, size_t len, uint64_t *value)
{
	*value = 0;
	if (len < 3 || len > 18 || memcmp(text, "0x", 2) || (text[2] == '0' && len > 3))
		return -EINVAL;
	for (size_t i = 2; i < len; i++) {
		unsigned char c = text[i];
		bool letter = c >= 'a';

		if ((unsigned char)(c - '0') > 9 && (unsigned char)(c - 'a') > 5)
			return -EINVAL;
		*value = *value << 4 | ((c & 15) + 9 * letter);
	}
	return 0;
}

char *tr_octal_put(char *p, uint64_t value)
{
	unsigned shift = 63;

	while (shift && !(value >> shift))
		shift -= 3;
	*p++ = '0';
	for (; value; shift -= 3) {
		*p++ = '0' + (value >> shift & 7);
		if (!shift)
			break;
	}
	return p;
}

size_t tr_i128_format(char *text, __int128 value)
{
	const uint64_t e8 = 100000000;
	unsigned __int128 v = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
	uint64_t sixteens[3]; /* the last sixteen digits first */
	unsigned n = 0;
	char *p = text;

	if (value < 0)
		*p++ = '-';
	do {
		sixteens[n++] = v % (e8 * e8);
		v /= e8 * e8;
	} while (v);
	p = tr_u64_put(p, sixteens[--n]);
	while (n-- > 0) {
		tr_put_eight(p, sixteens[n] / e8);
		tr_put_eight(p + 8, sixteens[n] % e8);
		p += 16;
	}
	*p = 0;
	return p - text;
}

/* VALUE / UNIT in four significant digits, with TRIM without zeros at their end; false when that
 * rounds up to LIMIT. */
static bool put_four(char **p, uint64_t value, uint64_t unit, unsigned limit, bool trim)
{
	unsigned whole = value / unit, decimals = whole < 10 ? 3 : whole < 100 ? 2 : whole < 1000;
	unsigned scale = decimals == 3 ? 1000 : decimals == 2 ? 100 : decimals ? 10 : 1;
	uint64_t scaled = ((unsigned __int128)value * scale + unit / 2) / unit;

	if (scaled >= 10000 && decimals) {
		scaled = (scaled + 5) / 10;
		scale /= 10;
		decimals--;
	}
	if (scaled >= (uint64_t)limit * scale)
		return false;
	for (; trim && decimals && scaled % 10 == 0; decimals--) {
		scaled /= 10;
		scale /= 10;
	}
	*p = tr_u64_put(*p, scaled / scale);
	if (decimals) {
		*(*p)++ = '.';
		for (unsigned part = scaled % scale; scale > 1; part %= scale) {
			scale /= 10;
			*(*p)++ = '0' + part / scale;
		}
	}
	return true;
}

static size_t put_unit(const char *text, char *p, const char *unit)
{
	*p++ = ' ';
	strcpy(p, unit);
	return p + strlen(unit) - text;
}

size_t tr_time_format(char *text, uint64_t ns)
{
	char *p = text;

	if (ns < 1000)
		return put_unit(text, tr_u64_put(p, ns), "ns");
	if (ns < 1000000 && put_four(&p, ns, 1000, 1000, false))
		return put_unit(text, p, "us");
	if (ns < 1000000000 && put_four(&p, ns, 1000000, 1000, false))
		return put_unit(text, p, "ms");
	if (ns < 1000000000000 && put_four(&p, ns, 1000000000, 1000, false))
		return put_unit(text, p, "s");
	return put_unit(text, tr_u64_put(p, ns / 1000000000 + (ns % 1000000000 >= 500000000)), "s");
}

size_t tr_size_format(char *text, uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	char *p = text;

	if (bytes < 1024)
		return put_unit(text, tr_u64_put(p, bytes), "B");
	for (unsigned i = 0;; i++) {
		uint64_t unit = 1ULL << 10 * (i + 1);

		if (i < 5 && bytes / unit >= 1024)
			continue;
		if (put_four(&p, bytes, unit, i < 5 ? 1024 : 1025, true))
			return put_unit(text, p, units[i]);
	}
}
