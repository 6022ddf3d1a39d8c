/* SPDX-License-Identifier: GPL-2.0-only */
/* Hierarchies by /proc, cgroups by their folders. */
#include "cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "message.h"

enum { MAX_LEVELS = 64 };

/* LIST, with commas, has WORD (LEN bytes). */
static bool has_word(const char *list, const char *word, size_t len)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == len && !memcmp(list, word, len))
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

/* The number of the hierarchy with these mount options: /proc/self/cgroup has lines
 * "NUMBER:CONTROLLER,...:PATH" or "NUMBER:name=NAME:PATH". 0 when it is not there. */
static uint32_t hierarchy_id(const char *options)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char *line = NULL;
	size_t size = 0;
	unsigned id = 0;

	while (file && !id && getline(&line, &size, file) > 0) {
		char *word = strchr(line, ':');

		if (word && has_word(options, word + 1, strcspn(word + 1, ",:")))
			id = strtoul(line, NULL, 10);
	}
	free(line);
	if (file)
		fclose(file);
	return id;
}

/* Blanks and the like stand as \040 in mountinfo. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		bool escaped = *p == '\\' && p[1] && p[2] && p[3];

		*to++ = escaped ? (p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0') : *p;
		if (escaped)
			p += 3;
	}
	*to = 0;
}

static bool is_known(const struct hierarchies *hierarchies, dev_t device)
{
	for (size_t i = 0; i < hierarchies->n; i++)
		if (hierarchies->list[i].device == device)
			return true;
	return false;
}

static void add_hierarchy(struct hierarchies *hierarchies, const struct hierarchy *hierarchy,
			  size_t place)
{
	struct hierarchy *list =
		tr_xrealloc(hierarchies->list, (hierarchies->n + 1) * sizeof(*hierarchies->list));

	memmove(list + place + 1, list + place, (hierarchies->n - place) * sizeof(*list));
	list[place] = *hierarchy;
	hierarchies->list = list;
	hierarchies->n++;
}

/* "ID PARENT MAJOR:MINOR ROOT FOLDER OPTIONS [FIELD]... - TYPE SOURCE OPTIONS" */
static void read_mount(struct hierarchies *hierarchies, char *line)
{
	char *rest = strstr(line, " - "), *type, *options;
	unsigned major, minor;
	int at = 0, end = 0;
	struct hierarchy hierarchy = {0};

	if (!rest || sscanf(line, "%*u %*u %u:%u %*s %n%*s%n", &major, &minor, &at, &end) < 2 ||
	    !end)
		return;
	rest += 3;
	type = strsep(&rest, " ");
	strsep(&rest, " ");
	options = rest ? strsep(&rest, " \n") : NULL;
	hierarchy.device = makedev(major, minor);
	if (!options || is_known(hierarchies, hierarchy.device))
		return;
	if (!strcmp(type, "cgroup"))
		hierarchy.id = hierarchy_id(options);
	if (strcmp(type, "cgroup2") && !hierarchy.id)
		return;
	line[end] = 0;
	unescape(line + at);
	hierarchy.folder = tr_xstrdup(line + at);
	if (!hierarchy.id)
		add_hierarchy(hierarchies, &hierarchy, 0);
	else if (has_word(options, "name=systemd", strlen("name=systemd")))
		add_hierarchy(hierarchies, &hierarchy, hierarchies->n && !hierarchies->list[0].id);
	else
		add_hierarchy(hierarchies, &hierarchy, hierarchies->n);
}

int hierarchies_read(struct hierarchies *hierarchies)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return -errno;
	while (getline(&line, &size, file) > 0)
		read_mount(hierarchies, line);
	free(line);
	fclose(file);
	return 0;
}

void hierarchies_release(struct hierarchies *hierarchies)
{
	for (size_t i = 0; i < hierarchies->n; i++)
		free(hierarchies->list[i].folder);
	free(hierarchies->list);
	*hierarchies = (struct hierarchies){0};
}

static int open_below(int folder, const char *name)
{
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The beginning of a file of a cgroup; "" when there is none. */
static void read_start(int folder, const char *name, char *text, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;

	text[n > 0 ? n : 0] = 0;
	if (fd >= 0)
		close(fd);
}

/* Version 1 tells of each cgroup alone. */
static bool has_process(int folder, int levels)
{
	struct dirent *entry;
	char text[2];
	bool found;
	DIR *dir;
	int fd;

	read_start(folder, "cgroup.procs", text, sizeof(text));
	found = text[0];
	fd = found || !levels ? -1 : open_below(folder, ".");
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	while (dir && !found && (entry = readdir(dir))) {
		int below = entry->d_type == DT_DIR && entry->d_name[0] != '.'
				    ? open_below(fd, entry->d_name)
				    : -1;

		if (below < 0)
			continue;
		found = has_process(below, levels - 1);
		close(below);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool is_populated(const struct cgroup *cgroup)
{
	char events[128];

	if (cgroup->hierarchy)
		return has_process(cgroup->fd, MAX_LEVELS);
	/* The root has no such file. */
	read_start(cgroup->fd, "cgroup.events", events, sizeof(events));
	return !strstr(events, "populated 0");
}

/* FD is of a folder of one of the hierarchies. */
static int take(const struct hierarchies *hierarchies, int fd, struct cgroup *found)
{
	struct statfs system;
	struct stat file;

	if (fstatfs(fd, &system) || fstat(fd, &file))
		return -errno;
	if (system.f_type != CGROUP_SUPER_MAGIC && system.f_type != CGROUP2_SUPER_MAGIC)
		return -ENOENT;
	for (size_t i = 0; i < hierarchies->n; i++) {
		if (hierarchies->list[i].device != file.st_dev)
			continue;
		*found = (struct cgroup){.id = file.st_ino,
					 .hierarchy = hierarchies->list[i].id,
					 .fd = fd,
					 .folder = hierarchies->list[i].folder};
		found->populated = is_populated(found);
		return 0;
	}
	return -ENOENT;
}

/* The folder at PATH from HIERARCHY's root on, -1 when there is none. */
static int open_in(const struct hierarchy *hierarchy, const char *path)
{
	struct open_how how = {.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
			       .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV};
	int root = open(hierarchy->folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	path += strspn(path, "/");
	fd = syscall(SYS_openat2, root, *path ? path : ".", &how, sizeof(how));
	if (root >= 0)
		close(root);
	return fd;
}

static int find_in_all(const struct hierarchies *hierarchies, const char *path,
		       struct cgroup *found)
{
	*found = (struct cgroup){.fd = -1};
	for (size_t i = 0; i < hierarchies->n && !found->populated; i++) {
		int fd = open_in(&hierarchies->list[i], path);
		struct cgroup other;

		if (fd < 0)
			continue;
		if (!take(hierarchies, fd, &other) && (found->fd < 0 || other.populated)) {
			if (found->fd >= 0)
				close(found->fd);
			*found = other;
		} else {
			close(fd);
		}
	}
	return found->fd >= 0 ? 0 : -ENOENT;
}

int cgroup_find(const struct hierarchies *hierarchies, const char *path, struct cgroup *found)
{
	int fd = *path == '/' ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, err = -ENOENT;

	if (fd >= 0) {
		err = take(hierarchies, fd, found);
		if (!err)
			return 0;
		close(fd);
		err = -ENOTDIR;
	} else if (*path == '/' && errno != ENOENT) {
		err = -errno;
	}
	return find_in_all(hierarchies, path, found) ? err : 0;
}
