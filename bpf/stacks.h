/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --stacks: a record with the addresses of the stacks behind it, those of user space, then those of
 * the kernel, innermost first, then a struct tr_stack_end. How much room that takes is known only
 * when it is there, so such a record is drafted outside the ring and copied into it.
 */
#ifndef TR_STACKS_H
#define TR_STACKS_H

#include "args.h"
#include "ring.h"

const volatile struct tr_stacks_config cfg_stacks;

enum {
	STACK_ROOM = TR_MAX_FRAMES * sizeof(__u64),
	DRAFT_ROOM = TR_BYTES_syscall_args + 2 * (PATH_MAX + 1) + 2 * STACK_ROOM +
		     sizeof(struct tr_stack_end),
};

static __always_inline bool wants_stacks(void)
{
	return cfg_stacks.user || cfg_stacks.kernel;
}

struct draft {
	__u64 taken;
	struct tr_ring_header header; /* what the ring gets begins here */
	unsigned char record[DRAFT_ROOM];
};

/* TR_DRAFTS for each CPU; tr-attach sets how many that are. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct draft);
} drafts SEC(".maps");

static __always_inline bool draft_is_free(struct draft *draft)
{
#ifdef TR_OLD_KERNEL
	/* No exchange there: nearly nowhere, either, is a program interrupted by another. */
	bool is_free = !*(volatile __u64 *)&draft->taken;

	*(volatile __u64 *)&draft->taken = 1;
	return is_free;
#else
	return !__sync_lock_test_and_set(&draft->taken, 1);
#endif
}

static __always_inline struct draft *draft_begin(__u16 kind, __u16 flags)
{
	for (__u32 i = 0; i < TR_DRAFTS; i++) {
		__u32 key = bpf_get_smp_processor_id() * TR_DRAFTS + i;
		struct draft *draft = bpf_map_lookup_elem(&drafts, &key);

		if (!draft || !draft_is_free(draft))
			continue;
		draft->header.kind = kind;
		draft->header.flags = flags | TR_HAS_STACK;
		return draft;
	}
	count_lost(TR_LOST_STATE);
	return NULL;
}

/* Whose stack it is: that of the thread in whose course a program runs, as its context CTX has it,
 * or that of another, which has nothing to show but its kernel's. */
struct stack_source {
	void *ctx;
	struct task_struct *other; /* NULL: of the thread that runs now */
};

/* Bytes put to TO; 0: it can't be taken. */
static __always_inline __u32 read_stack(void *to, struct stack_source from, __u64 flags)
{
	long n;

	if (!from.other)
		n = bpf_get_stack(from.ctx, to, STACK_ROOM, flags);
	else if (flags & BPF_F_USER_STACK)
		n = 0;
	else
		n = bpf_get_task_stack(from.other, to, STACK_ROOM, flags);
	if (n < 0)
		return 0;
	return n > STACK_ROOM ? STACK_ROOM : n;
}

/* The draft's record is BYTES long; NOW is its time. */
static __always_inline void draft_send(void *ring, struct draft *draft, __u32 bytes, __u64 now,
				       struct stack_source from)
{
	struct tr_stack_end end = {0};
	__u32 n;

	if (cfg_stacks.user) {
		n = read_stack(draft->record + bytes, from, BPF_F_USER_STACK);
		end.user = n / sizeof(__u64);
		bytes += n;
	}
	if (cfg_stacks.kernel) {
		n = read_stack(draft->record + bytes, from, 0);
		end.kernel = n / sizeof(__u64);
		bytes += n;
	}
	*(struct tr_stack_end *)(draft->record + bytes) = end;
	bytes += sizeof(end);
	draft->header.bytes = bytes;
	if (!ring || bpf_ringbuf_output(ring, &draft->header, sizeof(draft->header) + bytes,
					ring_wakeup(ring, now)))
		count_lost(TR_LOST_RING);
	*(volatile __u64 *)&draft->taken = 0;
}

#endif
