/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restart: one readv of a pipe that signals interrupt, each when it sleeps there, and which the
 * kernel starts again each time (SA_RESTART), until a byte comes. Prints "restarted N", how many
 * signals came.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIGNALS = 7 };

static volatile sig_atomic_t *came; /* signals; both processes see it */

static void on_signal(int sig)
{
	(void)sig;
	++*came;
}

/* Whether PID sleeps, as the field behind its name says. */
static int sleeps(pid_t pid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state == 'S';
}

/* The first of its sleeps is the readv, and so is each that comes after a signal. */
static int interrupt(pid_t parent, int end)
{
	for (int i = 0; i < SIGNALS; i++) {
		while (!sleeps(parent))
			usleep(100);
		kill(parent, SIGUSR1);
		while (*came == i)
			usleep(100);
	}
	while (!sleeps(parent))
		usleep(100);
	return write(end, "x", 1) != 1;
}

int main(void)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	pid_t parent = getpid(), child;
	struct iovec iov;
	char byte;
	int ends[2];

	came = mmap(NULL, sizeof(*came), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (came == MAP_FAILED || pipe(ends) < 0)
		return 1;
	sigaction(SIGUSR1, &act, NULL);
	child = fork();
	if (!child)
		_exit(interrupt(parent, ends[1]));
	iov.iov_base = &byte;
	iov.iov_len = 1;
	if (readv(ends[0], &iov, 1) != 1)
		return 1;
	printf("restarted %d\n", (int)*came);
	return 0;
}
