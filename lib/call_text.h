/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A system call's arguments and result as text, each argument with its name:
 *
 *	dfd=AT_FDCWD filename="/etc/passwd" flags=O_RDONLY|O_CLOEXEC mode=0
 *
 * Numbers can be had back from it. Constants go by name only where they are those of the machine
 * that the trace is from: other architectures give the names other values.
 */
#ifndef TR_CALL_TEXT_H
#define TR_CALL_TEXT_H

#include "calls.h"

struct tr_call_path {
	const char *bytes; /* NULL: not known */
	size_t len;
	bool cut; /* with nothing before: it could not be read */
};

struct tr_call_values {
	uint32_t code;
	uint64_t args[TR_MAX_ARGS];
	struct tr_call_path paths[TR_MAX_PATHS];
};

/* Bytes that tr_call_args_write() can take, beside 4 for each byte of the paths. */
enum { TR_CALL_ARGS_MAX = TR_MAX_ARGS * (64 + TR_FLAGS_MAX) };

/* Writes the arguments of CALL, each with a space before it, and returns the end. Nothing that a
 * terminal would obey comes out. */
char *tr_call_args_write(char *p, const struct tr_syscalls *calls, const struct tr_call *call,
			 const struct tr_call_values *values);

/* Writes what a call gave, without what an error is called. At most 24 bytes. */
char *tr_call_ret_write(char *p, const struct tr_call *call, int64_t ret);

#endif
