/* SPDX-License-Identifier: GPL-2.0-only */
/* From slots of time to steps across. */
#include "picture.h"

#include <limits.h>
#include <stdlib.h>

#include "message.h"
#include "words.h"

enum { WIDEST_STEP = 8 };

/* The rows that the map has anywhere. */
static void find_rows(struct picture *p)
{
	struct tr_histogram all = {0};
	struct dist scale = {.scale = p->map->scale};
	size_t budget = SIZE_MAX, n = 0;
	struct bar *bars;
	int row = INT_MIN;
	uint64_t count;

	for (size_t s = 0; s < p->map->n_slots; s++)
		for (row = INT_MIN;
		     tr_histogram_next(&p->map->slots[s].rows[p->measure], &row, &count);)
			tr_histogram_add(&all, row, 1, &budget);
	bars = tr_xcalloc(TR_OCTAVE_BUCKETS * all.n_octaves + 1, sizeof(*bars));
	for (row = INT_MIN; tr_histogram_next(&all, &row, &count); n++) {
		bars[n].row = row;
		if (row != OPEN_ROW) {
			tr_scale_ends(p->map->scale, row, &bars[n].low, &bars[n].high);
			continue;
		}
		bars[n] = (struct bar){.row = INT_MAX, .low = p->map->open_low, .open = true};
	}
	tr_histogram_release(&all);
	p->n_rows = rows_with_gaps(&scale, bars, n, &p->rows);
	free(bars);
}

static int compare_gaps(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * How many slots, up to its own, a slot's values are of. Single records are in the slot of their
 * time; aggregates are written at the end of an interval, which is as long as is usual between
 * them. 0 where there is nothing to see that by.
 */
static size_t slots_covered(const struct picture *p, size_t *gaps)
{
	const struct heat_map *map = p->map;
	size_t n = 0, last = SIZE_MAX;

	if (p->measure == OF_EVENTS)
		return 1;
	for (size_t s = 0; s < map->n_slots; s++) {
		if (!map->slots[s].rows[p->measure].n)
			continue;
		if (last != SIZE_MAX)
			gaps[n++] = s - last;
		last = s;
	}
	if (!n) /* of one alone nobody knows */
		return 0;
	qsort(gaps, n, sizeof(*gaps), compare_gaps);
	return gaps[n / 2];
}

static size_t row_index(const struct picture *p, int row)
{
	size_t i = 0;

	while (i + 1 < p->n_rows && p->rows[i].row != (row == OPEN_ROW ? INT_MAX : row))
		i++;
	return i;
}

static void add_cell(struct picture *p, int row, int64_t slot, double n)
{
	double *cell;

	if (slot < p->begin)
		return;
	cell = &p->cells[row_index(p, row) * p->steps + (slot - p->begin) / p->per_step];
	*cell += n;
	p->most = *cell > p->most ? *cell : p->most;
}

/* Puts each slot's values where they are of: into the step of the middle of what they cover, or
 * into all the steps where these are shorter. */
static void fill(struct picture *p, size_t covered)
{
	const struct heat_map *map = p->map;

	p->cells = tr_xcalloc(p->steps * p->n_rows, sizeof(*p->cells));
	for (size_t s = 0; s < map->n_slots; s++) {
		const struct tr_histogram *rows = &map->slots[s].rows[p->measure];
		int64_t slot = s;
		int row = INT_MIN;
		uint64_t n;

		while (tr_histogram_next(rows, &row, &n)) {
			if (p->per_step >= covered) {
				add_cell(p, row, slot - (int64_t)(covered / 2), (double)n);
				continue;
			}
			for (size_t back = 0; back < covered; back++)
				add_cell(p, row, slot - (int64_t)back, (double)n / (double)covered);
		}
	}
}

/* What there is of time, in steps that ROOM has room for; nothing is before the slot EARLIEST. */
static void set_steps(struct picture *p, size_t covered, int64_t earliest, size_t room)
{
	size_t slots;

	/* there may be none: what found no room is not here */
	while (p->begin + 1 < (int64_t)p->map->n_slots &&
	       !p->map->slots[p->begin].rows[p->measure].n)
		p->begin++;
	p->begin = covered ? p->begin - (int64_t)(covered - 1) : earliest;
	if (p->begin < earliest)
		p->begin = earliest;
	slots = p->map->n_slots - p->begin;
	p->per_step = (slots + room - 1) / room;
	if (!covered)
		p->per_step = slots;
	else if (p->per_step < covered && slots >= covered)
		p->per_step = covered;
	p->steps = (slots + p->per_step - 1) / p->per_step;
	p->step_width = room / p->steps;
	if (p->step_width > WIDEST_STEP)
		p->step_width = WIDEST_STEP;
}

void picture_make(struct picture *p, const struct heat *heat, const struct heat_map *map,
		  size_t width)
{
	size_t *gaps = tr_xcalloc(map->n_slots + 1, sizeof(*gaps)), covered;
	/* the beginning of the trace */
	int64_t earliest = -(int64_t)(heat->first_ns / heat->slot_ns);
	char label[2 * WORD_MAX];

	*p = (struct picture){.map = map};
	p->measure = map->n[OF_AGGREGATES] ? OF_AGGREGATES : OF_EVENTS;
	find_rows(p);
	for (size_t i = 0; i < p->n_rows; i++) {
		size_t len = put_range(label, &p->rows[i], map->unit, map->scale->how) - label;

		p->label_width = len > p->label_width ? len : p->label_width;
	}
	covered = slots_covered(p, gaps);
	free(gaps);
	set_steps(p, covered, earliest,
		  width > p->label_width + 4 ? width - p->label_width - 3 : 1);
	fill(p, covered ? covered : 1);
}

void picture_release(struct picture *p)
{
	free(p->rows);
	free(p->cells);
}
