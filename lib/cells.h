/* SPDX-License-Identifier: GPL-2.0-only */
/* The values that a group's key has: packed one behind the other as its name, and written out. */
#ifndef TR_CELLS_H
#define TR_CELLS_H

#include <stddef.h>

#include "json.h"
#include "out.h"

enum tr_cell_type {
	TR_CELL_NULL,    /* the record has no such field */
	TR_CELL_LITERAL, /* a number, true or false, as JSON spells it */
	TR_CELL_STRING,
};

struct tr_cell {
	enum tr_cell_type type;
	struct tr_string text;
};

enum { TR_CELL_BYTES = 256 }; /* of a text; what is longer is cut */

/* Packs a cell at P, in TR_CELL_BYTES + 3 at most, and returns the end. */
unsigned char *tr_cell_put(unsigned char *p, enum tr_cell_type type, struct tr_string text);
unsigned char *tr_cell_put_errno(unsigned char *p, int number); /* by name; null for 0 */
/* Finds the cells that are packed between P and END, and returns how many there are. */
size_t tr_cells_unpack(const unsigned char *p, const unsigned char *end, struct tr_cell *cells);

/* Numbers by size, then text by bytes: below 0, 0 or above. What stands behind a literal must end a
 * number.
 */
int tr_cell_compare(const struct tr_cell *a, const struct tr_cell *b);

/* As JSON, 6 * TR_CELL_BYTES + 2 bytes at most; returns the end. */
char *tr_cell_put_json(char *p, const struct tr_cell *cell);
/* A field of a CSV line as RFC 4180 has it; where SEPARATOR is a tab, of a TSV line with \t \n \\
 * escaped. */
void tr_out_separated(struct tr_out *out, char separator, const char *text, size_t len);

#endif
