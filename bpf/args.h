/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --args: a call's six arguments, noted when it is entered, and the paths among them, read when it
 * returns: by then the kernel has read them itself, so that their pages are there.
 */
#ifndef TR_ARGS_H
#define TR_ARGS_H

#include "registers.h"
#include "ring.h"

const volatile struct tr_args_config cfg_args;

/* Bytes that a path may have: room is tried for short ones first. */
enum { SHORT_PATH = 96, PATH_MAX = 4096 };

/* Where the path that PLACE tells of is; NULL: there is none. */
static __always_inline const void *path_address(const __u64 *args, __u8 place)
{
	switch (place & TR_PATH_MASK) {
	case 1: return (const void *)args[0];
	case 2: return (const void *)args[1];
	case 3: return (const void *)args[2];
	case 4: return (const void *)args[3];
	case 5: return (const void *)args[4];
	case 6: return (const void *)args[5];
	}
	return NULL;
}

/* Where a call's paths are; NULL: there is none. */
struct paths {
	const void *first, *second;
};

/* PROGRAM: the path of the program that runs now, if the call was to replace it. */
static __always_inline struct paths paths_of(const __u64 *args, __u32 row, long ret,
					     const void *program)
{
	__u8 places = row < TR_N_ROWS ? cfg_args.paths[row] : 0;
	struct paths paths = {path_address(args, places),
			      path_address(args, places >> TR_PATH_SHIFT)};

	if (places & TR_PATH_EXEC && !ret && program)
		paths.first = program;
	return paths;
}

/*
 * Reads the path at FROM to TO, at most ROOM bytes and one more; the length as records have it. One
 * that can't be read is cut before its first byte.
 */
static __always_inline __u16 read_path(void *to, const void *from, __u32 room, bool readable)
{
	long n;

	if (!from)
		return 0;
	n = readable ? bpf_probe_read_user_str(to, room + 1, from) : -1;
	if (n < 0)
		return STR_CUT;
	if (n == 0)
		return 0; /* older kernels leave an empty string's zero byte out of account */
	if (n == room + 1) {
		char last = 0;

		/* Cut, unless it just fits. */
		bpf_probe_read_user(&last, 1, from + room);
		return last ? room | STR_CUT : room;
	}
	return n - 1;
}

#endif
