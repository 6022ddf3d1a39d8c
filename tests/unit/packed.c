/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packed form: against an encoder that goes by the definition, a byte at a time, for every
 * length and place of a newline; lines that are none; and that no byte is read or written beyond
 * what the header allows.
 */
#include "packed.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "newline.h"
#include "record.h"

enum { MAX_BODY = 65533, SLACK = 64, GUARD = 0xa5 };

static unsigned char wanted[2 * 65536], line[2 * 65536], body[65536 + SLACK], decoded[2 * 65536];

/* Distances to the next newline; 255 stands for 254 bytes without one. The last full block has no
 * code behind it. */
static size_t encode(unsigned char *out, const unsigned char *bytes, size_t n)
{
	size_t used = 0;

	do {
		size_t run = 0;

		while (run < n && run < 254 && bytes[run] != '\n')
			run++;
		out[used++] = (run + 1) ^ '\n';
		memcpy(out + used, bytes, run);
		used += run;
		if (run < n && run < 254) {
			if (run + 1 == n) { /* ends in a newline: an empty block follows */
				out[used++] = 1 ^ '\n';
				return used;
			}
			run++;
		}
		bytes += run;
		n -= run;
	} while (n);
	return used;
}

/* Encodes and decodes N bytes of BODY as KIND. */
static void check_one(uint32_t kind, size_t n)
{
	static unsigned char numbered[65536 + 2];
	size_t offset = kind >= 63 ? 2 : 0, want, got;

	numbered[0] = kind;
	numbered[1] = kind >> 8;
	memcpy(numbered + offset, body, n);
	wanted[0] = 0x80 | (kind < 63 ? kind : 63);
	want = 1 + encode(wanted + 1, numbered, n + offset);
	wanted[want++] = '\n';
	memset(line + tr_packed_max(n) + SLACK, GUARD, 16);
	got = tr_packed_encode(line, kind, body, n);
	CHECK_BYTES(line, got, wanted, want);
	CHECK(got <= tr_packed_max(n));
	for (int i = 0; i < 16; i++)
		CHECK(line[tr_packed_max(n) + SLACK + i] == GUARD);
	memset(decoded, GUARD, want + 16);
	CHECK_INT(tr_packed_decode(line + 1, got - 2, decoded), n + offset);
	CHECK_BYTES(decoded, n + offset, numbered, n + offset);
	/* LEN bytes suffice */
	CHECK(decoded[got - 2] == GUARD);
}

/* Each length, without newlines, with one at each place, full of them, and at random. */
static void check_lengths(void)
{
	static const uint32_t kinds[] = {1, 62, 64, 0x0a0a, 0x0a40, 65535};

	for (size_t n = 0; n <= 600; n++) {
		size_t step = n > 300 ? 7 : 1;
		uint32_t kind = kinds[n % 6];

		memset(body, 'x', n);
		for (int i = 0; i < 6; i++)
			check_one(kinds[i], n);
		for (size_t at = 0; at < n; at += step) {
			body[at] = '\n';
			check_one(kind, n);
			body[at] = 'x';
		}
		memset(body, '\n', n);
		check_one(kind, n);
		for (int round = 0; round < 4; round++) {
			for (size_t i = 0; i < n; i++)
				body[i] = check_random() % (2 + 2 * round) ? check_random() : '\n';
			check_one(kinds[check_random() % 6], n);
		}
	}
}

static void check_large(void)
{
	static const size_t lengths[] = {4095, 4096, 4097, 65000, MAX_BODY - 2, MAX_BODY};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (unsigned often = 1; often < 100000; often *= 17) {
			for (size_t k = 0; k < lengths[i]; k++)
				body[k] = check_random() % often ? k : '\n';
			check_one(1, lengths[i]);
			check_one(64, lengths[i]);
		}
}

/* What stands between first byte and newline, as characters with the distances XORed already. */
static long decode_text(const char *distances_and_bytes, size_t len)
{
	return tr_packed_decode((const unsigned char *)distances_and_bytes, len, decoded);
}

#define DECODE(text) decode_text(text, sizeof(text) - 1)

static void check_damage(void)
{
	/* distances 1, 2, 3, 4 are 0x0b, 0x08, 0x09, 0x0e; 0 is 0x0a */
	CHECK_INT(DECODE("\x0b"), 0);
	CHECK_INT(DECODE("\x08x"), 1);
	CHECK_INT(DECODE("\x0b\x0b"), 1);
	CHECK_BYTES(decoded, 1, "\n", 1);
	CHECK_INT(DECODE("\x08x\x08y"), 3);
	CHECK_BYTES(decoded, 3, "x\ny", 3);
	CHECK_INT(DECODE(""), -1);
	CHECK_INT(DECODE("\x08"), -1); /* ends a byte late */
	CHECK_INT(DECODE("\x09x"), -1);
	CHECK_INT(DECODE("\x0bx"), -1); /* x is a far distance */
	CHECK_INT(DECODE("\x08x\x0e"), -1);
	CHECK_INT(DECODE("\xf5"), -1); /* 255 */
	/* A line cut at any place but at the end of a block is no line. */
	memset(body, 'x', 40);
	body[13] = '\n';
	size_t n = tr_packed_encode(line, 1, body, 40) - 2;

	for (size_t len = 0; len < n; len++)
		CHECK_INT(tr_packed_decode(line + 1, len, decoded), len == 14 ? 13 : -1);
}

/* The mask, at each place of newlines alone and of near values beside them. */
static void check_mask(void)
{
	unsigned char bytes[TR_MASK_BYTES];

	for (int round = 0; round < 20000; round++) {
		uint64_t mask = 0;

		for (int i = 0; i < TR_MASK_BYTES; i++) {
			static const unsigned char near[] = {'\n', '\n', 0x0b, 0x09, 0x8a, 0, 0xff};
			uint64_t random = check_random();

			bytes[i] = round % 2 ? random >> 8 : near[(random >> 8) % sizeof(near)];
			mask |= (uint64_t)(bytes[i] == '\n') << i;
		}
		CHECK(tr_newline_mask(bytes) == mask);
	}
}

/* No byte before a page's start or behind its end is read but what was promised. */
static void check_edges(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *end = pages + 2 * page;

	CHECK(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_READ | PROT_WRITE));
	for (size_t n = 0; n <= 300; n++) {
		/* readable for 64 bytes, or its length when that is more */
		size_t readable = n > SLACK ? n : SLACK;

		memset(end - readable, 'x', readable);
		memcpy(body, end - readable, n);
		size_t len = tr_packed_encode(line, 1, end - readable, n);

		CHECK_INT(len, tr_packed_encode(wanted, 1, body, n));
		memcpy(end - len, line, len);
		/* what decoding writes ends before the guarded page, too */
		CHECK_INT(tr_packed_decode(end - len + 1, len - 2, decoded), n);
		memcpy(decoded, line, len);
		CHECK_INT(tr_packed_decode(decoded + 1, len - 2, end - (len - 2)), n);
		/* of the room behind a line no more than 64 bytes are touched */
		CHECK_INT(tr_packed_encode(end - tr_packed_max(n) - SLACK, 1, body, n), len);
	}
	munmap(pages, 3 * page);
}

int main(void)
{
	check_lengths();
	check_large();
	check_damage();
	check_mask();
	check_edges();
	return check_status();
}
