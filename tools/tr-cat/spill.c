/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted runs on disk, merged through a heap. */
#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "record.h"

enum {
	BUFFERS_BYTES = 64 << 20, /* of all runs together, as long as each has the least */
	LEAST_BUFFER = 2 * TR_MAX_LINE,
};

struct run {
	uint64_t at, end; /* in the file, not yet read */
	unsigned char *buffer;
	size_t used, have; /* of the buffer */
	struct item item;  /* the next */
};

struct spill {
	struct tr_out out;
	uint64_t written;
	size_t n;
	struct run *runs;
	struct run **heap; /* the earliest first; NULL while runs are written */
	size_t n_heap, buffer_bytes;
	bool taken; /* the first of the heap was handed out */
};

int spill_open(void)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (snprintf(name, sizeof(name), "%s/tr-cat.XXXXXX", folder) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(name);
	return fd;
}

struct spill *spill_new(int fd)
{
	struct spill *spill = tr_xcalloc(1, sizeof(*spill));

	tr_out_init(&spill->out, fd);
	return spill;
}

void spill_free(struct spill *spill)
{
	if (!spill)
		return;
	for (size_t i = 0; i < spill->n; i++)
		free(spill->runs[i].buffer);
	if (spill->out.fd >= 0)
		close(spill->out.fd);
	tr_out_release(&spill->out);
	free(spill->runs);
	free(spill->heap);
	free(spill);
}

bool spill_is_empty(const struct spill *spill)
{
	return !spill->n;
}

void spill_add(struct spill *spill, const struct item *item)
{
	size_t bytes = sizeof(*item) + item->len;

	tr_out_bytes(&spill->out, item, bytes);
	spill->written += bytes;
}

int spill_end_run(struct spill *spill)
{
	uint64_t from = spill->n ? spill->runs[spill->n - 1].end : 0;

	spill->runs = tr_xrealloc(spill->runs, (spill->n + 1) * sizeof(*spill->runs));
	spill->runs[spill->n++] = (struct run){.at = from, .end = spill->written};
	return tr_out_flush(&spill->out);
}

/* Takes the next item of the run into `item`; false when it has no more, or can't be read. */
static bool load(struct spill *spill, struct run *run, int *error)
{
	size_t left = run->have - run->used, need = sizeof(run->item);

	for (;;) {
		if (left >= sizeof(run->item)) {
			memcpy(&run->item, run->buffer + run->used, sizeof(run->item));
			need = sizeof(run->item) + run->item.len;
		}
		if (left >= need)
			return true;
		if (run->at == run->end)
			return false;
		memmove(run->buffer, run->buffer + run->used, left);
		run->used = 0;
		run->have = left;
		while (left < spill->buffer_bytes && run->at < run->end) {
			size_t room = spill->buffer_bytes - left;
			ssize_t n = pread(spill->out.fd, run->buffer + left,
					  run->end - run->at < room ? run->end - run->at : room,
					  run->at);

			if (n <= 0) {
				*error = n < 0 ? errno : EIO;
				return false;
			}
			run->at += n;
			left += n;
		}
		run->have = left;
	}
}

static bool is_before(const struct run *a, const struct run *b)
{
	return a->item.moment != b->item.moment ? a->item.moment < b->item.moment : a < b;
}

/* Moves the heap's run at I down to its place. */
static void sink(struct spill *spill, size_t i)
{
	struct run **heap = spill->heap, *run = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < spill->n_heap && is_before(heap[child + 1], heap[child]))
			child++;
		if (child >= spill->n_heap || !is_before(heap[child], run))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = run;
}

static void start_reading(struct spill *spill, int *error)
{
	spill->heap = tr_xcalloc(spill->n, sizeof(struct run *));
	spill->buffer_bytes = BUFFERS_BYTES / spill->n;
	if (spill->buffer_bytes < LEAST_BUFFER)
		spill->buffer_bytes = LEAST_BUFFER;
	for (size_t i = 0; i < spill->n; i++) {
		struct run *run = &spill->runs[i];

		run->buffer = tr_xmalloc(spill->buffer_bytes);
		if (load(spill, run, error))
			spill->heap[spill->n_heap++] = run;
	}
	for (size_t i = spill->n_heap; i-- > 0;)
		sink(spill, i);
}

const char *spill_next(struct spill *spill, struct item *item, int *error)
{
	struct run *run;

	if (!spill->heap) {
		start_reading(spill, error);
	} else if (spill->taken) {
		run = spill->heap[0];
		run->used += sizeof(run->item) + run->item.len;
		if (!load(spill, run, error))
			spill->heap[0] = spill->heap[--spill->n_heap];
		if (spill->n_heap)
			sink(spill, 0);
	}
	spill->taken = spill->n_heap && !*error;
	if (!spill->taken)
		return NULL;
	run = spill->heap[0];
	*item = run->item;
	return (const char *)run->buffer + run->used + sizeof(*item);
}
