/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzing of the packed form against a COBS of this file's own, a byte at a time: what is encoded
 * is the same, and decodes to the body; arbitrary bytes decode alike. And the newline mask against
 * a loop.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newline.h"
#include "packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BODY = 4096 };

static void must(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

/* The encoding by its definition: the distance to the next newline, or 255 for 254 bytes. */
static size_t encode(unsigned char *out, const unsigned char *body, size_t n)
{
	size_t code = 0, used = 1;
	unsigned distance = 1;

	for (size_t i = 0; i < n; i++) {
		if (body[i] != '\n') {
			out[used++] = body[i];
			distance++;
		}
		if (body[i] == '\n' || (distance == 255 && i + 1 < n)) {
			out[code] = distance ^ '\n';
			code = used++;
			distance = 1;
		}
	}
	out[code] = distance ^ '\n';
	return used;
}

static long decode(const unsigned char *code, size_t n, unsigned char *body)
{
	unsigned left = 0;
	int newline_due = 0;
	long used = 0;

	if (!n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (left) {
			body[used++] = code[i];
			left--;
			continue;
		}
		if (newline_due)
			body[used++] = '\n';
		if (code[i] == '\n')
			return -1;
		left = (code[i] ^ '\n') - 1;
		newline_due = left < 254;
	}
	return left ? -1 : used;
}

static void check_encoding(uint32_t kind, const uint8_t *data, size_t size)
{
	static unsigned char numbered[MAX_BODY + 2], body[MAX_BODY + 64], decoded[2 * MAX_BODY];
	static unsigned char ours[2 * MAX_BODY], wanted[2 * MAX_BODY];
	size_t n = size, len, wanted_len;

	if (size)
		memcpy(body, data, size);
	memcpy(numbered, body, size);
	if (kind >= TR_PACKED_ESCAPE) {
		numbered[0] = kind;
		numbered[1] = kind >> 8;
		memcpy(numbered + 2, body, size);
		n += 2;
	}
	len = tr_packed_encode(ours, kind, body, size);
	wanted[0] = 0x80 | (kind < TR_PACKED_ESCAPE ? kind : TR_PACKED_ESCAPE);
	wanted_len = 1 + encode(wanted + 1, numbered, n);
	wanted[wanted_len++] = '\n';
	must(len == wanted_len && !memcmp(ours, wanted, len), "the line is as COBS has it");
	must(len <= tr_packed_max(size), "the line is as long as tr_packed_max() says");
	must(memchr(ours, '\n', len) == ours + len - 1, "there is no newline inside");
	must(tr_packed_decode(ours + 1, len - 2, decoded) == (long)n, "it decodes");
	must(!memcmp(decoded, numbered, n), "it decodes to the body");
}

static void check_decoding(const uint8_t *data, size_t size)
{
	static unsigned char ours[MAX_BODY], wanted[MAX_BODY];
	long n = tr_packed_decode(data, size, ours), m;

	/* a newline within is no input: lines end there */
	if (memchr(data, '\n', size))
		return;
	m = decode(data, size, wanted);
	must(n == m, "arbitrary bytes decode to as many");
	must(n <= 0 || !memcmp(ours, wanted, n), "and to the same");
}

static void check_mask(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at + TR_MASK_BYTES <= size && at < 256; at++) {
		uint64_t mask = tr_newline_mask(data + at);

		for (size_t i = 0; i < TR_MASK_BYTES; i++)
			must((mask >> i & 1) == (data[at + i] == '\n'), "the mask's bit");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t kinds[] = {1, 31, 62, 64, 0x0a0a, 65535};

	if (size < 2 || size > MAX_BODY)
		return 0;
	check_encoding(kinds[data[0] % 6], data + 1, size - 1);
	check_decoding(data + 1, size - 1);
	check_mask(data, size);
	return 0;
}
