/* SPDX-License-Identifier: GPL-2.0-only */
/* Classes of events: each is an object of BPF programs, which says itself what it makes. */
#ifndef EVENT_CLASS_H
#define EVENT_CLASS_H

#include "kernel.h"

struct event_class {
	const char *name;
	const void *(*elf)(size_t *bytes), *(*elf_old)(size_t *bytes); /* of each form of it */
	struct bpf_object *object;                                     /* NULL: it is not open */
	struct links follow, ends, others;
};

extern struct event_class event_classes[];
extern const size_t n_event_classes;

/* Opens its object, unless it is open; OLD: the form for old kernels. Returns 0 or -errno. */
int event_class_open(struct event_class *class, bool old);
void event_class_close(struct event_class *class);

/* The N programs of an open one. */
const struct tr_event_program *event_class_programs(const struct event_class *class, size_t *n);

/* The kinds that its programs make, and of these those that its name does not mean; opens it. None:
 * it can't be opened. */
struct event_kinds {
	uint64_t all, on_request;
};
struct event_kinds event_class_kinds(struct event_class *class);

#endif
