/* SPDX-License-Identifier: GPL-2.0-only */
/* Containers by the names of cgroups. */
#include "containers.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

enum { MAX_LEVELS = 32 };

struct search {
	struct containers *containers;
	const char *wanted;
};

void containers_add(struct containers *containers, const char *name, size_t len, const char *path)
{
	containers->list =
		tr_xrealloc(containers->list, (containers->n + 1) * sizeof(*containers->list));
	containers->list[containers->n++] =
		(struct container){.name = tr_xstrndup(name, len), .path = tr_xstrdup(path)};
}

void containers_release(struct containers *containers)
{
	for (size_t i = 0; i < containers->n; i++) {
		free(containers->list[i].name);
		free(containers->list[i].path);
	}
	free(containers->list);
	*containers = (struct containers){0};
}

bool containers_differ(const struct containers *containers)
{
	for (size_t i = 1; i < containers->n; i++)
		if (strcmp(containers->list[i].name, containers->list[0].name))
			return true;
	return false;
}

static bool ends_in(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(text + len - n, end, n);
}

const char *container_id_in(const char *folder)
{
	size_t len = strlen(folder);
	const char *id;

	if (ends_in(folder, len, ".scope"))
		len -= strlen(".scope");
	if (len < CONTAINER_ID)
		return NULL;
	id = folder + len - CONTAINER_ID;
	for (size_t i = 0; i < CONTAINER_ID; i++)
		if (!isxdigit((unsigned char)id[i]) || isupper((unsigned char)id[i]))
			return NULL;
	if (id > folder && id[-1] != '-' && id[-1] != ':')
		return NULL;
	/* What looks after a container has a cgroup of its own. */
	return strstr(folder, "conmon") ? NULL : id;
}

/* NAME as it stands in the name of a unit of systemd, LEN bytes: \x2d is a dash. */
static bool is_unit_of(const char *unit, size_t len, const char *name)
{
	const char *end = unit + len;

	while (unit < end && *name) {
		unsigned c = (unsigned char)*unit++;

		if (c == '\\' && end - unit >= 3 && sscanf(unit, "x%2x", &c) == 1)
			unit += 3;
		if (c != (unsigned char)*name++)
			return false;
	}
	return unit == end && !*name;
}

/* The cgroup at PATH, whose name begins AT there, is the machine NAME's. */
static bool is_machine(const char *path, size_t at, const char *name)
{
	static const struct {
		const char *above, *start, *end;
	} shapes[] = {
		{"/", "machine-", ".scope"},
		{"/", "systemd-nspawn@", ".service"},
		{"/", "lxc.payload.", ""},
		{"/lxc/", "", ""},
	};
	const char *folder = path + at;
	size_t len = strlen(folder);

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		size_t start = strlen(shapes[i].start), end = strlen(shapes[i].end);

		if (len > start + end && !strncmp(folder, shapes[i].start, start) &&
		    ends_in(folder, len, shapes[i].end) && ends_in(path, at, shapes[i].above) &&
		    is_unit_of(folder + start, len - start - end, name))
			return true;
	}
	return false;
}

/* The same; is it one that we look for? */
static bool look_at(struct search *search, const char *path, size_t at)
{
	const char *id = container_id_in(path + at);
	size_t len = strlen(search->wanted);

	if (id && len >= CONTAINER_PREFIX_MIN && len <= CONTAINER_ID &&
	    !strncasecmp(id, search->wanted, len))
		containers_add(search->containers, id, CONTAINER_ID, path);
	else if (is_machine(path, at, search->wanted))
		containers_add(search->containers, search->wanted, len, path);
	else
		return false;
	return true;
}

/* Looks through what is in FD, which is closed, the folder at PATH (LEN of PATH_MAX bytes). What is
 * in a container that was found belongs to that. */
static void look_below(struct search *search, int fd, char *path, size_t len, int levels)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	while (levels && (entry = readdir(dir))) {
		size_t more = strlen(entry->d_name);
		int below;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' || len + more + 2 > PATH_MAX)
			continue;
		path[len] = '/';
		memcpy(path + len + 1, entry->d_name, more + 1);
		if (look_at(search, path, len + 1))
			continue;
		below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below >= 0)
			look_below(search, below, path, len + 1 + more, levels - 1);
	}
	closedir(dir);
}

void containers_find(struct containers *containers, const struct hierarchies *hierarchies,
		     const char *wanted)
{
	struct search search = {.containers = containers, .wanted = wanted};
	char path[PATH_MAX];

	for (size_t i = 0; i < hierarchies->n; i++) {
		const char *folder = hierarchies->list[i].folder;
		int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0 && strlen(folder) < PATH_MAX)
			look_below(&search, fd, strcpy(path, folder), strlen(folder), MAX_LEVELS);
		else if (fd >= 0)
			close(fd);
	}
}
