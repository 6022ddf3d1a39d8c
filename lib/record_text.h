/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as a line for people: seconds since the trace's start, the key, and the other fields; of
 * a call whose arguments it has, those by their names (call_text.h).
 *
 *	0.003417123 [read] pid=1234 tid=1234 comm=cat latency=1205ns retval=0
 *
 * Behind the key stands what the kind's format makes of the fields, where it has one
 * (record_format.h). Beneath is the stack, where it has one (stack_text.h).
 */
#ifndef TR_RECORD_TEXT_H
#define TR_RECORD_TEXT_H

#include "json.h"
#include "record.h"
#include "syscalls.h"

/* The most bytes that tr_record_text_write() can take for BODY. */
size_t tr_record_text_max(const struct tr_kind *kind, const unsigned char *body);

/* Writes BODY's line, with its newline, and returns the end. FLAGS as for tr_record_json_write().
 * Nothing that a terminal would obey comes out. */
char *tr_record_text_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			   const unsigned char *body, unsigned flags);

/* The same without the time: "[read] pid=..". */
char *tr_record_text_untimed(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const unsigned char *body, unsigned flags);

/* The same, untimed, for a parsed JSON object that fits no kind exactly: KIND is the first of its
 * type, or NULL. In brackets the kind's key, else its type, else LABEL. LEN is its line's length.
 */
size_t tr_object_text_max(const struct tr_json_object *object, size_t len,
			  const struct tr_kind *kind);
char *tr_object_text_write(char *p, struct tr_json_object *object, const struct tr_syscalls *calls,
			   const struct tr_kind *kind, const char *label);

/* One value as text, without a name: what a table's cell holds. At most TR_CELL_MAX bytes, longer
 * strings are cut. Returns the end; no zero byte. */
enum { TR_CELL_MAX = 1024 };
char *tr_field_cell(char *p, const struct tr_kind *kind, const struct tr_field *field,
		    const struct tr_syscalls *calls, const unsigned char *body);

#endif
