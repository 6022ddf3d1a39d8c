/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces: which file a process had mapped at an address at some moment, also when it has
 * gone on since, run another program, or ended. What is known comes from /proc and from what the
 * kernel tells perf (map_events.h); it is kept for as long as somebody may ask.
 */
#ifndef SPACES_H
#define SPACES_H

#include "files.h"
#include "map_events.h"

struct space;

enum { SPACE_BUCKETS = 4096 };

struct spaces {
	struct files files;
	struct map_events events;
	bool all;          /* everybody's, not only those that were named and their descendants */
	bool proc_is_ours; /* else it numbers processes as another namespace does, and is no help */
	int64_t wall_offset; /* from the kernel's monotonic clock to the time since 1970 */
	struct space *buckets[SPACE_BUCKETS]; /* by process, the youngest first */
	struct space *first_ended, *last_ended;
	size_t n;
	size_t n_mappings;
	uint64_t sweep_at; /* the files, not before; the kernel's time */
	uint64_t refused;  /* spaces, mappings and files that there was no room for */
	uint64_t missed;   /* times that the kernel could not tell all */
};

/*
 * Begins, on CPUS processors: with everybody's spaces if ALL, else with those that spaces_add()
 * names. PROC_IS_OURS: see above. Returns 0, or -errno when the kernel will not tell; then only
 * processes that are still there when somebody asks have any. A zeroed one can be released.
 */
int spaces_open(struct spaces *spaces, unsigned cpus, bool all, bool proc_is_ours);
void spaces_release(struct spaces *spaces);
/* Adds the space of PID as it is now. */
void spaces_add(struct spaces *spaces, uint32_t pid);

/* Takes in what has happened up to LIMIT, and forgets what was over before NEEDED; the kernel's
 * times. */
void spaces_look(struct spaces *spaces, uint64_t limit, uint64_t needed);

/* The file that process PID had mapped at ADDRESS at TIME, and where in it; NULL: none, or it is
 * not known. */
struct file *spaces_find(struct spaces *spaces, uint32_t pid, uint64_t time, uint64_t address,
			 uint64_t *offset);

#endif
