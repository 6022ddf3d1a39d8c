/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens to the address spaces of all processes, as the kernel tells it to perf: executable
 * files that are mapped, forks, exec and ends, each with its time, whether or not the process is
 * there any more when somebody looks.
 */
#ifndef MAP_EVENTS_H
#define MAP_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files.h"

enum map_event_type {
	MAP_EVENT_MAP,
	MAP_EVENT_EXEC,
	MAP_EVENT_FORK,
	MAP_EVENT_EXIT,
	MAP_EVENT_LOST
};

struct map_event {
	enum map_event_type type;
	uint64_t time; /* the kernel's monotonic clock */
	uint32_t pid;  /* as our namespace numbers it */
	uint32_t parent;
	/* Of a mapping: */
	uint64_t start, bytes, offset;
	struct file_id file;
	const char *path; /* good until the next event */
};

struct map_events {
	struct map_ring *rings; /* one for each CPU that runs */
	size_t n;
	unsigned char *whole; /* a record that the ring's end breaks */
};

/* From now on, on CPUS processors. Returns 0 or -errno; a zeroed one can be released. */
int map_events_open(struct map_events *events, unsigned cpus);
void map_events_release(struct map_events *events);

/* The oldest one that is not younger than LIMIT, in the order of their times on all CPUs; false:
 * there is none. */
bool map_events_next(struct map_events *events, uint64_t limit, struct map_event *event);

#endif
