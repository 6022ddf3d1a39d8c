/* SPDX-License-Identifier: GPL-2.0-only */
/* SIGINT, counted. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;

static void on_interrupt(int sig)
{
	if (++interrupts < 2)
		return;
	signal(sig, SIG_DFL);
	raise(sig);
}

void tr_signals_init(void)
{
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
}

bool tr_interrupted(void)
{
	return interrupts > 0;
}

int tr_signals_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec timeout = {.tv_sec = timeout_ms / 1000,
				   .tv_nsec = timeout_ms % 1000 * 1000000L};
	int before = interrupts, ready;
	sigset_t block, old;

	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigprocmask(SIG_BLOCK, &block, &old);
	if (interrupts != before)
		timeout = (struct timespec){0};
	ready = ppoll(fds, n, timeout_ms < 0 && interrupts == before ? NULL : &timeout, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ready < 0 && errno == EINTR ? 0 : ready;
}
