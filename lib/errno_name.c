/* SPDX-License-Identifier: GPL-2.0-only */
/* The C library's names of error numbers, and those that only the kernel has. */
#include "errno_name.h"

#include <errno.h>
#include <linux/types.h>
#include <string.h>

#include "number.h"
#include "result.h"

struct named {
	int number;
	const char *name;
};

/* Never meant for programs, but some drivers let them out. */
static const struct named kernel_only[] = {
	{517, "EPROBE_DEFER"},    {518, "EOPENSTALE"}, {519, "ENOPARAM"}, {521, "EBADHANDLE"},
	{522, "ENOTSYNC"},        {523, "EBADCOOKIE"}, {524, "ENOTSUPP"}, {525, "ETOOSMALL"},
	{526, "ESERVERFAULT"},    {527, "EBADTYPE"},   {528, "EJUKEBOX"}, {529, "EIOCBQUEUED"},
	{530, "ERECALLCONFLICT"},
};

/* Second names. */
static const struct named aliases[] = {
	{EWOULDBLOCK, "EWOULDBLOCK"},
	{EDEADLOCK, "EDEADLOCK"},
	{ENOTSUP, "ENOTSUP"},
};

static const char *known(int number)
{
	for (size_t i = 0; i < sizeof(kernel_only) / sizeof(kernel_only[0]); i++)
		if (kernel_only[i].number == number)
			return kernel_only[i].name;
	return number > 0 ? strerrorname_np(number) : NULL;
}

size_t tr_errno_name(int number, char *name)
{
	const char *found = known(number);

	if (!found)
		return tr_i64_format(name, number);
	return stpcpy(name, found) - name;
}

int tr_errno_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strlen(aliases[i].name) == len && !memcmp(aliases[i].name, name, len))
			return aliases[i].number;
	for (int number = 1; number <= TR_MAX_ERRNO; number++) {
		char text[TR_NUMBER_MAX];

		if (tr_errno_name(number, text) == len && !memcmp(text, name, len))
			return number;
	}
	return 0;
}
