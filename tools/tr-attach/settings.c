/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line: one table of options. */
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_list.h"
#include "command.h"
#include "events.h"
#include "message.h"
#include "number.h"
#include "options.h"

enum { DEFAULT_BUFFER = 8 << 20, MAX_IDS = 4096, MAX_ID = 1 << 22 };

const char *const way_names[N_WAYS] = {
	[WAY_FENTRY] = "fentry",
	[WAY_TP_BTF] = "tp_btf",
	[WAY_RAW_TP] = "raw_tp",
	[WAY_TRACEPOINT] = "tracepoint",
};

static int add_ids(struct id_list *list, const char *name, const char *argument)
{
	char *text = tr_xstrdup(argument), *rest = text, *word;
	int err = 0;

	while (!err && (word = strsep(&rest, ","))) {
		int64_t id;

		if (tr_number_parse(word, 1, MAX_ID, &id))
			err = tr_option_error(name, argument, "not a list of numbers from 1 up");
		else if (list->n == MAX_IDS)
			err = tr_option_error(name, NULL, "too many of them: at most 4096");
		if (err)
			break;
		list->ids = tr_xrealloc(list->ids, (list->n + 1) * sizeof(*list->ids));
		list->ids[list->n++] = id;
	}
	free(text);
	return err;
}

static int set_pid(void *settings, const char *argument)
{
	return add_ids(&((struct settings *)settings)->pids, "pid", argument);
}

static int set_tid(void *settings, const char *argument)
{
	return add_ids(&((struct settings *)settings)->tids, "tid", argument);
}

static int set_comm(void *settings, const char *argument)
{
	return words_add(&((struct settings *)settings)->comms, TR_MAX_COMMS, "comm", argument);
}

static int set_uid(void *settings, const char *argument)
{
	return words_add(&((struct settings *)settings)->uids, TR_MAX_UIDS, "uid", argument);
}

static int set_cgroup(void *settings, const char *argument)
{
	return words_add(&((struct settings *)settings)->cgroups, TR_MAX_CGROUPS, "cgroup",
			 argument);
}

static int set_container(void *settings, const char *argument)
{
	return words_add(&((struct settings *)settings)->containers, TR_MAX_CGROUPS, "container",
			 argument);
}

static int set_follow(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->follow = true;
	return 0;
}

static int set_all(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->all = true;
	return 0;
}

static int set_where(void *settings, const char *argument)
{
	where_add(&((struct settings *)settings)->where, argument);
	return 0;
}

static int set_syscalls(void *settings, const char *argument)
{
	return call_list_parse(&((struct settings *)settings)->stream, "syscalls", argument);
}

static int set_count(void *settings, const char *argument)
{
	return call_list_parse(&((struct settings *)settings)->count, "count", argument);
}

static int set_summary(void *settings, const char *argument)
{
	return call_list_parse(&((struct settings *)settings)->summary, "summary", argument);
}

static int set_latency(void *settings, const char *argument)
{
	return call_list_parse(&((struct settings *)settings)->latency, "latency", argument);
}

static int set_events(void *settings, const char *argument)
{
	return events_parse(&((struct settings *)settings)->events, argument);
}

static int set_args(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->args = true;
	return 0;
}

static int set_stacks(void *settings, const char *argument)
{
	enum { USER, KERNEL, BOTH };
	static const char *const names[] = {[USER] = "user", [KERNEL] = "kernel", [BOTH] = "both"};
	int which = argument ? tr_option_choose("stacks", argument, names, BOTH + 1) : USER;

	if (which < 0)
		return which;
	((struct settings *)settings)->stacks = (struct tr_stacks_config){
		.user = which != KERNEL,
		.kernel = which != USER,
	};
	return 0;
}

static int set_per_process(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->per_process = true;
	return 0;
}

static int set_max_keys(void *settings, const char *argument)
{
	int64_t n;

	_Static_assert(TR_MAX_HISTOGRAMS == 1728, "so it says below");
	if (tr_number_parse(argument, 1, TR_MAX_HISTOGRAMS, &n))
		return tr_option_error("max-keys", argument, "not a number from 1 to 1728");
	((struct settings *)settings)->max_keys = n;
	return 0;
}

static int set_time(uint64_t *ns, const char *name, const char *argument)
{
	if (tr_time_parse(argument, ns))
		return tr_option_error(name, argument, "not a time, as in 500ms, 10 or 2m");
	return 0;
}

static int set_interval(void *settings, const char *argument)
{
	struct settings *s = settings;
	int err = set_time(&s->interval_ns, "interval", argument);

	if (!err && s->interval_ns < 1000000)
		err = tr_option_error("interval", argument, "at least 1ms");
	return err;
}

static int set_duration(void *settings, const char *argument)
{
	return set_time(&((struct settings *)settings)->duration_ns, "duration", argument);
}

static int set_max_records(void *settings, const char *argument)
{
	int64_t n;

	if (tr_number_parse(argument, 1, INT64_MAX, &n))
		return tr_option_error("max-records", argument, "not a number from 1 up");
	((struct settings *)settings)->max_records = n;
	return 0;
}

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

static int set_buffer_size(void *settings, const char *argument)
{
	uint64_t bytes;

	if (tr_size_parse(argument, &bytes) || bytes < 1 || bytes > 1U << 30)
		return tr_option_error("buffer-size", argument, "not a size from 1 to 1G");
	((struct settings *)settings)->buffer_bytes = bytes;
	return 0;
}

static int set_way(void *settings, const char *argument)
{
	int way = tr_option_choose("way", argument, way_names, N_WAYS);

	if (way < 0)
		return way;
	((struct settings *)settings)->way = way;
	return 0;
}

static int set_run_as(void *settings, const char *argument)
{
	((struct settings *)settings)->run_as = argument;
	return 0;
}

static int set_command_stdout(void *settings, const char *argument)
{
	int64_t fd;

	if (tr_number_parse(argument, 0, 1 << 20, &fd))
		return tr_option_error("command-stdout", argument, "not a descriptor");
	((struct settings *)settings)->command_stdout = fd;
	return 0;
}

static int set_wait_for(void *settings, const char *argument)
{
	int64_t pid;

	if (tr_number_parse(argument, 1, MAX_ID, &pid))
		return tr_option_error("wait-for", argument, "not a process");
	((struct settings *)settings)->wait_for = pid;
	return 0;
}

static int set_dry_run(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->dry_run = true;
	return 0;
}

static int set_verbose(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->verbose = true;
	return 0;
}

static int set_quiet(void *settings, const char *argument)
{
	(void)argument;
	((struct settings *)settings)->quiet = true;
	return 0;
}

static const struct tr_option options[] = {
	{'p', "pid", "PID,...", "trace these processes", set_pid},
	{'t', "tid", "TID,...", "trace these threads (of those processes, with --pid)", set_tid},
	{'c', "comm", "NAME,...", "trace threads while they have one of these names", set_comm},
	{'u', "uid", "USER,...", "trace threads of these users, by number or name", set_uid},
	{0, "cgroup", "PATH,...", "trace threads in these cgroups and below them", set_cgroup},
	{0, "container", "ID,...", "trace threads in these containers, by id or name",
	 set_container},
	{'f', "follow", NULL, "and the children and threads that they create", set_follow},
	{'a', "all", NULL, "trace the whole machine, but not this pipeline", set_all},
	{0, "where", "EXPR", "only calls for which it is true, see tracery-expressions(7)",
	 set_where},
	{0, "syscalls", "[=LIST]", "send each system call when it returns (the default)",
	 set_syscalls},
	{0, "count", "[=LIST]", "count system calls in the kernel", set_count},
	{0, "summary", "[=LIST]", "add up the times of system calls in the kernel", set_summary},
	{0, "latency", "[=LIST]", "and count how many took how long, in fine buckets", set_latency},
	{0, "events", "TYPE,...", "send what else happens: mem, sched, net, file, proc, all, or types",
	 set_events},
	{0, "args", NULL, "with --syscalls: the arguments, and paths in full", set_args},
	{0, "stacks", "[=user|kernel|both]",
	 "with --syscalls: the stack, of user space unless given", set_stacks},
	{0, "per-process", NULL, "with --count, --summary, --latency: for each process",
	 set_per_process},
	{0, "max-keys", "N", "with --latency: of so many calls, 64 unless given", set_max_keys},
	{'i', "interval", "TIME", "send counts and times this often, 1s unless given",
	 set_interval},
	{'d', "duration", "TIME", "stop after this time", set_duration},
	{'n', "max-records", "N", "stop after N records", set_max_records},
	{0, "format", "packed|json|text", "what to write; text on a terminal, else packed",
	 set_format},
	{0, "buffer-size", "SIZE", "of the ring buffer, 8M unless given", set_buffer_size},
	{0, "way", "fentry|tp_btf|raw_tp|tracepoint", "take only this way in", set_way},
	{0, "run-as", "USER", "run COMMAND as USER", set_run_as},
	{0, "command-stdout", "N", "give COMMAND descriptor N as stdout, not our stderr",
	 set_command_stdout},
	{0, "wait-for", "PID", "exit after this child, with its status where ours is 0",
	 set_wait_for},
	{0, "dry-run", NULL, "load everything, attach nothing, say what would be traced",
	 set_dry_run},
	{'v', "verbose", NULL, "say more on stderr", set_verbose},
	{'q', "quiet", NULL, "say nothing but errors", set_quiet},
	{0},
};

static const struct tr_usage usage = {
	.synopsis = "tr-attach TARGET [WHAT]... [OPTION]... [-- COMMAND [ARG]...]",
	.sentence =
		"Trace processes and write what they do to stdout, for the other tools to read.",
	.options = options,
	.examples = "  tr-attach --pid 1234 | tr-table\n"
		    "  tr-attach --pid 1234 > web.trc; tr-table web.trc\n"
		    "  tr-attach --count=read,write --all --duration 10 | tr-table\n"
		    "  tr-attach --syscalls='!futex' -- make | tr-table\n",
	.stop_at_operand = true,
};

/* A command line that would start something: statuses up to 124 are that command's. */
static bool has_command(int argc, char **argv)
{
	for (int i = 1; i < argc - 1; i++)
		if (!strcmp(argv[i], "--"))
			return true;
	return false;
}

static int parse(struct settings *s, int argc, char **argv)
{
	int first, status;

	*s = (struct settings){.interval_ns = 1000000000,
			       .buffer_bytes = DEFAULT_BUFFER,
			       .way = WAY_ANY,
			       .command_stdout = -1,
			       .argc = argc,
			       .argv = argv};
	status = tr_options_parse(&usage, s, argc, argv, &first);
	if (status >= 0)
		return status;
	if (first < argc && strcmp(argv[first - 1], "--")) {
		tr_error("%s: what is this? --pid %s, or -- %s; see tr-attach --help", argv[first],
			 argv[first], argv[first]);
		return TR_USAGE;
	}
	if (first < argc)
		s->command = argv + first;
	if (s->command)
		s->follow = true;
	if (!s->stream.choice && !s->events && !settings_aggregate(s))
		s->stream.choice = TR_CALLS_ALL;
	return settings_check(s);
}

int settings_where(const struct settings *s, uint32_t command_pid, struct tr_where_config *config)
{
	struct where_use use = {.at_entry = s->count.choice,
				.n_targets = s->command ? 1 : s->pids.n};

	if (use.n_targets == 1)
		use.target_pid = s->command ? command_pid : s->pids.ids[0];
	return where_compile(&s->where, &use, config);
}

int settings_parse(struct settings *s, int argc, char **argv)
{
	static struct tr_where_config where; /* is large */
	int status = parse(s, argc, argv);

	if (status < 0 && settings_where(s, 0, &where))
		status = TR_USAGE;
	return status == TR_USAGE && has_command(argc, argv) ? COMMAND_FAILED : status;
}

void settings_release(struct settings *s)
{
	free(s->pids.ids);
	free(s->tids.ids);
	where_release(&s->where);
	words_release(&s->comms);
	words_release(&s->uids);
	words_release(&s->cgroups);
	words_release(&s->containers);
}
