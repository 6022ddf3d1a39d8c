/* SPDX-License-Identifier: GPL-2.0-only */
/* The network: connections that are made, accepted, and end; what is sent again; datagrams. */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "datagram.h"
#include "event_call.h"
#include "follow.h"
#include "io_uring.h"
#include "socket.h"

char LICENSE[] SEC("license") = "GPL";

#define TCP   (KIND(connect) | KIND(accept) | KIND(close) | KIND(state) | KIND(retransmit))
#define LATER (KIND(close) | KIND(state) | KIND(retransmit)) /* of sockets that are known */

const volatile struct tr_event_program event_programs[] = {
	{.name = "on_return", .kinds = TCP | KIND(send) | KIND(recv)},
	{.name = "on_state", .kinds = KIND(connect) | LATER},
	{.name = "on_retransmit", .kinds = KIND(retransmit)},
	{.name = "on_socket", .kinds = LATER, .iterator = true},
};

enum { CONNECT = 1, ACCEPT, ACCEPT4, IO_URING, IO_URING_SETUP, FIRST_DATAGRAM };

const volatile struct tr_event_call event_calls[] = {
	[CONNECT - 1] = {"connect", KIND(connect)},
	[ACCEPT - 1] = {"accept", KIND(accept) | LATER},
	[ACCEPT4 - 1] = {"accept4", KIND(accept) | LATER},
	[IO_URING - 1] = {"io_uring_enter", TCP | KIND(send) | KIND(recv)},
	[IO_URING_SETUP - 1] = {"io_uring_setup", TCP | KIND(send) | KIND(recv)},
	DATAGRAM_CALLS,
};

/* States, as TCP numbers them. */
enum { ESTABLISHED = 1, SYN_SENT = 2, CLOSED = 7, LISTEN = 10 };

static __always_inline void put_state(struct tr_comm *to, int state)
{
	switch (state) {
	case 1: PUT_WORD(to, "ESTABLISHED"); break;
	case 2: PUT_WORD(to, "SYN_SENT"); break;
	case 3: PUT_WORD(to, "SYN_RECV"); break;
	case 4: PUT_WORD(to, "FIN_WAIT1"); break;
	case 5: PUT_WORD(to, "FIN_WAIT2"); break;
	case 6: PUT_WORD(to, "TIME_WAIT"); break;
	case 7: PUT_WORD(to, "CLOSE"); break;
	case 8: PUT_WORD(to, "CLOSE_WAIT"); break;
	case 9: PUT_WORD(to, "LAST_ACK"); break;
	case 10: PUT_WORD(to, "LISTEN"); break;
	case 11: PUT_WORD(to, "CLOSING"); break;
	default: PUT_WORD(to, "unknown"); break;
	}
}

/*
 * How a socket's connecting ended, for connect(2), which may tell it, too: at once, when it fails
 * for want of a port, so that the call alone knows why; or later, when a program asks by another
 * call what became of it. Entries that nobody asks for make room for others.
 */
struct attempt {
	__u64 since;
	__s64 error;      /* that has been told by the socket's states */
	__u64 is_in_call; /* connect(2) is to tell */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TR_MAX_ATTEMPTS);
	__type(key, __u64); /* the socket's address */
	__type(value, struct attempt);
} attempts SEC(".maps");

static __always_inline void send_connect(struct ends *ends, const struct owner *owner, __u64 now,
					 long ret, __u16 flags, __u16 protocol)
{
	void *ring = ring_here();
	struct tr_connect *record =
		NET_BEGIN(connect, ring, owner->since ? flags : flags | TR_NO_TIME);

	if (!record)
		return;
	record->ts = now;
	record->ns = now - owner->since;
	record->ret = ret;
	PUT_OWNER(record, owner);
	if (protocol == IPPROTO_TCP)
		PUT_WORD(&record->proto, "tcp");
	else
		PUT_WORD(&record->proto, "udp");
	PUT_ENDS(connect, record, ends);
	event_send(ring, record, now);
}

static __always_inline void send_close(struct sock *sk, const struct owner *owner, __u64 now)
{
	struct tcp_sock *tcp = (void *)sk;
	struct ends ends = {0};
	void *ring = ring_here();
	struct tr_close *record = NET_BEGIN(close, ring, owner->since ? 0 : TR_NO_TIME);

	if (!record)
		return;
	read_ends(&ends, sk);
	record->ts = now;
	record->ns = now - owner->since;
	record->sent = BPF_CORE_READ(tcp, bytes_sent) - BPF_CORE_READ(tcp, bytes_retrans);
	record->received = BPF_CORE_READ(tcp, bytes_received);
	/* The other side's end counts as a byte; SOCK_DONE tells that it has come. */
	if (record->received && BPF_CORE_READ(sk, __sk_common.skc_flags) & 1 << 1)
		record->received--;
	PUT_OWNER(record, owner);
	PUT_WORD(&record->proto, "tcp");
	record->retransmits = BPF_CORE_READ(tcp, total_retrans);
	PUT_ENDS(close, record, &ends);
	event_send(ring, record, now);
}

static __always_inline void send_state(struct sock *sk, const struct owner *owner, __u64 now,
				       int from, int to)
{
	struct ends ends = {0};
	void *ring = ring_here();
	struct tr_state *record = NET_BEGIN(state, ring, 0);

	if (!record)
		return;
	read_ends(&ends, sk);
	record->ts = now;
	PUT_OWNER(record, owner);
	put_state(&record->from, from);
	put_state(&record->to, to);
	PUT_ENDS(state, record, &ends);
	event_send(ring, record, now);
}

/* Only when the protocol has begun to connect the socket does so, too. */
static __always_inline bool fails_in_call(struct sock *sk)
{
	return BPF_CORE_READ(sk, sk_socket, state) == SS_UNCONNECTED;
}

/* It is connected, or it is not to be; without an error, whoever connected has given up. */
static __always_inline void end_connect(struct sock *sk, struct owner *owner, __u64 now, int to)
{
	int error = to == CLOSED ? BPF_CORE_READ(sk, sk_err) : 0;
	bool gave_up = to == CLOSED && !error;
	struct attempt attempt = {.since = owner->since, .error = error};
	struct ends ends = {0};
	__u64 key = (__u64)sk;

	owner->connecting = false;
	attempt.is_in_call = gave_up && fails_in_call(sk);
	if (to == CLOSED && (error || attempt.is_in_call))
		bpf_map_update_elem(&attempts, &key, &attempt, BPF_ANY);
	if (attempt.is_in_call || !wants(KIND(connect)))
		return;
	read_ends(&ends, sk);
	send_connect(&ends, owner, now, -error, gave_up ? TR_NO_RESULT : 0, IPPROTO_TCP);
}

static __always_inline void begin_connect(struct sock *sk, struct task_struct *task)
{
	__u64 key = (__u64)sk;

	bpf_map_delete_elem(&attempts, &key); /* of a socket that was there before */
	own(sk, task, bpf_ktime_get_ns(), true, BPF_ANY);
}

/* It is no connection's any more. */
static __always_inline void end_connection(struct sock *sk, struct owner *owner, __u64 now,
					   bool was_connection)
{
	struct owner former = *owner;

	if (disown(sk) && was_connection && wants(KIND(close)))
		send_close(sk, &former, now);
}

static __always_inline int state_changes(struct sock *sk, int from, int to)
{
	struct task_struct *task = current_task();
	bool was_connection = from != LISTEN;
	struct owner *owner;
	__u64 now;

	if (BPF_CORE_READ(sk, sk_protocol) != IPPROTO_TCP)
		return 0;
	/* Only a thread that wants it does this, in its own course. */
	if (to == SYN_SENT && traced(task))
		begin_connect(sk, task);
	if (to == LISTEN && traced(task))
		own(sk, task, 0, false, BPF_ANY);
	owner = owner_of(sk);
	if (!owner)
		return 0;
	now = bpf_ktime_get_ns();
	if (wants(KIND(state)))
		send_state(sk, owner, now, from, to);
	if (owner->connecting && (to == ESTABLISHED || to == CLOSED)) {
		was_connection = false;
		end_connect(sk, owner, now, to);
	}
	if (to == CLOSED)
		end_connection(sk, owner, now, was_connection);
	return 0;
}

SEC("tp_btf/inet_sock_set_state")
int on_state(__u64 *ctx)
{
	return state_changes((void *)ctx[0], ctx[1], ctx[2]);
}

SEC("tp/sock/inet_sock_set_state")
int on_state_tp(struct trace_event_raw_inet_sock_set_state *ctx)
{
	return state_changes((void *)ctx->skaddr, ctx->oldstate, ctx->newstate);
}

static __always_inline int sent_again(struct sock *sk, const void *segment)
{
	struct tcp_skb_cb *segments = (void *)segment + bpf_core_field_offset(struct sk_buff, cb);
	struct owner *owner = owner_of(sk);
	struct tr_retransmit *record;
	struct ends ends = {0};
	void *ring;
	__u64 now;

	if (!owner)
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = NET_BEGIN(retransmit, ring, 0);
	if (!record)
		return 0;
	read_ends(&ends, sk);
	record->ts = now;
	PUT_OWNER(record, owner);
	put_state(&record->state, BPF_CORE_READ(sk, __sk_common.skc_state));
	record->segments = BPF_CORE_READ(segments, tcp_gso_segs);
	PUT_ENDS(retransmit, record, &ends);
	event_send(ring, record, now);
	return 0;
}

/* Some kernels have a third argument, an error: then nothing was sent. */
SEC("tp_btf/tcp_retransmit_skb")
int on_retransmit(__u64 *ctx)
{
	struct trace_event_raw_tcp_retransmit_skb *event = NULL;

	if (bpf_core_field_exists(event->err) && (int)ctx[2])
		return 0;
	return sent_again((void *)ctx[0], (const void *)ctx[1]);
}

SEC("tp/tcp/tcp_retransmit_skb")
int on_retransmit_tp(struct trace_event_raw_tcp_retransmit_skb *ctx)
{
	if (bpf_core_field_exists(ctx->err) && ctx->err)
		return 0;
	return sent_again((void *)ctx->skaddr, ctx->skbaddr);
}

/* Which of its threads a socket is for, or was when it had another name or user, nobody can tell.
 */
static __always_inline bool is_target_by_id(struct task_struct *task)
{
	if (cfg_conditions.any || cfg_target.tid || cfg_target.by_tid)
		return false;
	return cfg_target.all ? !is_left_out(task) : is_target(task);
}

/* Run over all files once, when all else is attached: connections that are there already. */
SEC("iter/task_file")
int on_socket(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct sock *sk;

	if (!task || !ctx->file || !is_target_by_id(task))
		return 0;
	sk = sock_of(ctx->file);
	if (!is_tcp(sk) || BPF_CORE_READ(sk, __sk_common.skc_state) == CLOSED)
		return 0;
	own(sk, task, 0, BPF_CORE_READ(sk, __sk_common.skc_state) == SYN_SENT, BPF_NOEXIST);
	if (BPF_CORE_READ(sk, __sk_common.skc_state) == CLOSED)
		disown(sk); /* just now, so that nobody hears of it */
	return 0;
}

static __always_inline void send_accept(struct returned *r, struct sock *sk)
{
	struct ends ends = {0};
	void *ring = ring_here();
	struct tr_accept *record = NET_BEGIN(accept, ring, 0);

	if (!record)
		return;
	read_ends(&ends, sk);
	record->ts = r->now;
	record->ret = r->ret;
	PUT_WHO(record, r->task);
	PUT_WORD(&record->proto, "tcp");
	PUT_ENDS(accept, record, &ends);
	event_send(ring, record, r->now);
}

/* It may have ended before it was accepted, or just now, so that nobody hears of that any more. */
static __always_inline void made_accept(struct returned *r)
{
	struct sock *sk = sock_of(file_of(r->task, r->ret));
	struct owner owner = {.since = r->now};

	if (!is_tcp(sk))
		return;
	if (wants(KIND(accept)))
		send_accept(r, sk);
	if (!wants(LATER))
		return;
	own(sk, r->task, r->now, false, BPF_ANY);
	PUT_WHO(&owner, r->task);
	if (BPF_CORE_READ(sk, __sk_common.skc_state) == CLOSED && disown(sk) && wants(KIND(close)))
		send_close(sk, &owner, r->now);
}

/* Is it this call that tells how it ended? Sets SINCE, when that is known. */
static __always_inline bool ends_in_call(const struct returned *r, struct sock *sk, __u64 *since)
{
	__u64 key = (__u64)sk;
	struct attempt *attempt;
	struct owner *owner = owner_of(sk);
	bool told;

	if (r->ret >= 0 || r->ret == -EINPROGRESS || r->ret == -EALREADY || r->ret == -EISCONN ||
	    (owner && owner->connecting))
		return false; /* the states tell, or there was nothing to do */
	attempt = bpf_map_lookup_elem(&attempts, &key);
	if (!attempt)
		return true;
	told = !attempt->is_in_call && attempt->error == -r->ret;
	if (attempt->is_in_call)
		*since = attempt->since;
	bpf_map_delete_elem(&attempts, &key);
	return !told;
}

static __always_inline void made_connect(struct returned *r)
{
	struct sock *sk = sock_of(file_of(r->task, (__s32)r->args[0]));
	struct owner owner = {0};
	struct ends ends = {0};
	bool udp = is_udp(sk);

	if (!udp && (!is_tcp(sk) || !ends_in_call(r, sk, &owner.since)))
		return;
	PUT_WHO(&owner, r->task);
	read_ends(&ends, sk);
	read_sockaddr(&ends.remote, (const void *)r->args[1]);
	send_connect(&ends, &owner, r->now, r->ret, 0, udp ? IPPROTO_UDP : IPPROTO_TCP);
}

static __always_inline void made_call(struct returned *r, __u32 which)
{
	if (which == CONNECT)
		made_connect(r);
	else if (which <= ACCEPT4)
		made_accept(r);
	else if (which < FIRST_DATAGRAM)
		note_io_uring(r);
	else
		made_datagram(r, which - FIRST_DATAGRAM);
}
