/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls, counted when they are entered, and timed and sent one by one when they have
 * returned. One program on each side does all of it, so that what is counted is what is timed and
 * sent. The programs exist in several forms, which differ in how they get at the number and the
 * result, and those at the end once more for arguments: tr-attach loads one.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "args.h"
#include "follow.h"
#include "stacks.h"
#include "state.h"
#include "tally.h"
#include "where.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct tr_call_list cfg_count;
const volatile struct tr_call_list cfg_stream;
const volatile struct tr_call_list cfg_summary;
const volatile struct tr_call_list cfg_latency;

/* Where a program finds the arguments: saved registers, or ready in its own context. */
struct arg_source {
	const void *registers;
	const unsigned long *ready;
};

static __always_inline void note_args(__u64 *args, struct task_struct *task, struct arg_source from)
{
	if (from.registers)
		read_args(args, task, from.registers);
	else
		bpf_probe_read_kernel(args, 6 * sizeof(*args), from.ready);
}

static __always_inline void note_start(struct task_struct *task, __u32 code, struct arg_source from)
{
	struct call *call = call_begin(task);

	if (!call) {
		count_lost(TR_LOST_STATE);
		return;
	}
	call->code = code;
	if (cfg_args.noted)
		note_args(call->args, task, from);
	call->start = bpf_ktime_get_ns();
}

/* Is --where's expression true for a call that is entered? */
static __always_inline bool is_counted(struct task_struct *task, __u32 code, struct arg_source from)
{
	__u64 args[6];

	if (cfg_where.asks_args)
		note_args(args, task, from);
	return where_counts(task, code, args);
}

static __always_inline void enter_call(struct task_struct *task, __u32 row, __u32 code,
				       struct arg_source from)
{
	if (is_wanted(&cfg_count, row, code) && (!cfg_where.wanted || is_counted(task, code, from)))
		count(task, row, code);
	if (is_wanted(&cfg_stream, row, code) || is_wanted(&cfg_summary, row, code) ||
	    is_wanted(&cfg_latency, row, code))
		note_start(task, code, from);
}

static __always_inline int enter(long id, struct arg_source from)
{
	struct task_struct *task = current_task();
	__u32 code;

	if (!traced(task))
		return 0;
	/* Nearly all: row, code and number are the same. */
	if (!is_32bit(task) && (__u64)id < TR_ROWS_PER_ABI) {
		enter_call(task, id, id, from);
		return 0;
	}
	code = call_code(task, id);
	enter_call(task, call_row(code), code, from);
	return 0;
}

/* A call that ends now, one way or another. */
struct ended {
	struct task_struct *task;
	struct call *call;
	__u64 now, ns;
	long ret;
	__u16 flags;
	struct stack_source stack;
};

/* The fields that both kinds of records have. */
#define PUT_CALL(record, e)                                                                        \
	do {                                                                                       \
		(record)->ts = (e)->now;                                                           \
		(record)->ns = (e)->ns;                                                            \
		(record)->ret = (e)->ret;                                                          \
		put_comm(&(record)->comm, (e)->task);                                              \
		(record)->pid = process_id((e)->task);                                             \
		(record)->tid = thread_id((e)->task);                                              \
		(record)->syscall = (e)->call->code;                                               \
	} while (0)

static __always_inline void send(struct ended *e)
{
	struct {
		struct tr_ring_header header;
		struct tr_syscall record;
	} * event;
	void *ring = ring_here();

	event = (void *)ring_reserve(ring, sizeof(*event), TR_KIND_syscall, e->flags,
				     TR_BYTES_syscall);
	if (!event)
		return;
	PUT_CALL(&event->record, e);
	ring_submit(ring, &event->header, e->now);
}

static __always_inline void send_with_stack(struct ended *e)
{
	struct draft *draft = draft_begin(TR_KIND_syscall, e->flags);

	if (!draft)
		return;
	PUT_CALL((struct tr_syscall *)draft->record, e);
	draft_send(ring_here(), draft, TR_BYTES_syscall, e->now, e->stack);
}

/* The record at AT with its paths, as far as they fit ROOM each. Returns its size. */
static __always_inline __u32 put_args(unsigned char *at, struct ended *e, struct paths paths,
				      const __u32 room)
{
	bool readable = !(e->flags & TR_NO_RESULT);
	struct tr_syscall_args *record = (void *)at;
	__u32 n, n2;

	PUT_CALL(record, e);
	for (int i = 0; i < 6; i++)
		record->args[i] = e->call->args[i];
	record->path = read_path(at + TR_BYTES_syscall_args, paths.first, room, readable);
	n = record->path & ~STR_CUT;
	if (n > room)
		n = room; /* for the verifier, which does not know */
	record->path2 = read_path(at + TR_BYTES_syscall_args + n, paths.second, room, readable);
	n2 = record->path2 & ~STR_CUT;
	if (n2 > room)
		n2 = room;
	return TR_BYTES_syscall_args + n + n2;
}

/* With its paths, as far as they fit ROOM each. False: one does not, and nothing was sent. */
static __always_inline bool send_args(struct ended *e, struct paths paths, const __u32 room)
{
	struct {
		struct tr_ring_header header;
		unsigned char record[];
	} * event;
	struct tr_syscall_args *record;
	void *ring = ring_here();

	/* Each path with its zero byte. */
	event = (void *)ring_reserve(ring, sizeof(*event) + TR_BYTES_syscall_args + 2 * (room + 1),
				     TR_KIND_syscall_args, e->flags, TR_BYTES_syscall_args);
	if (!event)
		return true;
	event->header.bytes = put_args(event->record, e, paths, room);
	record = (void *)event->record;
	if (room == SHORT_PATH &&
	    (record->path == (room | STR_CUT) || record->path2 == (room | STR_CUT))) {
		bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
		return false;
	}
	ring_submit(ring, &event->header, e->now);
	return true;
}

static __always_inline void send_args_with_stack(struct ended *e, struct paths paths)
{
	struct draft *draft = draft_begin(TR_KIND_syscall_args, e->flags);
	__u32 bytes;

	if (!draft)
		return;
	bytes = put_args(draft->record, e, paths, PATH_MAX);
	draft_send(ring_here(), draft, bytes, e->now, e->stack);
}

static __always_inline void send_with_args(struct ended *e, struct paths paths)
{
	if (wants_stacks())
		send_args_with_stack(e, paths);
	else if ((!paths.first && !paths.second) || e->flags & TR_NO_RESULT)
		send_args(e, paths, 0);
	else if (!send_args(e, paths, SHORT_PATH))
		send_args(e, paths, PATH_MAX);
}

/* Is --where's expression true for it? */
static __always_inline bool is_selected(struct ended *e, const void *program)
{
	__u32 code = e->call->code;
	struct paths paths = {};

	if (cfg_where.asks_paths)
		paths = paths_of(e->call->args, call_row(code), e->ret, program);
	return where_selects(e->task, code, e->call->args, e->ns, e->ret, e->flags, paths);
}

/* One of three lists wanted the call when it began: this one? */
static __always_inline bool still_wanted(const volatile struct tr_call_list *list,
					 const volatile struct tr_call_list *other,
					 const volatile struct tr_call_list *third, __u32 row,
					 __u32 code)
{
	if (other->choice == TR_CALLS_NONE && third->choice == TR_CALLS_NONE)
		return list->choice != TR_CALLS_NONE;
	return is_wanted(list, row, code);
}

/* The call that TASK is in ends. */
static __always_inline void end_call(struct task_struct *task, long ret, __u16 flags,
				     const void *program, struct stack_source stack)
{
	__u64 start;
	struct call room, *call = call_end(task, &room, &start);
	struct ended e = {.task = task, .call = call, .flags = flags, .stack = stack};
	bool summary, latency;
	__u32 row;

	if (!call)
		return;
	e.now = bpf_ktime_get_ns();
	e.ns = e.now - start;
	e.ret = call_result(call->code, ret);
	if (cfg_where.wanted && !is_selected(&e, program))
		return;
	row = call_row(call->code);
	summary = still_wanted(&cfg_summary, &cfg_stream, &cfg_latency, row, call->code);
	latency = still_wanted(&cfg_latency, &cfg_stream, &cfg_summary, row, call->code);
	if (summary || latency)
		time_call(task, row, call->code, e.ns, e.ret, flags, latency);
	if (!still_wanted(&cfg_stream, &cfg_summary, &cfg_latency, row, call->code))
		return;
	if (cfg_args.wanted)
		send_with_args(&e, paths_of(call->args, row, e.ret, program));
	else if (wants_stacks())
		send_with_stack(&e);
	else
		send(&e);
}

/* It may have begun a call while it was one of ours. */
static __always_inline bool may_leave(struct task_struct *task)
{
	return cfg_target.fickle || traced(task);
}

static __always_inline int leave(long ret, void *ctx)
{
	struct task_struct *task = current_task();

	if (may_leave(task))
		end_call(task, ret, 0, NULL, (struct stack_source){.ctx = ctx});
	return 0;
}

/* A new program's path stands behind its environment. */
static __always_inline int leave_args(long ret, void *ctx)
{
	struct task_struct *task = current_task();

	if (may_leave(task))
		end_call(task, ret, 0, (const void *)BPF_CORE_READ(task, mm, env_end),
			 (struct stack_source){.ctx = ctx});
	return 0;
}

SEC("tp_btf/sys_enter")
int on_enter_tp_btf(__u64 *ctx)
{
	return enter(ctx[1], (struct arg_source){.registers = (const void *)ctx[0]});
}

SEC("raw_tp/sys_enter")
int on_enter_raw_tp(__u64 *ctx)
{
	return enter(ctx[1], (struct arg_source){.registers = (const void *)ctx[0]});
}

SEC("tp/raw_syscalls/sys_enter")
int on_enter_tracepoint(struct trace_event_raw_sys_enter *ctx)
{
	return enter(ctx->id, (struct arg_source){.ready = ctx->args});
}

SEC("tp_btf/sys_exit")
int on_exit_tp_btf(__u64 *ctx)
{
	return leave(ctx[1], ctx);
}

SEC("raw_tp/sys_exit")
int on_exit_raw_tp(__u64 *ctx)
{
	return leave(ctx[1], ctx);
}

SEC("tp/raw_syscalls/sys_exit")
int on_exit_tracepoint(struct trace_event_raw_sys_exit *ctx)
{
	return leave(ctx->ret, ctx);
}

SEC("tp_btf/sys_exit")
int on_exit_args_tp_btf(__u64 *ctx)
{
	return leave_args(ctx[1], ctx);
}

SEC("raw_tp/sys_exit")
int on_exit_args_raw_tp(__u64 *ctx)
{
	return leave_args(ctx[1], ctx);
}

SEC("tp/raw_syscalls/sys_exit")
int on_exit_args_tracepoint(struct trace_event_raw_sys_exit *ctx)
{
	return leave_args(ctx->ret, ctx);
}

#ifndef TR_OLD_KERNEL

/* At a call's own function, whichever: tr-attach makes a program for each of those that are wanted.
 * Its only argument are the registers, which have the number. */
SEC("fentry")
int on_enter_fentry(__u64 *ctx)
{
	const struct pt_regs *registers = (const void *)ctx[0];

	return enter(call_number(registers), (struct arg_source){.registers = registers});
}

SEC("fexit")
int on_exit_fentry(__u64 *ctx)
{
	return leave(ctx[1], ctx);
}

SEC("fexit")
int on_exit_args_fentry(__u64 *ctx)
{
	return leave_args(ctx[1], ctx);
}

#endif

/* exit, exit_group, and whatever a thread was in when it was killed. */
SEC("tp_btf/sched_process_exit")
int on_thread_exit(__u64 *ctx)
{
	end_call((struct task_struct *)ctx[0], 0, TR_NO_RESULT, NULL,
		 (struct stack_source){.ctx = ctx});
	return 0;
}

/* Run over all threads once, at the end, when no more calls begin. */
SEC("iter/task")
int on_task(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task)
		end_call(task, 0, TR_NO_RESULT | TR_STILL_RUNNING, NULL,
			 (struct stack_source){.other = task});
	return 0;
}
