/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unknown: makes system calls whose numbers no table has, and prints how many of each, as
 * "syscall_NUMBER COUNT" or, for a number that does not fit a record, "syscall_out_of_range COUNT".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
	long nr;
	int n;
	const char *name;
} calls[] = {
	{999, 101, "syscall_999"},
	{-1, 103, "syscall_-1"},
	{1 << 25, 107, "syscall_out_of_range"},
};

int main(void)
{
	for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		for (int j = 0; j < calls[i].n; j++)
			if (syscall(calls[i].nr) != -1 || errno != ENOSYS)
				abort();
		printf("%s %d\n", calls[i].name, calls[i].n);
	}
	return 0;
}
