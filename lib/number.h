/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, sizes and times as people write them, and back. */
#ifndef TR_NUMBER_H
#define TR_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "digits.h"

enum { TR_NUMBER_MAX = 44 }; /* bytes that hold anything formatted here, with its zero byte */

/* A whole decimal or 0x number from MIN to MAX and nothing after it. 0, -EINVAL or -ERANGE. */
int tr_number_parse(const char *text, int64_t min, int64_t max, int64_t *value);
/* "8M": a whole number, then nothing or K M G T (1024 each, any case). Bytes, from 0 up. */
int tr_size_parse(const char *text, uint64_t *bytes);
/* "1.5s": a decimal number, then nothing (seconds) or ns us ms s m h. More than 0 and below 292
 * years. */
int tr_time_parse(const char *text, uint64_t *ns);

/* What tr_hex_format() writes, all of TEXT. 0 or -EINVAL. */
int tr_hex_parse(const char *text, size_t len, uint64_t *value);

/* Each writes TEXT (TR_NUMBER_MAX bytes, zero-ended) and returns its length. */
size_t tr_u64_format(char *text, uint64_t value);
size_t tr_i64_format(char *text, int64_t value);
size_t tr_hex_format(char *text, uint64_t value); /* 0x.. */
size_t tr_i128_format(char *text, __int128 value);
/* "1.234 us", "12 ns": four significant digits; seconds are the largest unit. */
size_t tr_time_format(char *text, uint64_t ns);
/* "132 KiB", "1.5 MiB": up to four significant digits. */
size_t tr_size_format(char *text, uint64_t bytes);

/* The hexadecimal digits of VALUE at P, without 0x and zero byte; returns the end. Touches at most
 * 16 bytes. */
char *tr_hex_put(char *p, uint64_t value);
/* "0644", "0": an octal number as C has it, at most 23 bytes, no zero byte; returns the end. */
char *tr_octal_put(char *p, uint64_t value);

#endif
