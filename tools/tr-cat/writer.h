/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of a stream in the form that was asked for. */
#ifndef TR_WRITER_H
#define TR_WRITER_H

#include "columns.h"

enum format { FORMAT_DEFAULT, FORMAT_PACKED, FORMAT_JSON, FORMAT_TEXT, FORMAT_CSV };

/* Start with zeroes, then set these. */
struct writer {
	struct tr_out *out;
	enum format format; /* not the default */
	bool selects;       /* end lines count what was passed on */
	struct columns columns;
	struct stamp stamp;
	/* private */
	bool headed;
};

/* Whether what comes out is a trace again, with its headers. */
static inline bool writer_keeps_trace(const struct writer *writer)
{
	return !writer->columns.given &&
	       (writer->format == FORMAT_PACKED || writer->format == FORMAT_JSON);
}

void writer_event(struct writer *writer, const struct tr_event *event);
/* After the last event. */
void writer_finish(struct writer *writer);
void writer_release(struct writer *writer);

#endif
