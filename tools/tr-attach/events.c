/* SPDX-License-Identifier: GPL-2.0-only */
/* --events: objects of BPF programs that send a record for each event. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "event_class.h"
#include "message.h"
#include "record.h"
#include "software.h"
#include "syscalls.h"
#include "tally.h"

enum { MAX_WAIT_MS = 1000 };

static uint64_t kinds(const struct settings *settings)
{
	return settings->events;
}

static size_t in_ring(const struct settings *settings)
{
	for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
		if (settings->events >> kind & 1 && tr_kind_builtin(kind)->has_strings)
			return LONG_RECORD;
	return settings->events ? SHORT_RECORD : 0;
}

/* Where the kernel preempts programs the form for a classic tracepoint, if it has one. */
static struct bpf_program *program_of(const struct event_class *class,
				      const struct tr_event_program *program)
{
	char name[sizeof(program->name) + sizeof("_tp")];
	struct bpf_program *classic = NULL;

	snprintf(name, sizeof(name), "%s_tp", program->name);
	if (kernel_preempts_programs() && kernel_find_tracefs())
		classic = bpf_object__find_program_by_name(class->object, name);
	return classic ? classic : bpf_object__find_program_by_name(class->object, program->name);
}

static void say(const struct event_class *class, const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	tr_note("%s: %s by way of %.*s", class->name, bpf_program__name(program),
		(int)strcspn(section, "/"), section);
}

static bool is_wanted(const struct tracer *t, const struct tr_event_program *program)
{
	uint64_t kinds = program->kinds;

	if (t->targets.conditions.config.any)
		kinds |= program->with_conditions;
	return kinds & t->settings.events;
}

/* The place of the call CODE in the object's list, from 1 up, if it is to make records of KINDS; 0:
 * it is not. */
static uint8_t place_of(uint32_t code, const struct tr_event_call *calls, size_t n, uint64_t kinds)
{
	char name[TR_SYSCALL_NAME_MAX];
	const char *colon;

	tr_syscall_name(tr_syscalls_native(), code, name);
	colon = strchr(name, ':');
	for (size_t i = 0; i < n; i++)
		if (!strcmp(calls[i].name, name) || (colon && !strcmp(calls[i].name, colon + 1)))
			return calls[i].kinds & kinds ? i + 1 : 0;
	return 0;
}

/* Which system calls the object makes events of, if it does. */
static int configure_calls(struct event_class *class, uint64_t kinds)
{
	size_t bytes;
	const struct tr_event_call *calls = kernel_constant(class->object, "event_calls", &bytes);
	uint8_t rows[TR_N_ROWS];

	if (!calls)
		return 0;
	for (uint32_t row = 0; row < TR_N_ROWS; row++)
		rows[row] = place_of(tally_row_code(row), calls, bytes / sizeof(*calls), kinds);
	return kernel_set(class->object, "cfg_event_calls", rows, sizeof(rows));
}

static int configure(struct tracer *t, struct event_class *class)
{
	struct tr_event_config event = {.kinds = t->settings.events,
					.page_bytes = sysconf(_SC_PAGESIZE)};
	struct bpf_map *map;
	int err;

	bpf_object__for_each_map(map, class->object) if (bpf_map__type(map) == BPF_MAP_TYPE_HASH &&
							 kernel_allocates_safely())
		bpf_map__set_map_flags(map, BPF_F_NO_PREALLOC);
	if ((err = KERNEL_SET(class->object, cfg_target, t->targets.config)) ||
	    (err = KERNEL_SET(class->object, cfg_conditions, t->targets.conditions.config)) ||
	    (err = KERNEL_SET(class->object, cfg_ring, t->rings.config)) ||
	    (err = configure_calls(class, t->settings.events)))
		return err;
	return KERNEL_SET(class->object, cfg_event, event);
}

/* Returns 0 or -errno. */
static int load_class(struct tracer *t, struct event_class *class)
{
	const struct tr_event_program *programs;
	size_t n;
	int err;

	event_class_close(class);
	if ((err = event_class_open(class, kernel_is_old())) || (err = configure(t, class)))
		return err;
	kernel_want_none(class->object);
	programs = event_class_programs(class, &n);
	for (size_t i = 0; i < n; i++) {
		struct bpf_program *program = program_of(class, &programs[i]);

		if (!is_wanted(t, &programs[i]))
			continue;
		kernel_want(program);
		if (t->settings.verbose)
			say(class, program);
	}
	return kernel_load(t, class->object);
}

static int load(struct tracer *t)
{
	for (size_t i = 0; i < n_event_classes; i++) {
		struct event_class *class = &event_classes[i];
		int err = 0;

		if (event_class_kinds(class).all & t->settings.events)
			err = load_class(t, class);
		else
			event_class_close(class);
		if (err)
			return kernel_explain(err, "cannot trace events");
	}
	return TR_DONE;
}

static int run_once(struct links *links, struct bpf_program *program)
{
	int fd = -1, status = kernel_open_iterator(links, program, &fd);

	if (fd >= 0) {
		kernel_run_iterator(fd);
		close(fd);
	}
	return status;
}

static int attach_program(struct tracer *t, const struct event_class *class,
			  const struct tr_event_program *program, struct links *links)
{
	if (program->iterator)
		return run_once(links, program_of(class, program));
	if (program->software)
		return software_attach(links, program_of(class, program), program->software,
				       t->cpus);
	return kernel_attach(links, program_of(class, program));
}

static int attach_programs(struct tracer *t, struct event_class *class, struct links *links,
			   bool before_follow)
{
	const struct tr_event_program *programs;
	int status = 0;
	size_t n;

	programs = event_class_programs(class, &n);
	for (size_t i = 0; i < n && !status; i++)
		if (programs[i].before_follow == before_follow && is_wanted(t, &programs[i]))
			status = attach_program(t, class, &programs[i], links);
	return status;
}

static int attach(struct tracer *t)
{
	int status = 0;

	for (size_t i = 0; i < n_event_classes && !status; i++)
		if (event_classes[i].object)
			status =
				attach_programs(t, &event_classes[i], &event_classes[i].ends, true);
	for (size_t i = 0; i < n_event_classes && !status; i++) {
		struct event_class *class = &event_classes[i];

		if (!class->object)
			continue;
		status = kernel_attach_follow(t, &class->follow, class->object);
		if (!status)
			status = attach_programs(t, class, &class->others, false);
	}
	return status;
}

static uint64_t count_keys(int fd)
{
	uint32_t key;
	uint64_t n = 0;

	for (void *former = NULL; !bpf_map_get_next_key(fd, former, &key); former = &key)
		n++;
	return n;
}

/*
 * No more processes begin to end. Of those that have, as a command has when we hear of it, the last
 * thread may be about to leave its CPU, and only then comes the record.
 */
static void stop(struct tracer *t)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (size_t i = 0; i < n_event_classes; i++) {
		struct event_class *class = &event_classes[i];
		int fd = class->object ? bpf_object__find_map_fd_by_name(class->object, "endings")
				       : -1;

		if (fd < 0)
			continue;
		kernel_detach(&class->ends);
		kernel_wait_for_programs();
		for (int ms = 0; ms < MAX_WAIT_MS && count_keys(fd); ms++)
			nanosleep(&pause, NULL);
		kernel_detach(&class->others);
		kernel_wait_for_programs();
		if (count_keys(fd))
			emit_lost(&t->emit, count_keys(fd), "processes that take long to end");
	}
}

static void detach(struct tracer *t)
{
	(void)t;
	for (size_t i = 0; i < n_event_classes; i++) {
		kernel_detach(&event_classes[i].others);
		kernel_detach(&event_classes[i].ends);
		kernel_detach(&event_classes[i].follow);
	}
}

static void close_all(struct tracer *t)
{
	detach(t);
	for (size_t i = 0; i < n_event_classes; i++)
		event_class_close(&event_classes[i]);
}

const struct source events_source = {
	.name = "events",
	.kinds = kinds,
	.in_ring = in_ring,
	.load = load,
	.attach = attach,
	.stop = stop,
	.detach = detach,
	.close = close_all,
};
