/* SPDX-License-Identifier: GPL-2.0-only */
/* One value of a record, as a member of a JSON line, a field of a CSV line, or text. */
#ifndef TR_CELLS_H
#define TR_CELLS_H

#include "out.h"
#include "stream.h"

enum cell_form { CELL_JSON, CELL_CSV, CELL_TEXT };

/* null, nothing, or ? */
void cell_null(struct tr_out *out, enum cell_form form);
/* CUT: the string had more. */
void cell_string(struct tr_out *out, enum cell_form form, struct tr_string text, bool cut);
/* FIELD of BODY: its ELEMENT of an array, or all when that is -1. */
void cell_field(struct tr_out *out, enum cell_form form, const struct tr_part_kind *kind,
		const struct tr_field *field, int element, const unsigned char *body);
/* A value of OBJECT, in the same way. VALUE may be NULL. */
void cell_value(struct tr_out *out, enum cell_form form, struct tr_json_object *object,
		const struct tr_json_value *value, int element);
/* A result's error by name; null when NUMBER is 0. */
void cell_errno(struct tr_out *out, enum cell_form form, int number);

#endif
