/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks for the unit tests. One that fails says where and what differed, and the test goes on;
 * main() ends with `return check_status();`. Nothing is printed when all hold.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			check_failures++;                                                          \
			printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);             \
		}                                                                                  \
	} while (0)

#define CHECK_INT(got, wanted)                                                                     \
	check_int(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(wanted))
/* CHECK_BYTES(got, got_len, wanted, wanted_len) */
#define CHECK_BYTES(...)        check_bytes(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK_TEXT(got, wanted) CHECK_BYTES(got, strlen(got), wanted, strlen(wanted))

static inline void check_int(const char *file, int line, const char *what, int64_t got,
			     int64_t wanted)
{
	if (got == wanted)
		return;
	check_failures++;
	printf("%s:%d: %s is %lld, not %lld\n", file, line, what, (long long)got,
	       (long long)wanted);
}

static inline void check_show(const char *bytes, size_t len)
{
	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf(bytes[i] >= 0x20 && bytes[i] < 0x7f ? "%c" : "\\x%02x",
		       (unsigned char)bytes[i]);
	putchar('"');
}

static inline void check_bytes(const char *file, int line, const void *got, size_t got_len,
			       const void *wanted, size_t wanted_len)
{
	if (got_len == wanted_len && (!got_len || !memcmp(got, wanted, got_len)))
		return;
	check_failures++;
	printf("%s:%d: got ", file, line);
	check_show(got, got_len);
	printf(", not ");
	check_show(wanted, wanted_len);
	putchar('\n');
}

static inline int check_status(void)
{
	return check_failures != 0;
}

/* Random numbers, the same in each run. */
static inline uint64_t check_random(void)
{
	static uint64_t state = 0x243f6a8885a308d3;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* One of any size: small ones are as likely as large ones. */
static inline uint64_t check_random_sized(void)
{
	return check_random() >> check_random() % 64;
}

#endif
