/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * moves N [US]: has itself moved to another CPU N times and calls getppid on each, with a pause of
 * US to 2 US us after every second one and of US / 8 after the others. Says how often it was on another CPU.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, us = argc > 2 ? atol(argv[2]) : 0, moved = 0;

	for (long i = 0; i < n; i++) {
		int before = sched_getcpu();
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(before ? 0 : 1, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			return 1;
		moved += sched_getcpu() != before;
		syscall(SYS_getppid);
		if (us)
			usleep(i % 2 ? us + us * (i % 32) / 32 : us / 8);
	}
	printf("%ld\n", moved);
	return 0;
}
