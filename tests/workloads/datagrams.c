/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * datagrams 4|6 N: sends datagrams on the loopback interface from one socket to another, and
 *receives each, by one pair of calls after the other: N of 1, 2, 3 ... bytes by sendto and
 *recvfrom; then as many by sendmsg and recvmsg, by sendmmsg and recvmmsg in one call, and, from a
 *socket that is connected, by write and read. Each is looked at with MSG_PEEK first, but for the
 *last. Says
 *
 *	netns=4026531992
 *	from=40001 to=40002 n=44 bytes=264 refused=-111
 *
 * the last being the result of a send to a port where nobody is, after one that had told so.
 */
#include <errno.h>
#include <sys/uio.h>

#include "loopback.h"

enum { MAX_N = 100 };

static int family, out, in;
static long n;
static struct address to;
static char buffer[MAX_N + 1];

static void check(ssize_t done, ssize_t wanted)
{
	if (done != wanted) {
		perror("datagrams");
		exit(1);
	}
}

static void peek(long bytes)
{
	check(recv(in, buffer, sizeof(buffer), MSG_PEEK), bytes);
}

static void one_by_one(void)
{
	for (long i = 1; i <= n; i++) {
		struct address from = {.bytes = sizeof(from.ipv6)};

		check(sendto(out, buffer, i, 0, &to.any, to.bytes), i);
		peek(i);
		check(recvfrom(in, buffer, sizeof(buffer), 0, &from.any, &from.bytes), i);
	}
}

static struct msghdr message(struct iovec *piece, struct address *peer, long bytes)
{
	*piece = (struct iovec){buffer, bytes};
	return (struct msghdr){
		.msg_name = peer,
		.msg_namelen = peer ? peer->bytes : 0,
		.msg_iov = piece,
		.msg_iovlen = 1,
	};
}

static void by_messages(void)
{
	struct address from = {.bytes = sizeof(from.ipv6)};
	struct iovec piece;

	for (long i = 1; i <= n; i++) {
		struct msghdr m = message(&piece, &to, i);

		check(sendmsg(out, &m, 0), i);
		peek(i);
		m = message(&piece, &from, sizeof(buffer));
		check(recvmsg(in, &m, 0), i);
	}
}

static void all_at_once(void)
{
	static struct mmsghdr sent[MAX_N], received[MAX_N];
	static struct iovec pieces[2][MAX_N];
	static struct address from[MAX_N];

	for (long i = 0; i < n; i++) {
		from[i].bytes = sizeof(from[i].ipv6);
		sent[i].msg_hdr = message(&pieces[0][i], &to, i + 1);
		received[i].msg_hdr = message(&pieces[1][i], &from[i], sizeof(buffer));
	}
	check(sendmmsg(out, sent, n, 0), n);
	check(recvmmsg(in, received, n, 0, NULL), n);
}

static void connected(void)
{
	check(connect(out, &to.any, to.bytes), 0);
	for (long i = 1; i <= n; i++) {
		check(write(out, buffer, i), i);
		check(read(in, buffer, sizeof(buffer)), i);
	}
}

/* Where nothing is, an address stays what it was. */
static void receive_nothing(void)
{
	struct address from = to;

	check(recvfrom(in, buffer, sizeof(buffer), MSG_DONTWAIT, &from.any, &from.bytes), -1);
}

/* The second one hears of the first. */
static int send_nowhere(void)
{
	int port, closed = open_socket(family, SOCK_DGRAM, &port);
	struct address nowhere = loopback(family, port);

	close(closed);
	check(connect(out, &nowhere.any, nowhere.bytes), 0);
	check(send(out, buffer, 1, 0), 1);
	return send(out, buffer, 1, 0) < 0 ? -errno : 0;
}

int main(int argc, char **argv)
{
	int from_port, to_port;

	if (argc < 3 || (n = atol(argv[2])) > MAX_N)
		return 2;
	family = atoi(argv[1]) == 6 ? AF_INET6 : AF_INET;
	raise_loopback();
	say_namespace();
	out = open_socket(family, SOCK_DGRAM, &from_port);
	in = open_socket(family, SOCK_DGRAM, &to_port);
	to = loopback(family, to_port);
	one_by_one();
	by_messages();
	all_at_once();
	connected();
	receive_nothing();
	printf("from=%d to=%d n=%ld bytes=%ld refused=%d\n", from_port, to_port, 4 * n,
	       4 * n * (n + 1) / 2, send_nowhere());
	return 0;
}
