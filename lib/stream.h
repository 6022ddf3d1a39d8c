/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader that every filter shares: files or stdin, packed and JSON lines mixed, parts in turn.
 * Records come in batches of one kind as packed bodies, whichever way they were written; what is
 * damaged, cut, foreign or of an unknown kind is skipped, counted and reported at the end.
 */
#ifndef TR_STREAM_H
#define TR_STREAM_H

#include "batch.h"
#include "json.h"
#include "message.h"
#include "parts.h"

enum tr_event_type {
	TR_EVENT_END,
	TR_EVENT_RECORDS, /* kind, n, bodies */
	TR_EVENT_OBJECT,  /* object, line, kind or NULL: a record that fits no kind exactly */
	TR_EVENT_CONTROL, /* control, line, object (what is inside; NULL where the line repeats one)
			   */
	TR_EVENT_OTHER,   /* object, line: one member, none of ours */
};

/* Good until the next call of tr_stream_next(). */
struct tr_event {
	enum tr_event_type type;
	struct tr_part *part;
	struct tr_part_kind *kind; /* of an object: the first kind of its type */
	size_t n;
	const unsigned char *const *bodies; /* each readable for TR_BATCH_READABLE bytes */
	enum tr_control control;
	struct tr_json_object *object;
	struct tr_string line; /* without its newline */
};

struct tr_stream;

/*
 * Opens NAMES (none: stdin; "-" is stdin). One that can't be opened is an error message and a
 * failed status at the end. Sets the handling of SIGINT up. Never NULL.
 */
struct tr_stream *tr_stream_new(char **names, size_t n);
void tr_stream_free(struct tr_stream *stream);

/*
 * Calls IDLE before every wait for a writer, to flush; it returns how long to wait at most in ms,
 * -1 for ever. OUT_FD is polled meanwhile, and the stream ends when its reader has left.
 */
void tr_stream_on_idle(struct tr_stream *stream, int (*idle)(void *context), void *context,
		       int out_fd);

/* Whether what is being read is a pipe or the like, which is read to its end also after SIGINT. */
bool tr_stream_is_live(const struct tr_stream *stream);

/* Whether the stream ended because nobody reads OUT_FD any more. */
bool tr_stream_reader_left(const struct tr_stream *stream);

/* Fills EVENT. Nothing comes after TR_EVENT_END. */
void tr_stream_next(struct tr_stream *stream, struct tr_event *event);

/*
 * Says what was skipped and lost, on stderr: TR_FAILED when a file could not be read or lines were
 * skipped, else TR_DONE.
 */
enum tr_status tr_stream_finish(struct tr_stream *stream);

#endif
