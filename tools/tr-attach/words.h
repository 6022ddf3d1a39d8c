/* SPDX-License-Identifier: GPL-2.0-only */
/* What options that take comma-separated lists were given. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

struct words {
	char **words;
	size_t n;
};

/* Appends those of ARGUMENT, of the option NAME. Returns 0, or -EINVAL after saying that one is
 * empty, or that there are more than MAX by now. */
int words_add(struct words *words, size_t max, const char *name, const char *argument);
void words_release(struct words *words);

#endif
