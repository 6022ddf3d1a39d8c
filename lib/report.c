/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding up and reporting: when what is due. */
#include "report.h"

#include <stdio.h>
#include <unistd.h>

#include "sandbox.h"

/* How long after an interval its last records may still be on their way. */
enum { LATE_MS = 200 };

/* The interval is over, if one has begun. */
static void end_interval(struct tr_report *r)
{
	if (!r->begun)
		return;
	r->hooks->end_interval(r->context);
	r->begun = false;
}

/* The interval that TS belongs to begins, unless it is under way. Late records go with the current.
 */
static void enter_interval(struct tr_report *r, uint64_t ts)
{
	if (r->begun && ts >= r->begin_ns && ts - r->begin_ns >= r->interval_ns)
		end_interval(r);
	r->last_ms = tr_now_ms();
	if (r->begun)
		return;
	r->begun = true;
	if (ts - r->begin_ns >= r->interval_ns || ts < r->begin_ns)
		r->begin_ns = ts / r->interval_ns * r->interval_ns;
}

/* A batch in runs of one interval each. */
static void add_by_interval(struct tr_report *r, const struct tr_event *event)
{
	const struct tr_field *f = tr_kind_field(event->kind->kind, "ts", 2);
	size_t from = 0;

	for (size_t i = 0; f && i < event->n; i++) {
		uint64_t ts = tr_field_int(f, event->bodies[i], 0);

		if (r->begun && ts - r->begin_ns < r->interval_ns)
			continue;
		if (i > from)
			r->hooks->add(r->context, event, from, i);
		from = i;
		enter_interval(r, ts);
	}
	r->last_ms = tr_now_ms();
	r->hooks->add(r->context, event, from, event->n);
}

static void redraw(struct tr_report *r)
{
	tr_live_draw(&r->drawing, &r->out, r->hooks->draw, r->context);
}

/* Before a wait: what is due is printed. How long the wait may be. */
static int on_idle(void *context)
{
	struct tr_report *r = context;
	uint64_t interval_ms = r->interval_ns / 1000000, quiet_ms = tr_now_ms() - r->last_ms;
	int timeout;

	redraw(r);
	timeout = tr_live_timeout_ms(&r->drawing);
	if (r->begun && quiet_ms >= interval_ms + LATE_MS)
		end_interval(r);
	else if (r->begun && interval_ms < INT32_MAX / 2 &&
		 (timeout < 0 || interval_ms + LATE_MS - quiet_ms < (uint64_t)timeout))
		timeout = interval_ms + LATE_MS - quiet_ms;
	tr_out_flush(&r->out);
	return timeout;
}

/* A command that was started by the writer has this terminal for its own output. */
static bool has_command(struct tr_json_object *header)
{
	const struct tr_json_value *argv = header ? tr_json_get(header, "argv") : NULL;
	struct tr_json_value argument;
	struct tr_string rest;

	if (!argv || argv->type != TR_JSON_ARRAY)
		return false;
	rest = argv->source;
	while (tr_json_array_next(header, &rest, &argument))
		if (argument.type == TR_JSON_STRING && tr_string_is(argument.string, "--"))
			return true;
	return false;
}

static void add_header(struct tr_report *r, const struct tr_event *event)
{
	if (r->drawing.on && has_command(event->object))
		r->drawing.on = false;
	/* another part has another clock */
	if (r->interval_ns && !event->part->records && !event->part->objects) {
		end_interval(r);
		r->begin_ns = 0;
	}
}

static void add_event(struct tr_report *r, const struct tr_event *event)
{
	const struct tr_json_value *ts;

	switch (event->type) {
	case TR_EVENT_RECORDS:
		r->seen = true;
		if (r->interval_ns)
			add_by_interval(r, event);
		else
			r->hooks->add(r->context, event, 0, event->n);
		break;
	case TR_EVENT_OBJECT:
		r->seen = true;
		ts = tr_json_get(event->object, "ts");
		if (r->interval_ns)
			enter_interval(r, ts && ts->type == TR_JSON_INT ? (uint64_t)ts->i
									: r->begin_ns);
		r->hooks->add_object(r->context, event);
		break;
	case TR_EVENT_CONTROL:
		r->headed = true;
		if (event->control == TR_CONTROL_TRACERY)
			add_header(r, event);
		break;
	case TR_EVENT_OTHER:
	case TR_EVENT_END: break;
	}
}

static void read_all(struct tr_report *r, struct tr_stream *stream)
{
	struct tr_event event;

	for (unsigned n = 0; !r->out.error; n++) {
		tr_where_next(r->where, stream, &event);
		if (event.type == TR_EVENT_END)
			break;
		add_event(r, &event);
		if (n % 64 == 0)
			redraw(r);
	}
	end_interval(r);
	tr_live_erase(&r->drawing, &r->out);
	r->hooks->end(r->context);
}

/* "12.5s": an interval's edge. */
static void put_edge(struct tr_out *out, uint64_t ns)
{
	char text[32];
	int n = sprintf(text, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
			(unsigned long long)(ns % 1000000000));

	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	tr_out_printf(out, "%.*ss", n, text);
}

void tr_report_put_interval(struct tr_out *out, uint64_t from_ns, uint64_t to_ns)
{
	tr_out_text(out, "from ");
	put_edge(out, from_ns);
	tr_out_text(out, " to ");
	put_edge(out, to_ns);
	tr_out_text(out, "\n");
}

int tr_report_run(struct tr_report *r, char **names, size_t n)
{
	struct tr_stream *stream;
	int status;

	tr_out_init(&r->out, STDOUT_FILENO);
	tr_live_init(&r->drawing, r->live && isatty(STDOUT_FILENO));
	stream = tr_stream_new(names, n);
	tr_stream_on_idle(stream, on_idle, r, STDOUT_FILENO);
	tr_sandbox_enter();
	read_all(r, stream);
	status = tr_out_close(&r->out);
	if (tr_stream_finish(stream) != TR_DONE && status == TR_DONE)
		status = TR_FAILED;
	if (status == TR_DONE && !r->seen && (r->headed || r->note_empty) &&
	    !tr_stream_reader_left(stream))
		tr_note("no records");
	if (tr_where_finish(r->where) != TR_DONE)
		status = TR_USAGE;
	tr_stream_free(stream);
	tr_out_release(&r->out);
	return status;
}
