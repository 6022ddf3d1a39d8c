/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vfork: 19 children by vfork, each of which sleeps 20 ms while its parent is stopped in the call.
 * Prints "vfork 19".
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 19 };

static const struct timespec pause_20ms = {.tv_nsec = 20000000};

__attribute__((noinline)) static pid_t make_child(void)
{
	pid_t child = vfork();

	if (child)
		return child;
	syscall(SYS_nanosleep, &pause_20ms, NULL);
	_exit(0);
}

int main(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = make_child();

		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1;
	}
	printf("vfork %d\n", CHILDREN);
	return 0;
}
