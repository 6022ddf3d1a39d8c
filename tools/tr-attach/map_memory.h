/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a map, shared with the programs. */
#ifndef MAP_MEMORY_H
#define MAP_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* NULL: errno says why. */
static inline void *map_memory(int fd, size_t bytes, int protection)
{
	void *p = mmap(NULL, bytes, protection, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static inline size_t map_whole_pages(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) & ~(page - 1);
}

#endif
