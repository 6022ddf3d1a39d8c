/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets of IPv4 and IPv6: their two ends, as records have them, and whose they are. A TCP socket
 * belongs to the thread that connected it or accepted it: what happens to it later, happens in the
 * course of whoever runs just then.
 */
#ifndef TR_SOCKET_H
#define TR_SOCKET_H

#include "event.h"

enum { AF_INET = 2, AF_INET6 = 10, SOCK_STREAM = 1, SOCK_DGRAM = 2 };
enum { IPPROTO_TCP = 6, IPPROTO_UDP = 17 };
enum { S_IFMT = 0170000, S_IFSOCK = 0140000 };
enum { IPV4 = 4, IPV6 = 16 }; /* bytes of an address */

/* An address, or none, and a port. */
struct endpoint {
	__u8 bytes[IPV6];
	__u32 len;
	__u16 port;
};

static __always_inline __u16 from_network(__be16 port)
{
	return __builtin_bswap16(port);
}

static __always_inline struct sock *sock_of(struct file *file)
{
	struct socket *socket;

	if (!file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return NULL;
	socket = BPF_CORE_READ(file, private_data);
	return BPF_CORE_READ(socket, sk);
}

/* A raw socket may have these protocols, too. */
static __always_inline bool is_inet(struct sock *sk, __u16 type, __u16 protocol)
{
	__u16 family = BPF_CORE_READ(sk, __sk_common.skc_family);

	return (family == AF_INET || family == AF_INET6) && BPF_CORE_READ(sk, sk_type) == type &&
	       BPF_CORE_READ(sk, sk_protocol) == protocol;
}

static __always_inline bool is_tcp(struct sock *sk)
{
	return sk && is_inet(sk, SOCK_STREAM, IPPROTO_TCP);
}

static __always_inline bool is_udp(struct sock *sk)
{
	return sk && is_inet(sk, SOCK_DGRAM, IPPROTO_UDP);
}

static __always_inline bool is_ipv6(struct sock *sk)
{
	return bpf_core_field_exists(sk->__sk_common.skc_v6_daddr) &&
	       BPF_CORE_READ(sk, __sk_common.skc_family) == AF_INET6;
}

/* The socket's own end. */
static __always_inline void read_local(struct endpoint *to, struct sock *sk)
{
	struct inet_sock *inet = (void *)sk;

	if (is_ipv6(sk)) {
		to->len = IPV6;
		bpf_core_read(to->bytes, IPV6, &sk->__sk_common.skc_v6_rcv_saddr);
	} else {
		to->len = IPV4;
		bpf_core_read(to->bytes, IPV4, &sk->__sk_common.skc_rcv_saddr);
	}
	to->port = from_network(BPF_CORE_READ(inet, inet_sport));
}

/* What it is connected to; no address: nothing. */
static __always_inline void read_remote(struct endpoint *to, struct sock *sk)
{
	to->port = from_network(BPF_CORE_READ(sk, __sk_common.skc_dport));
	if (!to->port)
		to->len = 0;
	else if (is_ipv6(sk)) {
		to->len = IPV6;
		bpf_core_read(to->bytes, IPV6, &sk->__sk_common.skc_v6_daddr);
	} else {
		to->len = IPV4;
		bpf_core_read(to->bytes, IPV4, &sk->__sk_common.skc_daddr);
	}
}

/* What a struct sockaddr of user space's says. */
static __always_inline void read_sockaddr(struct endpoint *to, const void *from)
{
	struct {
		__u16 family;
		__be16 port;
		__u8 ipv4[4];
		__u8 ipv6[16];
	} address = {0};

	bpf_probe_read_user(&address, 8, from);
	to->port = from_network(address.port);
	to->len = 0;
	if (address.family == AF_INET) {
		to->len = IPV4;
		__builtin_memcpy(to->bytes, address.ipv4, IPV4);
	} else if (address.family == AF_INET6) {
		to->len = IPV6;
		bpf_probe_read_user(to->bytes, IPV6, from + 8);
	} else {
		to->port = 0;
	}
}

/* Both ends. */
struct ends {
	struct endpoint local, remote;
	__u32 netns;
};

static __always_inline void read_ends(struct ends *to, struct sock *sk)
{
	read_local(&to->local, sk);
	read_remote(&to->remote, sk);
	if (bpf_core_field_exists(sk->__sk_common.skc_net.net))
		to->netns = BPF_CORE_READ(sk, __sk_common.skc_net.net, ns.inum);
}

/* Room for a record of kind NAME with two addresses, and BYTES on the wire without them. */
#define NET_BEGIN(name, ring, flags)                                                               \
	((struct tr_##name *)event_begin((ring), TR_BYTES_##name + 2 * IPV6, TR_KIND_##name,       \
					 (flags) | TR_HAS_ADDRESSES, TR_BYTES_##name))

/* The addresses behind the fixed part, as they are: tr-attach makes text of them. */
static __always_inline void put_ends(void *record, const __u32 bytes, const struct ends *ends)
{
	struct tr_ring_header *header = (struct tr_ring_header *)record - 1;
	__u32 local = ends->local.len, remote = ends->remote.len;

	if (local == IPV4) {
		__builtin_memcpy(record + bytes, ends->local.bytes, IPV4);
		__builtin_memcpy(record + bytes + IPV4, ends->remote.bytes, IPV6);
	} else {
		__builtin_memcpy(record + bytes, ends->local.bytes, IPV6);
		__builtin_memcpy(record + bytes + IPV6, ends->remote.bytes, IPV6);
	}
	header->bytes = bytes + local + remote;
}

#define PUT_ENDS(name, record, ends)                                                               \
	do {                                                                                       \
		(record)->netns = (ends)->netns;                                                   \
		(record)->sport = (ends)->local.port;                                              \
		(record)->dport = (ends)->remote.port;                                             \
		(record)->saddr = (ends)->local.len;                                               \
		(record)->daddr = (ends)->remote.len;                                              \
		put_ends((record), TR_BYTES_##name, (ends));                                       \
	} while (0)

/* Whose a TCP socket is. */
struct owner {
	struct tr_comm comm;
	__u64 since; /* it began to connect, or was accepted; 0: before tracing began */
	__u32 pid, tid;
	__u64 connecting; /* and how that ends has not been told yet */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TR_MAX_SOCKETS);
	__type(key, __u64); /* the socket's address */
	__type(value, struct owner);
} owners SEC(".maps");

static __always_inline struct owner *owner_of(struct sock *sk)
{
	__u64 key = (__u64)sk;

	return bpf_map_lookup_elem(&owners, &key);
}

/* It is TASK's from now on; with BPF_NOEXIST only if it is nobody's. */
static __always_inline void own(struct sock *sk, struct task_struct *task, __u64 since,
				bool connecting, __u64 flags)
{
	struct owner owner = {.since = since, .connecting = connecting};
	__u64 key = (__u64)sk;
	long err;

	PUT_WHO(&owner, task);
	err = bpf_map_update_elem(&owners, &key, &owner, flags);
	if (err && err != -EEXIST)
		count_lost(TR_LOST_STATE);
}

/* Nobody's any more. True: it was somebody's, and of all who ask this is the first to hear it. */
static __always_inline bool disown(struct sock *sk)
{
	__u64 key = (__u64)sk;

	return !bpf_map_delete_elem(&owners, &key);
}

#define PUT_OWNER(record, owner)                                                                   \
	do {                                                                                       \
		(record)->comm = (owner)->comm;                                                    \
		(record)->pid = (owner)->pid;                                                      \
		(record)->tid = (owner)->tid;                                                      \
	} while (0)

#endif
