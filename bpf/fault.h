/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults: perf's software events say which page, from where, and whether it had to be fetched
 * from a disk; what was to be done with it is known when the fault begins, where the architecture
 * has a tracepoint for that.
 */
#ifndef TR_FAULT_H
#define TR_FAULT_H

#include "event.h"

/* As perf_event_open(2) numbers them. */
enum { PAGE_FAULTS_MIN = 5, PAGE_FAULTS_MAJ = 6 };

/* The fault that a thread is in. */
struct fault {
	__u64 addr;
	__u64 code; /* the processor's; 0 when nothing is known */
};

/* Faults that come to nothing leave their entries to others. No task storage: programs of perf's
 * events have none before 6.2. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TR_MAX_FAULTS);
	__type(key, __u32);
	__type(value, struct fault);
} faults SEC(".maps");

#ifdef __TARGET_ARCH_x86

/* Bits of the processor's code for a fault. One more says that there is a code. */
enum { BY_WRITING = 2, BY_FETCHING = 16 };
#define HAS_CODE (1ULL << 63)

static __always_inline int fault_begins(__u64 addr, __u64 code)
{
	struct task_struct *task = current_task();
	struct fault fault = {.addr = addr, .code = code | HAS_CODE};
	__u32 id = READ(task, pid);

	/* Without room for it the fault is sent all the same, with less in it. */
	if (traced(task))
		bpf_map_update_elem(&faults, &id, &fault, BPF_ANY);
	return 0;
}

SEC("tp_btf/page_fault_user")
int on_fault_user(__u64 *ctx)
{
	return fault_begins(ctx[0], ctx[2]);
}

SEC("tp_btf/page_fault_kernel")
int on_fault_kernel(__u64 *ctx)
{
	return fault_begins(ctx[0], ctx[2]);
}

static __always_inline void put_access(struct tr_comm *to, __u64 code)
{
	if (!code)
		PUT_WORD(to, "unknown");
	else if (code & BY_WRITING)
		PUT_WORD(to, "write");
	else if (code & BY_FETCHING)
		PUT_WORD(to, "execute");
	else
		PUT_WORD(to, "read");
}

#else

static __always_inline void put_access(struct tr_comm *to, __u64 code)
{
	(void)code;
	PUT_WORD(to, "unknown");
}

#endif

static __always_inline __u64 noted_code(struct task_struct *task, __u64 addr)
{
	__u32 id = READ(task, pid);
	struct fault *fault = bpf_map_lookup_elem(&faults, &id);

	return fault && fault->addr == addr ? fault->code : 0;
}

static __always_inline int fault_ends(struct perf_event_context *ctx, bool major)
{
	struct task_struct *task = current_task();
	struct tr_fault *record;
	void *ring;
	__u64 now;

	if (!traced(task))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = EVENT_BEGIN(fault, ring, 0);
	if (!record)
		return 0;
	record->ts = now;
	record->addr = ctx->addr;
	record->ip = ctx->ip;
	PUT_WHO(record, task);
	put_access(&record->access, noted_code(task, ctx->addr));
	if (major)
		PUT_WORD(&record->kind, "major");
	else
		PUT_WORD(&record->kind, "minor");
	if (IN_USER_MODE(ctx))
		PUT_WORD(&record->origin, "user");
	else
		PUT_WORD(&record->origin, "kernel");
	event_send(ring, record, now);
	return 0;
}

SEC("perf_event")
int on_minor(struct perf_event_context *ctx)
{
	return fault_ends(ctx, false);
}

SEC("perf_event")
int on_major(struct perf_event_context *ctx)
{
	return fault_ends(ctx, true);
}

#endif
