/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Containers, as they show from outside: by the names of their cgroups, and by what runtimes write
 * down about them. No runtime's program is asked.
 */
#ifndef CONTAINERS_H
#define CONTAINERS_H

#include <stdbool.h>
#include <stddef.h>

#include "cgroups.h"

enum {
	CONTAINER_ID = 64,        /* hexadecimal digits */
	CONTAINER_PREFIX_MIN = 6, /* so many tell of one */
};

/* A container's cgroup in some hierarchy. */
struct container {
	char *name; /* its id, or the name of one that has none */
	char *path;
};

struct containers {
	struct container *list;
	size_t n;
};

/*
 * All cgroups, of every hierarchy, of containers whose id begins with WANTED (of at least
 * CONTAINER_PREFIX_MIN digits), and of machines (of systemd-nspawn and LXC) that are called WANTED.
 */
void containers_find(struct containers *containers, const struct hierarchies *hierarchies,
		     const char *wanted);
/* Several containers have such names. */
bool containers_differ(const struct containers *containers);
void containers_release(struct containers *containers);

/*
 * The ids of the containers that docker, podman, cri-o or nerdctl call NAME; their cgroups are not
 * looked for, their paths are where that is written.
 */
void containers_named(struct containers *containers, const char *name);

/* Appends one; NAME (LEN bytes) and PATH are copied. */
void containers_add(struct containers *containers, const char *name, size_t len, const char *path);

/*
 * The id in the name of a container's cgroup, CONTAINER_ID digits; NULL: it is no container's.
 * They are called ID, RUNTIME-ID.scope, libpod-ID, SLICE:cri-containerd:ID and the like.
 */
const char *container_id_in(const char *folder);

#endif
