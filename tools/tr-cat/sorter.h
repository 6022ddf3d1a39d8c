/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --sort: all records of a stream in order of the time when they were made, equal ones as they
 * came. In memory up to a bound, and from there on through a temporary file.
 */
#ifndef TR_SORTER_H
#define TR_SORTER_H

#include "turns.h"
#include "writer.h"

struct sorter;

/* Takes records in FORMAT, packed or JSON; SPILL_FD is a temporary file. SELECTS as in a writer. */
struct sorter *sorter_new(int spill_fd, enum format format, bool selects);
void sorter_free(struct sorter *sorter);
/* False after an error that was said. */
bool sorter_add(struct sorter *sorter, const struct tr_event *event);
/* Writes all in order, as a trace again; TR_FAILED after an error that was said. */
enum tr_status sorter_write(struct sorter *sorter, struct tr_out *out);

#endif
