/* SPDX-License-Identifier: GPL-2.0-only */
/* --syscalls and --count: one object, bpf/syscalls.bpf.c, by the first way that works. */
#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "counts.h"
#include "kernel.h"
#include "message.h"

/* Has the programs' constants in it, whose types come with kernel.h. */
#include "syscalls.skel.h"

static struct {
	struct syscalls_bpf *skel;
	enum way way; /* taken */
	struct counts counts;
	struct links follow, ends, enter; /* in the order of attaching */
	int iterator_fd;                  /* reading it visits all threads; 0: there is none */
} s;

static uint32_t kinds(const struct settings *settings)
{
	return (settings->stream.choice ? 1U << TR_KIND_syscall : 0) |
	       (settings->count.choice ? 1U << TR_KIND_count : 0);
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

static struct bpf_program *exit_program(enum way way)
{
	switch (way) {
	case WAY_TP_BTF: return s.skel->progs.on_exit_tp_btf;
	case WAY_RAW_TP: return s.skel->progs.on_exit_raw_tp;
	case WAY_TRACEPOINT: return s.skel->progs.on_exit_tracepoint;
	case WAY_ANY: break;
	}
	return NULL;
}

static void configure(const struct tracer *t, enum way way)
{
	const struct settings *settings = &t->settings;

	s.skel->rodata->cfg_target = t->targets.config;
	s.skel->rodata->cfg_ring = t->rings.config;
	s.skel->rodata->cfg_count = settings->count;
	s.skel->rodata->cfg_stream = settings->stream;
	/* Up to 6.18 the tracepoints of system calls run programs with preemption off. */
	s.skel->rodata->cfg_preemptible = kernel_version() > (6 << 8 | 18);
	kernel_want_none(s.skel->obj);
	kernel_want(enter_program(way));
	if (settings->stream.choice) {
		kernel_want(exit_program(way));
		kernel_want(s.skel->progs.on_thread_exit);
		kernel_want(s.skel->progs.on_task);
	} else {
		bpf_map__set_autocreate(s.skel->maps.calls, false);
	}
	if (settings->count.choice) {
		bpf_map__set_max_entries(s.skel->maps.counts, t->cpus * TR_N_ROWS);
	} else {
		bpf_map__set_autocreate(s.skel->maps.counts, false);
		bpf_map__set_autocreate(s.skel->maps.odd_counts, false);
	}
}

/* Returns 0 or -errno. */
static int load_way(struct tracer *t, enum way way)
{
	int err;

	s.skel = syscalls_bpf__open();
	if (!s.skel)
		return -errno;
	configure(t, way);
	err = kernel_load(t, s.skel->obj);
	if (!err && t->settings.count.choice)
		err = counts_open(&s.counts, t->cpus, bpf_map__fd(s.skel->maps.counts),
				  bpf_map__fd(s.skel->maps.odd_counts));
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

static int open_iterator(void)
{
	struct bpf_link *link = bpf_program__attach_iter(s.skel->progs.on_task, NULL);

	if (!link)
		return kernel_explain(-errno, "iter/task");
	s.ends.links[s.ends.n++] = link;
	s.iterator_fd = bpf_iter_create(bpf_link__fd(link));
	return s.iterator_fd > 0 ? TR_DONE : kernel_explain(-errno, "iter/task");
}

/* What ends a call before what begins one. */
static int attach(struct tracer *t)
{
	bool stream = t->settings.stream.choice;
	int status = kernel_attach_follow(t, &s.follow, s.skel->obj);

	if (!status && stream)
		status = open_iterator();
	if (!status && stream)
		status = kernel_attach(&s.ends, s.skel->progs.on_thread_exit);
	if (!status && stream)
		status = kernel_attach(&s.ends, exit_program(s.way));
	if (!status)
		status = kernel_attach(&s.enter, enter_program(s.way));
	return status;
}

static void interval(struct tracer *t)
{
	if (s.counts.rows)
		counts_emit(&s.counts, &t->emit);
}

/* No call is begun any more, and those under way are sent as such, unless they just end. */
static void stop(struct tracer *t)
{
	char nothing[64];
	ssize_t n;

	(void)t;
	kernel_detach(&s.enter);
	if (!s.iterator_fd)
		return;
	kernel_wait_for_programs();
	/* The program prints nothing, so that this is the end. EAGAIN: it rests on the way. */
	do
		n = read(s.iterator_fd, nothing, sizeof(nothing));
	while (n > 0 || (n < 0 && errno == EAGAIN));
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
	counts_release(&s.counts);
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
