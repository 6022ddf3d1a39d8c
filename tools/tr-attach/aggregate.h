/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of what was added up: each exists for all processes together and for one of them. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "emit.h"

/* The call CODE of process PID, which is called COMM, or, as pid 0, of all of them. */
struct owner {
	struct tr_comm comm;
	uint32_t pid;
	uint32_t code;
};

/* A record that emit_record() may read 64 bytes of. */
#define RECORD(kind)                                                                               \
	union {                                                                                    \
		struct tr_##kind record;                                                           \
		unsigned char readable[sizeof(struct tr_##kind) + 64];                             \
	}

/* Writes OWNER's record, of KIND or of KIND_process: what they have in common follows. */
#define EMIT_AGGREGATE(emit, kind, flags, owner, ...)                                              \
	do {                                                                                       \
		RECORD(kind) all = {.record = {__VA_ARGS__, .syscall = (owner)->code}};            \
		RECORD(kind##_process)                                                             \
		one = {.record = {__VA_ARGS__, .comm = (owner)->comm, .pid = (owner)->pid,         \
				  .syscall = (owner)->code}};                                      \
                                                                                                   \
		if ((owner)->pid)                                                                  \
			emit_record(emit, TR_KIND_##kind##_process, flags, one.readable,           \
				    TR_BYTES_##kind##_process);                                    \
		else                                                                               \
			emit_record(emit, TR_KIND_##kind, flags, all.readable, TR_BYTES_##kind);   \
	} while (0)

#endif
