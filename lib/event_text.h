/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event as a line for people: what it is, whose, and the text that its kind in records.def makes
 * of it.
 *
 *	SWITCH     nginx 1234             ran 1.2 ms, blocked -> redis-server 881  cpu 1
 *
 * In such a text {field} stands for a value as people read it, {field:HOW} for it as event_value.h
 * has it, and what is in [brackets] is left out where the first value in it is 0, empty or null. Else
 * what is null reads ?.
 */
#ifndef TR_EVENT_TEXT_H
#define TR_EVENT_TEXT_H

#include "json.h"
#include "record.h"
#include "syscalls.h"

/* Bytes that the functions below can take for an event of KIND, which has a text, beside 4 for each
 * byte of its strings. */
size_t tr_event_text_max(const struct tr_kind *kind);

/* Writes the line, with its newline, and returns the end. FLAGS as for tr_record_json_write().
 * Nothing that a terminal would obey comes out but for colours (colour.h). */
char *tr_event_text_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			  const unsigned char *body, unsigned flags);
/* The same of a record that is a JSON object. */
char *tr_event_object_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			    const struct tr_json_object *object);

#endif
