/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-cat: traces one behind the other or merged, as packed lines, JSON lines, text or CSV; some of
 * their records or fields, in order, at their own pace. What the reader has to skip is left out and
 * counted.
 */
#include <errno.h>
#include <unistd.h>

#include "flow.h"
#include "colour.h"
#include "message.h"
#include "options.h"
#include "sandbox.h"

static int set_format(void *settings, const char *argument)
{
	static const char *const names[] = {[FORMAT_PACKED] = "packed",
					    [FORMAT_JSON] = "json",
					    [FORMAT_TEXT] = "text",
					    [FORMAT_CSV] = "csv"};
	int format = tr_option_choose("format", argument, names, sizeof(names) / sizeof(names[0]));

	if (format < 0)
		return format;
	((struct flow *)settings)->writer.format = format;
	return 0;
}

static int set_where(void *settings, const char *argument)
{
	return tr_where_add(&((struct flow *)settings)->where, argument);
}

static int set_fields(void *settings, const char *argument)
{
	if (columns_parse(&((struct flow *)settings)->writer.columns, argument) < 0)
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
	((struct flow *)settings)->writer.stamp.form = form;
	return 0;
}

static int set_pace(void *settings, const char *argument)
{
	(void)argument;
	((struct flow *)settings)->paced = true;
	return 0;
}

static int set_merge(void *settings, const char *argument)
{
	(void)argument;
	((struct flow *)settings)->merged = true;
	return 0;
}

static int set_sort(void *settings, const char *argument)
{
	(void)argument;
	((struct flow *)settings)->sorted = true;
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
	{0, "merge", NULL, "several traces as one, in order of time", set_merge},
	{0, "sort", NULL, "put the records in order of time", set_sort},
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
	if (writer->format == FORMAT_TEXT)
		tr_colour_for(STDOUT_FILENO);
	if (writer->stamp.form && writer->format != FORMAT_TEXT && writer->format != FORMAT_CSV)
		return tr_option_error("time", NULL, "only --format=text and csv show times so");
	return 0;
}

int main(int argc, char **argv)
{
	static struct flow flow;
	struct tr_out out;
	int first, status, read;

	tr_message_name("tr-cat");
	status = tr_options_parse(&usage, &flow, argc, argv, &first);
	if (status >= 0)
		return status;
	if (complete(&flow.writer) < 0)
		return TR_USAGE;
	tr_out_init(&out, STDOUT_FILENO);
	flow.writer.out = &out;
	status = TR_FAILED;
	if (flow_open(&flow, argv + first, argc - first) < 0)
		goto out;
	tr_sandbox_enter();
	status = flow_run(&flow);
	if (tr_out_close(&out) != TR_DONE)
		status = TR_FAILED;
	read = flow_finish(&flow);
	if (read != TR_DONE)
		status = read;
out:
	tr_out_release(&out);
	flow_release(&flow);
	return status;
}
