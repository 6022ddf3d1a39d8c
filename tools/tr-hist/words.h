/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people and machines read them. */
#ifndef TR_WORDS_H
#define TR_WORDS_H

#include "dist.h"

enum { WORD_MAX = 64 }; /* bytes that hold any of these, with a zero byte */

/* "1.234 us", "1.5 MiB", "17": returns the end, where a zero byte stands. */
char *put_value(char *p, const struct tr_value *value, enum tr_unit unit);
char *put_mean(char *p, const struct tr_value *mean, enum tr_unit unit);
/* "1-2 us", "512 us-1 ms", "64K-128K", "0.25-0.5", ">= 68.72 s", "-8 to -4": where a row ends. */
char *put_range(char *p, const struct bar *bar, enum tr_unit unit, enum tr_scale_how how);
/* As JSON and CSV have it; in JSON what is beyond 2^53 is a string. */
char *put_number(char *p, const struct tr_value *value, bool json);
char *put_mean_number(char *p, const struct tr_value *mean);

#endif
