/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths as a call gives them, joined with the directory that they count from. Links in them are not
 * followed: what a name meant is known no more when the call has returned.
 */
#ifndef TR_JOINED_H
#define TR_JOINED_H

#include "path.h"

enum { AT_FDCWD = -100 };

/* A name, which counts from DIR when it does not begin with a slash. */
struct given {
	__s32 dir;
	const void *name;
};

/* False: it is none. */
static __always_inline bool find_dir(struct task_struct *task, __s32 dir, struct place *place)
{
	struct file *file;

	if (dir == AT_FDCWD) {
		struct fs_struct *fs = READ(task, fs);

		bpf_core_read(place, sizeof(*place), &fs->pwd);
		return true;
	}
	file = file_of(task, dir);
	*place = place_of(file);
	return file;
}

/* The bytes of a name, as many as a string has room for behind N others. */
static __always_inline __u32 put_given(unsigned char *to, __u32 n, const void *name)
{
	__u32 room = n < TR_MAX_STRING ? TR_MAX_STRING - n : 0;
	long read = bpf_probe_read_user_str(to + n, room + 1, name);
	char last = 0;

	if (read < 0)
		return n | STR_CUT;
	if (read <= room)
		return n + (read ? read - 1 : 0);
	bpf_probe_read_user(&last, 1, name + room);
	return last ? TR_MAX_STRING | STR_CUT : TR_MAX_STRING;
}

/* The whole path, N bytes behind AT, where strings begin. Returns its length as records have it. */
static __noinline __u32 put_joined(struct path_room *room, struct task_struct *task,
				   const struct given *given, __u32 at)
{
	unsigned char first = '/', *to;
	struct place place;
	__u32 n = 0;

	if (at > FIXED_ROOM + TR_MAX_STRING)
		return 0; /* for the verifier */
	to = room->record + at;
	bpf_probe_read_user(&first, 1, given->name);
	if (first != '/' && find_dir(task, given->dir, &place)) {
		walk_from(place);
		n = put_walked(room, at);
		/* The root's path ends with one. */
		if (first && n > 1 && n < TR_MAX_STRING)
			to[n++] = '/';
	}
	return put_given(to, n, given->name);
}

#endif
