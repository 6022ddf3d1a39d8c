/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as rows of columns: CSV, and whatever --fields asks for. */
#ifndef TR_COLUMNS_H
#define TR_COLUMNS_H

#include "cells.h"
#include "stamp.h"

enum { MAX_COLUMNS = 1024 };

struct column {
	char *name;
	int element; /* of an array, -1: all of it */
};

/* Start with zeroes. */
struct columns {
	size_t n;
	struct column *list;
	bool given; /* by --fields; else they are what the trace's schemas have */
	bool fixed; /* no more are added */
	bool noted; /* that there are others */
};

/* "a,args[0],b". 0, or -EINVAL: no such list. */
int columns_parse(struct columns *columns, const char *text);
void columns_release(struct columns *columns);

/* Adds the fields of a kind that a schema line describes, unless columns are given or fixed. */
void columns_add_kind(struct columns *columns, const struct tr_kind *kind);

/* The CSV's first line: after the columns of EVENT, the first record, when nothing else told them.
 */
void columns_head(struct columns *columns, struct tr_out *out, const struct tr_event *event);

/* Writes record I of a batch, or an object, as a row; STAMP writes its time where it has a form. */
void columns_record(struct columns *columns, struct tr_out *out, enum cell_form form,
		    struct stamp *stamp, const struct tr_event *event, size_t i);
void columns_object(struct columns *columns, struct tr_out *out, enum cell_form form,
		    struct stamp *stamp, const struct tr_event *event);

#endif
