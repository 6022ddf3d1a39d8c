/* SPDX-License-Identifier: GPL-2.0-only */
/* A field's value, of a record that is packed or a JSON object. */
#ifndef TR_RECORD_VALUE_H
#define TR_RECORD_VALUE_H

#include "json.h"
#include "record.h"
#include "syscalls.h"

struct tr_record_source {
	const struct tr_kind *kind;
	const struct tr_syscalls *calls;
	const unsigned char *body;           /* packed; NULL: */
	const struct tr_json_object *object; /* parsed */
	unsigned flags;                      /* of a packed one, as for tr_record_json_write() */
};

struct tr_record_value {
	bool known; /* it is there, not null, and fits the field */
	bool is_text, cut;
	int64_t number;
	const char *text; /* the record's own, not zero-ended */
	size_t len;
};

/* That of FIELD, one of the kind's, or of its first element; NULL is not known. */
struct tr_record_value tr_record_value(const struct tr_record_source *source,
				       const struct tr_field *field);

#endif
