/* SPDX-License-Identifier: GPL-2.0-only */
/* numbers N: makes N system calls, each of a number that no table has and none like another. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 100000 };

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < n; i++)
		syscall(FIRST + i);
	return 0;
}
