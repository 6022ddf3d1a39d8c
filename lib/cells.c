/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells: packing, order, and how they are written. */
#include "cells.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "errno_name.h"

/* A cell is one byte type, two bytes length, the text. */
unsigned char *tr_cell_put(unsigned char *p, enum tr_cell_type type, struct tr_string text)
{
	uint16_t n = text.len < TR_CELL_BYTES ? text.len : TR_CELL_BYTES;

	*p++ = type;
	memcpy(p, &n, 2);
	if (n)
		memcpy(p + 2, text.bytes, n);
	return p + 2 + n;
}

unsigned char *tr_cell_put_errno(unsigned char *p, int number)
{
	char name[TR_ERRNO_NAME_MAX];
	size_t len = number ? tr_errno_name(number, name) : 0;

	return tr_cell_put(p, number ? TR_CELL_STRING : TR_CELL_NULL,
			   (struct tr_string){name, len});
}

size_t tr_cells_unpack(const unsigned char *p, const unsigned char *end, struct tr_cell *cells)
{
	size_t n = 0;

	while (p < end) {
		uint16_t len;

		memcpy(&len, p + 1, 2);
		cells[n].type = *p;
		cells[n++].text = (struct tr_string){(const char *)p + 3, len};
		p += 3 + len;
	}
	return n;
}

int tr_cell_compare(const struct tr_cell *a, const struct tr_cell *b)
{
	size_t n = a->text.len < b->text.len ? a->text.len : b->text.len;
	int diff;

	if (a->type != b->type)
		return (a->type > b->type) - (a->type < b->type);
	if (a->type == TR_CELL_LITERAL) {
		long double x = strtold(a->text.bytes, NULL), y = strtold(b->text.bytes, NULL);

		if (x != y)
			return (x > y) - (x < y);
	}
	diff = n ? memcmp(a->text.bytes, b->text.bytes, n) : 0;
	return diff ? diff : (a->text.len > b->text.len) - (a->text.len < b->text.len);
}

char *tr_cell_put_json(char *p, const struct tr_cell *cell)
{
	switch (cell->type) {
	case TR_CELL_NULL: return stpcpy(p, "null");
	case TR_CELL_LITERAL: return mempcpy(p, cell->text.bytes, cell->text.len);
	case TR_CELL_STRING: break;
	}
	return tr_json_put_string(p, cell->text);
}

void tr_out_separated(struct tr_out *out, char separator, const char *text, size_t len)
{
	bool csv = separator == ',';
	bool quote = csv && (memchr(text, ',', len) || memchr(text, '"', len) ||
			     memchr(text, '\n', len) || memchr(text, '\r', len));

	if (quote)
		tr_out_text(out, "\"");
	for (size_t i = 0; i < len; i++) {
		if (quote && text[i] == '"')
			tr_out_text(out, "\"");
		if (!csv && strchr("\t\n\r\\", text[i]) && text[i])
			tr_out_printf(out, "\\%c",
				      text[i] == '\t'   ? 't'
				      : text[i] == '\n' ? 'n'
				      : text[i] == '\r' ? 'r'
							: '\\');
		else
			tr_out_bytes(out, &text[i], 1);
	}
	if (quote)
		tr_out_text(out, "\"");
}
