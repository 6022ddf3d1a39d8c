/* SPDX-License-Identifier: GPL-2.0-only */
/* A record's time as text: --time. */
#ifndef TR_STAMP_H
#define TR_STAMP_H

#include "moment.h"

enum stamp_form { STAMP_DEFAULT, STAMP_RELATIVE, STAMP_DELTA, STAMP_CLOCK, STAMP_ISO };

enum { STAMP_MAX = 48 }; /* bytes */

struct stamp {
	enum stamp_form form;
	bool one_line; /* all parts are on one time line: relative times count from its start */
	/* private */
	bool begun, noted;
	int64_t start, last; /* moments */
	int64_t second;      /* that `text` is of */
	size_t len;
	char text[32];
};

/* Nothing but what lib/ writes before a record's text. */
static inline bool stamp_is_plain(const struct stamp *stamp)
{
	return stamp->form <= STAMP_RELATIVE && !stamp->one_line;
}

/* Writes the time of a record of PART at P; at most STAMP_MAX bytes. Returns the end. */
char *stamp_put(struct stamp *stamp, char *p, const struct tr_part *part, uint64_t ts);

#endif
