/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed lines, written and read. */
#include "packed.h"

#include "newline.h"

enum {
	FULL_BLOCK = 254, /* bytes without 0x0A that a code of 255 stands for */
};

/*
 * A body of up to 253 bytes is one chain: every distance fits a byte, so the line is the body moved
 * by two, with each 0x0A replaced by the distance to the next.
 */
static size_t encode_short(unsigned char *out, const unsigned char *body, size_t bytes)
{
	unsigned char *code = out;
	size_t last = 0; /* where in `out` the pending distance belongs */

	for (size_t at = 0; at < bytes; at += TR_MASK_BYTES) {
		const unsigned char *from = body + at;
		unsigned char tail[TR_MASK_BYTES];
		uint64_t mask;

		if (at && bytes - at < TR_MASK_BYTES) {
			memset(tail, 0, sizeof(tail));
			memcpy(tail, from, bytes - at);
			from = tail;
		}
		memcpy(code + 1 + at, from, TR_MASK_BYTES);
		mask = tr_newline_mask(from);
		if (bytes - at < TR_MASK_BYTES)
			mask &= (UINT64_C(1) << (bytes - at)) - 1;
		for (; mask; mask &= mask - 1) {
			size_t here = 1 + at + __builtin_ctzll(mask);

			code[last] = (here - last) ^ TR_NEWLINE;
			last = here;
		}
	}
	code[last] = (bytes + 1 - last) ^ TR_NEWLINE;
	return bytes + 1;
}

/* The standard way, for bodies whose distances may not fit. */
static size_t encode_long(unsigned char *out, const unsigned char *body, size_t bytes)
{
	size_t used = 0, at = 0;

	for (;;) {
		size_t room = bytes - at < FULL_BLOCK ? bytes - at : FULL_BLOCK;
		const unsigned char *stop = memchr(body + at, TR_NEWLINE, room);
		size_t n = stop ? (size_t)(stop - (body + at)) : room;

		out[used++] = (n + 1) ^ TR_NEWLINE;
		memcpy(out + used, body + at, n);
		used += n;
		at += n;
		if (stop)
			at++;
		else if (at == bytes)
			return used;
	}
}

static size_t encode_body(unsigned char *out, const unsigned char *body, size_t bytes)
{
	return bytes < FULL_BLOCK ? encode_short(out, body, bytes) : encode_long(out, body, bytes);
}

/* The body with its kind's number in front; apart, for the hot road to have a small frame. */
__attribute__((noinline)) static size_t encode_numbered(unsigned char *out, uint16_t number,
							const unsigned char *body, size_t bytes)
{
	unsigned char numbered[65536 + TR_MASK_BYTES];

	memcpy(numbered, &number, 2);
	memcpy(numbered + 2, body, bytes);
	return encode_body(out, numbered, bytes + 2);
}

size_t tr_packed_encode(unsigned char *out, uint32_t kind, const unsigned char *body, size_t bytes)
{
	unsigned char numbered[2 + FULL_BLOCK + TR_MASK_BYTES];
	size_t n;

	if (kind < TR_PACKED_ESCAPE) {
		out[0] = 0x80 | kind;
		n = 1 + encode_body(out + 1, body, bytes);
	} else if (bytes + 2 >= FULL_BLOCK) {
		out[0] = 0x80 | TR_PACKED_ESCAPE;
		n = 1 + encode_numbered(out + 1, kind, body, bytes);
	} else {
		uint16_t number = kind;

		memcpy(numbered, &number, 2);
		memcpy(numbered + 2, body, bytes);
		out[0] = 0x80 | TR_PACKED_ESCAPE;
		n = 1 + encode_short(out + 1, numbered, bytes + 2);
	}
	out[n] = TR_NEWLINE;
	return n + 1;
}

long tr_packed_decode(const unsigned char *code, size_t len, unsigned char *body)
{
	size_t at = 0, n = 0;

	while (at < len) {
		unsigned distance = code[at] ^ TR_NEWLINE;

		if (!distance || distance > len - at)
			return -1;
		memcpy(body + n, code + at + 1, distance - 1);
		n += distance - 1;
		at += distance;
		if (distance <= FULL_BLOCK && at < len)
			body[n++] = TR_NEWLINE;
	}
	return len ? (long)n : -1;
}
