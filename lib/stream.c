/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines to events. Packed lines of fixed length are taken in runs (batch.h), everything else is
 * taken a line at a time.
 */
#include "stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "input.h"
#include "newline.h"
#include "packed.h"
#include "parts.h"
#include "record_json.h"
#include "signals.h"
#include "skipped.h"

enum {
	PREFETCH_BYTES = 1024,   /* ahead: the processor's own prefetching ends with a page */
	ARENA_BYTES = 128 << 10, /* of decoded bodies in a batch */
};

static const char part_start[] = "{\"tracery\":";

struct tr_stream {
	struct tr_input *inputs;
	size_t n_inputs, current;
	struct tr_skipped skipped;
	int (*idle)(void *context);
	void *idle_context;
	int out_fd;
	bool reader_left, file_failed;
	bool complete;   /* read to its end: only then does it tell what it lacks */
	bool discarding; /* inside a line that is too long */
	uint64_t line;   /* lines of the current input that are done */

	struct tr_parts parts;
	struct tr_part_kind *json_kind; /* of the last JSON record */

	struct tr_json_object object, inner;
	struct tr_batch batch;
};

struct tr_stream *tr_stream_new(char **names, size_t n)
{
	static char dash[] = "-", *only_stdin[] = {dash};
	struct tr_stream *s = tr_xcalloc(1, sizeof(*s));

	if (!n) {
		names = only_stdin;
		n = 1;
	}
	tr_signals_init();
	s->out_fd = -1;
	s->parts.skipped = &s->skipped;
	s->inputs = tr_xcalloc(n, sizeof(*s->inputs));
	for (size_t i = 0; i < n; i++) {
		struct tr_input *in = &s->inputs[s->n_inputs];
		int error = tr_input_open(in, names[i]);

		if (!error) {
			s->n_inputs++;
			continue;
		}
		tr_error("%s: %s", in->name, strerror(-error));
		s->file_failed = true;
	}
	return s;
}

void tr_stream_free(struct tr_stream *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_inputs; i++)
		tr_input_close(&s->inputs[i]);
	tr_parts_release(&s->parts);
	tr_json_release(&s->object);
	tr_json_release(&s->inner);
	free(s->inputs);
	free(s);
}

void tr_stream_on_idle(struct tr_stream *s, int (*idle)(void *context), void *context, int out_fd)
{
	s->idle = idle;
	s->idle_context = context;
	s->out_fd = out_fd;
}

bool tr_stream_reader_left(const struct tr_stream *s)
{
	return s->reader_left;
}

bool tr_stream_is_live(const struct tr_stream *s)
{
	return s->current < s->n_inputs && !s->inputs[s->current].regular;
}

enum tr_status tr_stream_finish(struct tr_stream *s)
{
	bool skipped;

	for (size_t i = 0; s->complete && i < s->parts.n; i++)
		tr_skipped_part(&s->skipped, s->parts.list[i]);
	skipped = tr_skipped_report(&s->skipped);
	return skipped || s->file_failed ? TR_FAILED : TR_DONE;
}

static void skip(struct tr_stream *s, enum tr_skip why)
{
	tr_skipped_add(&s->skipped, why, s->inputs[s->current].name, s->line + 1);
}

/* What the single member's name says; -1 when it is none of ours. */
static int control_of(struct tr_string key)
{
	static const char *const names[] = {
		[TR_CONTROL_TRACERY] = "tracery",
		[TR_CONTROL_SCHEMA] = "schema",
		[TR_CONTROL_LOST] = "lost",
		[TR_CONTROL_END] = "end",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tr_string_is(key, names[i]))
			return i;
	return -1;
}

/* A parsed line of one member. Fills EVENT; false when it was damaged. */
static bool single_member(struct tr_stream *s, struct tr_event *event)
{
	const struct tr_json_member *m = &s->object.members[0];
	int control = control_of(m->key);

	if (control < 0) {
		event->type = TR_EVENT_OTHER;
		event->object = &s->object;
	} else {
		if (m->value.type != TR_JSON_OBJECT ||
		    tr_json_parse(&s->inner, m->value.source.bytes, m->value.source.len) < 0 ||
		    tr_parts_control(&s->parts, control, &s->inner, event->line) < 0)
			return false;
		if (control == TR_CONTROL_TRACERY)
			s->json_kind = s->batch.kind = NULL;
		event->type = TR_EVENT_CONTROL;
		event->control = control;
		event->object = &s->inner;
	}
	event->part = tr_parts_current(&s->parts);
	return true;
}

/* Packs the parsed line with the first kind of its type that it fits. */
static bool pack_object(struct tr_stream *s, struct tr_string type, struct tr_part_kind **first)
{
	struct tr_part *part = tr_parts_current(&s->parts);
	struct tr_part_kind *k = NULL;

	*first = NULL;
	while ((k = tr_part_next_kind(part, type, k))) {
		size_t bytes = tr_record_json_pack(tr_part_kind_json(k), &s->object,
						   tr_batch_next(&s->batch));

		if (!*first)
			*first = k;
		if (!bytes)
			continue;
		s->json_kind = k;
		tr_batch_add(&s->batch, k, bytes);
		return true;
	}
	return false;
}

enum taken {
	TAKEN,   /* the line is done: it went into the batch, or was skipped */
	EVENT,   /* it is done and filled the event */
	NOT_YET, /* the batch has to leave first */
	SKIPPED, /* it is damaged */
};

/* A JSON line that is not laid out as the last one. */
static enum taken take_object(struct tr_stream *s, struct tr_string line, struct tr_event *event)
{
	const struct tr_json_value *type;
	struct tr_part_kind *kind = NULL;
	int repeated;

	if (s->batch.n)
		return NOT_YET;
	event->line = line;
	repeated = tr_parts_repeated(&s->parts, line);
	if (repeated >= 0) {
		event->type = TR_EVENT_CONTROL;
		event->control = repeated;
		event->part = tr_parts_current(&s->parts);
		return EVENT;
	}
	if (tr_json_parse(&s->object, line.bytes, line.len) < 0) {
		skip(s,
		     !s->line && !s->skipped.n && line.len == 1 ? TR_SKIP_PRETTY : TR_SKIP_NO_JSON);
		return SKIPPED;
	}
	if (s->object.n == 1) {
		if (single_member(s, event))
			return EVENT;
		skip(s, TR_SKIP_CONTROL);
		return SKIPPED;
	}
	type = tr_json_get(&s->object, "type");
	if (type && type->type == TR_JSON_STRING && pack_object(s, type->string, &kind))
		return TAKEN;
	event->type = TR_EVENT_OBJECT;
	event->part = tr_parts_current(&s->parts);
	event->part->objects++;
	event->kind = kind;
	event->object = &s->object;
	return EVENT;
}

static enum taken take_json(struct tr_stream *s, struct tr_string line, struct tr_event *event)
{
	struct tr_part_kind *k = s->json_kind;

	if (k && tr_batch_fits(&s->batch, k)) {
		size_t bytes = tr_record_json_scan(tr_part_kind_json(k), line.bytes, line.len,
						   tr_batch_next(&s->batch));

		if (bytes) {
			tr_batch_add(&s->batch, k, bytes);
			return TAKEN;
		}
	}
	return take_object(s, line, event);
}

/* A packed line of any length. */
static enum taken take_packed(struct tr_stream *s, struct tr_string line)
{
	unsigned char *body = tr_batch_next(&s->batch);
	uint32_t number = line.bytes[0] & 63;
	long bytes = tr_packed_decode((const unsigned char *)line.bytes + 1, line.len - 1, body);
	struct tr_part_kind *k;
	uint16_t high;

	if (bytes < 0 || (number == TR_PACKED_ESCAPE && bytes < 2)) {
		skip(s, TR_SKIP_CHAIN);
		return SKIPPED;
	}
	if (number == TR_PACKED_ESCAPE) {
		memcpy(&high, body, 2);
		number = high;
		bytes -= 2;
		memmove(body, body + 2, bytes);
		if (number < TR_FIRST_YAML_KIND) {
			skip(s, TR_SKIP_CHAIN);
			return SKIPPED;
		}
	}
	k = tr_part_find_kind(tr_parts_current(&s->parts), number);
	if (!k) {
		skip(s, TR_SKIP_UNKNOWN_KIND);
		return SKIPPED;
	}
	if (tr_body_bytes(k->kind, body, bytes) != (size_t)bytes) {
		skip(s, TR_SKIP_LENGTH);
		return SKIPPED;
	}
	if (!tr_batch_fits(&s->batch, k))
		return NOT_YET;
	tr_batch_add(&s->batch, k, bytes);
	return TAKEN;
}

/* The start of a new part between FROM, where a damaged line starts or goes on, and END. */
static const unsigned char *find_header(const struct tr_stream *s, const unsigned char *from,
					const unsigned char *end)
{
	if (!s->discarding && from < end)
		from++; /* a damaged header must not be found again */
	return memmem(from, end - from, part_start, sizeof(part_start) - 1);
}

/*
 * Where a damaged line really ends: at the header of another part that was written right behind a
 * torn line, else after its newline.
 */
static void resume(struct tr_stream *s, struct tr_input *in, const unsigned char *newline)
{
	const unsigned char *header = find_header(s, in->at, newline);

	s->discarding = false;
	if (header) {
		in->at = header;
		return;
	}
	in->at = newline + 1;
	s->line++;
}

/* One whole line that ends at NEWLINE. */
static enum taken take_line(struct tr_stream *s, struct tr_input *in, const unsigned char *newline,
			    struct tr_event *event)
{
	struct tr_string line = {(const char *)in->at, newline - in->at};
	enum taken taken;

	if (!s->line && line.len >= 3 && !memcmp(line.bytes, "\xef\xbb\xbf", 3)) {
		in->at += 3;
		line.bytes += 3;
		line.len -= 3;
	}
	if (line.len >= TR_MAX_LINE) {
		skip(s, TR_SKIP_LONG);
		taken = SKIPPED;
	} else if (line.len && *line.bytes == '{') {
		taken = take_json(s, line, event);
	} else if (line.len && (*in->at & 0xc0) == 0x80) {
		taken = take_packed(s, line);
	} else {
		skip(s, TR_SKIP_FOREIGN);
		taken = SKIPPED;
	}
	if (taken == SKIPPED) {
		resume(s, in, newline);
	} else if (taken != NOT_YET) {
		in->at = newline + 1;
		s->line++;
	}
	return taken;
}

/* The kind of the line at P when it has lines of fixed length, at most 64 bytes. */
static struct tr_part_kind *short_kind(const struct tr_stream *s, const unsigned char *p)
{
	const struct tr_batch *batch = &s->batch;
	struct tr_part_kind *k;

	if (!s->parts.n || (*p & 0xc0) != 0x80)
		return NULL;
	if (batch->kind && batch->kind->first == *p)
		k = batch->kind;
	else if ((*p & 63) != TR_PACKED_ESCAPE)
		k = s->parts.list[0]->low[*p & 63];
	else
		k = NULL;
	return k && k->line_bytes && tr_batch_fits(batch, k) ? k : NULL;
}

/* Drops the middle of a line that is too long, unless a new part begins in it. */
static void discard(struct tr_stream *s, struct tr_input *in)
{
	const unsigned char *header = find_header(s, in->at, in->end);

	s->discarding = !header;
	in->at = header ? header : in->end - (sizeof(part_start) - 2);
	if (header)
		skip(s, TR_SKIP_LONG);
}

/* The end of an input: what is left has no newline. */
static void end_input(struct tr_stream *s, struct tr_input *in)
{
	if (in->at < in->end || s->discarding)
		skip(s, TR_SKIP_CUT);
	if (tr_input_shrank(in)) {
		tr_error("%s: became shorter while it was read", in->name);
		s->file_failed = true;
	}
	tr_input_close(in);
	s->discarding = false;
	s->line = 0;
	s->current++;
}

/* Waits until the writer has sent something; false when our own reader left. */
static bool wait_for_input(struct tr_stream *s, struct tr_input *in)
{
	struct pollfd fds[2] = {{.fd = in->fd, .events = POLLIN}, {.fd = s->out_fd}};

	if (poll(fds, 2, 0) <= 0)
		while (tr_signals_poll(fds, 2, s->idle ? s->idle(s->idle_context) : -1) <= 0)
			;
	s->reader_left = fds[1].revents & (POLLERR | POLLHUP | POLLNVAL);
	return !s->reader_left;
}

/* More bytes, or the next input. False when all are done. */
static bool fetch(struct tr_stream *s)
{
	struct tr_input *in = &s->inputs[s->current];
	int got;

	if (in->regular && tr_interrupted()) {
		s->current = s->n_inputs;
		return false;
	}
	if ((size_t)(in->end - in->at) > TR_MAX_LINE)
		discard(s, in);
	if (tr_input_may_wait(in) && !wait_for_input(s, in)) {
		s->current = s->n_inputs;
		return false;
	}
	got = tr_input_more(in);
	if (got > 0)
		return true;
	if (got < 0) {
		tr_error("%s: cannot read: %s", in->name, strerror(-got));
		s->file_failed = true;
	}
	end_input(s, in);
	s->complete = s->current == s->n_inputs;
	return !s->complete;
}

static void records_event(struct tr_stream *s, struct tr_event *event)
{
	event->type = TR_EVENT_RECORDS;
	event->part = s->batch.kind->part;
	event->kind = s->batch.kind;
	event->n = s->batch.n;
	event->bodies = s->batch.bodies;
}

void tr_stream_next(struct tr_stream *s, struct tr_event *event)
{
	*event = (struct tr_event){.type = TR_EVENT_END};
	tr_batch_clear(&s->batch);
	while (s->current < s->n_inputs && !s->reader_left) {
		struct tr_input *in = &s->inputs[s->current];
		const unsigned char *newline;
		struct tr_part_kind *k;
		enum taken taken;

		if (!tr_batch_has_room(&s->batch))
			break;
		if (in->at < in->end && !s->discarding && (k = short_kind(s, in->at))) {
			size_t before = s->batch.n;

			in->at = tr_batch_take_run(&s->batch, k, in->at, in->end);
			s->line += s->batch.n - before;
			if (s->batch.n > before)
				continue;
		}
		newline = in->at < in->end ? memchr(in->at, TR_NEWLINE, in->end - in->at) : NULL;
		if (!newline) {
			if (s->batch.n)
				break;
			if (!fetch(s))
				return;
			continue;
		}
		if (s->discarding) {
			skip(s, TR_SKIP_LONG);
			resume(s, in, newline);
			continue;
		}
		taken = take_line(s, in, newline, event);
		if (taken == EVENT)
			return;
		if (taken == NOT_YET)
			break;
	}
	if (s->batch.n)
		records_event(s, event);
}
