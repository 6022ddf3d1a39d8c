/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines by time: an arena that is sorted by an index, and written out as a run when it is full. */
#include "sorter.h"

#include <stdlib.h>
#include <string.h>

#include "spill.h"

enum {
	ARENA_BYTES = 48 << 20,
	ALIGN = 8, /* of an item */
};

struct entry {
	int64_t moment;
	size_t offset; /* of the item; also tells what came first */
};

struct sorter {
	struct tr_out line; /* never written anywhere: a record's line is made in its buffer */
	struct writer writer;
	struct turns turns;
	struct spill *spill;
	int64_t last; /* the moment of the last record */
	bool failed;
	size_t n, n_max, used;
	struct entry *entries;
	unsigned char *arena;
};

struct sorter *sorter_new(int spill_fd, enum format format, bool selects)
{
	struct sorter *s = tr_xcalloc(1, sizeof(*s));

	tr_out_init(&s->line, -1);
	s->writer = (struct writer){.out = &s->line, .format = format, .selects = selects};
	s->spill = spill_new(spill_fd);
	s->arena = tr_xmalloc(ARENA_BYTES);
	return s;
}

void sorter_free(struct sorter *s)
{
	if (!s)
		return;
	writer_release(&s->writer);
	turns_release(&s->turns);
	tr_out_release(&s->line);
	spill_free(s->spill);
	free(s->entries);
	free(s->arena);
	free(s);
}

static const struct item *item_at(const struct sorter *s, size_t i)
{
	return (const struct item *)(s->arena + s->entries[i].offset);
}

static int by_moment(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->moment != y->moment)
		return x->moment < y->moment ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort_arena(struct sorter *s)
{
	if (s->n)
		qsort(s->entries, s->n, sizeof(s->entries[0]), by_moment);
}

/* The arena as a run of its own: it is empty afterwards. */
static void spill_arena(struct sorter *s)
{
	int err;

	sort_arena(s);
	for (size_t i = 0; i < s->n; i++)
		spill_add(s->spill, item_at(s, i));
	err = spill_end_run(s->spill);
	if (err) {
		tr_error(
			"--sort: cannot write a temporary file: %s; TMPDIR can name another folder",
			strerror(-err));
		s->failed = true;
	}
	s->n = s->used = 0;
}

static void add_item(struct sorter *s, struct item item, const char *line)
{
	size_t bytes = (sizeof(item) + item.len + ALIGN - 1) & ~(size_t)(ALIGN - 1);

	if (bytes > ARENA_BYTES - s->used)
		spill_arena(s);
	if (s->n == s->n_max) {
		s->n_max = s->n_max ? 2 * s->n_max : 4096;
		s->entries = tr_xrealloc(s->entries, s->n_max * sizeof(s->entries[0]));
	}
	s->entries[s->n++] = (struct entry){item.moment, s->used};
	memcpy(s->arena + s->used, &item, sizeof(item));
	memcpy(s->arena + s->used + sizeof(item), line, item.len);
	s->used += bytes;
}

/* The line or lines of EVENT, as one item. */
static void add_event(struct sorter *s, const struct tr_event *event, uint32_t slot, int64_t moment)
{
	s->line.used = 0;
	writer_event(&s->writer, event);
	add_item(s, (struct item){.moment = moment, .slot = slot, .len = s->line.used},
		 s->line.buffer);
}

bool sorter_add(struct sorter *s, const struct tr_event *event)
{
	uint32_t slot = turns_see(&s->turns, event);
	const struct tr_field *f = NULL;
	struct tr_event one = *event;
	uint64_t ts;

	if (!slot)
		return false;
	if (turns_keeps(event))
		return true;
	if (event->type == TR_EVENT_RECORDS) {
		f = moment_field(event->kind->kind);
		one.n = 1;
		for (size_t i = 0; i < event->n && !s->failed; i++, one.bodies++) {
			if (f)
				s->last = moment_of(event->part, tr_field_int(f, *one.bodies, 0));
			add_event(s, &one, slot, s->last);
		}
	} else if (event->type == TR_EVENT_CONTROL && event->control == TR_CONTROL_END) {
		add_event(s, event, slot, INT64_MAX); /* behind all that is to come */
	} else {
		if (event->type != TR_EVENT_OTHER && moment_ts(event->object, &ts))
			s->last = moment_of(event->part, ts);
		add_event(s, event, slot, s->last);
	}
	return !s->failed;
}

static void write_item(struct sorter *s, struct tr_out *out, const struct item *item,
		       const void *bytes)
{
	turns_enter(&s->turns, out, item->slot, 1);
	tr_out_bytes(out, bytes, item->len);
}

enum tr_status sorter_write(struct sorter *s, struct tr_out *out)
{
	const char *bytes;
	struct item item;
	int error = 0;

	if (s->failed)
		return TR_FAILED;
	/* a trace without records is one all the same */
	for (size_t i = 0; !s->n && spill_is_empty(s->spill) && i < s->turns.n; i++)
		turns_enter(&s->turns, out, i + 1, 0);
	if (spill_is_empty(s->spill)) {
		sort_arena(s);
		for (size_t i = 0; i < s->n && !out->error; i++)
			write_item(s, out, item_at(s, i), item_at(s, i) + 1);
		return TR_DONE;
	}
	spill_arena(s);
	if (s->failed)
		return TR_FAILED;
	while (!out->error && (bytes = spill_next(s->spill, &item, &error)))
		write_item(s, out, &item, bytes);
	if (error)
		tr_error("--sort: cannot read a temporary file: %s", strerror(error));
	return error ? TR_FAILED : TR_DONE;
}
