/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows pipes from stdout to stdout by looking at everyone's descriptors. */
#include "pipeline.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "targets.h"

enum { MAX_PIPES = 64 };

/* A number alone may also be that of another file system's: pipes may have names. */
struct pipe {
	dev_t dev;
	ino_t ino;
};

struct search {
	struct pipe pipes[MAX_PIPES]; /* what the pipeline writes to */
	size_t n_pipes;
	uint32_t *pids;
	size_t n_pids;
};

static bool knows_pipe(const struct search *search, const struct stat *file)
{
	for (size_t i = 0; i < search->n_pipes; i++)
		if (search->pipes[i].dev == file->st_dev && search->pipes[i].ino == file->st_ino)
			return true;
	return false;
}

/* The file at PATH, if it is a pipe, is one that the pipeline writes to. */
static void add_pipe(struct search *search, const char *path)
{
	struct stat file;

	if (!stat(path, &file) && S_ISFIFO(file.st_mode) && !knows_pipe(search, &file) &&
	    search->n_pipes < MAX_PIPES)
		search->pipes[search->n_pipes++] = (struct pipe){file.st_dev, file.st_ino};
}

static bool knows_pid(const struct search *search, uint32_t pid)
{
	for (size_t i = 0; i < search->n_pids; i++)
		if (search->pids[i] == pid)
			return true;
	return false;
}

static void add_pid(struct search *search, uint32_t pid)
{
	char path[40];

	if (search->n_pids == PIPELINE_MAX)
		return;
	search->pids[search->n_pids++] = pid;
	snprintf(path, sizeof(path), "/proc/%u/fd/1", pid);
	add_pipe(search, path);
}

/* PID holds the reading end of one of the pipes: a link that may be read but not written. */
static bool reads_us(const struct search *search, const char *pid)
{
	char path[300];
	DIR *fds;
	struct dirent *fd;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	fds = opendir(path);
	while (fds && !found && (fd = readdir(fds))) {
		struct stat file, link;

		if (fd->d_name[0] == '.' || fstatat(dirfd(fds), fd->d_name, &file, 0) ||
		    !S_ISFIFO(file.st_mode) || !knows_pipe(search, &file))
			continue;
		found = !fstatat(dirfd(fds), fd->d_name, &link, AT_SYMLINK_NOFOLLOW) &&
			(link.st_mode & S_IRUSR);
	}
	if (fds)
		closedir(fds);
	return found;
}

size_t pipeline_find(uint32_t pids[PIPELINE_MAX])
{
	struct search search = {.pids = pids};
	size_t before;

	add_pid(&search, getpid());
	/* A round finds who reads the pipes known so far, and so more pipes. */
	do {
		DIR *proc = search.n_pipes && targets_proc_is_ours() ? opendir("/proc") : NULL;
		struct dirent *entry;

		before = search.n_pipes;
		while (proc && (entry = readdir(proc))) {
			uint32_t pid = strtoul(entry->d_name, NULL, 10);

			if (pid && !knows_pid(&search, pid) && reads_us(&search, entry->d_name))
				add_pid(&search, pid);
		}
		if (proc)
			closedir(proc);
	} while (search.n_pipes > before);
	return search.n_pids;
}
