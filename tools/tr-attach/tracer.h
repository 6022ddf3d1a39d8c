/* SPDX-License-Identifier: GPL-2.0-only */
/* A running tr-attach: what its phases and its sources of records share. */
#ifndef TRACER_H
#define TRACER_H

#include "command.h"
#include "emit.h"
#include "lost.h"
#include "order.h"
#include "ring.h"
#include "settings.h"
#include "stacks.h"
#include "targets.h"

struct tracer {
	struct settings settings;
	struct command command;
	struct targets targets;
	struct rings rings; /* n is 0 when no source sends records one by one */
	struct order order;
	struct stacks stacks;
	struct lost lost;
	struct emit emit;
	unsigned cpus;  /* that may ever run */
	bool following; /* an object has taken the programs of --follow on itself */
};

/* The most bytes that a record takes in a ring: as long as there is no string in it, and with. */
enum { SHORT_RECORD = 512, LONG_RECORD = 16384 };

/*
 * Where records come from: an object of BPF programs and what belongs to it. The hooks are called
 * in this order; those that are NULL are skipped. Those that return int return 0, or a status after
 * saying what is wrong.
 */
struct source {
	const char *name;
	/* Bit N: it will make records of kind N. 0: it is not asked for. */
	uint64_t (*kinds)(const struct settings *settings);
	/* SHORT_RECORD or LONG_RECORD; 0: it needs no ring. */
	size_t (*in_ring)(const struct settings *settings);
	int (*load)(struct tracer *tracer); /* open, configure, load */
	int (*attach)(struct tracer *tracer);
	void (*interval)(struct tracer *tracer); /* write what was aggregated */
	/* No more new events: what is under way is sent. Then, when nothing runs any more: the
	 * rest. */
	void (*stop)(struct tracer *tracer);
	void (*detach)(struct tracer *tracer);
	void (*close)(struct tracer *tracer);
};

extern const struct source syscalls_source, events_source;

#endif
