/* SPDX-License-Identifier: GPL-2.0-only */
/* --merge: several streams as one, their records in order of the time when they were made. */
#ifndef TR_MERGE_H
#define TR_MERGE_H

#include "where.h"

struct merge;

/* A stream for each of NAMES (none: stdin), with what WHERE selects. */
struct merge *merge_new(char **names, size_t n, struct tr_where *where);
void merge_free(struct merge *merge);
/* As tr_stream_on_idle(). */
void merge_on_idle(struct merge *merge, int (*idle)(void *context), void *context, int out_fd);
/* Fills EVENT, a batch being some of its stream's. Each stream is taken to be in order. */
void merge_next(struct merge *merge, struct tr_event *event);
/* Whether what the last event came from is live, as tr_stream_is_live(). */
bool merge_is_live(const struct merge *merge);
enum tr_status merge_finish(struct merge *merge);

#endif
