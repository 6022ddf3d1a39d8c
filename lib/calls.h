/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a system call besides its number and name: its classes, its arguments, what its
 * result is. The facts are rows of calls.def. Not for several threads: rows are read when first
 * wanted.
 */
#ifndef TR_CALLS_H
#define TR_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "flags.h"
#include "syscalls.h"

/* What strace calls them, too: those that take a file's name, those by topic, and those that take
 * or give a descriptor. */
enum tr_call_class {
	TR_CLASS_FILE = 1 << 0,
	TR_CLASS_NET = 1 << 1,
	TR_CLASS_PROCESS = 1 << 2,
	TR_CLASS_MEMORY = 1 << 3,
	TR_CLASS_SIGNAL = 1 << 4,
	TR_CLASS_IPC = 1 << 5,
	TR_CLASS_DESC = 1 << 6,
	TR_N_CLASSES = 7
};

/* By bit: "file" of TR_CLASS_FILE; and all of them as a user writes them: "%file %net ...". */
extern const char *const tr_class_names[TR_N_CLASSES];
extern const char tr_class_list[];

enum { TR_MAX_ARGS = 6, TR_MAX_PATHS = 2 };

enum tr_arg_kind {
	TR_ARG_POINTER,
	TR_ARG_PATH, /* a pointer to a file's name */
	TR_ARG_FD,
	TR_ARG_DIR_FD, /* may be AT_FDCWD */
	TR_ARG_INT,
	TR_ARG_UINT,
	TR_ARG_LONG, /* as wide as a register, signed */
	TR_ARG_HEX,
	TR_ARG_MODE,
	TR_ARG_ADDRESS, /* of a result */
	TR_ARG_FLAGS,   /* by the names of `set` */
};

struct tr_call_arg {
	const char *name; /* not zero-ended; the kernel's own name */
	uint8_t len;
	uint8_t kind;                  /* enum tr_arg_kind */
	const struct tr_flag_set *set; /* of TR_ARG_FLAGS */
};

struct tr_call {
	uint8_t classes; /* of enum tr_call_class */
	uint8_t n_args;
	/* Which arguments are files' names, in their order; -1: none. */
	int8_t path[TR_MAX_PATHS];
	struct tr_call_arg args[TR_MAX_ARGS];
	uint8_t ret; /* enum tr_arg_kind; TR_ARG_POINTER: a signed number, as most are */
};

/* That of CODE on the machine that CALLS is of; NULL where it is not known. Kept. */
const struct tr_call *tr_call_find(const struct tr_syscalls *calls, uint32_t code);

/* The class of that name, without its percent sign; 0: there is none. */
unsigned tr_class_find(const char *name, size_t len);

#endif
