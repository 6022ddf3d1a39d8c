/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of words. */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"

int words_add(struct words *words, size_t max, const char *name, const char *argument)
{
	char *text = tr_xstrdup(argument), *rest = text, *word, why[40];
	int err = 0;

	while (!err && (word = strsep(&rest, ","))) {
		if (!*word) {
			err = tr_option_error(name, argument, "a name is missing");
		} else if (words->n == max) {
			snprintf(why, sizeof(why), "too many of them: at most %zu", max);
			err = tr_option_error(name, NULL, why);
		} else {
			words->words =
				tr_xrealloc(words->words, (words->n + 1) * sizeof(*words->words));
			words->words[words->n++] = tr_xstrdup(word);
		}
	}
	free(text);
	return err;
}

void words_release(struct words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->words[i]);
	free(words->words);
	*words = (struct words){0};
}
