/* SPDX-License-Identifier: GPL-2.0-only */
/* flood N: calls getppid N times as fast as it goes, and prints "getppid N". */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	printf("getppid %ld\n", n);
	return 0;
}
