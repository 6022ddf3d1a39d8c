/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of system calls. */
#include "call_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "message.h"
#include "options.h"
#include "syscalls.h"

static void start_with(struct tr_call_list *list, bool all)
{
	list->choice = TR_CALLS_LISTED;
	list->odd_default = all;
	memset(list->rows, all ? 0xff : 0, sizeof(list->rows));
}

/* Puts CODE in or out. -ENOSPC when it is one odd call too many. */
static int choose(struct tr_call_list *list, uint32_t code, bool in)
{
	uint32_t nr = code & 0xffffff, abi = code >> 24, row = abi * TR_ROWS_PER_ABI + nr, i = 0;

	if (nr < TR_ROWS_PER_ABI && abi < TR_N_ABIS) {
		__u64 bit = 1ULL << row % 64;

		list->rows[row / 64] =
			in ? list->rows[row / 64] | bit : list->rows[row / 64] & ~bit;
		return 0;
	}
	while (i < list->n_odd && list->odd[i] != code)
		i++;
	if (in == list->odd_default) {
		if (i < list->n_odd)
			list->odd[i] = list->odd[--list->n_odd];
		return 0;
	}
	if (i == TR_MAX_ODD)
		return -ENOSPC;
	if (i == list->n_odd)
		list->odd[list->n_odd++] = code;
	return 0;
}

static int unknown(const char *name, const char *word)
{
	const char *near = tr_syscall_nearest(tr_syscalls_native(), word, strlen(word));
	char why[160];

	if (!*word)
		snprintf(why, sizeof(why), "a name is missing");
	else if (near)
		snprintf(why, sizeof(why), "no such system call; did you mean %s?", near);
	else
		snprintf(why, sizeof(why), "no such system call");
	return tr_option_error(name, word, why);
}

/* Puts the calls of a class in or out, those of every ABI. */
static int add_class(struct tr_call_list *list, const char *name, const char *word, bool in)
{
	unsigned class = tr_class_find(word + 1, strlen(word + 1));
	char why[160];

	if (!class) {
		snprintf(why, sizeof(why), "no such class; there are %s", tr_class_list);
		return tr_option_error(name, word, why);
	}
	for (uint32_t row = 0; row < TR_N_ROWS; row++) {
		uint32_t code = tr_syscall_code(row / TR_ROWS_PER_ABI, row % TR_ROWS_PER_ABI);
		const struct tr_call *call = tr_call_find(tr_syscalls_native(), code);

		if (call && call->classes & class)
			choose(list, code, in);
	}
	return 0;
}

static int add_word(struct tr_call_list *list, const char *name, const char *word)
{
	bool in = word[0] != '!';
	uint32_t codes[TR_N_ABIS];
	size_t n;

	if (!in)
		word++;
	if (list->choice != TR_CALLS_LISTED)
		start_with(list, !in || list->choice == TR_CALLS_ALL);
	if (*word == '%')
		return add_class(list, name, word, in);
	n = tr_syscall_select(tr_syscalls_native(), word, strlen(word), codes);
	if (!n)
		return unknown(name, word);
	for (size_t i = 0; i < n; i++)
		if (choose(list, codes[i], in))
			return tr_option_error(name, word,
					       "too many calls that are in no table: at most 16");
	return 0;
}

int call_list_parse(struct tr_call_list *list, const char *name, const char *argument)
{
	char *text, *rest, *word;
	int err = 0;

	if (!argument) {
		*list = (struct tr_call_list){.choice = TR_CALLS_ALL};
		return 0;
	}
	text = rest = tr_xstrdup(argument);
	while (!err && (word = strsep(&rest, ",")))
		err = add_word(list, name, word);
	free(text);
	return err;
}
