/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restart: one readv of a pipe that a timer's signals interrupt every 20 ms, and which the kernel
 * starts again each time (SA_RESTART), until a byte comes after 150 ms. Prints "restarted N", how
 * many signals came while it waited.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TICK_US = 20000, WAIT_US = 150000 };

static volatile sig_atomic_t signals;

static void on_alarm(int sig)
{
	(void)sig;
	signals++;
}

int main(void)
{
	struct sigaction act = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval tick = {{0, TICK_US}, {0, TICK_US}}, none = {{0, 0}, {0, 0}};
	struct iovec iov;
	char byte;
	int ends[2];
	pid_t child;

	if (pipe(ends) < 0)
		return 1;
	child = fork();
	if (!child) {
		usleep(WAIT_US);
		_exit(write(ends[1], "x", 1) != 1);
	}
	iov.iov_base = &byte;
	iov.iov_len = 1;
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	if (readv(ends[0], &iov, 1) != 1)
		return 1;
	setitimer(ITIMER_REAL, &none, NULL);
	printf("restarted %d\n", (int)signals);
	return 0;
}
