/* SPDX-License-Identifier: GPL-2.0-only */
/* perf events that count nothing, for the records that come with them. */
#include "map_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

enum {
	RING_BYTES = 128 << 10, /* on each CPU; within what anybody may lock */
	RECORD_MAX = 64 << 10,
};

struct map_ring {
	int fd;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t at;
};

/* The records, as far as they are looked at. Behind each stands its time. */
struct map_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, bytes, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, parent;
	uint32_t tid, parent_tid;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
};

static size_t page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

static int ring_open(struct map_ring *ring, unsigned cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.exclude_kernel = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.watermark = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	void *p;

	attr.wakeup_watermark = RING_BYTES;
	ring->fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return -errno;
	p = mmap(NULL, page_bytes() + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	ring->page = p;
	ring->data = (const unsigned char *)p + page_bytes();
	return 0;
}

static void ring_release(struct map_ring *ring)
{
	if (ring->page)
		munmap(ring->page, page_bytes() + RING_BYTES);
	if (ring->fd >= 0)
		close(ring->fd);
}

int map_events_open(struct map_events *events, unsigned cpus)
{
	int err = 0;

	events->rings = tr_xcalloc(cpus, sizeof(*events->rings));
	events->whole = tr_xmalloc(RECORD_MAX);
	for (unsigned cpu = 0; cpu < cpus && !err; cpu++) {
		struct map_ring *ring = &events->rings[events->n];

		*ring = (struct map_ring){0};
		err = ring_open(ring, cpu);
		if (!err)
			events->n++;
		else
			ring_release(ring);
		if (err == -ENODEV)
			err = 0; /* this one does not run */
	}
	if (err)
		map_events_release(events);
	return err;
}

void map_events_release(struct map_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		ring_release(&events->rings[i]);
	free(events->rings);
	free(events->whole);
	*events = (struct map_events){0};
}

static void copy_out(const struct map_ring *ring, uint64_t at, void *to, size_t bytes)
{
	size_t from = at & (RING_BYTES - 1), to_end = RING_BYTES - from;
	size_t first = bytes < to_end ? bytes : to_end;

	memcpy(to, ring->data + from, first);
	memcpy((unsigned char *)to + first, ring->data, bytes - first);
}

/* The size and time of the next record; false: there is none. */
static bool ring_peek(const struct map_ring *ring, uint32_t *bytes, uint64_t *time)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;

	if (ring->at == head)
		return false;
	copy_out(ring, ring->at, &header, sizeof(header));
	*bytes = header.size;
	copy_out(ring, ring->at + header.size - sizeof(*time), time, sizeof(*time));
	return true;
}

static bool read_map(struct map_event *event, const struct map_record *record)
{
	event->type = MAP_EVENT_MAP;
	event->pid = record->pid;
	event->start = record->start;
	event->bytes = record->bytes;
	event->offset = record->offset;
	event->file =
		(struct file_id){record->major, record->minor, record->inode, record->generation};
	event->path = record->path;
	return true;
}

/* Threads share what there is already. */
static bool read_task(struct map_event *event, const struct task_record *record)
{
	bool is_fork = record->header.type == PERF_RECORD_FORK;

	event->type = is_fork ? MAP_EVENT_FORK : MAP_EVENT_EXIT;
	event->pid = record->pid;
	event->parent = record->parent;
	return is_fork ? record->pid != record->parent : record->pid == record->tid;
}

static bool read_comm(struct map_event *event, const struct comm_record *record)
{
	event->type = MAP_EVENT_EXEC;
	event->pid = record->pid;
	return record->header.misc & PERF_RECORD_MISC_COMM_EXEC;
}

/* False: it says nothing of interest, or is about a process that our namespace has no number for.
 */
static bool read_record(struct map_event *event, const struct perf_event_header *header)
{
	bool good = false;

	switch (header->type) {
	case PERF_RECORD_MMAP2: good = read_map(event, (const void *)header); break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: good = read_task(event, (const void *)header); break;
	case PERF_RECORD_COMM: good = read_comm(event, (const void *)header); break;
	case PERF_RECORD_LOST: event->type = MAP_EVENT_LOST; return true;
	}
	return good && event->pid && event->pid != UINT32_MAX;
}

bool map_events_next(struct map_events *events, uint64_t limit, struct map_event *event)
{
	struct map_ring *oldest;
	uint32_t bytes = 0, its;
	uint64_t time;
	bool good;

	do {
		oldest = NULL;
		event->time = UINT64_MAX;
		for (struct map_ring *ring = events->rings; ring < events->rings + events->n;
		     ring++)
			if (ring_peek(ring, &its, &time) && time <= limit && time <= event->time) {
				oldest = ring;
				event->time = time;
				bytes = its;
			}
		if (!oldest)
			return false;
		copy_out(oldest, oldest->at, events->whole, bytes);
		oldest->at += bytes;
		__atomic_store_n(&oldest->page->data_tail, oldest->at, __ATOMIC_RELEASE);
		good = read_record(event, (const void *)events->whole);
	} while (!good);
	return true;
}
