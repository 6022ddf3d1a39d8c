/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * family N [PROGRAM]: has N children, four at a time, that run PROGRAM (/bin/true), exit with
 * their number modulo 100, or are killed by SIGKILL, in turn by threes. Says of each, when it has
 * been waited for, what the kernel says:
 *
 *	pid=71 status=5 signal=0 peak=1572864 cpu_us=1234 lived_us=2345
 *
 * The last is from before it was created to after it was waited for.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AT_A_TIME = 4 };

struct child {
	pid_t pid;
	uint64_t born_us;
};

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
}

static void live(int number, const char *program)
{
	if (number % 3 == 0)
		execl(program, program, "one argument", "", "3", (char *)NULL);
	if (number % 3 == 1)
		kill(getpid(), SIGKILL);
	_exit(number % 100);
}

static void reap(struct child *children)
{
	struct rusage use;
	int status;
	pid_t pid = wait4(-1, &status, 0, &use);
	struct child *child = children;

	while (child->pid != pid)
		child++;
	printf("pid=%d status=%d signal=%d peak=%ld cpu_us=%ld lived_us=%lu\n", pid,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	       WIFSIGNALED(status) ? WTERMSIG(status) : 0, use.ru_maxrss * 1024,
	       (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 + use.ru_utime.tv_usec +
		       use.ru_stime.tv_usec,
	       now_us() - child->born_us);
	child->pid = 0;
}

int main(int argc, char **argv)
{
	const char *program = argc > 2 ? argv[2] : "/bin/true";
	int n = argc > 1 ? atoi(argv[1]) : 0, alive = 0;
	struct child children[AT_A_TIME] = {0};

	for (int i = 0; i < n; i++) {
		struct child *child = children;

		if (alive == AT_A_TIME) {
			reap(children);
			alive--;
		}
		while (child->pid)
			child++;
		fflush(stdout);
		child->born_us = now_us();
		child->pid = fork();
		if (!child->pid)
			live(i, program);
		alive++;
	}
	while (alive--)
		reap(children);
	return 0;
}
