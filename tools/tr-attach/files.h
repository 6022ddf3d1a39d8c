/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that processes run, with their functions. A file is opened while there is somebody by whom
 * it can be found and proven to be the one that is mapped, and read when a frame of it is to be
 * named. What they take in memory and descriptors is bounded.
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_symbols.h"
#include "json.h"

/* A file as the kernel knows it. */
struct file_id {
	uint32_t major, minor; /* of its file system's device */
	uint64_t inode;
	uint64_t generation; /* tells files apart that had the same inode; 0: not known */
};

/* By whom it is mapped, and where. */
enum { WHERE_MAX_PIDS = 8 };
struct file_where {
	uint32_t pids[WHERE_MAX_PIDS]; /* the process, then those that it descends from */
	size_t n;
	uint64_t start, end; /* addresses */
	int64_t wall;        /* when, in ns since 1970 */
};

struct file {
	struct file_id id;
	char *path;       /* as the process names it, without " (deleted)" */
	const char *name; /* the last part of it */
	int fd;           /* opened and not read yet, else -1 */
	bool is_read;
	uint8_t tries; /* to open it */
	bool in_use;   /* for files_sweep() */
	uint64_t used; /* counts on with each use of any file's functions */
	struct tr_elf_symbols symbols;
};

struct files {
	struct file **list;
	size_t n;
	size_t n_open;
	size_t bytes; /* of all symbols */
	uint64_t uses, uses_before;
};

void files_release(struct files *files);

/* The file ID, which PATH is mapped from; NULL: there are too many, sweep and ask again. */
struct file *files_get(struct files *files, const struct file_id *id, const char *path,
		       const struct file_where *where);
/* Forgets those that are not in_use, and clears that of the others. */
void files_sweep(struct files *files);

/* Begins a stack: names are good until the next one begins. */
void files_begin(struct files *files);
/*
 * What stands at OFFSET of FILE: the name of a function, or "[name+0x12]" in TEXT, with the address
 * that the file has for it; no bytes where it has none, or could not be read.
 */
enum { FILE_TEXT_MAX = 320 };
struct tr_string files_name(struct files *files, struct file *file, uint64_t offset, char *text);

#endif
