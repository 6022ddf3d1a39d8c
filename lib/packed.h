/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packed lines: 0x80 | kind, then the body encoded with COBS so that it holds no 0x0A, then 0x0A.
 * A kind from 64 up is written as 63, its number being the body's first two bytes.
 */
#ifndef TR_PACKED_H
#define TR_PACKED_H

#include <stddef.h>
#include <stdint.h>

enum { TR_PACKED_ESCAPE = 63 }; /* the kind that means: the number is in the body */

/* Bytes that a line of a BYTES long body can take, with its newline. */
static inline size_t tr_packed_max(size_t bytes)
{
	return bytes + bytes / 254 + 6;
}

/*
 * Writes the line at OUT, where tr_packed_max() bytes and 64 more must be writable (their content
 * after the line is undefined), and returns its length. BODY must be readable for 64 bytes, and is
 * at most 65,533 bytes long.
 */
size_t tr_packed_encode(unsigned char *out, uint32_t kind, const unsigned char *body, size_t bytes);

/*
 * Decodes what stands between a line's first byte and its newline (LEN bytes at CODE) into BODY
 * (LEN bytes suffice). Returns the body's size, -1 when the chain does not end exactly at LEN.
 */
long tr_packed_decode(const unsigned char *code, size_t len, unsigned char *body);

#endif
