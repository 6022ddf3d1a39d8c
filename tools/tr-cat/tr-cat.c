/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-cat: traces one behind the other, as packed lines, JSON lines, text or CSV; some of their
 * records or fields, at their own pace. What the reader has to skip is left out and counted.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "out.h"
#include "pace.h"
#include "sandbox.h"
#include "where.h"
#include "writer.h"

struct settings {
	struct tr_where where;
	struct writer writer;
	bool paced;
};

static int set_format(void *settings, const char *argument)
{
	static const char *const names[] = {[FORMAT_PACKED] = "packed",
					    [FORMAT_JSON] = "json",
					    [FORMAT_TEXT] = "text",
					    [FORMAT_CSV] = "csv"};
	int format = tr_option_choose("format", argument, names, sizeof(names) / sizeof(names[0]));

	if (format < 0)
		return format;
	((struct settings *)settings)->writer.format = format;
	return 0;
}

static int set_where(void *settings, const char *argument)
{
	return tr_where_add(&((struct settings *)settings)->where, argument);
}

static int set_fields(void *settings, const char *argument)
{
	if (columns_parse(&((struct settings *)settings)->writer.columns, argument) < 0)
		return tr_option_error("fields", argument,
				       "not a list of fields such as ts,args[0]");
	return 0;
}

static int set_time(void *settings, const char *argument)
{
	static const char *const names[] = {[STAMP_RELATIVE] = "relative",
					    [STAMP_DELTA] = "delta",
					    [STAMP_CLOCK] = "clock",
					    [STAMP_ISO] = "iso"};
	int form = tr_option_choose("time", argument, names, sizeof(names) / sizeof(names[0]));

	if (form < 0)
		return form;
	((struct settings *)settings)->writer.stamp.form = form;
	return 0;
}

static int set_pace(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->paced = true;
	return 0;
}

static const struct tr_option options[] = {
	{0, "format", "packed|json|text|csv",
	 "what to write; text on a terminal and packed elsewhere unless said", set_format},
	{0, "where", "EXPR", "only records for which it is true; tracery-expressions(7)",
	 set_where},
	{0, "fields", "F,...", "only these fields, in this order, as JSON, text or CSV",
	 set_fields},
	{0, "time", "relative|delta|clock|iso", "how text and CSV show times", set_time},
	{0, "pace", NULL, "as far apart in time as the records were made", set_pace},
	{0},
};

static const struct tr_usage usage = {
	.synopsis = "tr-cat [OPTION]... [FILE]...",
	.sentence = "Concatenate traces, select from them, and convert them.",
	.options = options,
	.examples =
		"  tr-cat --format=json web.trc | jq .syscall\n"
		"  tr-cat monday.trc tuesday.trc > both.trc\n"
		"  tr-cat --where 'ns > 1ms' --format=csv --fields ts,comm,syscall,ns web.trc\n",
};

/* What was not said, and what does not go together. 0, or -EINVAL after an error. */
static int complete(struct writer *writer)
{
	bool fields = writer->columns.given, terminal = isatty(STDOUT_FILENO);

	if (fields && writer->format == FORMAT_PACKED)
		return tr_option_error(
			"fields", NULL,
			"a packed record has all fields: --format=json, text or csv");
	if (!writer->format)
		writer->format = terminal ? FORMAT_TEXT : fields ? FORMAT_JSON : FORMAT_PACKED;
	if (writer->stamp.form && writer->format != FORMAT_TEXT && writer->format != FORMAT_CSV)
		return tr_option_error("time", NULL, "only --format=text and csv show times so");
	return 0;
}

static int flush(void *out)
{
	tr_out_flush(out);
	return -1;
}

/* The event, each of its records when it is due. False when nobody waits for more. */
static bool write_paced(struct writer *writer, struct pace *pace, bool live, struct tr_event event,
			bool first)
{
	const struct tr_field *f =
		event.type == TR_EVENT_RECORDS ? moment_field(event.kind->kind) : NULL;
	size_t n = event.n;
	uint64_t ts;

	if (!f) {
		if (event.type != TR_EVENT_OTHER && moment_ts(event.object, &ts) &&
		    !pace_wait(pace, live, event.part, ts, first && event.type == TR_EVENT_OBJECT))
			return false;
		writer_event(writer, &event);
		return true;
	}
	for (event.n = 1; n--; event.bodies++, first = false) {
		ts = tr_field_int(f, *event.bodies, 0);
		if (!pace_wait(pace, live, event.part, ts, first))
			return false;
		writer_event(writer, &event);
	}
	return true;
}

static void copy(struct tr_stream *stream, struct settings *set)
{
	struct writer *writer = &set->writer;
	struct pace pace = {.out = writer->out};
	struct tr_event event;

	for (;;) {
		bool first;

		tr_where_next(&set->where, stream, &event);
		if (event.type == TR_EVENT_END || writer->out->error)
			return;
		first = !event.part->passed;
		if (event.type == TR_EVENT_RECORDS)
			event.part->passed += event.n;
		else
			event.part->passed += event.type == TR_EVENT_OBJECT;
		if (!set->paced)
			writer_event(writer, &event);
		else if (!write_paced(writer, &pace, tr_stream_is_live(stream), event, first))
			return;
	}
}

int main(int argc, char **argv)
{
	static struct settings set;
	struct tr_stream *stream;
	struct tr_out out;
	int first, status;

	tr_message_name("tr-cat");
	status = tr_options_parse(&usage, &set, argc, argv, &first);
	if (status >= 0)
		return status;
	if (complete(&set.writer) < 0)
		return TR_USAGE;
	tr_out_init(&out, STDOUT_FILENO);
	set.writer.out = &out;
	set.writer.selects = set.where.n > 0;
	stream = tr_stream_new(argv + first, argc - first);
	tr_stream_on_idle(stream, flush, &out, STDOUT_FILENO);
	tr_sandbox_enter();
	copy(stream, &set);
	writer_finish(&set.writer);
	status = tr_out_close(&out);
	if (tr_stream_finish(stream) != TR_DONE)
		status = TR_FAILED;
	if (tr_where_finish(&set.where) != TR_DONE)
		status = TR_USAGE;
	tr_where_release(&set.where);
	writer_release(&set.writer);
	tr_stream_free(stream);
	tr_out_release(&out);
	return status;
}
