/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connections 4|6 N BYTES [lossy|held]: a server on the loopback interface and, forked, a client
 *that connects N times, sends BYTES each time, and gets twice as many and one more back; then it is
 * refused 7 times and sent nowhere 5 times. With "lossy" the server's sockets drop one segment in
 * five. With "held" there is no client: one thread makes the N connections and sends the bytes,
 *says "ready PID", and closes them when a line has come.
 *
 *	netns=4026531992
 *	server=71 client=72 port=40001
 *	connect_ns=100200 RetransSegs=0
 */
#include <errno.h>
#include <linux/filter.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#include "loopback.h"

enum { REFUSED = 7, UNREACHABLE = 5, MAX_HELD = 100 };

static int family;
static long n, bytes;
static char buffer[1 << 16];

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void send_all(int fd, long left)
{
	while (left > 0) {
		ssize_t done = write(fd, buffer,
				     left < (long)sizeof(buffer) ? left : (long)sizeof(buffer));

		if (done < 0)
			fail("write");
		left -= done;
	}
}

static long receive_all(int fd)
{
	long total = 0;
	ssize_t done;

	while ((done = read(fd, buffer, sizeof(buffer))) > 0)
		total += done;
	return total;
}

/* One segment in five does not get through. */
static void lose(int fd)
{
	struct sock_filter code[] = {
		{BPF_LD | BPF_W | BPF_ABS, 0, 0, SKF_AD_OFF + SKF_AD_RANDOM},
		{BPF_JMP | BPF_JGT | BPF_K, 0, 1, UINT32_MAX / 5 * 4},
		{BPF_RET | BPF_K, 0, 0, 0},
		{BPF_RET | BPF_K, 0, 0, UINT32_MAX},
	};
	struct sock_fprog program = {4, code};

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		fail("filter");
}

static void serve(int listener, int lossy)
{
	for (long i = 0; i < n; i++) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			fail("accept");
		if (lossy)
			lose(fd);
		if (receive_all(fd) != bytes)
			exit(1);
		send_all(fd, 2 * bytes + 1);
		close(fd);
	}
}

static int connect_to(struct address a)
{
	int fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("socket");
	if (connect(fd, &a.any, a.bytes)) {
		close(fd);
		return -errno;
	}
	return fd;
}

static uint64_t be_client(int port)
{
	uint64_t ns = 0;

	for (long i = 0; i < n; i++) {
		uint64_t begin = now_ns();
		int fd = connect_to(loopback(family, port));

		ns += now_ns() - begin;
		if (fd < 0)
			fail("connect");
		send_all(fd, bytes);
		shutdown(fd, SHUT_WR);
		if (receive_all(fd) != 2 * bytes + 1)
			exit(1);
		close(fd);
	}
	return ns;
}

/* Where nobody listens, and where no route leads: a multicast address is none to connect to. */
static void be_refused(void)
{
	struct address nowhere = loopback(AF_INET, 9);
	int port, closed = open_socket(family, SOCK_STREAM, &port);

	for (int i = 0; i < REFUSED; i++)
		if (connect_to(loopback(family, port)) != -ECONNREFUSED)
			exit(1);
	close(closed);
	nowhere.ipv4.sin_addr.s_addr = htonl(0xe0000001);
	for (int i = 0; i < UNREACHABLE; i++)
		if (connect_to(nowhere) != -ENETUNREACH)
			exit(1);
}

static unsigned long retransmitted(void)
{
	char names[1024], values[1024], *name, *value, *n1, *n2;
	FILE *file = fopen("/proc/self/net/snmp", "re");

	while (file && fgets(names, sizeof(names), file) && fgets(values, sizeof(values), file)) {
		name = strtok_r(names, " \n", &n1);
		value = strtok_r(values, " \n", &n2);
		for (; name && value;
		     name = strtok_r(NULL, " \n", &n1), value = strtok_r(NULL, " \n", &n2))
			if (!strcmp(name, "RetransSegs"))
				return strtoul(value, NULL, 10);
	}
	return 0;
}

/* No connection is left, but for those that only wait until nothing old can come any more. */
static int all_have_ended(void)
{
	FILE *file = fopen(family == AF_INET6 ? "/proc/self/net/tcp6" : "/proc/self/net/tcp", "re");
	char line[512];
	unsigned state;
	int ended = 1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%*d: %*s %*s %x", &state) == 1 && state != 6 && state != 10)
			ended = 0;
	if (file)
		fclose(file);
	return ended;
}

static void wait_for_ends(void)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < 1000 && !all_have_ended(); i++)
		nanosleep(&pause, NULL);
}

static void hold(int listener, int port)
{
	static int ours[MAX_HELD], theirs[MAX_HELD];

	for (long i = 0; i < n; i++) {
		ours[i] = connect_to(loopback(family, port));
		theirs[i] = accept(listener, NULL, NULL);
		send_all(ours[i], bytes);
		for (long left = bytes; left > 0;)
			left -= read(theirs[i], buffer, sizeof(buffer));
	}
	printf("ready %d\n", getpid());
	fflush(stdout);
	getchar();
	for (long i = 0; i < n; i++) {
		close(ours[i]);
		close(theirs[i]);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 4 ? argv[4] : "";
	int listener, port;
	pid_t client;

	if (argc < 4)
		return 2;
	family = atoi(argv[1]) == 6 ? AF_INET6 : AF_INET;
	n = atol(argv[2]);
	bytes = atol(argv[3]);
	raise_loopback();
	listener = open_socket(family, SOCK_STREAM, &port);
	if (listen(listener, 100))
		fail("listen");
	if (!strcmp(how, "held")) {
		hold(listener, port);
		return 0;
	}
	say_namespace();
	fflush(stdout);
	client = fork();
	if (!client) {
		printf("server=%d client=%d port=%d\n", getppid(), getpid(), port);
		printf("connect_ns=%lu ", be_client(port));
		be_refused();
		fflush(stdout);
		_exit(0);
	}
	serve(listener, !strcmp(how, "lossy"));
	waitpid(client, NULL, 0);
	if (!strcmp(how, "lossy"))
		wait_for_ends();
	printf("RetransSegs=%lu\n", retransmitted());
	return 0;
}
