/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records as C structs, for both sides of the kernel: struct tr_syscall, TR_SYSCALL and so on,
 * one of each per row of records.def. The includer has defined __u8 .. __u64 (linux/types.h, or
 * vmlinux.h in a BPF program).
 */
#ifndef TR_LAYOUT_H
#define TR_LAYOUT_H

/* A thread's name, zero-padded. Words, so that BPF programs store it in two moves. */
struct tr_comm {
	__u64 words[2];
};

#define TR_TYPE(name, c_type, bytes, class) typedef c_type tr_##name##_t;
#include "types.def"
#undef TR_TYPE

/* The kinds' numbers: TR_KIND_syscall = 1, ... */
#define F(type, name, role)
#define FA(type, name, n, role)
#define TR_KIND(number, name, type, sentence, text, fields) TR_KIND_##name = number,
enum tr_kind_number {
#include "records.def"
};
#undef TR_KIND
#undef F
#undef FA

/* The records: struct tr_syscall { tr_time_t ts; ... }; `end` marks where the wire layout ends. */
#define F(type, name, role)     tr_##type##_t name;
#define FA(type, name, n, role) tr_##type##_t name[n];
#define TR_KIND(number, name, type, sentence, text, fields)                                        \
	struct tr_##name {                                                                         \
		fields char end[0];                                                                \
	};
#include "records.def"
#undef TR_KIND
#undef F
#undef FA

/* Their sizes on the wire: TR_BYTES_syscall = 52, ... */
#define F(type, name, role)                                 +sizeof(tr_##type##_t)
#define FA(type, name, n, role)                             +(n) * sizeof(tr_##type##_t)
#define TR_KIND(number, name, type, sentence, text, fields) TR_BYTES_##name = 0 fields,
enum tr_kind_bytes {
#include "records.def"
};
#undef TR_KIND
#undef F
#undef FA

/* No padding hides between the fields, on either compiler. */
#define F(type, name, role)
#define FA(type, name, n, role)
#define TR_KIND(number, name, type, sentence, text, fields)                                        \
	_Static_assert(__builtin_offsetof(struct tr_##name, end) == TR_BYTES_##name,               \
		       "records.def: padding between the fields of " #name);
#include "records.def"
#undef TR_KIND
#undef F
#undef FA

/* How a BPF program hands a record to tr-attach: this, then the record's bytes as on the wire. */
struct tr_ring_header {
	__u16 kind;
	__u16 flags;
	__u32 bytes; /* of the record, without this header */
};

/* In place of a record's kind: no record, but something to tell whoever runs tr-attach. */
enum { TR_NOTE_IO_URING = 0 };

struct tr_note {
	__u64 ts;
	struct tr_comm comm;
	__u32 pid;
};

enum tr_ring_flags {
	TR_NO_RESULT = 1,     /* never returned: ns and ret are null, so are an aggregate's times */
	TR_STILL_RUNNING = 2, /* as well: it was under way when tracing ended */
	TR_NO_HI = 4,         /* a bucket without an upper bound: hi is null */
	TR_NO_SECOND = 16,    /* an event's second time is not known: queued, cpu_ns are null */
	TR_NO_TIME = 64,      /* ns is null */
	TR_HAS_STACK = 8,     /* to tr-attach only: stacks stand behind the record (bpf/stacks.h) */
	TR_HAS_ADDRESSES = 32, /* to tr-attach only: strings are addresses of 4 or 16 bytes */
};

#endif
