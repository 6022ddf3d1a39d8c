/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process has one space after another: each exec begins a new one. A space is a list of mappings
 * in the order in which they were made, and the last one that covers an address counts, up to the
 * moment in question: nothing is ever replaced, so that a record that comes late is named by what
 * was so when it was made.
 */
#include "spaces.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emit.h"
#include "message.h"
#include "proc_maps.h"

enum {
	MAX_SPACES = 16384,
	MAX_MAPPINGS = 512 << 10, /* of all spaces: 20 MB */
	MAX_OF_SPACE = 8192,
};

static const uint64_t READ_AGAIN = 1000000000;  /* at the earliest, a process's mappings */
static const uint64_t SWEEP_AGAIN = 1000000000; /* at the earliest, after a sweep in vain */
static const uint64_t KEEP = 1000000000;        /* what is over, for those who come late */

struct mapping {
	uint64_t since;
	uint64_t start, end, offset;
	struct file *file; /* NULL: none, but it hides what was there before */
};

struct space {
	uint32_t pid, parent;
	uint64_t begin;
	uint64_t end;     /* of the process, or another space took its place; UINT64_MAX: not yet */
	uint64_t read_at; /* from /proc */
	uint64_t read_again;      /* not before so long after that */
	struct space *next;       /* in its bucket */
	struct space *next_ended; /* in the order of their ends */
	struct mapping *list;
	size_t n, n_max;
};

static struct space **bucket_of(struct spaces *spaces, uint32_t pid)
{
	return &spaces->buckets[pid % SPACE_BUCKETS];
}

/* The one that PID had at TIME; of one whose beginning was not seen, the first that is known. */
static struct space *space_at(struct spaces *spaces, uint32_t pid, uint64_t time)
{
	struct space *found = NULL;

	for (struct space *s = *bucket_of(spaces, pid); s; s = s->next) {
		if (s->pid != pid)
			continue;
		found = s;
		if (s->begin <= time)
			break;
	}
	return found;
}

static struct space *space_now(struct spaces *spaces, uint32_t pid)
{
	return space_at(spaces, pid, UINT64_MAX);
}

static void space_free(struct spaces *spaces, struct space *space)
{
	struct space **p = bucket_of(spaces, space->pid);

	while (*p != space)
		p = &(*p)->next;
	*p = space->next;
	spaces->n--;
	spaces->n_mappings -= space->n;
	free(space->list);
	free(space);
}

static void end_space(struct spaces *spaces, struct space *space, uint64_t time)
{
	if (space->end != UINT64_MAX)
		return;
	space->end = time;
	space->next_ended = NULL;
	if (spaces->first_ended)
		spaces->last_ended->next_ended = space;
	else
		spaces->first_ended = space;
	spaces->last_ended = space;
}

static void free_first_ended(struct spaces *spaces)
{
	struct space *space = spaces->first_ended;

	spaces->first_ended = space->next_ended;
	space_free(spaces, space);
}

/* NULL: there is no room, which has been counted. */
static struct space *space_new(struct spaces *spaces, uint32_t pid, uint32_t parent, uint64_t begin)
{
	struct space *before = space_now(spaces, pid), *space;

	if (before)
		end_space(spaces, before, begin);
	if (spaces->n == MAX_SPACES && spaces->first_ended)
		free_first_ended(spaces);
	if (spaces->n == MAX_SPACES) {
		spaces->refused++;
		return NULL;
	}
	space = tr_xcalloc(1, sizeof(*space));
	*space = (struct space){.pid = pid,
				.parent = parent,
				.begin = begin,
				.end = UINT64_MAX,
				.read_again = READ_AGAIN,
				.next = *bucket_of(spaces, pid)};
	*bucket_of(spaces, pid) = space;
	spaces->n++;
	return space;
}

static void mark_files(struct spaces *spaces)
{
	for (size_t i = 0; i < SPACE_BUCKETS; i++)
		for (struct space *s = spaces->buckets[i]; s; s = s->next)
			for (size_t k = 0; k < s->n; k++)
				if (s->list[k].file)
					s->list[k].file->in_use = true;
}

/* Of files that no mapping is of. False: there are none. */
static bool make_room(struct spaces *spaces)
{
	size_t before = spaces->files.n;

	if (emit_clock() < spaces->sweep_at)
		return false;
	mark_files(spaces);
	files_sweep(&spaces->files);
	if (spaces->files.n < before)
		return true;
	spaces->sweep_at = emit_clock() + SWEEP_AGAIN;
	return false;
}

/* NULL: there is no room, which has been counted, or its path is too long. */
static struct file *get_file(struct spaces *spaces, const struct space *space,
			     const struct map_event *map)
{
	struct file_where where = {.start = map->start,
				   .end = map->start + map->bytes,
				   .wall = map->time + spaces->wall_offset};
	char path[4096];
	size_t len = strlen(map->path);
	static const char deleted[] = " (deleted)";
	struct file *file;

	if (len >= sizeof(path))
		return NULL;
	memcpy(path, map->path, len + 1);
	if (len > strlen(deleted) && !strcmp(path + len - strlen(deleted), deleted))
		path[len - strlen(deleted)] = 0;
	for (const struct space *s = spaces->proc_is_ours ? space : NULL;
	     s && where.n < WHERE_MAX_PIDS;
	     s = s->parent ? space_at(spaces, s->parent, map->time) : NULL)
		where.pids[where.n++] = s->pid;
	file = files_get(&spaces->files, &map->file, path, &where);
	if (!file && make_room(spaces))
		file = files_get(&spaces->files, &map->file, path, &where);
	if (!file)
		spaces->refused++;
	return file;
}

/* The last one that covers ADDRESS at TIME. */
static struct mapping *mapping_at(struct space *space, uint64_t time, uint64_t address)
{
	for (size_t i = space->n; i-- > 0;) {
		struct mapping *m = &space->list[i];

		if (m->since <= time && address - m->start < m->end - m->start)
			return m;
	}
	return NULL;
}

static bool overlaps_any(const struct space *space, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < space->n; i++)
		if (space->list[i].start < end && start < space->list[i].end)
			return true;
	return false;
}

static bool has_file(const struct map_event *map)
{
	return map->path[0] == '/' && map->path[1] != '/' && map->file.inode;
}

/* False: there is no room, which has been counted. */
static bool add_mapping(struct spaces *spaces, struct space *space, const struct map_event *map)
{
	uint64_t end = map->start + map->bytes;
	struct mapping *m = mapping_at(space, map->time, map->start);
	struct file *file = NULL;

	if (has_file(map))
		file = get_file(spaces, space, map);
	else if (!overlaps_any(space, map->start, end))
		return true;
	if (m && m->start == map->start && m->end == end && m->offset == map->offset &&
	    m->file == file)
		return true;
	if (space->n == MAX_OF_SPACE || spaces->n_mappings == MAX_MAPPINGS) {
		spaces->refused++;
		return false;
	}
	if (space->n == space->n_max) {
		space->n_max = space->n_max ? 2 * space->n_max : 8;
		space->list = tr_xrealloc(space->list, space->n_max * sizeof(*space->list));
	}
	space->list[space->n++] = (struct mapping){map->time, map->start, end, map->offset, file};
	spaces->n_mappings++;
	return true;
}

/* What is mapped now, as if it had been so since SINCE. False: there is no such process. */
static bool read_mappings(struct spaces *spaces, struct space *space, uint64_t since)
{
	struct map_event map = {.time = since};
	struct proc_maps maps;

	space->read_at = emit_clock();
	if (!spaces->proc_is_ours || !proc_maps_open(&maps, space->pid))
		return false;
	while (proc_maps_next(&maps, &map) && add_mapping(spaces, space, &map))
		;
	proc_maps_close(&maps);
	return true;
}

void spaces_add(struct spaces *spaces, uint32_t pid)
{
	struct space *space = space_now(spaces, pid) ? NULL : space_new(spaces, pid, 0, 0);

	if (space && !read_mappings(spaces, space, 0))
		end_space(spaces, space, 0);
}

static void add_everybody(struct spaces *spaces)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	while (processes && (entry = readdir(processes)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			spaces_add(spaces, atoi(entry->d_name));
	if (processes)
		closedir(processes);
}

int spaces_open(struct spaces *spaces, unsigned cpus, bool all, bool proc_is_ours)
{
	struct timespec wall;
	int err = map_events_open(&spaces->events, cpus);

	clock_gettime(CLOCK_REALTIME, &wall);
	spaces->wall_offset = wall.tv_sec * 1000000000LL + wall.tv_nsec - emit_clock();
	spaces->all = all;
	spaces->proc_is_ours = proc_is_ours;
	if (all && proc_is_ours)
		add_everybody(spaces);
	return err;
}

void spaces_release(struct spaces *spaces)
{
	map_events_release(&spaces->events);
	for (size_t i = 0; i < SPACE_BUCKETS; i++)
		while (spaces->buckets[i])
			space_free(spaces, spaces->buckets[i]);
	files_release(&spaces->files);
}

/* A process that is to be known; NULL: it is not, or there is no room. */
static struct space *wanted_space(struct spaces *spaces, uint32_t pid)
{
	struct space *space = space_now(spaces, pid);

	if (!space && spaces->all) {
		spaces_add(spaces, pid);
		space = space_now(spaces, pid);
	}
	return space;
}

static void copy_mappings(struct spaces *spaces, struct space *to, const struct space *from)
{
	if (!from->n)
		return;
	if (spaces->n_mappings + from->n > MAX_MAPPINGS) {
		spaces->refused += from->n;
		return;
	}
	to->list = tr_xmalloc(from->n * sizeof(*to->list));
	memcpy(to->list, from->list, from->n * sizeof(*to->list));
	to->n = to->n_max = from->n;
	spaces->n_mappings += to->n;
}

static void on_fork(struct spaces *spaces, const struct map_event *event)
{
	struct space *parent = wanted_space(spaces, event->parent), *space;

	if (!parent)
		return;
	space = space_new(spaces, event->pid, event->parent, event->time);
	/* Room may have been made by its parent's. */
	parent = space_at(spaces, event->parent, event->time);
	if (space && parent)
		copy_mappings(spaces, space, parent);
}

static void on_event(struct spaces *spaces, const struct map_event *event)
{
	struct space *space;

	switch (event->type) {
	case MAP_EVENT_FORK: on_fork(spaces, event); break;
	case MAP_EVENT_EXEC:
		space = wanted_space(spaces, event->pid);
		if (space)
			space_new(spaces, event->pid, space->parent, event->time);
		break;
	case MAP_EVENT_MAP:
		space = wanted_space(spaces, event->pid);
		if (space)
			add_mapping(spaces, space, event);
		break;
	case MAP_EVENT_EXIT:
		space = space_now(spaces, event->pid);
		if (space)
			end_space(spaces, space, event->time);
		break;
	case MAP_EVENT_LOST: spaces->missed++; break;
	}
}

/* A process whose first thread has ended goes on with the others. */
static bool goes_on(struct spaces *spaces, const struct space *space)
{
	return space == space_now(spaces, space->pid) && (!kill(space->pid, 0) || errno == EPERM);
}

void spaces_look(struct spaces *spaces, uint64_t limit, uint64_t needed)
{
	struct map_event event;
	struct space *space;

	while (map_events_next(&spaces->events, limit, &event))
		on_event(spaces, &event);
	while ((space = spaces->first_ended) && space->end + KEEP < needed) {
		if (!goes_on(spaces, space)) {
			free_first_ended(spaces);
			continue;
		}
		spaces->first_ended = space->next_ended;
		space->end = UINT64_MAX;
		end_space(spaces, space, needed);
	}
}

/* It may be there all the same: moved, or made while the kernel could not tell. One that has code
 * of no file is not read at every turn. */
static struct mapping *look_again(struct spaces *spaces, struct space *space, uint64_t time,
				  uint64_t address)
{
	struct mapping *m;

	if (space->end != UINT64_MAX || emit_clock() - space->read_at <= space->read_again)
		return NULL;
	read_mappings(spaces, space, time);
	m = mapping_at(space, time, address);
	if (!m && space->read_again < UINT64_MAX / 2)
		space->read_again *= 2;
	return m;
}

struct file *spaces_find(struct spaces *spaces, uint32_t pid, uint64_t time, uint64_t address,
			 uint64_t *offset)
{
	struct space *space = space_at(spaces, pid, time);
	struct mapping *m;

	if (!space) {
		spaces_add(spaces, pid);
		space = space_at(spaces, pid, time);
	}
	m = space ? mapping_at(space, time, address) : NULL;
	if (!m && space)
		m = look_again(spaces, space, time, address);
	if (!m || !m->file)
		return NULL;
	*offset = address - m->start + m->offset;
	return m->file;
}
