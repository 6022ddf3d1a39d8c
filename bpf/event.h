/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --events: what every object has whose programs send a record for each event. The object says, in
 * event_programs, which of them are needed for which kinds; tr-attach loads those that it is asked
 * for, and the verifier drops from them what is for other kinds.
 */
#ifndef TR_EVENT_H
#define TR_EVENT_H

#include "comm.h"
#include "ring.h"
#include "target.h"

#define KIND(name) (1ULL << TR_KIND_##name)

const volatile struct tr_event_config cfg_event;

static __always_inline bool wants(__u64 kinds)
{
	return cfg_event.kinds & kinds;
}

/* Room for a record of kind NAME, behind its header; NULL: none, which has been counted. */
#define EVENT_BEGIN(name, ring, flags)                                                             \
	((struct tr_##name *)event_begin((ring), sizeof(struct tr_##name), TR_KIND_##name,         \
					 (flags), TR_BYTES_##name))

static __always_inline void *event_begin(void *ring, __u64 size, __u16 kind, __u16 flags,
					 __u32 bytes)
{
	struct tr_ring_header *header =
		ring_reserve(ring, sizeof(*header) + size, kind, flags, bytes);

	return header ? header + 1 : NULL;
}

static __always_inline void event_send(void *ring, void *record, __u64 now)
{
	ring_submit(ring, (struct tr_ring_header *)record - 1, now);
}

/* Who it happened to. */
#define PUT_WHO(record, task)                                                                      \
	do {                                                                                       \
		put_comm(&(record)->comm, (task));                                                 \
		(record)->pid = process_id(task);                                                  \
		(record)->tid = thread_id(task);                                                   \
	} while (0)

/* A word of up to 15 letters, as a field of type comm: two numbers, of which the compiler knows
 * all. */
#define LETTER(word, i)                                                                            \
	((__u64)((i) < sizeof(word) ? (word)[(i) % sizeof(word)] : 0) << (i) % 8 * 8)
#define FOUR(word, i)                                                                              \
	(LETTER(word, i) | LETTER(word, i + 1) | LETTER(word, i + 2) | LETTER(word, i + 3))
#define PUT_WORD(to, word)                                                                         \
	(*(to) = (struct tr_comm){{FOUR(word, 0) | FOUR(word, 4), FOUR(word, 8) | FOUR(word, 12)}})

#endif
