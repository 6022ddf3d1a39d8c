/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-hist: how the values of records are spread: a histogram and percentiles for each key, of all
 * at the end, of each interval, or so far on a terminal; or a map of them over time.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heat.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "report.h"
#include "show.h"

struct settings {
	struct tr_groups groups;
	struct show show;
	bool heatmap;
	uint64_t interval_ns; /* 0: none */
	struct tr_where where;
};

struct hist {
	struct settings *set;
	struct tr_report report;
	struct heat heat;
	struct tr_screen screen;         /* no limit to its lines */
	bool shown, both, fuzzy, summed; /* what there was, in any interval */
};

static int set_by(void *settings, const char *argument)
{
	struct tr_groups *g = &((struct settings *)settings)->groups;
	const char *why;

	if (!*argument) {
		g->by = TR_BY_FIELDS;
		g->n_keys = 0;
		return 0;
	}
	if (tr_groups_set_keys(g, argument, &why) < 0)
		return tr_option_error("by", argument, why);
	return 0;
}

static int set_value(void *settings, const char *argument)
{
	struct tr_groups *g = &((struct settings *)settings)->groups;

	if (!*argument || strlen(argument) > TR_MAX_NAME)
		return tr_option_error("value", argument, "not a field's name");
	for (size_t i = 0; i < N_MEASURES; i++)
		strcpy(g->measures[i].name, argument);
	return 0;
}

static int set_percentiles(void *settings, const char *argument)
{
	struct percentiles *list = &((struct settings *)settings)->show.percentiles;
	const char *text = argument;

	for (list->n = 0;; text++) {
		size_t len = strcspn(text, ",");
		struct percentile *p = &list->list[list->n];

		if (list->n == MAX_PERCENTILES)
			return tr_option_error("percentiles", argument, "more than 16");
		if (len >= sizeof(p->text) || tr_percentile_parse(text, len, &p->part, &p->of) < 0)
			return tr_option_error("percentiles", argument,
					       "not a list of numbers above 0 and up to 100");
		memcpy(p->text, text, len);
		p->text[len] = 0;
		list->n++;
		text += len;
		if (!*text)
			return 0;
	}
}

/* A number of whatever the values are, a time, or a size. */
static int set_linear(void *settings, const char *argument)
{
	struct settings *s = settings;
	struct tr_scale scale = {.how = TR_SCALE_LINEAR};
	size_t len = strlen(argument);
	uint64_t whole = 0;
	char *end;

	if (len && strspn(argument, "0123456789.") == len) {
		scale.step = strtod(argument, &end);
		if (*end)
			scale.step = 0;
	} else if (!len ||
		   (tr_time_parse(argument, &whole) < 0 && tr_size_parse(argument, &whole) < 0)) {
		return tr_option_error("linear", argument, "not a number, a time or a size");
	} else {
		scale.step = (double)whole;
	}
	if (!(scale.step > 0 && scale.step < 0x1p62))
		return tr_option_error("linear", argument, "not above 0, or too large");
	if (scale.step == (double)(int64_t)scale.step)
		scale.whole_step = (int64_t)scale.step;
	s->show.linear = true;
	for (size_t i = 0; i < N_MEASURES; i++)
		s->groups.measures[i].scale = scale;
	return 0;
}

static int set_interval(void *settings, const char *argument)
{
	struct settings *s = settings;

	if (tr_time_parse(argument, &s->interval_ns) < 0)
		return tr_option_error("interval", argument, "not a time such as 500ms or 2s");
	return 0;
}

static int set_heatmap(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->heatmap = true;
	return 0;
}

static int set_output(void *settings, const char *argument)
{
	static const char *const names[] = {
		[OUTPUT_TEXT] = "text", [OUTPUT_JSON] = "json", [OUTPUT_CSV] = "csv"};
	int output = tr_option_choose("output", argument, names, sizeof(names) / sizeof(names[0]));

	if (output < 0)
		return output;
	((struct settings *)settings)->show.output = output;
	return 0;
}

static int set_where(void *settings, const char *argument)
{
	return tr_where_add(&((struct settings *)settings)->where, argument);
}

static const struct tr_option options[] = {
	{0, "value", "F", "the field to measure; by each type's own value unless given", set_value},
	{'b', "by", "F,...", "a histogram for each value of these fields; '' for one of all",
	 set_by},
	{0, "linear", "STEP", "rows of this width, as 10, 0.5, 100us or 64K; not doubling ones",
	 set_linear},
	{0, "percentiles", "LIST", "which to print; default 50,90,99,99.9", set_percentiles},
	{'i', "interval", "T", "histograms of each T of the records' own time", set_interval},
	{0, "heatmap", NULL, "a map: time across, values down, how many by shade", set_heatmap},
	{0, "where", "EXPR", "only records for which it is true; tracery-expressions(7)",
	 set_where},
	{0, "output", "text|json|csv", "form of the histograms", set_output},
	{0},
};

static const struct tr_usage usage = {
	.synopsis = "tr-hist [OPTION]... [FILE]...",
	.sentence = "Show how values of records, such as latencies, are spread, by key.",
	.options = options,
	.examples = "  tr-hist --where 'syscall == \"read\"' web.trc\n"
		    "  tr-hist --by comm --percentiles 50,99,99.99 web.trc\n"
		    "  tr-hist --heatmap --by '' web.trc\n",
};

/* What was seen and can't be shown. */
static void note_limits(struct hist *h)
{
	const struct tr_groups *g = &h->set->groups;

	if (g->others)
		tr_note("%llu records found %d keys already and are under \"other\"",
			(unsigned long long)g->others, TR_MAX_GROUPS);
	if (g->left_out)
		tr_note("%llu keys have no rows, which would take more than %d MiB in all",
			(unsigned long long)g->left_out,
			TR_MAX_OCTAVES / 1024 * TR_OCTAVE_BYTES / 1024);
	if (g->saturated)
		tr_note("a count is beyond what can be held, and stands at its limit");
	h->shown |= h->set->show.shown > 0;
	h->both |= h->set->show.both > 0;
	h->summed |= h->set->show.summed > 0;
	h->fuzzy |= g->measures[OF_AGGREGATES].scale.how == TR_SCALE_LINEAR &&
		    g->measures[OF_AGGREGATES].straddled;
}

static void print(struct hist *h)
{
	struct settings *s = h->set;
	uint64_t begin_ns = h->report.begin_ns;

	show_groups(&s->show, &s->groups, &h->report.out, begin_ns, begin_ns + s->interval_ns,
		    &h->screen);
	note_limits(h);
}

static void add(void *context, const struct tr_event *event, size_t from, size_t to)
{
	struct hist *h = context;

	heat_enter(&h->heat, event->part);
	tr_groups_add(&h->set->groups, event, from, to);
}

static void add_object(void *context, const struct tr_event *event)
{
	struct hist *h = context;

	heat_enter(&h->heat, event->part);
	tr_groups_add_object(&h->set->groups, event);
}

/* What was added since the last time goes into the map. */
static void into_map(struct hist *h)
{
	heat_add(&h->heat, &h->set->groups, h->report.begin_ns);
	tr_groups_clear(&h->set->groups);
	h->report.interval_ns = h->heat.slot_ns;
}

static void end_interval(void *context)
{
	struct hist *h = context;

	if (h->set->heatmap) {
		into_map(h);
		return;
	}
	print(h);
	tr_groups_clear(&h->set->groups);
}

static void end(void *context)
{
	struct hist *h = context;
	const struct tr_report *r = &h->report;

	if (h->set->heatmap)
		h->shown = heat_draw(&h->heat, &h->report.out, &h->screen) > 0;
	else if (!h->set->interval_ns)
		print(h);
	h->both |= h->heat.both;
	if (h->both)
		tr_note("single records beside histograms of the same key are left out: they would "
			"count twice");
	if (h->fuzzy)
		tr_note("some values are known only by buckets wider than a row, and stand in the "
			"row "
			"of the bucket's middle");
	if (h->summed)
		tr_note("some keys have sums but no histograms, and are not shown; tr-table shows "
			"them");
	if (h->heat.lost)
		tr_note("the map has no room for %llu values", (unsigned long long)h->heat.lost);
	if (!h->shown && r->seen && !h->summed)
		tr_note("no record has a value to show: name one of their fields with --value");
}

static size_t draw(void *context, struct tr_out *out, const struct tr_screen *screen)
{
	struct hist *h = context;

	if (!h->set->heatmap)
		return show_groups(&h->set->show, &h->set->groups, out, 0, 0, screen);
	into_map(h);
	return heat_draw(&h->heat, out, screen);
}

static const struct tr_report_hooks hooks = {
	.add = add,
	.add_object = add_object,
	.end_interval = end_interval,
	.end = end,
	.draw = draw,
};

static void init_groups(struct tr_groups *g)
{
	g->n_measures = N_MEASURES;
	for (size_t i = 0; i < N_MEASURES; i++) {
		g->measures[i].sampled = true;
		g->measures[i].of = i == OF_EVENTS ? TR_OF_EVENTS : TR_OF_AGGREGATES;
		if (!g->measures[i].scale.how)
			g->measures[i].scale.how = TR_SCALE_BY_UNIT;
	}
	tr_groups_init(g);
}

/* A writer that sends not even a header has said itself why. */
static bool reads_pipe(void)
{
	struct stat file;

	return !fstat(STDIN_FILENO, &file) && S_ISFIFO(file.st_mode);
}

int main(int argc, char **argv)
{
	static struct settings set = {.groups.by = TR_BY_KEY};
	struct hist h = {.set = &set};
	int first, status;

	tr_message_name("tr-hist");
	set_percentiles(&set, "50,90,99,99.9");
	status = tr_options_parse(&usage, &set, argc, argv, &first);
	if (status >= 0)
		return status;
	if (set.heatmap && set.show.output != OUTPUT_TEXT) {
		tr_error("--heatmap is for people: not with --output");
		return TR_USAGE;
	}
	init_groups(&set.groups);
	heat_init(&h.heat, set.interval_ns);
	set.show.intervals = set.interval_ns && !set.heatmap;
	h.screen.columns = isatty(STDOUT_FILENO) ? tr_screen_of(STDOUT_FILENO).columns : 80;
	h.report = (struct tr_report){
		.hooks = &hooks,
		.context = &h,
		.where = &set.where,
		.interval_ns = set.heatmap ? h.heat.slot_ns : set.interval_ns,
		.note_empty = first < argc || !reads_pipe(),
		.live = set.show.output == OUTPUT_TEXT && (set.heatmap || !set.interval_ns),
	};
	status = tr_report_run(&h.report, argv + first, argc - first);
	heat_release(&h.heat);
	tr_groups_release(&set.groups);
	tr_where_release(&set.where);
	return status;
}
