/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory: what is mapped, unmapped and protected, and the pages that were not there. */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "event_call.h"
#include "fault.h"
#include "follow.h"
#include "path.h"

char LICENSE[] SEC("license") = "GPL";

enum {
	CALLS = KIND(mmap) | KIND(munmap) | KIND(mremap) | KIND(brk) | KIND(mprotect) |
		KIND(madvise)
};

const volatile struct tr_event_program event_programs[] = {
	{.name = "on_return", .kinds = CALLS},
#ifdef __TARGET_ARCH_x86
	{.name = "on_fault_user", .kinds = KIND(fault)},
	{.name = "on_fault_kernel", .kinds = KIND(fault)},
#endif
	{.name = "on_minor", .kinds = KIND(fault), .software = PAGE_FAULTS_MIN},
	{.name = "on_major", .kinds = KIND(fault), .software = PAGE_FAULTS_MAJ},
};

enum { OLD_MMAP = 1, MMAP, MMAP2, MUNMAP, MREMAP, BRK, MPROTECT, PKEY_MPROTECT, MADVISE };

const volatile struct tr_event_call event_calls[] = {
	[OLD_MMAP - 1] = {"i386:mmap", KIND(mmap)},
	[MMAP - 1] = {"mmap", KIND(mmap)},
	[MMAP2 - 1] = {"mmap2", KIND(mmap)},
	[MUNMAP - 1] = {"munmap", KIND(munmap)},
	[MREMAP - 1] = {"mremap", KIND(mremap)},
	[BRK - 1] = {"brk", KIND(brk)},
	[MPROTECT - 1] = {"mprotect", KIND(mprotect)},
	[PKEY_MPROTECT - 1] = {"pkey_mprotect", KIND(mprotect)},
	[MADVISE - 1] = {"madvise", KIND(madvise)},
};

enum { MAP_ANONYMOUS = 0x20, MMAP2_UNIT = 4096 };

/* The first call of that name has its arguments in memory. */
static __always_inline void spread_args(struct returned *r)
{
	__u32 args[6] = {0};

	bpf_probe_read_user(args, sizeof(args), (const void *)r->args[0]);
	for (int i = 0; i < 6; i++)
		r->args[i] = args[i];
}

/* The path of what FD is; of what has just a name, as memfd_create(2) makes it, that. */
static __always_inline __u32 put_mapped(struct path_room *room, struct task_struct *task, int fd)
{
	struct file *file = file_of(task, fd);
	struct place place = place_of(file);

	if (!file)
		return 0;
	if ((walk_from(place) & ~DELETED) == INTERNAL) {
		struct head head = {0};

		read_head(&head, place.dentry);
		room->at = NAMES_ROOM;
		put_name(room, &head);
		room->at++; /* no slash */
	}
	return put_walked(room, TR_BYTES_mmap);
}

static __always_inline void send_mmap(struct returned *r, __u64 unit)
{
	struct path_room *room = path_room();
	struct tr_mmap *record;
	__u32 n = 0;

	if (!room)
		return;
	record = ROOM_BEGIN(mmap, room);
	record->ts = r->now;
	record->ret = r->ret;
	record->addr = r->args[0];
	record->len = r->args[1];
	record->offset = r->args[5] * unit;
	PUT_WHO(record, r->task);
	record->prot = r->args[2];
	record->flags = r->args[3];
	record->fd = record->flags & MAP_ANONYMOUS ? -1 : (__s32)r->args[4];
	if (!(record->flags & MAP_ANONYMOUS))
		n = put_mapped(room, r->task, record->fd);
	record->path = n;
	room_send(room, TR_BYTES_mmap, n, r->now);
}

/* The fields that all others begin with. */
#define MEMORY_BEGIN(name, ring, r)                                                                \
	({                                                                                         \
		struct tr_##name *begun = EVENT_BEGIN(name, ring, 0);                              \
		if (begun) {                                                                       \
			begun->ts = (r)->now;                                                      \
			begun->ret = (r)->ret;                                                     \
			begun->addr = (r)->args[0];                                                \
			PUT_WHO(begun, (r)->task);                                                 \
		}                                                                                  \
		begun;                                                                             \
	})

static __always_inline void send_munmap(struct returned *r)
{
	void *ring = ring_here();
	struct tr_munmap *record = MEMORY_BEGIN(munmap, ring, r);

	if (!record)
		return;
	record->len = r->args[1];
	event_send(ring, record, r->now);
}

static __always_inline void send_mremap(struct returned *r)
{
	void *ring = ring_here();
	struct tr_mremap *record = MEMORY_BEGIN(mremap, ring, r);

	if (!record)
		return;
	record->len = r->args[1];
	record->new_len = r->args[2];
	record->flags = r->args[3];
	record->new_addr = r->args[3] & 2 ? r->args[4] : 0; /* MREMAP_FIXED */
	event_send(ring, record, r->now);
}

static __always_inline void send_brk(struct returned *r)
{
	void *ring = ring_here();
	struct tr_brk *record = MEMORY_BEGIN(brk, ring, r);

	if (record)
		event_send(ring, record, r->now);
}

static __always_inline void send_mprotect(struct returned *r)
{
	void *ring = ring_here();
	struct tr_mprotect *record = MEMORY_BEGIN(mprotect, ring, r);

	if (!record)
		return;
	record->len = r->args[1];
	record->prot = r->args[2];
	event_send(ring, record, r->now);
}

static __always_inline void send_madvise(struct returned *r)
{
	void *ring = ring_here();
	struct tr_madvise *record = MEMORY_BEGIN(madvise, ring, r);

	if (!record)
		return;
	record->len = r->args[1];
	record->advice = r->args[2];
	event_send(ring, record, r->now);
}

static __always_inline void made_call(struct returned *r, __u32 which)
{
	switch (which) {
	case OLD_MMAP: spread_args(r); /* fallthrough */
	case MMAP: send_mmap(r, 1); break;
	case MMAP2: send_mmap(r, MMAP2_UNIT); break;
	case MUNMAP: send_munmap(r); break;
	case MREMAP: send_mremap(r); break;
	case BRK: send_brk(r); break;
	case MPROTECT:
	case PKEY_MPROTECT: send_mprotect(r); break;
	case MADVISE: send_madvise(r); break;
	}
}
