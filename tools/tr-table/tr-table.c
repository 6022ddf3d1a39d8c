/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-table: counts and sums of records by key. The total at the end; with --interval one table per
 * interval of the records' own time; on a terminal the total so far, drawn again each second.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "report.h"
#include "view.h"

struct settings {
	struct tr_groups groups;
	struct view view;
	uint64_t interval_ns; /* 0: none */
	struct tr_where where;
};

struct table {
	struct settings *set;
	struct tr_report report;
	int status;
};

static int set_by(void *settings, const char *argument)
{
	const char *why;

	if (tr_groups_set_keys(&((struct settings *)settings)->groups, argument, &why) < 0)
		return tr_option_error("by", argument, why);
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
static void note_limits(const struct tr_groups *g)
{
	if (g->others)
		tr_note("%llu records found %d keys already and are under \"other\"",
			(unsigned long long)g->others, TR_MAX_GROUPS);
	if (g->left_out)
		tr_note("%llu rows have no percentiles, which would take more than %d MiB in all",
			(unsigned long long)g->left_out,
			TR_MAX_OCTAVES / 1024 * TR_OCTAVE_BYTES / 1024);
	if (g->saturated)
		tr_note("a sum is beyond what can be held, and stands at its limit");
}

static void print(struct table *t)
{
	struct settings *s = t->set;
	uint64_t begin_ns = t->report.begin_ns;

	if (view_print(&s->view, &s->groups, &t->report.out, begin_ns, begin_ns + s->interval_ns,
		       NULL) < 0 &&
	    t->status == TR_DONE) {
		tr_error("--sort %s: there is no such column; the rows are in order as without it",
			 s->view.sort);
		t->status = TR_USAGE;
	}
	note_limits(&s->groups);
}

static void add(void *context, const struct tr_event *event, size_t from, size_t to)
{
	tr_groups_add(&((struct table *)context)->set->groups, event, from, to);
}

static void add_object(void *context, const struct tr_event *event)
{
	tr_groups_add_object(&((struct table *)context)->set->groups, event);
}

/* Its table, and nothing is left of it. */
static void end_interval(void *context)
{
	struct table *t = context;

	print(t);
	tr_groups_clear(&t->set->groups);
}

static void end(void *context)
{
	struct table *t = context;

	if (!t->set->interval_ns)
		print(t);
}

static size_t draw(void *context, struct tr_out *out, const struct tr_screen *screen)
{
	struct settings *s = ((struct table *)context)->set;

	view_print(&s->view, &s->groups, out, 0, 0, screen);
	return s->view.lines;
}

static const struct tr_report_hooks hooks = {
	.add = add,
	.add_object = add_object,
	.end_interval = end_interval,
	.end = end,
	.draw = draw,
};

int main(int argc, char **argv)
{
	static struct settings set;
	struct table t = {.set = &set, .status = TR_DONE};
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
	tr_groups_init(&set.groups);
	t.report = (struct tr_report){
		.hooks = &hooks,
		.context = &t,
		.where = &set.where,
		.interval_ns = set.interval_ns,
		.live = !set.interval_ns && set.view.output == OUTPUT_TABLE,
	};
	status = tr_report_run(&t.report, argv + first, argc - first);
	if (t.status != TR_DONE)
		status = t.status;
	tr_groups_release(&set.groups);
	tr_where_release(&set.where);
	return status;
}
