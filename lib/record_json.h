/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record's packed body to its JSON line and back. These are hot: a line is written through a plan
 * made once per kind, and read by expecting what the same plan would have written; only a line that
 * differs is parsed in full. Any body comes back byte for byte, if its comms hold zeroes only
 * behind the name. To that end a str that was cut ends in U+2026 itself, one that ends so uncut in
 * the escape \u2026; and a bool that is neither 0 nor 1 is written as that number.
 */
#ifndef TR_RECORD_JSON_H
#define TR_RECORD_JSON_H

#include "json.h"
#include "record.h"
#include "syscalls.h"

/* A kind's plan for one architecture's system call names. */
struct tr_record_json;

/* KIND and CALLS must outlive it. Never NULL. */
struct tr_record_json *tr_record_json_new(const struct tr_kind *kind,
					  const struct tr_syscalls *calls);
void tr_record_json_free(struct tr_record_json *plan);

/* The most bytes that tr_record_json_write() can take for BODY. */
size_t tr_record_json_max(const struct tr_record_json *plan, const unsigned char *body);

/*
 * Writes BODY's line, with its newline, and returns the end: {"type":"syscall","ts":1,...}, the
 * fields in the kind's order, null where FLAGS (enum tr_ring_flags) say so; with TR_STILL_RUNNING a
 * member "why":"still running" follows.
 */
char *tr_record_json_write(struct tr_record_json *plan, char *p, const unsigned char *body,
			   unsigned flags);

/*
 * Reads LINE (LEN bytes without its newline) when it is laid out just as tr_record_json_write()
 * would have done it: same members, same order, no white space. Writes BODY (TR_MAX_LINE bytes
 * suffice) and returns its size; 0 when the line is anything else or too long to be packed, which
 * says nothing about its validity. Reads up to 32 bytes beyond LEN, which must be there, but heeds
 * none of them.
 */
size_t tr_record_json_scan(struct tr_record_json *plan, const char *line, size_t len,
			   unsigned char *body);

/*
 * The same from a parsed object, members in any order, integers as numbers or as strings, hex ones
 * as "0x..": its size when the object holds exactly the kind's fields (and `type`), each with a
 * value that fits and so comes back the same, and can be packed; else 0.
 */
size_t tr_record_json_pack(struct tr_record_json *plan, struct tr_json_object *object,
			   unsigned char *body);

/* One value as a field of KIND's type would take it: 0, or -EINVAL when it does not fit. ELEMENT
 * gets the field's bytes in the packed form. Not for text and arrays. */
int tr_field_pack(const struct tr_field *field, const struct tr_syscalls *calls,
		  const struct tr_json_value *value, unsigned char *element);

/* The virtual field `errno` of an object that has no member of that name: 0 where its `ret` is no
 * error, or there is none. */
int tr_object_errno(const struct tr_json_object *object);

#endif
