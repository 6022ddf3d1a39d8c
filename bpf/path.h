/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole paths of files as the thread sees them: the names from a file up to the thread's root. A
 * record with such strings is put together outside the ring, in the only room that each CPU has for
 * that (an object has one program that does it, and no CPU runs that twice at a time), and copied
 * into it with just the bytes that it takes.
 */
#ifndef TR_PATH_H
#define TR_PATH_H

#include "event.h"
#include "files.h"

enum {
	MAX_NAMES = 64, /* of a path, and mounts on its way */
	MAX_NAME = 255,
	FIXED_ROOM = 128,
	NAMES_ROOM = TR_MAX_STRING, /* a power of two */
};

/* Kept here, a walk's place is any number for the verifier, which else would follow each way to it.
 */
struct path_room {
	struct tr_ring_header header; /* what the ring gets begins here */
	unsigned char record[FIXED_ROOM + 3 * (TR_MAX_STRING + 1)];
	unsigned char names[NAMES_ROOM + MAX_NAME]; /* a path, from its end on ... */
	__u32 at;                                   /* ... to its beginning */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct path_room);
} path_rooms SEC(".maps");

/* Where a file or a folder is: the kernel's struct path. */
struct place {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

/* How a walk ended. */
enum walk_end {
	AT_ROOT,
	TOO_LONG,
	DETACHED,    /* the mount has been taken away from where it was */
	INTERNAL,    /* the mount is the kernel's own: this is no path that can be opened */
	DELETED = 8, /* besides: the name has been removed */
};

static __always_inline struct path_room *path_room(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&path_rooms, &zero); /* there always is one */
}

static __always_inline struct place place_of(struct file *file)
{
	struct place place = {0};

	bpf_core_read(&place, sizeof(place), &file->f_path);
	return place;
}

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - bpf_core_field_offset(struct mount, mnt);
}

/* MOUNT is the uppermost. Where the kernel's own have their namespace stands an error code. */
static __always_inline enum walk_end end_at(struct mount *mount)
{
	__s64 ns = (__s64)BPF_CORE_READ(mount, mnt_ns);

	if (!ns)
		return DETACHED;
	return ns < 0 && ns >= -TR_MAX_ERRNO ? INTERNAL : AT_ROOT;
}

/* What is of interest in a dentry; its name as the kernel has it. */
struct head {
	void *next, *pprev; /* of a hash table; it is in none when the name has been removed */
	struct dentry *parent;
	__u32 hash, len;
	const unsigned char *name;
};

enum { HASH_BYTES = 16, NAME_AT = 24 };

/* In one piece, as it stands there, unless this kernel has another order. */
static __always_inline void read_head(struct head *head, struct dentry *dentry)
{
	struct dentry *null = NULL;
	__u32 hash = bpf_core_field_offset(null->d_hash);

	if (bpf_core_field_offset(null->d_parent) == hash + HASH_BYTES &&
	    bpf_core_field_offset(null->d_name) == hash + NAME_AT) {
		bpf_core_read(head, sizeof(*head), &dentry->d_hash);
		return;
	}
	bpf_core_read(head, HASH_BYTES, &dentry->d_hash);
	head->parent = BPF_CORE_READ(dentry, d_parent);
	bpf_core_read(&head->hash, sizeof(*head) - NAME_AT, &dentry->d_name);
}

/* A name before those that are there. False: it has no room. */
static __always_inline bool put_name(struct path_room *room, const struct head *head)
{
	__u32 len = head->len & MAX_NAME;
	__u32 at = room->at - (len + 1);

	if (at > NAMES_ROOM)
		return false;
	room->at = at;
	room->names[at & (NAMES_ROOM - 1)] = '/';
	bpf_probe_read_kernel(&room->names[(at + 1) & (NAMES_ROOM - 1)], len, head->name);
	return true;
}

/* What a path begins with whose beginning is not known: three dots, one character. */
static __always_inline void put_dots(struct path_room *room)
{
	__u32 at = room->at > 3 ? room->at - 3 : 0;

	room->names[at & (NAMES_ROOM - 1)] = 0xe2;
	room->names[(at + 1) & (NAMES_ROOM - 1)] = 0x80;
	room->names[(at + 2) & (NAMES_ROOM - 1)] = 0xa6;
	room->at = at;
}

/* As /proc has it behind such a name. */
static __always_inline void put_deleted(struct path_room *room)
{
	enum { AT = NAMES_ROOM - 10 };

	__builtin_memcpy(&room->names[AT], " (deleted)", 10);
	room->at = AT;
}

/* The names from PLACE up to the thread's root, or as far as it goes. */
static __always_inline int put_names(struct path_room *room, struct task_struct *task,
				     struct place place)
{
	struct dentry *root = READ(task, fs, root.dentry), *dentry = place.dentry;
	struct vfsmount *root_mnt = READ(task, fs, root.mnt), *mnt = place.mnt;
	struct dentry *top = BPF_CORE_READ(mnt, mnt_root); /* of the mount */
	int deleted = 0;

	for (int i = 0; i < MAX_NAMES; i++) {
		struct head head = {0};

		if (dentry == root && mnt == root_mnt)
			return AT_ROOT | deleted;
		read_head(&head, dentry);
		if (dentry == head.parent || dentry == top) {
			struct mount *mount = mount_of(mnt);
			struct mount *above = BPF_CORE_READ(mount, mnt_parent);

			if (above == mount)
				return end_at(mount) | deleted;
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mnt = (void *)above + bpf_core_field_offset(struct mount, mnt);
			top = BPF_CORE_READ(mnt, mnt_root);
			continue;
		}
		if (!i && !head.pprev) {
			deleted = DELETED;
			put_deleted(room);
		}
		if (!put_name(room, &head))
			break;
		dentry = head.parent;
	}
	return TOO_LONG | deleted;
}

/*
 * The whole path of what is at these addresses, into the room, as the current thread sees it. A
 * function for all, with nothing but numbers as arguments: those the verifier goes through once,
 * not once for each of their callers. Returns an enum walk_end.
 */
__noinline int walk_up(__u64 mnt, __u64 dentry)
{
	struct path_room *room = path_room();
	struct place place = {(struct vfsmount *)mnt, (struct dentry *)dentry};
	int end;

	if (!room)
		return DETACHED;
	room->at = NAMES_ROOM;
	end = put_names(room, current_task(), place);
	if (room->at == NAMES_ROOM) {
		room->at = NAMES_ROOM - 1;
		room->names[NAMES_ROOM - 1] = '/';
	}
	if ((end & ~DELETED) == TOO_LONG || (end & ~DELETED) == DETACHED)
		put_dots(room);
	return end;
}

static __always_inline int walk_from(struct place place)
{
	return walk_up((__u64)place.mnt, (__u64)place.dentry);
}

/* Where strings stand in a record of kind NAME that is put together in ROOM, and how much of them
 * there may be. */
#define ROOM_BEGIN(name, room)                                                                     \
	({                                                                                         \
		(room)->header = (struct tr_ring_header){TR_KIND_##name, 0, TR_BYTES_##name};      \
		(struct tr_##name *)(room)->record;                                                \
	})

enum { MAX_STRINGS = 2 * TR_MAX_STRING };

/* The path that was walked, to place AT of the record. Returns its length as records have it. */
static __always_inline __u32 put_walked(struct path_room *room, __u32 at)
{
	__u32 from = room->at & (NAMES_ROOM - 1), len = NAMES_ROOM - from;

	bpf_probe_read_kernel(room->record + at, len, &room->names[from]);
	return len;
}

/* With N bytes of strings. */
static __always_inline void room_send(struct path_room *room, const __u32 bytes, __u32 n, __u64 now)
{
	void *ring = ring_here();

	if (n > MAX_STRINGS)
		n = MAX_STRINGS; /* for the verifier */
	room->header.bytes = bytes + n;
	if (!ring || bpf_ringbuf_output(ring, &room->header, sizeof(room->header) + bytes + n,
					ring_wakeup(ring, now)))
		count_lost(TR_LOST_RING);
}

#endif
