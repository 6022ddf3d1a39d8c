/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-cat: traces one behind the other, as packed lines, JSON lines or text. Control lines and data
 * that is not ours go through as they are; what the reader has to skip is left out and counted.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "options.h"
#include "out.h"
#include "packed.h"
#include "record_json.h"
#include "record_text.h"
#include "sandbox.h"
#include "where.h"

enum format { FORMAT_DEFAULT, FORMAT_PACKED, FORMAT_JSON, FORMAT_TEXT };

struct settings {
	enum format format;
	struct tr_where where;
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

static int set_where(void *settings, const char *argument)
{
	return tr_where_add(&((struct settings *)settings)->where, argument);
}

static const struct tr_option options[] = {
	{0, "format", "packed|json|text",
	 "what to write; text on a terminal and packed elsewhere unless said", set_format},
	{0, "where", "EXPR", "only records for which it is true; tracery-expressions(7)",
	 set_where},
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
	char *p = tr_out_reserve(out, tr_object_text_max(event->object, event->line.len));

	tr_out_commit(out, tr_object_text_write(p, event->object, event->part->calls, key, label));
}

/* The end line of a part of which some records were left out: it counts those that were not. */
static void write_end(struct tr_out *out, const struct tr_event *event)
{
	const struct tr_json_value *records = tr_json_get(event->object, "records");
	const char *line = event->line.bytes, *end = line + event->line.len;
	char number[TR_NUMBER_MAX];

	if (records) {
		const char *at = records->source.bytes;

		tr_out_bytes(out, line, at - line);
		tr_out_bytes(out, number, tr_json_put_u64(number, event->part->passed) - number);
		line = at + records->source.len;
	}
	tr_out_bytes(out, line, end - line);
	tr_out_text(out, "\n");
}

/* A line that is no record of a kind: text shows it if it says something about the traced. */
static void write_line(struct tr_out *out, const struct tr_event *event, const struct settings *set)
{
	bool is_control = event->type == TR_EVENT_CONTROL;
	char *p;

	if (set->format == FORMAT_TEXT) {
		if (!is_control)
			write_object(out, event, "");
		else if (event->control == TR_CONTROL_LOST)
			write_object(out, event, "lost");
		return;
	}
	if (is_control && event->control == TR_CONTROL_END && set->where.n) {
		write_end(out, event);
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

static void copy(struct tr_stream *stream, struct tr_out *out, struct settings *set)
{
	struct tr_event event;

	for (;;) {
		tr_where_next(&set->where, stream, &event);
		if (event.type == TR_EVENT_END || out->error)
			return;
		if (event.type == TR_EVENT_RECORDS) {
			write_records(out, &event, set->format);
			event.part->passed += event.n;
		} else {
			write_line(out, &event, set);
			event.part->passed += event.type == TR_EVENT_OBJECT;
		}
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
	copy(stream, &out, &settings);
	status = tr_out_close(&out);
	if (tr_stream_finish(stream) != TR_DONE)
		status = TR_FAILED;
	if (tr_where_finish(&settings.where) != TR_DONE)
		status = TR_USAGE;
	tr_where_release(&settings.where);
	tr_stream_free(stream);
	tr_out_release(&out);
	return status;
}
