/* SPDX-License-Identifier: GPL-2.0-only */
/* The classes of events, and what they say of themselves. */
#include "event_class.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "message.h"
#include "options.h"
#include "record.h"
#include "text.h"

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
struct event_class event_classes[] = {
	{"mem", mem_bpf__elf_bytes, mem_old_bpf__elf_bytes},
	{"sched", sched_bpf__elf_bytes, sched_old_bpf__elf_bytes},
	{"net", net_bpf__elf_bytes, net_old_bpf__elf_bytes},
	{"file", file_bpf__elf_bytes, file_old_bpf__elf_bytes},
	{"proc", proc_bpf__elf_bytes, proc_old_bpf__elf_bytes},
};

enum { N_CLASSES = sizeof(event_classes) / sizeof(event_classes[0]) };
const size_t n_event_classes = N_CLASSES;

int event_class_open(struct event_class *class, bool old)
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

void event_class_close(struct event_class *class)
{
	bpf_object__close(class->object);
	class->object = NULL;
}

const struct tr_event_program *event_class_programs(const struct event_class *class, size_t *n)
{
	size_t bytes = 0;
	void *programs = kernel_constant(class->object, "event_programs", &bytes);

	*n = bytes / sizeof(struct tr_event_program);
	return programs;
}

struct event_kinds event_class_kinds(struct event_class *class)
{
	const struct tr_event_program *programs;
	struct event_kinds kinds = {0};
	size_t n;

	if (event_class_open(class, false))
		return kinds;
	programs = event_class_programs(class, &n);
	for (size_t i = 0; i < n; i++) {
		kinds.all |= programs[i].kinds;
		kinds.on_request |= programs[i].on_request;
	}
	return kinds;
}

/* NAME is what WORD was meant to be, if it is nearer than what was NEAR so far. */
static void take_nearer(const char **near, size_t *nearest, const char *word, const char *name)
{
	size_t d = tr_text_distance(word, strlen(word), name, strlen(name));

	if (d < *nearest && d < strlen(name)) {
		*nearest = d;
		*near = name;
	}
}

/* The class or type that WORD may have been meant for; NULL: none is near. */
static const char *nearest_name(const char *word)
{
	size_t nearest = 3;
	const char *near = NULL;

	for (size_t i = 0; i < N_CLASSES; i++) {
		uint64_t kinds = event_class_kinds(&event_classes[i]).all;

		take_nearer(&near, &nearest, word, event_classes[i].name);
		for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
			if (kinds >> kind & 1)
				take_nearer(&near, &nearest, word, tr_kind_builtin(kind)->type);
	}
	return near;
}

/* "mem (mmap, munmap)" */
static char *put_class(char *p, const struct event_class *class, uint64_t kinds)
{
	const char *before = " (";

	p = stpcpy(p, class->name);
	for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
		if (kinds >> kind & 1) {
			p = stpcpy(stpcpy(p, before), tr_kind_builtin(kind)->type);
			before = ", ";
		}
	return stpcpy(p, ")");
}

static int unknown(const char *word)
{
	const char *near = *word ? nearest_name(word) : NULL;
	char why[4096], *p = why;

	p = stpcpy(p, *word ? "no such events; " : "a name is missing; ");
	if (near)
		p += sprintf(p, "did you mean %s? ", near);
	p = stpcpy(p, "there are all");
	for (size_t i = 0; i < N_CLASSES; i++)
		p = put_class(stpcpy(p, ", "), &event_classes[i],
			      event_class_kinds(&event_classes[i]).all);
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
		struct event_kinds kinds = event_class_kinds(&event_classes[i]);

		if (!strcmp(word, "all") || !strcmp(word, event_classes[i].name))
			named |= kinds.all & ~kinds.on_request;
		named |= kind_named(word, event_classes[i].name, kinds.all);
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
