/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * waits N: N times sleeps 10, 20, 30 and 40 ms by nanosleep, then reads N times from a pipe whose
 * writer lets it wait for 15 ms. Prints a line for each call: its name, how many ns it took at
 * least, and how many at most, which is what the clock says around it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, DELAY_MS = 15 };

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_ms(long ms)
{
	struct timespec t = {.tv_nsec = ms * MS};
	long long start = now();

	if (syscall(SYS_nanosleep, &t, NULL))
		abort();
	printf("nanosleep %lld %lld\n", (long long)t.tv_nsec, now() - start);
}

/* Until the parent, whose state is in FILE, sleeps: it is in the only call that it can sleep in. */
static void await_sleep(const char *file)
{
	char text[512], *state;

	do {
		FILE *stat = fopen(file, "r");

		if (!stat || !fgets(text, sizeof(text), stat))
			abort();
		fclose(stat);
		state = strrchr(text, ')');
	} while (!state || state[2] != 'S');
}

static void write_late(int fd)
{
	struct timespec t = {.tv_nsec = DELAY_MS * MS};
	char file[64];

	snprintf(file, sizeof(file), "/proc/%d/stat", getppid());
	await_sleep(file);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	_exit(write(fd, "x", 1) != 1);
}

static void read_late(void)
{
	long long start;
	char byte;
	int ends[2];

	if (pipe(ends))
		abort();
	fflush(stdout);
	switch (fork()) {
	case -1: abort();
	case 0: write_late(ends[1]);
	}
	start = now();
	if (syscall(SYS_readv, ends[0], &(struct {
			    void *p;
			    size_t n;
		    }){&byte, 1},
		    1) != 1)
		abort();
	printf("readv %d %lld\n", DELAY_MS * MS, now() - start);
	wait(NULL);
	close(ends[0]);
	close(ends[1]);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++)
		for (long ms = 10; ms <= 40; ms += 10)
			sleep_ms(ms);
	for (int i = 0; i < n; i++)
		read_late();
	return 0;
}
