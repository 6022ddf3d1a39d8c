/* SPDX-License-Identifier: GPL-2.0-only */
/* crowd N: N threads that sleep until it is killed. Prints its pid when all are there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10 };

static void *rest(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? atol(argv[1]) : 0;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	while (--n > 0)
		if (pthread_create(&thread, &attributes, rest, NULL))
			return 1;
	printf("%d\n", getpid());
	fflush(stdout);
	rest(NULL);
}
