/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event's values as people read them: {field} and {field:HOW} of its text. HOW is
 *
 *	hex	hexadecimal
 *	oct	octal
 *	rwx	what memory may be used for: rw-
 *	?	nothing: the field only decides whether what is in brackets is shown
 *	FIELD	of an address, with that port; ? when it is empty
 *	SET	names of lib/flags.def; names that begin with the set's do so without that, in small
 *		letters: MAP_PRIVATE|MAP_ANONYMOUS of MAP is private,anonymous
 *
 * The result of a call that failed is its errno's name, whatever HOW; of one that begins anew,
 * "restarted".
 */
#ifndef TR_EVENT_VALUE_H
#define TR_EVENT_VALUE_H

#include "flags.h"
#include "number.h"
#include "record_value.h"

/* Bytes that a value takes, beside 4 for each byte of a string. */
enum { TR_EVENT_VALUE_MAX = TR_NUMBER_MAX + TR_FLAGS_MAX };

/* NAME_HOW, LEN bytes, is what stands between the braces. Returns the end; sets EMPTY when the
 * value is 0 or an empty string. */
char *tr_event_value_put(char *p, const struct tr_record_source *source, const char *name_how,
			 size_t len, bool *empty);
/* A string, in which zero bytes are shown as blanks: they stand between a program's arguments. */
char *tr_event_string_put(char *p, const struct tr_record_value *value);

#endif
