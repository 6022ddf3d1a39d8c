/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * storm: prints "ready PID" and creates a child each millisecond, which creates one, too, and
 * prints "child PID BIRTH GRANDCHILD", its birth in nanoseconds since 1970. When a line comes on
 * stdin, there are no more of them, and each calls getppid 7 times and ends.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CHILDREN = 4000, CALLS = 7 };

static int gate[2];

static void pass_gate(void)
{
	char byte;

	while (read(gate[0], &byte, 1) > 0)
		;
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

static void child(const struct timespec *birth)
{
	char line[100];
	pid_t grandchild;
	int n;

	close(gate[1]);
	grandchild = fork();
	if (!grandchild) {
		pass_gate();
		_exit(0);
	}
	n = snprintf(line, sizeof(line), "child %d %lld%09ld %d\n", getpid(),
		     (long long)birth->tv_sec, birth->tv_nsec, grandchild);
	if (write(STDOUT_FILENO, line, n) != n)
		_exit(1);
	pass_gate();
	wait(NULL);
	_exit(0);
}

int main(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	if (pipe(gate))
		return 1;
	printf("ready %d\n", getpid());
	fflush(stdout);
	for (int i = 0; i < MAX_CHILDREN && !poll(&in, 1, 1); i++) {
		struct timespec birth;

		clock_gettime(CLOCK_REALTIME, &birth);
		if (!fork())
			child(&birth);
	}
	poll(&in, 1, -1);
	close(gate[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
