/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams that are sent and received, as the calls that do it tell when they return. */
#ifndef TR_DATAGRAM_H
#define TR_DATAGRAM_H

#include "event_call.h"
#include "files.h"
#include "socket.h"

/* In the order of the list below. */
enum {
	SENDTO,
	SENDMSG,
	SENDMMSG,
	WRITE,
	WRITEV,
	RECVFROM,
	RECVMSG,
	RECVMMSG,
	RECVMMSG_64,
	READ_CALL,
	READV
};

#define DATAGRAM_CALLS                                                                             \
	{"sendto", KIND(send)}, {"sendmsg", KIND(send)}, {"sendmmsg", KIND(send)},                 \
		{"write", KIND(send)}, {"writev", KIND(send)}, {"recvfrom", KIND(recv)},           \
		{"recvmsg", KIND(recv)}, {"recvmmsg", KIND(recv)},                                 \
		{"recvmmsg_time64", KIND(recv)}, {"read", KIND(recv)},                             \
	{                                                                                          \
		"readv", KIND(recv)                                                                \
	}

enum { MSG_PEEK = 2, MSG_ERRQUEUE = 0x2000, MAX_MESSAGES = 64 };

/*
 * One datagram of the current thread's, by its socket's address, its result and where the other
 * end's address is in user space; 0: it is what the socket is connected to. A function for all,
 * with nothing but numbers as arguments: those the verifier goes through once.
 */
__noinline int send_datagram(__u64 socket, long ret, __u64 peer, __u64 now, __u32 kind)
{
	struct sock *sk = (struct sock *)socket;
	struct task_struct *task = current_task();
	struct ends ends = {0};
	void *ring = ring_here();
	/* Both kinds have the same layout. */
	struct tr_send *record = NET_BEGIN(send, ring, 0);

	if (!record)
		return 0;
	((struct tr_ring_header *)record - 1)->kind = kind;
	read_ends(&ends, sk);
	if (peer)
		read_sockaddr(&ends.remote, (const void *)peer);
	record->ts = now;
	record->ret = ret;
	record->bytes = ret > 0 ? ret : 0;
	PUT_WHO(record, task);
	PUT_WORD(&record->proto, "udp");
	PUT_ENDS(send, record, &ends);
	event_send(ring, record, now);
	return 0;
}

/* A pointer at FROM, as wide as the call's ABI has them. */
static __always_inline __u64 read_pointer(__u64 from, bool narrow)
{
	__u64 pointer = 0;

	bpf_probe_read_user(&pointer, narrow ? 4 : 8, (const void *)from);
	return pointer;
}

/* struct msghdr begins with a pointer to the name; struct mmsghdr is one, and how much it moved. */
static __always_inline void send_several(struct returned *r, struct sock *sk, __u32 kind)
{
	bool narrow = r->code >> 24 != TR_ABI_NATIVE;
	__u32 header = narrow ? 28 : 56, whole = narrow ? 32 : 64;

	for (int i = 0; i < MAX_MESSAGES && i < r->ret; i++) {
		__u64 message = r->args[1] + i * whole;
		__u32 bytes = 0;

		bpf_probe_read_user(&bytes, sizeof(bytes), (const void *)message + header);
		send_datagram((__u64)sk, bytes, read_pointer(message, narrow), r->now, kind);
	}
	if (r->ret > MAX_MESSAGES)
		count_lost_n(TR_LOST_MESSAGES, r->ret - MAX_MESSAGES);
}

/* It looked at what the next call will get, or at what became of one that was sent. */
static __always_inline bool peeks(const struct returned *r, __u32 which)
{
	__u64 flags = which == RECVMSG ? r->args[2] : r->args[3];

	return which >= RECVFROM && which <= RECVMMSG_64 && flags & (MSG_PEEK | MSG_ERRQUEUE);
}

/* Where nothing was received stands what was there before. */
static __always_inline __u64 peer_of(const struct returned *r, __u32 which)
{
	bool narrow = r->code >> 24 != TR_ABI_NATIVE;

	switch (which) {
	case SENDTO: return r->args[5] ? r->args[4] : 0;
	case RECVFROM: return r->ret < 0 ? 0 : r->args[4];
	case SENDMSG: return read_pointer(r->args[1], narrow);
	case RECVMSG: return r->ret < 0 ? 0 : read_pointer(r->args[1], narrow);
	}
	return 0;
}

/* WHICH: of the list above. */
static __always_inline void made_datagram(struct returned *r, __u32 which)
{
	struct sock *sk = sock_of(file_of(r->task, (__s32)r->args[0]));
	bool several = which == SENDMMSG || which == RECVMMSG || which == RECVMMSG_64;
	__u32 kind = which < RECVFROM ? TR_KIND_send : TR_KIND_recv;

	if (!is_udp(sk) || peeks(r, which))
		return;
	if (several && r->ret > 0)
		send_several(r, sk, kind);
	else
		send_datagram((__u64)sk, r->ret, peer_of(r, which), r->now, kind);
}

#endif
