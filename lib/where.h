/* SPDX-License-Identifier: GPL-2.0-only */
/* --where of the filters: the records of a stream for which expressions are true. */
#ifndef TR_WHERE_H
#define TR_WHERE_H

#include "expr.h"
#include "stream.h"

/* Start with zeroes. Then: add, next ..., finish, release. */
struct tr_where {
	struct tr_where_clause *clauses;
	size_t n; /* 0: every record passes */
	/* private */
	bool failed; /* types do not fit: said already */
	uint64_t seen;
	char fields[384]; /* names that the records have, for a note */
	const unsigned char *bodies[TR_BATCH];
};

/* Another expression that must hold as well. Returns 0, or prints what is wrong with it and returns
 * -EINVAL. */
int tr_where_add(struct tr_where *where, const char *text);

/*
 * tr_stream_next() without the records that are not selected; a batch may come out smaller, none is
 * empty. Where an expression does not fit the types of a kind's fields, says so and ends the
 * stream.
 */
void tr_where_next(struct tr_where *where, struct tr_stream *stream, struct tr_event *event);

/* Notes on what no record had. TR_USAGE after an expression did not fit, else TR_DONE. */
enum tr_status tr_where_finish(const struct tr_where *where);
void tr_where_release(struct tr_where *where);

#endif
