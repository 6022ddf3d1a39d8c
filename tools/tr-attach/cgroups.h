/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups, of version 1 and 2: the hierarchies that are mounted, and what is in them. */
#ifndef CGROUPS_H
#define CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hierarchy {
	char *folder; /* where it is mounted */
	dev_t device;
	uint32_t id; /* its number; 0: version 2 */
};

/* Those that are mounted; version 2 is the first one, then what systemd keeps its services in. */
struct hierarchies {
	struct hierarchy *list;
	size_t n;
};

struct cgroup {
	uint64_t id;        /* within its hierarchy */
	uint32_t hierarchy; /* 0: version 2 */
	int fd;             /* its folder */
	const char *folder; /* where the hierarchy is mounted */
	bool populated;     /* there is a process in it, or below it */
};

/* Returns 0 or -errno. A zeroed one can be released. */
int hierarchies_read(struct hierarchies *hierarchies);
void hierarchies_release(struct hierarchies *hierarchies);

/*
 * The cgroup at PATH, in the file system or from a hierarchy's root on, as systemd and /proc show
 * it. The first hierarchy that has a populated one counts, else the first that has one. Returns 0,
 * with FOUND->fd to be closed, -ENOENT, -ENOTDIR where something else is, or another -errno.
 */
int cgroup_find(const struct hierarchies *hierarchies, const char *path, struct cgroup *found);

#endif
