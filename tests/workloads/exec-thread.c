/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec-thread: awaits a line on stdin after it has printed "ready PID TID"; then that second
 * thread, which by this takes over the process's id, executes the program again, which calls
 * getppid 1009 times and prints "getppid 1009".
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS = 1009 };

static volatile pid_t tid;
static int ends[2];

static void *thread_main(void *arg)
{
	static char name[] = "exec-thread", again[] = "again";
	char *argv[] = {name, again, NULL}, byte;

	(void)arg;
	tid = syscall(SYS_gettid);
	if (read(ends[0], &byte, 1) == 1)
		execv("/proc/self/exe", argv);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char byte;

	(void)argv;
	if (argc > 1) {
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		printf("getppid %d\n", CALLS);
		return 0;
	}
	if (pipe(ends) < 0 || pthread_create(&thread, NULL, thread_main, NULL))
		return 1;
	while (!tid)
		usleep(1000);
	printf("ready %d %d\n", getpid(), tid);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
	if (write(ends[1], "x", 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	return 1;
}
