/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON lines read back into records by expecting what the kind's plan would have written. Loads run
 * past what they need, up to 32 bytes past the line, and what they find there is dropped: a value
 * that seems to go on behind the line ends behind it, which is checked after each.
 */
#include "json.h"
#include "packed.h"
#include "record_json.h"
#include "record_json_plan.h"
#include "text.h"

/* All these take what stands at P and return its end, or NULL when it is anything else. */

static inline const char *take_literal(const char *p, const char *end,
				       const struct tr_json_step *step)
{
	uint64_t seen[2];

	if (end - p < step->literal_len)
		return NULL;
	for (unsigned i = 0; i < step->head_len; i += 16, p += 16)
		if (memcmp(p, step->head + i, 16))
			return NULL;
	memcpy(seen, p, 16);
	if (((seen[0] ^ step->tail[0]) & step->tail_mask[0]) |
	    ((seen[1] ^ step->tail[1]) & step->tail_mask[1]))
		return NULL;
	return p + step->tail_len;
}

/* A whole number without sign and leading zeros. */
static TR_ALWAYS_INLINE const char *take_digits(const char *p, uint64_t *v)
{
	static const uint32_t tens[] = {1,      10,      100,      1000,     10000,
					100000, 1000000, 10000000, 100000000};
	uint64_t word;
	unsigned n;

	memcpy(&word, p, 8);
	n = tr_digits_count(word);
	if (!n || (*p == '0' && n > 1))
		return NULL;
	*v = tr_digits_join(word, n);
	p += n;
	if (n < 8)
		return p;
	memcpy(&word, p, 8);
	n = tr_digits_count(word);
	if (n)
		*v = *v * tens[n] + tr_digits_join(word, n);
	p += n;
	/* Those of more than sixteen digits are rare. */
	for (; n == 8 && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, *p - '0', v))
			return NULL;
	return p;
}

/* An integer from 0 to MAX, as a string when it is large, and only then. */
static TR_ALWAYS_INLINE const char *take_uint(const char *p, uint64_t max, uint64_t *v)
{
	bool quoted = *p == '"';

	p = take_digits(p + quoted, v);
	if (!p || *v > max || quoted != (*v > TR_JSON_MAX_NUMBER) || (quoted && *p != '"'))
		return NULL;
	return p + quoted;
}

/* One from -MAX - 1 to MAX. */
static TR_ALWAYS_INLINE const char *take_sint(const char *p, uint64_t max, uint64_t *v)
{
	bool quoted = *p == '"', negative = p[quoted] == '-';
	uint64_t magnitude;

	p = take_digits(p + quoted + negative, &magnitude);
	if (!p || magnitude > max + negative || (negative && !magnitude) ||
	    quoted != (magnitude > TR_JSON_MAX_NUMBER) || (quoted && *p != '"'))
		return NULL;
	*v = negative ? -magnitude : magnitude;
	return p + quoted;
}

static const char *take_hex(const char *p, uint64_t *v)
{
	uint64_t word;
	unsigned n;

	if (memcmp(p, "\"0x", 3))
		return NULL;
	p += 3;
	memcpy(&word, p, 8);
	n = tr_hex_count(word);
	if (!n || (*p == '0' && n > 1))
		return NULL;
	*v = tr_hex_join(word, n);
	p += n;
	if (n == 8) {
		memcpy(&word, p, 8);
		n = tr_hex_count(word);
		if (n)
			*v = *v << 4 * n | tr_hex_join(word, n);
		p += n;
	}
	return *p == '"' ? p + 1 : NULL;
}

static const char *take_flag(const char *p, uint64_t *v)
{
	if (!memcmp(p, "true", 4)) {
		*v = 1;
		return p + 4;
	}
	if (!memcmp(p, "false", 5)) {
		*v = 0;
		return p + 5;
	}
	p = take_digits(p, v);
	return p && *v > 1 && *v <= UINT8_MAX ? p : NULL;
}

/* The sixteen bytes at P of which the first N (at most 16) stay and the others become zero. */
static inline void load_padded(uint64_t words[2], const char *p, unsigned n)
{
	static const unsigned char keep[32] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	uint64_t mask[2];

	memcpy(words, p, 16);
	memcpy(mask, keep + 16 - n, 16);
	words[0] &= mask[0];
	words[1] &= mask[1];
}

/* The name of a system call; the last ones seen are remembered. */
static TR_ALWAYS_INLINE const char *take_code(struct tr_record_json *plan, const char *p,
					      const char *end, uint64_t *v)
{
	struct tr_code_seen *seen;
	uint64_t words[2];
	uint32_t code;
	unsigned n;

	if (p == end || *p++ != '"')
		return NULL;
	n = tr_text_plain(p);
	if (n == 16) {
		const char *quote = memchr(p, '"', end - p);

		if (!quote || tr_syscall_find(plan->calls, p, quote - p, &code))
			return NULL;
		*v = code;
		return quote + 1;
	}
	if (!n || p[n] != '"' || p + n >= end)
		return NULL;
	load_padded(words, p, n);
	seen = &plan->seen[(words[0] + words[1] * 31) * 0x9e3779b97f4a7c15 >> 58];
	if (seen->words[0] != words[0] || seen->words[1] != words[1] || seen->len != n) {
		if (tr_syscall_find(plan->calls, p, n, &code))
			return NULL;
		*seen = (struct tr_code_seen){{words[0], words[1]}, code, n};
	}
	*v = seen->code;
	return p + n + 1;
}

_Static_assert(TR_CODE_CACHE == 1 << (64 - 58), "the hash of a seen name");

static TR_ALWAYS_INLINE const char *take_comm(const char *p, const char *end, unsigned char *comm)
{
	uint64_t words[2] = {0, 0};
	size_t len;
	unsigned n;

	if (*p++ != '"')
		return NULL;
	n = tr_text_plain(p);
	if (p[n] == '"') {
		load_padded(words, p, n);
		p += n + 1;
	} else {
		/* Something to decode; a zero byte would end it when it is written. */
		if (p > end)
			return NULL;
		p = tr_json_take_string(p, end, (char *)words, sizeof(words), &len);
		if (!p || memchr(words, 0, len))
			return NULL;
	}
	memcpy(comm, words, sizeof(words));
	return p;
}

/* A str field: its text goes to *AT in the body, which moves on. */
static const char *take_str(const char *p, const char *end, unsigned char *length,
			    unsigned char *body, size_t *at)
{
	static const char mark[] = TR_CUT_MARK;
	const char *start = p + 1;
	size_t len;
	uint16_t n;

	if (p >= end || *p != '"')
		return NULL;
	p = tr_json_take_string(start, end, (char *)body + *at, TR_MAX_LINE - *at, &len);
	if (!p)
		return NULL;
	n = 0;
	/* The mark itself, not an escape, is before the quote. */
	if (p - start > (long)strlen(mark) && !memcmp(p - 1 - strlen(mark), mark, strlen(mark))) {
		n = TR_STR_CUT;
		len -= strlen(mark);
	}
	if (len > TR_MAX_STR)
		return NULL;
	n |= len;
	memcpy(length, &n, 2);
	*at += len;
	return p;
}

static TR_ALWAYS_INLINE const char *take_value(struct tr_record_json *plan, const char *p,
					       const char *end, const struct tr_json_step *step,
					       enum tr_json_op op, unsigned char *bytes)
{
	uint64_t v;

	switch (op) {
	case TR_OP_UINT: p = take_uint(p, step->max, &v); break;
	case TR_OP_SINT: p = take_sint(p, step->max, &v); break;
	case TR_OP_HEX: p = take_hex(p, &v); break;
	case TR_OP_FLAG: p = take_flag(p, &v); break;
	case TR_OP_CODE: p = take_code(plan, p, end, &v); break;
	case TR_OP_COMM:
	case TR_OP_STR:
	case TR_OP_ARRAY: return NULL;
	}
	if (!p)
		return NULL;
	switch (step->bytes) {
	case 8: memcpy(bytes, &v, 8); break;
	case 4: memcpy(bytes, &v, 4); break;
	case 2: memcpy(bytes, &v, 2); break;
	default: *bytes = v; break;
	}
	return p;
}

static const char *take_array(struct tr_record_json *plan, const char *p, const char *end,
			      const struct tr_json_step *step, unsigned char *bytes)
{
	unsigned n = step->field->n;

	if (*p++ != '[')
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		if (p > end)
			return NULL;
		p = take_value(plan, p, end, step, step->element_op, bytes + i * step->bytes);
		if (!p || *p++ != (i + 1 < n ? ',' : ']'))
			return NULL;
	}
	return p;
}

size_t tr_record_json_scan(struct tr_record_json *plan, const char *line, size_t len,
			   unsigned char *body)
{
	const struct tr_json_step *last = plan->steps + plan->kind->n_fields;
	const char *p = line, *end = line + len;
	size_t at = plan->kind->fixed_bytes;

	for (const struct tr_json_step *step = plan->steps; step < last; step++) {
		unsigned char *bytes = body + step->offset;

		p = take_literal(p, end, step);
		if (!p)
			return 0;
		switch ((enum tr_json_op)step->op) {
		case TR_OP_COMM: p = take_comm(p, end, bytes); break;
		case TR_OP_STR: p = take_str(p, end, bytes, body, &at); break;
		case TR_OP_ARRAY: p = take_array(plan, p, end, step, bytes); break;
		case TR_OP_UINT: p = take_value(plan, p, end, step, TR_OP_UINT, bytes); break;
		case TR_OP_SINT: p = take_value(plan, p, end, step, TR_OP_SINT, bytes); break;
		case TR_OP_HEX: p = take_value(plan, p, end, step, TR_OP_HEX, bytes); break;
		case TR_OP_FLAG: p = take_value(plan, p, end, step, TR_OP_FLAG, bytes); break;
		case TR_OP_CODE: p = take_value(plan, p, end, step, TR_OP_CODE, bytes); break;
		}
		if (!p || p > end)
			return 0;
	}
	if (end - p != 1 || *p != '}' || tr_packed_max(at + 2) > TR_MAX_LINE)
		return 0;
	return at;
}
