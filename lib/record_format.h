/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text that a kind's `format` makes of a record: {{.field}} is the field's value, and
 * {{printf "%08x" .field}} its value by one of the verbs d x X o c s q v, with the flags - + # 0
 * and a width up to 64. What is none of these stands as it is; what is null, or no field, is a ?.
 */
#ifndef TR_RECORD_FORMAT_H
#define TR_RECORD_FORMAT_H

#include "json.h"
#include "record.h"
#include "syscalls.h"

/* The most bytes that the functions below can take for FORMAT. */
size_t tr_record_format_max(const char *format);

/* Writes KIND's format, which it has, filled with BODY or with a record's JSON object; returns the
 * end. Nothing that a terminal would obey comes out. FLAGS as for tr_record_text_write(). */
char *tr_record_format_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const unsigned char *body, unsigned flags);
char *tr_object_format_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const struct tr_json_object *object);

#endif
