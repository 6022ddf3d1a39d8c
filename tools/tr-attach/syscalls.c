/* SPDX-License-Identifier: GPL-2.0-only */
/* --syscalls, --count and --summary: one object, bpf/syscalls.bpf.c, by the first way that works.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "kernel.h"
#include "message.h"
#include "tally.h"

/* Has the programs' constants in it, whose types come with kernel.h. */
#include "syscalls.skel.h"

static struct {
	struct syscalls_bpf *skel;
	enum way way; /* taken */
	struct tally tally;
	struct links follow, ends, enter; /* in the order of attaching */
	int iterator_fd;                  /* reading it visits all threads; 0: there is none */
} s;

static uint32_t kinds(const struct settings *settings)
{
	uint32_t syscall = settings->args ? TR_KIND_syscall_args : TR_KIND_syscall;
	uint32_t count = settings->per_process ? TR_KIND_count_process : TR_KIND_count;
	uint32_t summary = settings->per_process ? TR_KIND_summary_process : TR_KIND_summary;

	return (settings->stream.choice ? 1U << syscall : 0) |
	       (settings->count.choice ? 1U << count : 0) |
	       (settings->summary.choice ? 1U << summary : 0);
}

static bool uses_rings(const struct settings *settings)
{
	return settings->stream.choice;
}

static struct bpf_program *enter_program(enum way way)
{
	switch (way) {
	case WAY_TP_BTF: return s.skel->progs.on_enter_tp_btf;
	case WAY_RAW_TP: return s.skel->progs.on_enter_raw_tp;
	case WAY_TRACEPOINT: return s.skel->progs.on_enter_tracepoint;
	case WAY_ANY: break;
	}
	return NULL;
}

static struct bpf_program *exit_program(enum way way, bool args)
{
	switch (way) {
	case WAY_TP_BTF:
		return args ? s.skel->progs.on_exit_args_tp_btf : s.skel->progs.on_exit_tp_btf;
	case WAY_RAW_TP:
		return args ? s.skel->progs.on_exit_args_raw_tp : s.skel->progs.on_exit_raw_tp;
	case WAY_TRACEPOINT:
		return args ? s.skel->progs.on_exit_args_tracepoint
			    : s.skel->progs.on_exit_tracepoint;
	case WAY_ANY: break;
	}
	return NULL;
}

/* It matters how calls end, not just that they begin. */
static bool wants_ends(const struct settings *settings)
{
	return settings->stream.choice || settings->summary.choice;
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

static void configure_args(void)
{
	s.skel->rodata->cfg_args.wanted = true;
	for (uint32_t row = 0; row < TR_N_ROWS; row++)
		s.skel->rodata->cfg_args.paths[row] = paths_of(tally_row_code(row));
}

static void configure_programs(const struct tracer *t, enum way way)
{
	const struct settings *settings = &t->settings;

	s.skel->rodata->cfg_target = t->targets.config;
	s.skel->rodata->cfg_conditions = t->targets.conditions.config;
	s.skel->rodata->cfg_ring = t->rings.config;
	s.skel->rodata->cfg_count = settings->count;
	s.skel->rodata->cfg_stream = settings->stream;
	s.skel->rodata->cfg_summary = settings->summary;
	s.skel->rodata->cfg_tally.cpus = t->cpus;
	s.skel->rodata->cfg_tally.per_process = settings->per_process;
	/* Up to 6.18 the tracepoints of system calls run programs with preemption off. */
	s.skel->rodata->cfg_tally.preemptible = kernel_version() > (6 << 8 | 18);
	if (settings->args)
		configure_args();
	kernel_want_none(s.skel->obj);
	kernel_want(enter_program(way));
	if (!wants_ends(settings))
		return;
	kernel_want(exit_program(way, settings->args));
	kernel_want(s.skel->progs.on_thread_exit);
	kernel_want(s.skel->progs.on_task);
}

/* Only those that are used, and as large as they need to be. */
static void configure_maps(const struct tracer *t)
{
	const struct settings *settings = &t->settings;
	bool rows = !settings->per_process;
	bool counts = settings->count.choice, times = settings->summary.choice;

	bpf_map__set_autocreate(s.skel->maps.calls, wants_ends(settings));
	bpf_map__set_autocreate(s.skel->maps.counts, counts && rows);
	bpf_map__set_autocreate(s.skel->maps.times, times && rows);
	bpf_map__set_autocreate(s.skel->maps.keyed, counts || times);
	bpf_map__set_autocreate(s.skel->maps.epochs, counts || times);
	bpf_map__set_max_entries(s.skel->maps.counts, t->cpus * TR_N_ROWS);
	bpf_map__set_max_entries(s.skel->maps.times, 2 * t->cpus * TR_N_ROWS);
	if (settings->per_process)
		bpf_map__set_max_entries(s.skel->maps.keyed, TR_MAX_KEYS);
	/* From here on programs get memory for a new key safely wherever they run. */
	if (kernel_version() >= (6 << 8 | 1))
		bpf_map__set_map_flags(s.skel->maps.keyed, BPF_F_NO_PREALLOC);
}

static int open_tally(const struct tracer *t)
{
	const struct settings *settings = &t->settings;
	bool counts = settings->count.choice, times = settings->summary.choice;

	if (!counts && !times)
		return 0;
	return tally_open(&s.tally, (const struct tr_tally_config *)&s.skel->rodata->cfg_tally,
			  bpf_map__fd(s.skel->maps.counts), bpf_map__fd(s.skel->maps.times),
			  bpf_map__fd(s.skel->maps.keyed), bpf_map__fd(s.skel->maps.epochs));
}

/* Returns 0 or -errno. */
static int load_way(struct tracer *t, enum way way)
{
	int err;

	s.skel = syscalls_bpf__open();
	if (!s.skel)
		return -errno;
	configure_programs(t, way);
	configure_maps(t);
	err = kernel_load(t, s.skel->obj);
	if (!err)
		err = open_tally(t);
	if (!err)
		return 0;
	syscalls_bpf__destroy(s.skel);
	s.skel = NULL;
	return err;
}

static int load(struct tracer *t)
{
	enum way wish = t->settings.way, way;
	int err = -EINVAL;

	for (way = 0; way < N_WAYS && err; way++)
		if (wish == WAY_ANY || wish == way)
			err = load_way(t, way);
	if (err)
		return kernel_explain(err, "cannot trace system calls");
	s.way = way - 1;
	if (s.way == WAY_TRACEPOINT && kernel_find_tracefs())
		return TR_CANNOT;
	if (t->settings.verbose)
		tr_note("system calls: by way of %s", way_names[s.way]);
	return TR_DONE;
}

/* What ends a call before what begins one. */
static int attach(struct tracer *t)
{
	bool ends = wants_ends(&t->settings);
	int status = kernel_attach_follow(t, &s.follow, s.skel->obj);

	if (!status && ends)
		status = kernel_open_iterator(&s.ends, s.skel->progs.on_task, &s.iterator_fd);
	if (!status && ends)
		status = kernel_attach(&s.ends, s.skel->progs.on_thread_exit);
	if (!status && ends)
		status = kernel_attach(&s.ends, exit_program(s.way, t->settings.args));
	if (!status)
		status = kernel_attach(&s.enter, enter_program(s.way));
	return status;
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
	if (s.iterator_fd <= 0)
		return;
	kernel_wait_for_programs();
	kernel_run_iterator(s.iterator_fd);
}

static void detach(struct tracer *t)
{
	(void)t;
	kernel_detach(&s.ends);
	kernel_detach(&s.follow);
}

static void close_source(struct tracer *t)
{
	(void)t;
	if (s.iterator_fd > 0)
		close(s.iterator_fd);
	tally_release(&s.tally);
	syscalls_bpf__destroy(s.skel);
}

const struct source syscalls_source = {
	.name = "system calls",
	.kinds = kinds,
	.uses_rings = uses_rings,
	.load = load,
	.attach = attach,
	.interval = interval,
	.stop = stop,
	.detach = detach,
	.close = close_source,
};
