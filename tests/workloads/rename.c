/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rename FILE: awaits a line on stdin after it has printed "ready PID TID", TID being a second
 * thread, which is called "early" and calls getppid 101 times. Then the first thread names it
 * "late": 103 times. It names itself "later": 107 times. Last, it executes FILE, a link to this
 * program, which calls getppid 109 times under whatever name that gives it.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t turn;
static volatile pid_t tid;
static char *file;

static void call(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void *thread_main(void *arg)
{
	static char again[] = "again";
	char *argv[] = {file, again, NULL};

	(void)arg;
	prctl(PR_SET_NAME, "early");
	tid = syscall(SYS_gettid);
	pthread_barrier_wait(&turn); /* it is there */
	pthread_barrier_wait(&turn); /* the line has come */
	call(101);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* it has got its new name */
	call(103);
	prctl(PR_SET_NAME, "later");
	call(107);
	execv(file, argv);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char byte;

	if (argc > 1 && argv[1][0] == 'a') {
		call(109);
		return 0;
	}
	if (argc < 2)
		return 2;
	file = argv[1];
	pthread_barrier_init(&turn, NULL, 2);
	if (pthread_create(&thread, NULL, thread_main, NULL))
		return 1;
	pthread_barrier_wait(&turn);
	printf("ready %d %d\n", getpid(), tid);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	pthread_setname_np(thread, "late");
	pthread_barrier_wait(&turn);
	pthread_join(thread, NULL);
	return 1;
}
