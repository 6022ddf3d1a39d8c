/* SPDX-License-Identifier: GPL-2.0-only */
/* --syscalls, --count, --summary and --latency: one object, bpf/syscalls.bpf.c, by the first way
 * that is fit and works. */
#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "kernel.h"
#include "message.h"
#include "tally.h"
#include "ways.h"

/* Has the programs' constants in it, whose types come with kernel.h. */
#include "syscalls-old.skel.h"
#include "syscalls.skel.h"

static struct {
	struct bpf_object *object;
	struct way_in in;
	int nth;        /* of the ways it is */
	size_t watched; /* programs, before ours */
	struct tr_where_config where;
	struct tally tally;
	struct links follow, ends, enter; /* in the order of attaching */
	int iterator_fd;                  /* reading it visits all threads; 0: there is none */
} s;

static bool wants_times(const struct settings *settings)
{
	return settings->summary.choice || settings->latency.choice;
}

static uint64_t kinds(const struct settings *settings)
{
	uint32_t syscall = settings->args ? TR_KIND_syscall_args : TR_KIND_syscall;
	uint32_t count = settings->per_process ? TR_KIND_count_process : TR_KIND_count;
	uint32_t summary = settings->per_process ? TR_KIND_summary_process : TR_KIND_summary;
	uint32_t hist = settings->per_process ? TR_KIND_hist_process : TR_KIND_hist;

	return (settings->stream.choice ? 1ULL << syscall : 0) |
	       (settings->count.choice ? 1ULL << count : 0) |
	       (wants_times(settings) ? 1ULL << summary : 0) |
	       (settings->latency.choice ? 1ULL << hist : 0);
}

static size_t in_ring(const struct settings *settings)
{
	if (!settings->stream.choice)
		return 0;
	return settings->args || settings->stacks.user || settings->stacks.kernel ? LONG_RECORD
										   : SHORT_RECORD;
}

static struct bpf_program *program(const char *name)
{
	return bpf_object__find_program_by_name(s.object, name);
}

static struct bpf_map *map(const char *name)
{
	return bpf_object__find_map_by_name(s.object, name);
}

static int map_fd(const char *name)
{
	return bpf_map__fd(map(name));
}

/* "on_enter" and the way in. */
static struct bpf_program *program_of_way(const char *event, enum way way)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_%s", event, way_names[way]);
	return program(name);
}

static struct bpf_program *enter_program(enum way way)
{
	return program_of_way("on_enter", way);
}

static struct bpf_program *exit_program(enum way way, bool args)
{
	return program_of_way(args ? "on_exit_args" : "on_exit", way);
}

/* It matters how calls end, not just that they begin. */
static bool wants_ends(const struct settings *settings)
{
	return settings->stream.choice || wants_times(settings);
}

/* Arguments are kept until the call ends, to be sent or to be tested. */
static bool notes_args(const struct settings *settings)
{
	return settings->args ||
	       (wants_ends(settings) && (s.where.asks_args || s.where.asks_paths));
}

static bool notes_paths(const struct settings *settings)
{
	return settings->args || s.where.asks_paths;
}

/* Where the paths of CODE are, as bpf/args.h wants to know it. */
static uint8_t paths_of(uint32_t code)
{
	const struct tr_syscalls *calls = tr_syscalls_native();
	const struct tr_call *call = tr_call_find(calls, code);
	char name[TR_SYSCALL_NAME_MAX];
	uint8_t paths = 0;

	if (!call)
		return 0;
	for (int i = 0; i < TR_MAX_PATHS; i++)
		if (call->path[i] >= 0)
			paths |= (call->path[i] + 1) << i * TR_PATH_SHIFT;
	tr_syscall_name(calls, code, name);
	if (strstr(name, "execve"))
		paths |= TR_PATH_EXEC;
	return paths;
}

/* Returns 0 or -errno, as the next one. */
static int configure_args(const struct settings *settings)
{
	struct tr_args_config args = {.noted = true, .wanted = settings->args};

	for (uint32_t row = 0; row < TR_N_ROWS; row++)
		args.paths[row] = paths_of(tally_row_code(row));
	return kernel_set(s.object, "cfg_args", &args, sizeof(args));
}

static int configure_programs(const struct tracer *t)
{
	const struct settings *settings = &t->settings;
	int err = latency_configure(&s.tally.latency, settings, t->cpus, s.object);

	if (err)
		return err;
	s.tally.config = (struct tr_tally_config){
		.cpus = t->cpus,
		.histograms = s.tally.latency.n,
		.per_process = settings->per_process,
		.preemptible = s.in.way == WAY_FENTRY ||
			       (s.in.way != WAY_TRACEPOINT && kernel_preempts_programs()),
	};
	if ((err = KERNEL_SET(s.object, cfg_target, t->targets.config)) ||
	    (err = KERNEL_SET(s.object, cfg_conditions, t->targets.conditions.config)) ||
	    (err = KERNEL_SET(s.object, cfg_ring, t->rings.config)) ||
	    (err = KERNEL_SET(s.object, cfg_count, settings->count)) ||
	    (err = KERNEL_SET(s.object, cfg_stacks, settings->stacks)) ||
	    (err = KERNEL_SET(s.object, cfg_stream, settings->stream)) ||
	    (err = settings_where(settings, t->command.pid, &s.where)) ||
	    (err = KERNEL_SET(s.object, cfg_where, s.where)) ||
	    (err = KERNEL_SET(s.object, cfg_summary, settings->summary)) ||
	    (err = KERNEL_SET(s.object, cfg_latency, settings->latency)) ||
	    (err = KERNEL_SET(s.object, cfg_tally, s.tally.config)))
		return err;
	return notes_args(settings) ? configure_args(settings) : 0;
}

/* NULL: none of the calls returns, or it does not matter. */
static struct bpf_program *wanted_exit(const struct tracer *t)
{
	if (!wants_ends(&t->settings) || (s.in.way == WAY_FENTRY && !s.in.functions.n_returning))
		return NULL;
	return exit_program(s.in.way, notes_paths(&t->settings));
}

static void choose_programs(const struct tracer *t)
{
	kernel_want_none(s.object);
	kernel_want(enter_program(s.in.way));
	if (!wants_ends(&t->settings))
		return;
	if (wanted_exit(t))
		kernel_want(wanted_exit(t));
	kernel_want(program("on_thread_exit"));
	kernel_want(program("on_task"));
}

/* Only those that are used, and as large as they need to be. */
static void configure_maps(const struct tracer *t)
{
	const struct settings *settings = &t->settings;
	bool rows = !settings->per_process;
	bool counts = settings->count.choice, times = wants_times(settings);
	bool old = kernel_is_old();

	bpf_map__set_autocreate(map("calls"), wants_ends(settings));
	bpf_map__set_autocreate(map("texts"), s.where.asks_paths);
	bpf_map__set_autocreate(map("drafts"), settings->stacks.user || settings->stacks.kernel);
	bpf_map__set_max_entries(map("drafts"), t->cpus * TR_DRAFTS);
	bpf_map__set_autocreate(map("counts"), counts && rows);
	bpf_map__set_autocreate(map("times"), times && rows);
	bpf_map__set_autocreate(map("keyed"), counts || times);
	bpf_map__set_autocreate(map("epochs"), counts || times);
	bpf_map__set_max_entries(map("counts"), t->cpus * TR_N_ROWS);
	bpf_map__set_max_entries(map("times"), 2 * t->cpus * TR_N_ROWS);
	if (settings->per_process)
		bpf_map__set_max_entries(map("keyed"), old ? TR_MAX_KEYS_OLD : TR_MAX_KEYS);
	if (kernel_allocates_safely())
		bpf_map__set_map_flags(map("keyed"), BPF_F_NO_PREALLOC);
}

static int open_tally(const struct tracer *t)
{
	const struct settings *settings = &t->settings;
	bool counts = settings->count.choice, times = wants_times(settings);
	int err;

	if (!counts && !times)
		return 0;
	err = tally_open(&s.tally, map_fd("counts"), map_fd("times"), map_fd("keyed"),
			 map_fd("epochs"));
	return err ? err : latency_open(&s.tally.latency, settings, s.object);
}

static struct bpf_object *open_object(bool old)
{
	size_t bytes;
	const void *elf =
		old ? syscalls_old_bpf__elf_bytes(&bytes) : syscalls_bpf__elf_bytes(&bytes);
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "syscalls");

	return bpf_object__open_mem(elf, bytes, &opts);
}

static void unload(struct tracer *t)
{
	kernel_detach(&s.enter);
	kernel_detach(&s.ends);
	kernel_detach(&s.follow);
	functions_release(&s.in.functions);
	if (s.iterator_fd > 0)
		close(s.iterator_fd);
	tally_release(&s.tally);
	bpf_object__close(s.object);
	t->following = false;
	t->lost.n_programs = s.watched;
	s.iterator_fd = 0;
	s.object = NULL;
}

/* Returns 0 or -errno. */
static int load_object(struct tracer *t)
{
	struct bpf_program *entry = enter_program(s.in.way), *exit;
	bool functions = s.in.way == WAY_FENTRY;
	int err = configure_programs(t);

	if (err)
		return err;
	exit = wanted_exit(t);
	choose_programs(t);
	configure_maps(t);
	if ((functions && (err = functions_aim(&s.in.functions, entry, exit))) ||
	    (err = kernel_load(t, s.object)) ||
	    (functions && (err = functions_load(&s.in.functions, entry, exit, &t->lost))))
		return err;
	return open_tally(t);
}

/* The same. */
static int load_way(struct tracer *t, enum way way)
{
	int err;

	s.in.way = way;
	s.watched = t->lost.n_programs;
	s.object = open_object(kernel_is_old());
	if (!s.object)
		return -errno;
	err = load_object(t);
	if (err)
		unload(t);
	return err;
}

static void say(const struct tracer *t)
{
	way_say(&s.in, kernel_is_old());
	if (s.tally.latency.n)
		tr_note("histograms: %" PRIu32 ", in %zu KiB for %u CPUs", s.tally.latency.keys,
			s.tally.latency.buckets_bytes / 1024, t->cpus);
}

/* By the way that was asked for, or the first one that works, from the nth on. */
static int load_from(struct tracer *t, int nth)
{
	enum way wish = t->settings.way;
	int err = -ENODEV;

	for (; nth < N_WAYS && err; nth++) {
		enum way way = way_nth(nth);

		s.nth = nth;
		if (wish != WAY_ANY && wish != way)
			continue;
		if (way == WAY_FENTRY && !way_is_fit(&s.in, &t->settings, kernel_is_old())) {
			if (wish == way)
				return TR_CANNOT;
		} else if (way != WAY_TRACEPOINT || kernel_find_tracefs()) {
			err = load_way(t, way);
		}
	}
	if (err)
		return kernel_explain(err, "cannot trace system calls");
	if (t->settings.verbose)
		say(t);
	return TR_DONE;
}

static int load(struct tracer *t)
{
	return load_from(t, 0);
}

/* What ends a call before what begins one. */
static int attach_way(struct tracer *t)
{
	bool ends = wants_ends(&t->settings);
	int status = kernel_attach_follow(t, &s.follow, s.object);

	if (!status && ends)
		status = kernel_open_iterator(&s.ends, program("on_task"), &s.iterator_fd);
	if (!status && ends)
		status = kernel_attach(&s.ends, program("on_thread_exit"));
	if (!status && ends)
		status = way_attach(&s.in, &t->settings, &s.ends, wanted_exit(t), FUNCTION_EXIT);
	if (!status)
		status = way_attach(&s.in, &t->settings, &s.enter, enter_program(s.in.way),
				    FUNCTION_ENTRY);
	return status;
}

static int attach(struct tracer *t)
{
	int status = attach_way(t);

	if (status != NEXT_WAY)
		return status;
	unload(t);
	status = load_from(t, s.nth + 1);
	return status ? status : attach_way(t);
}

static void interval(struct tracer *t)
{
	if (s.tally.epoch)
		tally_emit(&s.tally, &t->emit);
}

/* No call is begun any more, and those under way are sent as such, unless they just end. */
static void stop(struct tracer *t)
{
	(void)t;
	kernel_detach(&s.enter);
	functions_detach(&s.in.functions, FUNCTION_ENTRY);
	if (s.iterator_fd <= 0)
		return;
	kernel_wait_for_programs();
	kernel_run_iterator(s.iterator_fd);
}

static void detach(struct tracer *t)
{
	(void)t;
	kernel_detach(&s.ends);
	functions_detach(&s.in.functions, FUNCTION_EXIT);
	kernel_detach(&s.follow);
}

const struct source syscalls_source = {
	.name = "system calls",
	.kinds = kinds,
	.in_ring = in_ring,
	.load = load,
	.attach = attach,
	.interval = interval,
	.stop = stop,
	.detach = detach,
	.close = unload,
};
