/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls [-w] [-e CODE] N [THREADS]: N calls of getppid and of a failing close, shared among THREADS
 * threads that move from CPU to CPU by sched_setaffinity. Prints how many of each were made, a line
 * each, and ends with exit status CODE. With -w all threads are there first: a line "ready PID
 * TID..." is printed, the first thread's id being left out as it is PID, and then one line of stdin
 * is awaited.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_THREADS = 64, MOVE_EVERY = 53, CLOSED_FD = 12345 };

struct worker {
	pthread_t thread;
	unsigned index;
	long n, moves;
	volatile pid_t tid;
};

static pthread_barrier_t start;
static cpu_set_t allowed;

/* The I-th of the CPUs that we may run on, again from the first one after the last. */
static int nth_cpu(unsigned i)
{
	unsigned n = i % CPU_COUNT(&allowed);
	int cpu = 0;

	for (;; cpu++)
		if (CPU_ISSET(cpu, &allowed) && !n--)
			return cpu;
}

static void move(struct worker *w)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(nth_cpu(w->index + w->moves++), &set);
	if (syscall(SYS_sched_setaffinity, 0, sizeof(set), &set) < 0) {
		perror("sched_setaffinity");
		exit(1);
	}
}

static void work(struct worker *w)
{
	for (long i = 0; i < w->n; i++) {
		if (i % MOVE_EVERY == 0)
			move(w);
		syscall(SYS_getppid);
		if (syscall(SYS_close, CLOSED_FD) != -1 || errno != EBADF)
			abort();
	}
}

static void *thread_main(void *arg)
{
	struct worker *w = arg;

	w->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&start); /* all have said their tid */
	pthread_barrier_wait(&start); /* and may begin */
	work(w);
	return NULL;
}

static void wait_for_line(struct worker *workers, unsigned n)
{
	char byte;

	printf("ready %d", getpid());
	for (unsigned i = 1; i < n; i++)
		printf(" %d", workers[i].tid);
	putchar('\n');
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
}

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];
	unsigned threads = 1;
	int option, waits = 0, code = 0;
	long n, moves = 0;

	while ((option = getopt(argc, argv, "we:")) != -1)
		if (option == 'w')
			waits = 1;
		else if (option == 'e')
			code = atoi(optarg);
		else
			return 2;
	if (optind >= argc)
		return 2;
	n = atol(argv[optind]);
	if (optind + 1 < argc)
		threads = atoi(argv[optind + 1]);
	if (threads < 1 || threads > MAX_THREADS ||
	    sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return 2;
	pthread_barrier_init(&start, NULL, threads);
	for (unsigned i = 0; i < threads; i++) {
		workers[i].index = i;
		workers[i].n = n / threads + (i < n % threads);
		if (i && pthread_create(&workers[i].thread, NULL, thread_main, &workers[i]))
			return 1;
	}
	pthread_barrier_wait(&start);
	if (waits)
		wait_for_line(workers, threads);
	pthread_barrier_wait(&start);
	work(&workers[0]);
	for (unsigned i = 0; i < threads; i++) {
		if (i)
			pthread_join(workers[i].thread, NULL);
		moves += workers[i].moves;
	}
	printf("getppid %ld\nclose %ld\nsched_setaffinity %ld\n", n, n, moves);
	fflush(stdout);
	_exit(code);
}
