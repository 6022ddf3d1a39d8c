/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * naps THREADS N CPU WORK_US: each thread sleeps N times and computes for WORK_US us before each
 * sleep, all of them on CPU (-1: wherever they like). At its end each says what the kernel says of
 * it, in a line
 *
 *	tid=71 marks=2 blocked=101 others=5 ran_ns=10500123 queued_ns=1200456
 *
 * how often it left a CPU since it began, waiting and otherwise, how long it ran and was queued: as
 * it was when it sent itself the last of `marks` signals SIGURG, which do nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long n, cpu, work_us;
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;

static uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void compute(void)
{
	uint64_t end = thread_ns() + work_us * 1000;

	while (thread_ns() < end)
		;
}

static void read_schedstat(pid_t tid, uint64_t *ran, uint64_t *queued)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%lu %lu", ran, queued) != 2)
		abort();
	fclose(file);
}

static void say(void)
{
	pid_t tid = syscall(SYS_gettid);
	struct rusage before, after;
	uint64_t ran, queued;
	int marks = 0;

	do {
		read_schedstat(tid, &ran, &queued);
		getrusage(RUSAGE_THREAD, &before);
		syscall(SYS_tgkill, getpid(), tid, SIGURG);
		marks++;
		getrusage(RUSAGE_THREAD, &after);
	} while (before.ru_nvcsw != after.ru_nvcsw || before.ru_nivcsw != after.ru_nivcsw);
	pthread_mutex_lock(&saying);
	printf("tid=%d marks=%d blocked=%ld others=%ld ran_ns=%lu queued_ns=%lu\n", tid, marks,
	       after.ru_nvcsw, after.ru_nivcsw, ran, queued);
	pthread_mutex_unlock(&saying);
}

static void *nap(void *unused)
{
	struct timespec pause = {.tv_nsec = 100000};
	cpu_set_t one;

	(void)unused;
	CPU_ZERO(&one);
	if (cpu >= 0) {
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
	for (long i = 0; i < n; i++) {
		compute();
		nanosleep(&pause, NULL);
	}
	say();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	int n_threads = argc > 4 ? atoi(argv[1]) : 0;

	if (n_threads < 1 || n_threads > 64)
		return 2;
	n = atol(argv[2]);
	cpu = atol(argv[3]);
	work_us = atol(argv[4]);
	for (int i = 0; i < n_threads; i++)
		if (pthread_create(&threads[i], NULL, nap, NULL))
			return 1;
	for (int i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
