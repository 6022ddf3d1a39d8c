/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file first, without opening it, and looks at it; opening may have effects. */
#include "open_mapped.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* File systems by their magic numbers, which are for good. */
enum { FUSE = 0x65735546, OVERLAYFS = 0x794c7630, BTRFS = 0x9123683e };

static int open_in_root(const char *root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (folder < 0)
		return -1;
	fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
	close(folder);
	return fd;
}

/* By a link that is the mapping's file, also when that has no name any more. SAME_PATH: it had that
 * one. */
static int open_mapping(const struct file_where *where, const char *path, bool *same_path)
{
	static const char deleted[] = " (deleted)";
	char name[128], target[4096 + sizeof(deleted)];
	size_t len = strlen(path);
	ssize_t n;
	int fd;

	*same_path = false;
	if (!where->n)
		return -1;
	snprintf(name, sizeof(name), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64,
		 where->pids[0], where->start, where->end);
	fd = open(name, O_PATH | O_CLOEXEC);
	n = fd < 0 ? -1 : readlink(name, target, sizeof(target) - 1);
	if (n >= 0)
		target[n] = 0;
	*same_path = n >= 0 && !strncmp(target, path, len) &&
		     (!target[len] || !strcmp(target + len, deleted));
	return fd;
}

/*
 * Some file systems tell of another device than the kernel has, some of another inode as well.
 * There it is the same if the mapping has that path; found by the path alone, where another root
 * may have another file, if the inode is that one and has not changed since.
 */
static bool is_same(const struct statx *file, uint32_t system, const struct file_id *id,
		    bool same_path, int64_t wall)
{
	int64_t changed = file->stx_ctime.tv_sec * 1000000000LL + file->stx_ctime.tv_nsec;

	if (file->stx_dev_major == id->major && file->stx_dev_minor == id->minor &&
	    file->stx_ino == id->inode)
		return true;
	return (system == OVERLAYFS || system == BTRFS) &&
	       (same_path || (file->stx_ino == id->inode && changed < wall));
}

/* What it is, without opening it. Whoever mounts a FUSE answers for its files when he likes. */
static bool is_wanted(int fd, const struct file_id *id, bool same_path, int64_t wall)
{
	struct statfs system;
	struct statx file;

	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &file) &&
	       S_ISREG(file.stx_mode) && !fstatfs(fd, &system) && (uint32_t)system.f_type != FUSE &&
	       is_same(&file, system.f_type, id, same_path, wall);
}

static int open_for_reading(int fd)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* FD, which is closed, if it is the file, opened for reading. */
static int take(int fd, const struct file_id *id, bool same_path, int64_t wall)
{
	int opened = -1;

	if (fd < 0)
		return -1;
	if (is_wanted(fd, id, same_path, wall))
		opened = open_for_reading(fd);
	close(fd);
	return opened;
}

/* By what PID, 0 for us, sees mounted; false also where it does not see that device. */
static bool is_on_fuse(const struct file_id *id, uint32_t pid)
{
	char name[64] = "/proc/self/mountinfo", *line = NULL;
	bool found = false, is_fuse = false;
	size_t size = 0;
	FILE *mounts;

	if (pid)
		snprintf(name, sizeof(name), "/proc/%" PRIu32 "/mountinfo", pid);
	mounts = fopen(name, "re");
	while (mounts && !found && getline(&line, &size, mounts) > 0) {
		uint32_t major, minor;
		const char *type = strstr(line, " - ");

		found = type && sscanf(line, "%*d %*d %" SCNu32 ":%" SCNu32, &major, &minor) == 2 &&
			major == id->major && minor == id->minor;
		is_fuse = found && !strncmp(type + strlen(" - "), "fuse", strlen("fuse"));
	}
	free(line);
	if (mounts)
		fclose(mounts);
	return is_fuse;
}

int open_mapped(const struct file_id *id, const char *path, const struct file_where *where)
{
	bool same_path;
	int fd;

	/* Even to look at a file there can take for ever. */
	if ((where->n && is_on_fuse(id, where->pids[0])) || is_on_fuse(id, 0))
		return -1;
	fd = open_mapping(where, path, &same_path);
	fd = take(fd, id, same_path, where->wall);
	for (size_t i = 0; fd < 0 && i <= where->n; i++) {
		char root[64] = "/";

		if (i < where->n)
			snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", where->pids[i]);
		fd = take(open_in_root(root, path), id, false, where->wall);
	}
	return fd;
}
