/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-cat: traces one behind the other, as packed lines, JSON lines or text. Control lines and data
 * that is not ours go through as they are; what the reader has to skip is left out and counted.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "out.h"
#include "packed.h"
#include "record_json.h"
#include "record_text.h"
#include "sandbox.h"
#include "stream.h"

enum format { FORMAT_DEFAULT, FORMAT_PACKED, FORMAT_JSON, FORMAT_TEXT };

struct settings {
	enum format format;
};

static int set_format(void *settings, const char *argument)
{
	static const char *const names[] = {
		[FORMAT_PACKED] = "packed", [FORMAT_JSON] = "json", [FORMAT_TEXT] = "text"};
	int format = tr_option_choose("format", argument, names, sizeof(names) / sizeof(names[0]));

	if (format < 0)
		return format;
	((struct settings *)settings)->format = format;
	return 0;
}

static const struct tr_option options[] = {
	{0, "format", "packed|json|text",
	 "what to write; text on a terminal and packed elsewhere unless said", set_format},
	{0},
};

static const struct tr_usage usage = {
	.synopsis = "tr-cat [OPTION]... [FILE]...",
	.sentence = "Concatenate traces and convert them: packed lines, JSON lines or text.",
	.options = options,
	.examples = "  tr-cat --format=json web.trc | jq .syscall\n"
		    "  tr-cat monday.trc tuesday.trc > both.trc\n",
};

static void write_packed(struct tr_out *out, const struct tr_kind *kind, const unsigned char *body)
{
	size_t bytes = tr_body_bytes(kind, body, SIZE_MAX);
	char *p = tr_out_reserve(out, tr_packed_max(bytes) + 64);

	tr_out_commit(out, p + tr_packed_encode((unsigned char *)p, kind->number, body, bytes));
}

/* Escapes can make a line longer than lines may be: such a record stays packed. */
static void write_json(struct tr_out *out, struct tr_part_kind *kind, const unsigned char *body)
{
	struct tr_record_json *plan = tr_part_kind_json(kind);
	char *p = tr_out_reserve(out, tr_record_json_max(plan, body));
	char *end = tr_record_json_write(plan, p, body, 0);

	if (end - p <= TR_MAX_LINE)
		tr_out_commit(out, end);
	else
		write_packed(out, kind->kind, body);
}

static void write_text(struct tr_out *out, const struct tr_part_kind *kind,
		       const unsigned char *body)
{
	char *p = tr_out_reserve(out, tr_record_text_max(kind->kind, body));

	tr_out_commit(out, tr_record_text_write(p, kind->kind, kind->part->calls, body, 0));
}

static void write_records(struct tr_out *out, const struct tr_event *event, enum format format)
{
	for (size_t i = 0; i < event->n && !out->error; i++)
		switch (format) {
		case FORMAT_JSON: write_json(out, event->kind, event->bodies[i]); break;
		case FORMAT_TEXT: write_text(out, event->kind, event->bodies[i]); break;
		case FORMAT_PACKED:
		case FORMAT_DEFAULT: write_packed(out, event->kind->kind, event->bodies[i]); break;
		}
}

static void write_object(struct tr_out *out, const struct tr_event *event, const char *label)
{
	const struct tr_kind *kind = event->kind ? event->kind->kind : NULL;
	const char *key =
		kind && kind->role[TR_R_key] >= 0 ? kind->fields[kind->role[TR_R_key]].name : NULL;
	char *p = tr_out_reserve(out, 4 * event->line.len + 64 * event->object->n + 64);

	tr_out_commit(out, tr_object_text_write(p, event->object, key, label));
}

/* A line that is no record of a kind: text shows it if it says something about the traced. */
static void write_line(struct tr_out *out, const struct tr_event *event, enum format format)
{
	char *p;

	if (format == FORMAT_TEXT) {
		if (event->type != TR_EVENT_CONTROL)
			write_object(out, event, "");
		else if (event->control == TR_CONTROL_LOST)
			write_object(out, event, "lost");
		return;
	}
	p = tr_out_reserve(out, event->line.len + 1);
	memcpy(p, event->line.bytes, event->line.len);
	p[event->line.len] = '\n';
	tr_out_commit(out, p + event->line.len + 1);
}

static int flush(void *out)
{
	tr_out_flush(out);
	return -1;
}

static void copy(struct tr_stream *stream, struct tr_out *out, enum format format)
{
	struct tr_event event;

	for (;;) {
		tr_stream_next(stream, &event);
		if (event.type == TR_EVENT_END || out->error)
			return;
		if (event.type == TR_EVENT_RECORDS)
			write_records(out, &event, format);
		else
			write_line(out, &event, format);
	}
}

int main(int argc, char **argv)
{
	struct settings settings = {0};
	struct tr_stream *stream;
	struct tr_out out;
	int first, status;

	tr_message_name("tr-cat");
	status = tr_options_parse(&usage, &settings, argc, argv, &first);
	if (status >= 0)
		return status;
	if (settings.format == FORMAT_DEFAULT)
		settings.format = isatty(STDOUT_FILENO) ? FORMAT_TEXT : FORMAT_PACKED;
	tr_out_init(&out, STDOUT_FILENO);
	stream = tr_stream_new(argv + first, argc - first);
	tr_stream_on_idle(stream, flush, &out, STDOUT_FILENO);
	tr_sandbox_enter();
	copy(stream, &out, settings.format);
	status = tr_out_close(&out);
	if (tr_stream_finish(stream) != TR_DONE)
		status = TR_FAILED;
	tr_stream_free(stream);
	tr_out_release(&out);
	return status;
}
