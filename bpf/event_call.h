/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that are system calls, made when these return: nothing is noted when they are entered,
 * since the registers still have the arguments. The object that includes this lists the calls, in
 * event_calls, and says what to do with one, in made_call(); a call that never returns is none. One
 * that begins anew after a signal has returned each time, as with --syscalls.
 */
#ifndef TR_EVENT_CALL_H
#define TR_EVENT_CALL_H

#include "event.h"
#include "registers.h"

/* For each row of calls, its place in event_calls, from 1 up; 0: it is not asked for. */
const volatile __u8 cfg_event_calls[TR_N_ROWS];

/* A call that has returned. */
struct returned {
	struct task_struct *task;
	__u64 now;
	__u64 args[6];
	long ret;
	__u32 code;
};

/* WHICH: its place. */
static __always_inline void made_call(struct returned *r, __u32 which);

static __always_inline int returns(const struct pt_regs *registers, long ret)
{
	struct returned r = {.task = current_task()};
	__u32 row, which;

	if (!traced(r.task))
		return 0;
	r.code = call_code(r.task, call_number(registers));
	row = call_row(r.code);
	which = row < TR_N_ROWS ? cfg_event_calls[row] : 0;
	if (!which)
		return 0;
	r.ret = call_result(r.code, ret);
	r.now = bpf_ktime_get_ns();
	read_args_after(r.args, r.task, registers);
	made_call(&r, which);
	return 0;
}

SEC("tp_btf/sys_exit")
int on_return(__u64 *ctx)
{
	return returns((const void *)ctx[0], ctx[1]);
}

#ifndef TR_OLD_KERNEL

SEC("tp/raw_syscalls/sys_exit")
int on_return_tp(struct trace_event_raw_sys_exit *ctx)
{
	return returns((const void *)bpf_task_pt_regs(current_task()), ctx->ret);
}

#endif

#endif
