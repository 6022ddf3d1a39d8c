/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spawn N: starts itself N times, 8 at a time, each for a call of getppid and no longer. Prints
 * "execve N".
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_A_TIME = 8 };

static pid_t start(char *name)
{
	pid_t child = vfork();

	if (!child) {
		execl("/proc/self/exe", name, NULL);
		_exit(127);
	}
	return child;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, running = 0;

	if (argc == 1) {
		syscall(SYS_getppid);
		_exit(0);
	}
	for (long i = 0; i < n; i++) {
		if (start(argv[0]) < 0)
			return 1;
		if (++running == AT_A_TIME && running--)
			wait(NULL);
	}
	while (wait(NULL) > 0)
		;
	printf("execve %ld\n", n);
	return 0;
}
