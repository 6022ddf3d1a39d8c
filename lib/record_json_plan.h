/* SPDX-License-Identifier: GPL-2.0-only */
/* What writing and scanning of a kind's JSON lines share; nobody else's business. */
#ifndef TR_RECORD_JSON_PLAN_H
#define TR_RECORD_JSON_PLAN_H

#include "record.h"
#include "syscalls.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored as they are");

/* How a string that was cut ends in JSON: U+2026. One that ends so of itself has it as an escape. */
#define TR_CUT_MARK "\xe2\x80\xa6"
#define TR_CUT_MARK_ESCAPED "\\u2026"

enum {
	TR_MAX_STR = 0x7fff, /* bytes of a str field */
	TR_STR_CUT = 0x8000, /* in its length */
	TR_CODE_CACHE = 64,
};

/* A field with all that stands between the value before and its own: {"type":"syscall","ts": or
 * ,"ns": and so on. */
struct tr_json_step {
	char *literal; /* filled up with zeroes to a multiple of 16 bytes */
	uint16_t literal_len;
	uint16_t offset;
	uint8_t class; /* enum tr_class */
	uint8_t bytes; /* of one element */
	uint8_t type;
	bool has_no_result; /* null in a record of a call that never returned */
	const struct tr_field *field;
};

/* A name of at most 16 bytes that a line had, and its code. */
struct tr_code_seen {
	uint64_t words[2]; /* the name, zero-padded */
	uint32_t code;
	uint32_t len; /* 0: none yet */
};

struct tr_record_json {
	const struct tr_kind *kind;
	const struct tr_syscalls *calls;
	size_t max_bytes; /* of a line whose strings are empty */
	struct tr_json_step *steps; /* one for each field */
	struct tr_code_seen seen[TR_CODE_CACHE];
};

/* Whether a value fits an integer of that many bytes. */
static inline bool tr_uint_fits(uint64_t value, unsigned bytes)
{
	return bytes == 8 || !(value >> 8 * bytes);
}

static inline bool tr_sint_fits(int64_t value, unsigned bytes)
{
	return value >> (8 * bytes - 1) == value >> 63;
}

#endif
