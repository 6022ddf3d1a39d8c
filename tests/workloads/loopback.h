/* SPDX-License-Identifier: GPL-2.0-only */
/* What workloads with sockets share: a loopback interface that is up, and its addresses. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
	};
	socklen_t bytes;
};

/* In a network namespace of one's own it is down at first. Elsewhere it is up. */
static inline void raise_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
}

static inline struct address loopback(int family, int port)
{
	struct address a = {0};

	if (family == AF_INET6) {
		a.bytes = sizeof(a.ipv6);
		a.ipv6.sin6_addr = in6addr_loopback;
		a.ipv6.sin6_port = htons(port);
	} else {
		a.bytes = sizeof(a.ipv4);
		a.ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a.ipv4.sin_port = htons(port);
	}
	a.any.sa_family = family;
	return a;
}

/* A socket with a port of its own, which is set. */
static inline int open_socket(int family, int type, int *port)
{
	struct address a = loopback(family, 0);
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, &a.any, a.bytes) || getsockname(fd, &a.any, &a.bytes)) {
		perror("socket");
		exit(1);
	}
	*port = ntohs(family == AF_INET6 ? a.ipv6.sin6_port : a.ipv4.sin_port);
	return fd;
}

static inline void say_namespace(void)
{
	struct stat ns;

	if (!stat("/proc/self/ns/net", &ns))
		printf("netns=%lu\n", (unsigned long)ns.st_ino);
}
