/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * killed: 7 threads die inside of readv of an empty pipe when the first thread
 * calls exit_group(5). Prints "readv 7" once all of them are inside.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { THREADS = 7 };

static int ends[2];
static volatile pid_t tids[THREADS];

static void *thread_main(void *arg)
{
	char byte;
	struct iovec iov = {&byte, 1};

	*(volatile pid_t *)arg = syscall(SYS_gettid);
	readv(ends[0], &iov, 1);
	return NULL;
}

/* Whether the kernel says that thread TID waits, which after its birth it does in readv alone. */
static int is_inside(pid_t tid)
{
	char path[64], text[32] = "";
	FILE *file;
	int nr = -1;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fgets(text, sizeof(text), file))
		sscanf(text, "%d", &nr);
	fclose(file);
	return nr == SYS_readv;
}

int main(void)
{
	pthread_t threads[THREADS];

	if (pipe(ends) < 0)
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, thread_main, (void *)&tids[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		while (!tids[i] || !is_inside(tids[i]))
			usleep(1000);
	printf("readv %d\n", THREADS);
	fflush(stdout);
	syscall(SYS_exit_group, 5);
}
