/* SPDX-License-Identifier: GPL-2.0-only */
/* What writing and scanning of a kind's JSON lines share; nobody else's business. */
#ifndef TR_RECORD_JSON_PLAN_H
#define TR_RECORD_JSON_PLAN_H

#include "record.h"
#include "syscalls.h"
#include "text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored as they are");

/* A string that was cut ends in TR_CUT_MARK; one that ends so of itself has it as an escape. */
#define TR_CUT_MARK_ESCAPED "\\u2026"

/* For the steps of a value: gcc would rather call them, with the kind of value as an argument. */
#define TR_ALWAYS_INLINE inline __attribute__((always_inline))

enum {
	TR_MAX_STR = 0x7fff, /* bytes of a str field */
	TR_STR_CUT = 0x8000, /* in its length */
	TR_CODE_CACHE = 64,
};

/* What a field's value needs: its class, but for text and arrays. */
enum tr_json_op {
	TR_OP_UINT,
	TR_OP_SINT,
	TR_OP_HEX,
	TR_OP_FLAG,
	TR_OP_CODE,
	TR_OP_COMM,
	TR_OP_STR,
	TR_OP_ARRAY,
};

/*
 * A field with all that stands between the value before and its own: {"type":"syscall","ts": or
 * ,"ns": and so on. The literal's last 1 to 16 bytes are apart, since most have no more: they are
 * copied and compared as two words.
 */
struct tr_json_step {
	uint64_t tail[2];
	uint64_t tail_mask[2]; /* ones where the tail's bytes are */
	uint8_t op;            /* enum tr_json_op */
	uint8_t element_op;    /* of an array's elements; else as OP */
	uint8_t bytes;         /* of one element */
	uint8_t name_len;
	uint16_t offset;
	uint16_t literal_len;
	uint8_t tail_len;
	uint8_t head_len;   /* a multiple of 16 */
	uint8_t null_flags; /* see tr_field_null_flags() */
	uint64_t max;       /* of an unsigned value; of a signed one, below 0 it is one more */
	const struct tr_field *field;
	char *head;
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
	size_t max_bytes;           /* of a line whose strings are empty */
	struct tr_json_step *steps; /* one for each field */
	struct tr_code_seen seen[TR_CODE_CACHE];
};

/* The largest value of an integer of that many bytes. */
static inline uint64_t tr_int_max(unsigned bytes, bool is_signed)
{
	return UINT64_MAX >> (64 - 8 * bytes + is_signed);
}

#endif
