/* SPDX-License-Identifier: GPL-2.0-only */
/* What io_uring(7) does is no call of the thread's, so it makes no event: who uses it is pointed
 * out, once for each process. */
#ifndef TR_IO_URING_H
#define TR_IO_URING_H

#include "event_call.h"

/* Those that have been pointed out. Where they are many, some are once more: tr-attach knows. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TR_MAX_NOTED);
	__type(key, __u32);
	__type(value, __u8);
} uses_io_uring SEC(".maps");

static __always_inline void note_io_uring(struct returned *r)
{
	struct task_struct *task = r->task;
	__u32 id = READ(task, tgid);
	void *ring = ring_here();
	struct tr_note *note;
	__u8 yes = 1;

	if (r->ret < 0 || bpf_map_update_elem(&uses_io_uring, &id, &yes, BPF_NOEXIST))
		return;
	note = event_begin(ring, sizeof(*note), TR_NOTE_IO_URING, 0, sizeof(*note));
	if (!note)
		return;
	note->ts = r->now;
	put_comm(&note->comm, task);
	note->pid = process_id(task);
	event_send(ring, note, r->now);
}

#endif
