/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzing of the reader: any bytes as a file, mapped or read as a pipe. All events are walked; each
 * record must come back the same from the forms it can be written in, and the mapped file must give
 * what the pipe gives.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "packed.h"
#include "record_json.h"
#include "record_text.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 1 << 17 };

/* What a walk over a stream has seen. */
struct seen {
	uint64_t records, objects, controls, others, hash;
};

static void must(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

static void mix(struct seen *seen, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		seen->hash = (seen->hash ^ p[i]) * 0x100000001b3;
}

/* Bytes behind a comm's end and odd bools do not survive the way through JSON. */
static int is_canonical(const struct tr_kind *kind, const unsigned char *body)
{
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];
		const unsigned char *p = body + f->offset;

		if (f->type == TR_T_comm)
			for (size_t k = strnlen((const char *)p, 16); k < 16; k++)
				if (p[k])
					return 0;
	}
	return 1;
}

static void check_body(struct tr_part_kind *k, const unsigned char *body, struct seen *seen)
{
	static char text[1 << 21];
	static unsigned char again[TR_MAX_LINE], line[TR_MAX_LINE + 1024], padded[TR_MAX_LINE + 64];
	struct tr_record_json *plan = tr_part_kind_json(k);
	size_t bytes = tr_body_bytes(k->kind, body, TR_MAX_LINE), len, max;
	struct tr_json_object object = {0};

	must(bytes > 0, "a body is as long as its fixed part says");
	mix(seen, body, bytes);
	max = tr_record_text_max(k->kind, body);
	must(max <= sizeof(text), "text fits");
	len = tr_record_text_write(text, k->kind, k->part->calls, body, 0) - text;
	must(len <= max && text[len - 1] == '\n', "text keeps to its limit");
	must(memchr(text, '\n', len) == text + len - 1, "text is one line");
	must(!memchr(text, 27, len), "no escape reaches a terminal");
	memcpy(padded, body, bytes);
	len = tr_packed_encode(line, k->kind->number, padded, bytes);
	must(len <= TR_MAX_LINE + 8, "a packed line keeps to its limit");
	max = tr_record_json_max(plan, body);
	must(max <= sizeof(text) - 64, "JSON fits");
	len = tr_record_json_write(plan, text, body, 0) - text;
	must(len <= max, "JSON keeps to its limit");
	must(!tr_json_parse(&object, text, len - 1), "JSON parses");
	if (is_canonical(k->kind, body)) {
		must(tr_record_json_pack(plan, &object, again) == bytes, "JSON packs");
		must(!memcmp(again, body, bytes), "JSON packs to the same");
	}
	tr_json_release(&object);
}

static void check_object(const struct tr_event *event, char *text)
{
	size_t max = tr_object_text_max(event->object, event->line.len,
					event->kind ? event->kind->kind : NULL);
	size_t len = tr_object_text_write(text, event->object, event->part->calls,
					  event->kind ? event->kind->kind : NULL, "") -
		     text;

	must(len <= max && text[len - 1] == '\n', "an object's text keeps to its limit");
	must(memchr(text, '\n', len) == text + len - 1, "an object's text is one line");
	must(!memchr(text, 27, len), "no escape of an object reaches a terminal");
}

static void walk(const char *name, struct seen *seen)
{
	char *names[] = {(char *)name};
	struct tr_stream *stream = tr_stream_new(names, 1);
	static char text[8 * TR_MAX_LINE];
	struct tr_event event;

	for (;;) {
		tr_stream_next(stream, &event);
		if (event.type == TR_EVENT_END)
			break;
		must(event.part != NULL, "an event has a part");
		switch (event.type) {
		case TR_EVENT_END: break;
		case TR_EVENT_RECORDS:
			must(event.n > 0 && event.n <= TR_BATCH, "a batch is not empty");
			for (size_t i = 0; i < event.n; i++)
				check_body(event.kind, event.bodies[i], seen);
			seen->records += event.n;
			break;
		case TR_EVENT_OBJECT:
			if (tr_object_text_max(event.object, event.line.len,
					       event.kind ? event.kind->kind : NULL) <=
			    sizeof(text))
				check_object(&event, text);
			seen->objects++;
			break;
		case TR_EVENT_CONTROL: seen->controls++; break;
		case TR_EVENT_OTHER: seen->others++; break;
		}
		if (event.type != TR_EVENT_RECORDS)
			mix(seen, event.line.bytes, event.line.len);
	}
	tr_stream_finish(stream);
	tr_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen mapped = {0}, piped = {0};
	char name[40];
	int fd, ends[2];

	if (size > MAX_INPUT)
		return 0;
	tr_message_quiet(true);
	fd = memfd_create("input", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "a file is made");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	walk(name, &mapped);
	close(fd);
	must(!pipe2(ends, O_CLOEXEC) && fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) > 0,
	     "a pipe is made");
	must(write(ends[1], data, size) == (ssize_t)size, "the pipe takes it");
	close(ends[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	walk(name, &piped);
	close(ends[0]);
	must(!memcmp(&mapped, &piped, sizeof(mapped)), "a file and a pipe give the same");
	return 0;
}
