/* SPDX-License-Identifier: GPL-2.0-only */
/* yields N: two threads give up their CPU, N times each. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static long n;

static void *yield(void *unused)
{
	(void)unused;
	for (long i = 0; i < n; i++)
		sched_yield();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	n = argc > 1 ? atol(argv[1]) : 0;
	if (pthread_create(&other, NULL, yield, NULL))
		return 1;
	yield(NULL);
	return pthread_join(other, NULL);
}
