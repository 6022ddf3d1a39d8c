/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON: a strict, bounded parser for one line (RFC 8259, nesting at most 64 deep), and small pieces
 * for writing. A string's \udc80 to \udcff, one that is no half of a pair, stands for the byte 80
 * to ff, so that bytes that are no UTF-8 survive; any other lone surrogate, and UTF-8 that is not
 * valid, is an error. So are two equal keys in an object and a number beyond the range of a double.
 */
#ifndef TR_JSON_H
#define TR_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "digits.h"

enum tr_json_type {
	TR_JSON_NULL,
	TR_JSON_BOOL,
	TR_JSON_INT,    /* a whole number that fits int64_t: i */
	TR_JSON_UINT,   /* one from 2^63 to 2^64 - 1: u */
	TR_JSON_DOUBLE, /* any other number, also 1.0 and 1e2, as the nearest double: d */
	TR_JSON_STRING, /* string, decoded */
	TR_JSON_ARRAY,  /* source: "[...]", to be walked with tr_json_array_next() */
	TR_JSON_OBJECT, /* source: "{...}", to be parsed with tr_json_parse() */
};

struct tr_string {
	const char *bytes; /* not zero-ended; may hold any byte, 0 as well */
	size_t len;
};

struct tr_json_value {
	enum tr_json_type type;
	union {
		bool boolean;
		int64_t i;
		uint64_t u;
		double d;
		struct tr_string string;
	};
	struct tr_string source; /* as it stands in the line */
};

struct tr_json_member {
	struct tr_string key; /* decoded */
	struct tr_json_value value;
};

/* One parsed object; parse again and again into the same one. Start with zeroes. */
struct tr_json_object {
	size_t n;
	struct tr_json_member *members;
	/* private */
	size_t n_max;
	const char *text; /* what was parsed */
	char *arena; /* decoded strings that had escapes, each as far in as its source is in TEXT */
	size_t arena_max;
};

/*
 * Parses TEXT, which must be exactly one object with white space around it. Strings point into TEXT
 * or into the object and are good until the next call or TEXT goes. Returns 0 or -EINVAL (no valid
 * JSON object, a duplicate key, nested too deep), then with no members.
 */
int tr_json_parse(struct tr_json_object *object, const char *text, size_t len);
void tr_json_release(struct tr_json_object *object);

/* The member of that name, or NULL. */
const struct tr_json_value *tr_json_get(const struct tr_json_object *object, const char *key);

/*
 * Walks the elements of an array in OBJECT: REST starts as the array's source and is moved on. The
 * elements are good as long as the members are. Returns 1 with VALUE set, 0 at the end.
 */
int tr_json_array_next(struct tr_json_object *object, struct tr_string *rest,
		       struct tr_json_value *value);

/* The end of a string's characters from P on that stand for themselves: a quote, a backslash, what
 * is not allowed, or END. */
const char *tr_json_skip_plain(const char *p, const char *end);

/*
 * Decodes the string whose opening quote is before P into OUT. Returns what follows its closing
 * quote, and its length; NULL when it is not valid, not closed before END or longer than MAX.
 */
const char *tr_json_take_string(const char *p, const char *end, char *out, size_t max, size_t *len);

bool tr_string_is(struct tr_string string, const char *text);

/* The largest integer that is written as a number: the last one before doubles have gaps. */
#define TR_JSON_MAX_NUMBER (1ULL << 53)

/* These append; each returns the end. Integers beyond +-2^53 come out as strings. */
static inline char *tr_json_put_u64(char *p, uint64_t value) /* touches at most 24 bytes */
{
	bool quoted = value > TR_JSON_MAX_NUMBER;

	*p = '"';
	p = tr_u64_put(p + quoted, value);
	*p = '"';
	return p + quoted;
}

static inline char *tr_json_put_i64(char *p, int64_t value) /* touches at most 24 bytes */
{
	bool quoted = (value < 0 ? -(uint64_t)value : (uint64_t)value) > TR_JSON_MAX_NUMBER;

	*p = '"';
	p = tr_i64_put(p + quoted, value);
	*p = '"';
	return p + quoted;
}

char *tr_json_put_hex(char *p, uint64_t value);           /* "0x..", with quotes: at most 20 */
char *tr_json_put_string(char *p, struct tr_string text); /* with quotes: at most 6 * len + 2 */

#endif
