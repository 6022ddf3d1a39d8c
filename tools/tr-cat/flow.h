/* SPDX-License-Identifier: GPL-2.0-only */
/* From a reader to a writer: one stream or several, at once or paced, in one pass or in two. */
#ifndef TR_FLOW_H
#define TR_FLOW_H

#include "merge.h"
#include "pace.h"
#include "sorter.h"

struct flow {
	struct tr_where where;
	struct writer writer;
	bool merged, sorted, paced;
	/* private */
	struct tr_stream *stream; /* all files in turn, or else: */
	struct merge *merge;
	struct sorter *sorter;
	struct pace pace;
	struct turns turns;
	int second_fd; /* what a first pass writes and a second one reads */
	struct tr_stream *second;
};

/* Opens NAMES and whatever else it takes; from then on nothing is opened. 0, or -EINVAL after an
 * error that was said. */
int flow_open(struct flow *flow, char **names, size_t n);
/* Passes all on. TR_FAILED after an error that was said. */
enum tr_status flow_run(struct flow *flow);
/* What the reader has to say: skipped lines, fields that no record has. */
enum tr_status flow_finish(struct flow *flow);
void flow_release(struct flow *flow);

#endif
