/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records as packed lines, JSON lines, text and rows. Control lines and data that is not ours go
 * through as they are, where the form is a trace's.
 */
#include "writer.h"

#include <string.h>

#include "packed.h"
#include "record_json.h"
#include "record_text.h"

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

static void write_text(struct writer *writer, const struct tr_part_kind *kind,
		       const unsigned char *body)
{
	const struct tr_kind *k = kind->kind;
	const struct tr_syscalls *calls = kind->part->calls;
	char *p = tr_out_reserve(writer->out, tr_record_text_max(k, body) + STAMP_MAX);
	const struct tr_field *ts;

	if (stamp_is_plain(&writer->stamp)) {
		tr_out_commit(writer->out, tr_record_text_write(p, k, calls, body, 0));
		return;
	}
	ts = moment_field(k);
	if (ts) {
		p = stamp_put(&writer->stamp, p, kind->part, tr_field_int(ts, body, 0));
		*p++ = ' ';
	}
	tr_out_commit(writer->out, tr_record_text_untimed(p, k, calls, body, 0));
}

static enum cell_form cell_form(const struct writer *writer)
{
	return writer->format == FORMAT_CSV    ? CELL_CSV
	       : writer->format == FORMAT_TEXT ? CELL_TEXT
					       : CELL_JSON;
}

static bool has_columns(const struct writer *writer)
{
	return writer->columns.given || writer->format == FORMAT_CSV;
}

static void head(struct writer *writer, const struct tr_event *event)
{
	if (writer->format == FORMAT_CSV && !writer->headed)
		columns_head(&writer->columns, writer->out, event);
	writer->headed = true;
}

static void write_rows(struct writer *writer, const struct tr_event *event)
{
	head(writer, event);
	for (size_t i = 0; i < event->n && !writer->out->error; i++)
		columns_record(&writer->columns, writer->out, cell_form(writer), &writer->stamp,
			       event, i);
}

/* A loop for each form: these are the hot ones. */
static void write_records(struct writer *writer, const struct tr_event *event)
{
	struct tr_out *out = writer->out;
	const unsigned char *const *body = event->bodies, *const *end = body + event->n;

	if (has_columns(writer))
		write_rows(writer, event);
	else if (writer->format == FORMAT_JSON)
		for (; body < end && !out->error; body++)
			write_json(out, event->kind, *body);
	else if (writer->format == FORMAT_TEXT)
		for (; body < end && !out->error; body++)
			write_text(writer, event->kind, *body);
	else
		for (; body < end && !out->error; body++)
			write_packed(out, event->kind->kind, *body);
}

/* An object as text: a record, data of other make, or what a line says of the traced. */
static void write_object(struct writer *writer, const struct tr_event *event, const char *label)
{
	const struct tr_kind *kind = event->kind ? event->kind->kind : NULL;
	size_t max = tr_object_text_max(event->object, event->line.len, kind);
	char *p = tr_out_reserve(writer->out, max + STAMP_MAX);
	uint64_t ts;

	if (moment_ts(event->object, &ts)) {
		p = stamp_put(&writer->stamp, p, event->part, ts);
		*p++ = ' ';
	}
	tr_out_commit(writer->out,
		      tr_object_text_write(p, event->object, event->part->calls, kind, label));
}

/* The end line of a part of which some records were left out: it counts those that were not. */
static void write_end(struct tr_out *out, const struct tr_event *event)
{
	const struct tr_json_value *records = tr_json_get(event->object, "records");
	const char *line = event->line.bytes, *end = line + event->line.len;
	char number[32];

	if (records) {
		const char *at = records->source.bytes;

		tr_out_bytes(out, line, at - line);
		tr_out_bytes(out, number, tr_json_put_u64(number, event->part->passed) - number);
		line = at + records->source.len;
	}
	tr_out_bytes(out, line, end - line);
	tr_out_text(out, "\n");
}

static void write_line(struct writer *writer, const struct tr_event *event)
{
	bool is_control = event->type == TR_EVENT_CONTROL;
	char *p;

	if (is_control && event->control == TR_CONTROL_END && writer->selects) {
		write_end(writer->out, event);
		return;
	}
	p = tr_out_reserve(writer->out, event->line.len + 1);
	memcpy(p, event->line.bytes, event->line.len);
	p[event->line.len] = '\n';
	tr_out_commit(writer->out, p + event->line.len + 1);
}

/* The kind of a schema line that is new. */
static void see_schema(struct writer *writer, const struct tr_event *event)
{
	const struct tr_json_value *number =
		event->object ? tr_json_get(event->object, "kind") : NULL;
	struct tr_part_kind *kind =
		number && number->type == TR_JSON_INT && number->i >= 0 && number->i <= TR_MAX_KIND
			? tr_part_find_kind(event->part, number->i)
			: NULL;

	if (kind)
		columns_add_kind(&writer->columns, kind->kind);
}

/* A control line in a form that has none of its own for it. */
static void show_control(struct writer *writer, const struct tr_event *event)
{
	if (event->control == TR_CONTROL_SCHEMA && writer->format == FORMAT_CSV)
		see_schema(writer, event);
	else if (event->control == TR_CONTROL_LOST && !has_columns(writer))
		write_object(writer, event, "lost");
}

void writer_event(struct writer *writer, const struct tr_event *event)
{
	bool keeps = writer_keeps_trace(writer);

	switch (event->type) {
	case TR_EVENT_RECORDS: write_records(writer, event); break;
	case TR_EVENT_CONTROL:
		if (keeps)
			write_line(writer, event);
		else
			show_control(writer, event);
		break;
	case TR_EVENT_OBJECT:
	case TR_EVENT_OTHER:
		if (keeps) {
			write_line(writer, event);
		} else if (has_columns(writer)) {
			head(writer, event);
			columns_object(&writer->columns, writer->out, cell_form(writer),
				       &writer->stamp, event);
		} else {
			write_object(writer, event, "");
		}
		break;
	case TR_EVENT_END: break;
	}
}

void writer_finish(struct writer *writer)
{
	if (writer->columns.n)
		head(writer, NULL);
}

void writer_release(struct writer *writer)
{
	columns_release(&writer->columns);
}
