/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attempts: connects to a server whose queue is full, once till a signal comes and once without
 * waiting, and closes both; to where nobody listens, without waiting, and asks by another
 *connect(2) what became of that; to itself; and to where none can, a multicast address. Says
 *
 *	stuck=40001 closed=40002 itself=40003 failed=-101
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

#include "loopback.h"

static void on_signal(int sig)
{
	(void)sig;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int start_connecting(int port, int flags)
{
	struct address a = loopback(AF_INET, port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);

	if (fd < 0 || (connect(fd, &a.any, a.bytes) && errno != EINPROGRESS && errno != EINTR))
		fail("connect");
	return fd;
}

static int is_through(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, 200) > 0;
}

/* Its queue takes one more than it was told, or two. */
static void try_a_full_one(int port)
{
	const struct itimerval soon = {.it_value.tv_usec = 50000, .it_interval.tv_usec = 50000};
	const struct itimerval never = {0};
	struct sigaction action = {.sa_handler = on_signal};
	int fd;

	while (is_through(fd = start_connecting(port, SOCK_NONBLOCK)))
		;
	close(fd);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	close(start_connecting(port, 0));
	setitimer(ITIMER_REAL, &never, NULL);
}

static void ask_twice(int port)
{
	struct address a = loopback(AF_INET, port);
	int fd = start_connecting(port, SOCK_NONBLOCK);

	is_through(fd);
	if (!connect(fd, &a.any, a.bytes) || errno != ECONNREFUSED)
		fail("not refused");
	close(fd);
}

static void connect_to_itself(int *port)
{
	int fd = open_socket(AF_INET, SOCK_STREAM, port);
	struct address a = loopback(AF_INET, *port);

	if (connect(fd, &a.any, a.bytes))
		fail("itself");
	close(fd);
}

static int connect_nowhere(void)
{
	struct address a = loopback(AF_INET, 9);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), result;

	a.ipv4.sin_addr.s_addr = htonl(0xe0000001);
	result = connect(fd, &a.any, a.bytes) ? -errno : 0;
	close(fd);
	return result;
}

int main(void)
{
	int stuck, closed, itself, listener, fd;

	raise_loopback();
	listener = open_socket(AF_INET, SOCK_STREAM, &stuck);
	if (listen(listener, 0))
		fail("listen");
	fd = open_socket(AF_INET, SOCK_STREAM, &closed);
	try_a_full_one(stuck);
	ask_twice(closed);
	connect_to_itself(&itself);
	printf("stuck=%d closed=%d itself=%d failed=%d\n", stuck, closed, itself,
	       connect_nowhere());
	close(fd);
	return 0;
}
