/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-table: counts and sums of records by key. The total at the end; with --interval one table per
 * interval of the records' own time; on a terminal the total so far, drawn again each second.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "groups.h"
#include "live.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "out.h"
#include "sandbox.h"
#include "view.h"
#include "where.h"

/* How long after an interval its last records may still be on their way. */
enum { LATE_MS = 200 };

struct settings {
	struct groups groups;
	struct view view;
	uint64_t interval_ns; /* 0: none */
	struct tr_where where;
};

struct table {
	struct settings *set;
	struct tr_out out;
	struct live live;
	bool headed;       /* a header was seen */
	bool seen;         /* a record was */
	bool begun;        /* an interval */
	uint64_t begin_ns; /* its start, in the part's time */
	uint64_t last_ms;  /* when its last record came */
	int status;
};

static int set_by(void *settings, const char *argument)
{
	struct groups *g = &((struct settings *)settings)->groups;
	static char *list; /* the keys point into it */
	char *rest, *name;

	free(list);
	rest = list = tr_xstrdup(argument);
	g->n_keys = 0;
	while ((name = strsep(&rest, ","))) {
		if (!*name || strlen(name) > TR_MAX_NAME)
			return tr_option_error("by", argument, "not a list of field names");
		if (g->n_keys == MAX_KEYS)
			return tr_option_error("by", argument, "more than 8 fields");
		g->keys[g->n_keys++] = name;
	}
	return 0;
}

static int set_agg(void *settings, const char *argument)
{
	struct settings *s = settings;
	const char *why;

	s->view.n_columns = s->groups.n_measures = 0;
	if (view_parse_aggs(&s->view, &s->groups, argument, &why) < 0)
		return tr_option_error("agg", argument, why);
	return 0;
}

static int set_sort(void *settings, const char *argument)
{
	((struct settings *)settings)->view.sort = argument;
	return 0;
}

static int set_reverse(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->view.reverse = true;
	return 0;
}

static int set_top(void *settings, const char *argument)
{
	int64_t n;

	if (tr_number_parse(argument, 1, INT32_MAX, &n) < 0)
		return tr_option_error("top", argument, "not a number from 1 up");
	((struct settings *)settings)->view.top = n;
	return 0;
}

static int set_interval(void *settings, const char *argument)
{
	struct settings *s = settings;

	if (tr_time_parse(argument, &s->interval_ns) < 0)
		return tr_option_error("interval", argument, "not a time such as 500ms or 2s");
	s->view.intervals = true;
	return 0;
}

static int set_where(void *settings, const char *argument)
{
	return tr_where_add(&((struct settings *)settings)->where, argument);
}

static int set_output(void *settings, const char *argument)
{
	static const char *const names[] = {
		[OUTPUT_TABLE] = "table",       [OUTPUT_JSON] = "json",
		[OUTPUT_CSV] = "csv",           [OUTPUT_TSV] = "tsv",
		[OUTPUT_MARKDOWN] = "markdown", [OUTPUT_OPENMETRICS] = "openmetrics"};
	int output = tr_option_choose("output", argument, names, sizeof(names) / sizeof(names[0]));

	if (output < 0)
		return output;
	((struct settings *)settings)->view.output = output;
	return 0;
}

static const struct tr_option options[] = {
	{'b', "by", "F,...", "group by these fields; by each type's own key unless given", set_by},
	{0, "agg", "LIST", "columns: count, errors, sum(F), avg(F), min(F), max(F), p99(F)",
	 set_agg},
	{0, "sort", "COL", "sort by this column, largest first, or by a key; default count",
	 set_sort},
	{'r', "reverse", NULL, "the other way round", set_reverse},
	{0, "top", "N", "the first N rows only", set_top},
	{'i', "interval", "T", "one table per T of the records' own time", set_interval},
	{0, "where", "EXPR", "only records for which it is true; tracery-expressions(7)",
	 set_where},
	{0, "output", "table|json|csv|tsv|markdown|openmetrics", "form of the rows", set_output},
	{0},
};

static const struct tr_usage usage = {
	.synopsis = "tr-table [OPTION]... [FILE]...",
	.sentence = "Count and sum up records by key, from a trace on stdin or in files.",
	.options = options,
	.examples = "  tr-attach --count --pid 1234 | tr-table\n"
		    "  tr-table --by comm --agg 'count,sum(ns),max(ns)' --sort 'sum(ns)' web.trc\n",
};

/* What a table can't show. */
static void note_limits(const struct groups *g)
{
	if (g->others)
		tr_note("%llu records found %d keys already and are under \"other\"",
			(unsigned long long)g->others, MAX_GROUPS);
	if (g->left_out)
		tr_note("%llu rows have no percentiles, which would take more than %d MiB in all",
			(unsigned long long)g->left_out,
			MAX_OCTAVES / 1024 * TR_OCTAVE_BYTES / 1024);
	if (g->saturated)
		tr_note("a sum is beyond what can be held, and stands at its limit");
}

static void print(struct table *t)
{
	struct settings *s = t->set;

	if (view_print(&s->view, &s->groups, &t->out, t->begin_ns, t->begin_ns + s->interval_ns,
		       NULL) < 0 &&
	    t->status == TR_DONE) {
		tr_error("--sort %s: there is no such column; the rows are in order as without it",
			 s->view.sort);
		t->status = TR_USAGE;
	}
	note_limits(&s->groups);
}

/* The interval is over: its table, and nothing is left of it. */
static void end_interval(struct table *t)
{
	if (!t->begun)
		return;
	print(t);
	groups_clear(&t->set->groups);
	t->begun = false;
}

/* The interval that TS belongs to begins, unless it is under way. Late records go with the current.
 */
static void enter_interval(struct table *t, uint64_t ts)
{
	uint64_t interval = t->set->interval_ns;

	if (t->begun && ts >= t->begin_ns && ts - t->begin_ns >= interval)
		end_interval(t);
	t->last_ms = now_ms();
	if (t->begun)
		return;
	t->begun = true;
	if (ts - t->begin_ns >= interval || ts < t->begin_ns)
		t->begin_ns = ts / interval * interval;
}

/* A batch in runs of one interval each. */
static void add_by_interval(struct table *t, const struct tr_event *event)
{
	const struct tr_field *f = tr_kind_field(event->kind->kind, "ts", 2);
	size_t from = 0;

	for (size_t i = 0; f && i < event->n; i++) {
		uint64_t ts = tr_field_int(f, event->bodies[i], 0);

		if (t->begun && ts - t->begin_ns < t->set->interval_ns)
			continue;
		if (i > from)
			groups_add(&t->set->groups, event, from, i);
		from = i;
		enter_interval(t, ts);
	}
	t->last_ms = now_ms();
	groups_add(&t->set->groups, event, from, event->n);
}

static void redraw(struct table *t)
{
	live_draw(&t->live, &t->set->view, &t->set->groups, &t->out);
}

/* Before a wait: what is due is printed. How long the wait may be. */
static int on_idle(void *context)
{
	struct table *t = context;
	uint64_t interval_ms = t->set->interval_ns / 1000000, quiet_ms = now_ms() - t->last_ms;
	int timeout;

	redraw(t);
	timeout = live_timeout_ms(&t->live);
	if (t->begun && quiet_ms >= interval_ms + LATE_MS)
		end_interval(t);
	else if (t->begun && interval_ms < INT32_MAX / 2)
		timeout = interval_ms + LATE_MS - quiet_ms;
	tr_out_flush(&t->out);
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

static void add_event(struct table *t, const struct tr_event *event)
{
	const struct tr_json_value *ts;

	switch (event->type) {
	case TR_EVENT_RECORDS:
		t->seen = true;
		if (t->set->interval_ns)
			add_by_interval(t, event);
		else
			groups_add(&t->set->groups, event, 0, event->n);
		break;
	case TR_EVENT_OBJECT:
		t->seen = true;
		ts = tr_json_get(event->object, "ts");
		if (t->set->interval_ns)
			enter_interval(t, ts && ts->type == TR_JSON_INT ? (uint64_t)ts->i
									: t->begin_ns);
		groups_add_object(&t->set->groups, event);
		break;
	case TR_EVENT_CONTROL:
		t->headed = true;
		if (t->live.on && event->control == TR_CONTROL_TRACERY &&
		    has_command(event->object))
			t->live.on = false;
		/* another part has another clock */
		if (t->set->interval_ns && event->control == TR_CONTROL_TRACERY &&
		    !event->part->records && !event->part->objects) {
			end_interval(t);
			t->begin_ns = 0;
		}
		break;
	case TR_EVENT_OTHER:
	case TR_EVENT_END: break;
	}
}

static void run(struct table *t, struct tr_stream *stream)
{
	struct tr_event event;

	for (unsigned n = 0; !t->out.error; n++) {
		tr_where_next(&t->set->where, stream, &event);
		if (event.type == TR_EVENT_END)
			break;
		add_event(t, &event);
		if (n % 64 == 0)
			redraw(t);
	}
	if (t->set->interval_ns) {
		end_interval(t);
		return;
	}
	live_erase(&t->live, &t->out);
	print(t);
}

int main(int argc, char **argv)
{
	static struct settings set;
	struct table t = {.set = &set, .status = TR_DONE};
	struct tr_stream *stream;
	int first, status;

	tr_message_name("tr-table");
	status = tr_options_parse(&usage, &set, argc, argv, &first);
	if (status >= 0)
		return status;
	if (set.interval_ns && set.view.output == OUTPUT_OPENMETRICS) {
		tr_error("--output openmetrics is one table, of all records: not with --interval");
		return TR_USAGE;
	}
	if (!set.view.n_columns)
		view_default_aggs(&set.view, &set.groups);
	groups_init(&set.groups);
	tr_out_init(&t.out, STDOUT_FILENO);
	live_init(&t.live,
		  isatty(STDOUT_FILENO) && !set.interval_ns && set.view.output == OUTPUT_TABLE);
	stream = tr_stream_new(argv + first, argc - first);
	tr_stream_on_idle(stream, on_idle, &t, STDOUT_FILENO);
	tr_sandbox_enter();
	run(&t, stream);
	status = tr_out_close(&t.out);
	if (tr_stream_finish(stream) != TR_DONE && status == TR_DONE)
		status = TR_FAILED;
	if (status == TR_DONE && t.headed && !t.seen)
		tr_note("no records");
	if (t.status != TR_DONE)
		status = t.status;
	if (tr_where_finish(&set.where) != TR_DONE)
		status = TR_USAGE;
	tr_stream_free(stream);
	groups_release(&set.groups);
	tr_where_release(&set.where);
	tr_out_release(&t.out);
	return status;
}
