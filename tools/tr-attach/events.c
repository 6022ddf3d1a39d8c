/* SPDX-License-Identifier: GPL-2.0-only */
/* --events: objects of BPF programs that send a record for each event, and say themselves which. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "kernel.h"
#include "message.h"
#include "options.h"
#include "record.h"
#include "software.h"
#include "syscalls.h"
#include "tally.h"

/* Have the programs' constants in them, whose types come with kernel.h. */
#include "file-old.skel.h"
#include "file.skel.h"
#include "mem-old.skel.h"
#include "mem.skel.h"
#include "net-old.skel.h"
#include "net.skel.h"
#include "proc-old.skel.h"
#include "proc.skel.h"
#include "sched-old.skel.h"
#include "sched.skel.h"

/* The classes of events: an object each. */
static struct class
{
	const char *name;
	const void *(*elf)(size_t *bytes), *(*elf_old)(size_t *bytes);
	struct bpf_object *object;
	struct links follow, ends, others;
} classes[] = {
	{"mem", mem_bpf__elf_bytes, mem_old_bpf__elf_bytes},
	{"sched", sched_bpf__elf_bytes, sched_old_bpf__elf_bytes},
	{"net", net_bpf__elf_bytes, net_old_bpf__elf_bytes},
	{"file", file_bpf__elf_bytes, file_old_bpf__elf_bytes},
	{"proc", proc_bpf__elf_bytes, proc_old_bpf__elf_bytes},
};

enum { N_CLASSES = sizeof(classes) / sizeof(classes[0]), MAX_WAIT_MS = 1000 };

/* Opens its object, unless it is open. Returns 0 or -errno. */
static int open_class(struct class *class, bool old)
{
	size_t bytes;
	const void *elf;
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = class->name);

	if (class->object)
		return 0;
	elf = old ? class->elf_old(&bytes) : class->elf(&bytes);
	class->object = bpf_object__open_mem(elf, bytes, &opts);
	return class->object ? 0 : -errno;
}

static void close_class(struct class *class)
{
	bpf_object__close(class->object);
	class->object = NULL;
}

static const struct tr_event_program *programs_of(const struct class *class, size_t *n)
{
	size_t bytes = 0;
	void *programs = kernel_constant(class->object, "event_programs", &bytes);

	*n = bytes / sizeof(struct tr_event_program);
	return programs;
}

/* The kinds that its programs make, and of these those that its name does not mean. None: it can't
 * be opened. */
struct kinds {
	uint64_t all, on_request;
};

static struct kinds kinds_of(struct class *class)
{
	const struct tr_event_program *programs;
	struct kinds kinds = {0};
	size_t n;

	if (open_class(class, false))
		return kinds;
	programs = programs_of(class, &n);
	for (size_t i = 0; i < n; i++) {
		kinds.all |= programs[i].kinds;
		kinds.on_request |= programs[i].on_request;
	}
	return kinds;
}

static int unknown(const char *word)
{
	char why[1024], *p = why;

	p += sprintf(p, "no such events; there are all");
	for (size_t i = 0; i < N_CLASSES; i++) {
		struct kinds kinds = kinds_of(&classes[i]);

		p += sprintf(p, ", %s", classes[i].name);
		for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
			if (kinds.all >> kind & 1)
				p += sprintf(p, ", %s", tr_kind_builtin(kind)->type);
	}
	return tr_option_error("events", word, why);
}

/* "TYPE" or "CLASS:TYPE", of the class's KINDS. */
static uint64_t kind_named(const char *word, const char *class, uint64_t kinds)
{
	size_t len = strlen(class);
	uint64_t named = 0;

	if (!strncmp(word, class, len) && word[len] == ':')
		word += len + 1;
	for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
		if (kinds >> kind & 1 && !strcmp(word, tr_kind_builtin(kind)->type))
			named |= 1ULL << kind;
	return named;
}

/* A class, or a type of its. */
static uint64_t kinds_named(const char *word)
{
	uint64_t named = 0;

	for (size_t i = 0; i < N_CLASSES; i++) {
		struct kinds kinds = kinds_of(&classes[i]);

		if (!strcmp(word, "all") || !strcmp(word, classes[i].name))
			named |= kinds.all & ~kinds.on_request;
		named |= kind_named(word, classes[i].name, kinds.all);
	}
	return named;
}

int events_parse(uint64_t *kinds, const char *argument)
{
	char *text = tr_xstrdup(argument), *rest = text, *word;
	int err = 0;

	while (!err && (word = strsep(&rest, ","))) {
		uint64_t named = kinds_named(word);

		*kinds |= named;
		if (!named)
			err = unknown(word);
	}
	free(text);
	return err;
}

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
static struct bpf_program *program_of(const struct class *class,
				      const struct tr_event_program *program)
{
	char name[sizeof(program->name) + sizeof("_tp")];
	struct bpf_program *classic = NULL;

	snprintf(name, sizeof(name), "%s_tp", program->name);
	if (kernel_preempts_programs() && kernel_find_tracefs())
		classic = bpf_object__find_program_by_name(class->object, name);
	return classic ? classic
		       : bpf_object__find_program_by_name(class->object, program->name);
}

static void say(const struct class *class, const struct bpf_program *program)
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
static int configure_calls(struct class *class, uint64_t kinds)
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

static int configure(struct tracer *t, struct class *class)
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
static int load_class(struct tracer *t, struct class *class)
{
	const struct tr_event_program *programs;
	size_t n;
	int err;

	close_class(class);
	if ((err = open_class(class, kernel_is_old())) || (err = configure(t, class)))
		return err;
	kernel_want_none(class->object);
	programs = programs_of(class, &n);
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
	for (size_t i = 0; i < N_CLASSES; i++) {
		struct class *class = &classes[i];
		int err = 0;

		if (kinds_of(class).all & t->settings.events)
			err = load_class(t, class);
		else
			close_class(class);
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

static int attach_program(struct tracer *t, const struct class *class,
			  const struct tr_event_program *program, struct links *links)
{
	if (program->iterator)
		return run_once(links, program_of(class, program));
	if (program->software)
		return software_attach(links, program_of(class, program), program->software,
				       t->cpus);
	return kernel_attach(links, program_of(class, program));
}

static int attach_programs(struct tracer *t, struct class *class, struct links *links,
			   bool before_follow)
{
	const struct tr_event_program *programs;
	int status = 0;
	size_t n;

	programs = programs_of(class, &n);
	for (size_t i = 0; i < n && !status; i++)
		if (programs[i].before_follow == before_follow && is_wanted(t, &programs[i]))
			status = attach_program(t, class, &programs[i], links);
	return status;
}

static int attach(struct tracer *t)
{
	int status = 0;

	for (size_t i = 0; i < N_CLASSES && !status; i++)
		if (classes[i].object)
			status = attach_programs(t, &classes[i], &classes[i].ends, true);
	for (size_t i = 0; i < N_CLASSES && !status; i++) {
		struct class *class = &classes[i];

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

	for (size_t i = 0; i < N_CLASSES; i++) {
		struct class *class = &classes[i];
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
	for (size_t i = 0; i < N_CLASSES; i++) {
		kernel_detach(&classes[i].others);
		kernel_detach(&classes[i].ends);
		kernel_detach(&classes[i].follow);
	}
}

static void close_all(struct tracer *t)
{
	detach(t);
	for (size_t i = 0; i < N_CLASSES; i++)
		close_class(&classes[i]);
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
