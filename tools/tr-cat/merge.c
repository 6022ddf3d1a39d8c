/* SPDX-License-Identifier: GPL-2.0-only */
/* The next record of each stream, and of these the earliest with all that follow before another. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "moment.h"

struct cursor {
	struct tr_stream *stream;
	bool filled, done;
	struct tr_event event;
	size_t at;      /* in the batch */
	int64_t moment; /* of what is next */
	const struct tr_field *ts;
	const unsigned char
		*bodies[TR_BATCH]; /* of the batch: WHERE has one list for all streams */
};

struct merge {
	struct tr_where *where;
	size_t n;
	struct cursor *last; /* where the last event came from */
	struct cursor cursors[];
};

struct merge *merge_new(char **names, size_t n, struct tr_where *where)
{
	static char dash[] = "-", *only_stdin[] = {dash};
	struct merge *m;

	if (!n) {
		names = only_stdin;
		n = 1;
	}
	m = tr_xcalloc(1, sizeof(*m) + n * sizeof(m->cursors[0]));
	m->where = where;
	m->n = n;
	m->last = m->cursors;
	for (size_t i = 0; i < n; i++)
		m->cursors[i].stream = tr_stream_new(&names[i], 1);
	return m;
}

void merge_free(struct merge *m)
{
	for (size_t i = 0; m && i < m->n; i++)
		tr_stream_free(m->cursors[i].stream);
	free(m);
}

void merge_on_idle(struct merge *m, int (*idle)(void *context), void *context, int out_fd)
{
	for (size_t i = 0; i < m->n; i++)
		tr_stream_on_idle(m->cursors[i].stream, idle, context, out_fd);
}

bool merge_is_live(const struct merge *m)
{
	return tr_stream_is_live(m->last->stream);
}

enum tr_status merge_finish(struct merge *m)
{
	enum tr_status status = TR_DONE;

	for (size_t i = 0; i < m->n; i++)
		if (tr_stream_finish(m->cursors[i].stream) != TR_DONE)
			status = TR_FAILED;
	return status;
}

static int64_t record_moment(const struct cursor *c, size_t i)
{
	return moment_of(c->event.part, tr_field_int(c->ts, c->bodies[i], 0));
}

/* What tells no time comes as soon as it is its stream's turn. */
static void fill(struct merge *m, struct cursor *c)
{
	struct tr_event *event = &c->event;
	uint64_t ts;

	tr_where_next(m->where, c->stream, event);
	c->filled = true;
	c->at = 0;
	c->ts = NULL;
	switch (event->type) {
	case TR_EVENT_RECORDS:
		memcpy(c->bodies, event->bodies, event->n * sizeof(c->bodies[0]));
		event->bodies = c->bodies;
		c->ts = moment_field(event->kind->kind);
		if (c->ts)
			c->moment = record_moment(c, 0);
		break;
	case TR_EVENT_OBJECT:
	case TR_EVENT_CONTROL:
		if (moment_ts(event->object, &ts) && event->control != TR_CONTROL_END)
			c->moment = moment_of(event->part, ts);
		break;
	case TR_EVENT_OTHER: break;
	case TR_EVENT_END: c->done = true; break;
	}
}

/* The cursor whose turn it is, and the moment up to which it is; NULL when all are done. */
static struct cursor *earliest(struct merge *m, int64_t *limit, bool *before_limit)
{
	struct cursor *first = NULL;

	for (size_t i = 0; i < m->n; i++)
		if (!m->cursors[i].done && (!first || m->cursors[i].moment < first->moment))
			first = &m->cursors[i];
	*limit = INT64_MAX;
	*before_limit = false;
	for (size_t i = 0; i < m->n; i++) {
		const struct cursor *c = &m->cursors[i];

		if (c->done || c == first || c->moment > *limit ||
		    (c->moment == *limit && *before_limit))
			continue;
		*limit = c->moment;
		*before_limit = c < first; /* of equal ones the first file's goes first */
	}
	return first;
}

/* The part of the batch that comes before LIMIT. */
static void take_run(struct cursor *c, struct tr_event *event, int64_t limit, bool before_limit)
{
	size_t end = c->at + 1;

	for (; c->ts && end < c->event.n; end++) {
		c->moment = record_moment(c, end);
		if (c->moment > limit || (before_limit && c->moment == limit))
			break;
	}
	if (!c->ts)
		end = c->event.n;
	*event = c->event;
	event->bodies += c->at;
	event->n = end - c->at;
	c->at = end;
	c->filled = end < c->event.n;
}

void merge_next(struct merge *m, struct tr_event *event)
{
	struct cursor *c;
	bool before_limit;
	int64_t limit;

	for (size_t i = 0; i < m->n; i++) {
		c = &m->cursors[i];
		if (c->filled || c->done)
			continue;
		fill(m, c);
		if (m->where->failed)
			break;
		/* what describes a trace is told at once */
		if (c->event.type == TR_EVENT_CONTROL && (c->event.control == TR_CONTROL_TRACERY ||
							  c->event.control == TR_CONTROL_SCHEMA)) {
			*event = c->event;
			c->filled = false;
			return;
		}
	}
	c = m->where->failed ? NULL : earliest(m, &limit, &before_limit);
	*event = (struct tr_event){.type = TR_EVENT_END};
	if (!c)
		return;
	m->last = c;
	if (c->event.type == TR_EVENT_RECORDS) {
		take_run(c, event, limit, before_limit);
	} else {
		*event = c->event;
		c->filled = false;
	}
}
