/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps under construction. */
#include "heat.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "show.h"

enum { FIRST_SLOT_NS = 1000 };

void heat_init(struct heat *heat, uint64_t slot_ns)
{
	*heat = (struct heat){
		.slot_ns = slot_ns ? slot_ns : FIRST_SLOT_NS,
		.five = true,
		.octaves = MAX_HEAT_OCTAVES,
		.maps = tr_xcalloc(MAX_MAPS + 1, sizeof(struct heat_map)),
	};
}

void heat_release(struct heat *heat)
{
	for (size_t i = 0; i < heat->n; i++) {
		struct heat_map *map = &heat->maps[i];

		for (size_t s = 0; s < map->n_slots; s++)
			for (size_t m = 0; m < N_MEASURES; m++)
				tr_histogram_release(&map->slots[s].rows[m]);
		free(map->slots);
		free(map->heading);
		free(map->name);
	}
	free(heat->maps);
}

void heat_enter(struct heat *heat, const struct tr_part *part)
{
	if (part == heat->part)
		return;
	if (!heat->origin_ns)
		heat->origin_ns = part->start_ns;
	heat->part = part;
	heat->offset_ns = part->start_ns > heat->origin_ns ? part->start_ns - heat->origin_ns : 0;
}

static void count(struct heat *heat, struct tr_histogram *rows, int row, uint64_t n)
{
	if (!tr_histogram_add(rows, row, n, &heat->octaves))
		heat->lost += n;
}

/* Adds the rows of FROM to those of TO, and empties it. */
static void pour(struct heat *heat, struct tr_histogram *to, struct tr_histogram *from)
{
	struct tr_histogram old = *from;
	int row = INT_MIN;
	uint64_t n;

	*from = (struct tr_histogram){0};
	if (!to->n) {
		tr_histogram_release(to);
		*to = old;
		return;
	}
	heat->octaves += old.n_octaves;
	while (tr_histogram_next(&old, &row, &n))
		count(heat, to, row, n);
	tr_histogram_release(&old);
}

static void widen(struct heat *heat)
{
	size_t times = heat->five ? 5 : 2;

	heat->five = !heat->five;
	heat->slot_ns *= times;
	for (size_t i = 0; i < heat->n; i++) {
		struct heat_map *map = &heat->maps[i];

		for (size_t s = 1; s < map->n_slots; s++)
			for (size_t m = 0; m < N_MEASURES; m++)
				if (map->slots[s].rows[m].n)
					pour(heat, &map->slots[s / times].rows[m],
					     &map->slots[s].rows[m]);
		map->n_slots = (map->n_slots + times - 1) / times;
	}
}

static size_t slot_of(struct heat *heat, uint64_t ns)
{
	if (!heat->begun)
		heat->first_ns = ns / heat->slot_ns * heat->slot_ns;
	heat->begun = true;
	if (ns < heat->first_ns)
		return 0;
	while ((ns - heat->first_ns) / heat->slot_ns >= MAX_SLOTS)
		widen(heat);
	return (ns - heat->first_ns) / heat->slot_ns;
}

static struct heat_map *new_map(struct heat *heat, const struct dist *d, const char *heading)
{
	struct heat_map *map = &heat->maps[heat->n++];

	*map = (struct heat_map){
		.heading = tr_xstrdup(heading),
		.unit = d->unit,
		.scale = d->scale,
		.slots = tr_xcalloc(MAX_SLOTS, sizeof(*map->slots)),
	};
	return map;
}

static struct heat_map *map_of(struct heat *heat, const struct dist *d)
{
	const size_t mask = sizeof(heat->index) / sizeof(heat->index[0]) - 1;
	char heading[HEADING_MAX];
	const unsigned char *name;
	size_t len, i;
	struct heat_map *map;

	name = tr_group_name(d->groups, d->group, &len);
	for (i = tr_hash_bytes(name, len); heat->index[i &= mask]; i++) {
		map = &heat->maps[heat->index[i] - 1];
		if (map->name_len == len && !memcmp(map->name, name, len))
			return map;
	}
	if (heat->n >= MAX_MAPS || d->group == d->groups->other) {
		if (!heat->other)
			heat->other = new_map(heat, d, "other");
		return heat->other;
	}
	put_group_heading(d->groups, d->group, heading);
	map = new_map(heat, d, heading);
	map->name = tr_xmalloc(len + 1);
	memcpy(map->name, name, len);
	map->name_len = len;
	heat->index[i] = heat->n;
	return map;
}

static void add_dist(struct heat *heat, const struct dist *d, size_t slot)
{
	struct heat_map *map = map_of(heat, d);
	struct bar *bars;
	size_t n = dist_rows(d, &bars);

	for (size_t i = 0; i < n; i++) {
		if (bars[i].row == INT_MAX)
			map->open_low = bars[i].low;
		count(heat, &map->slots[slot].rows[d->measure],
		      bars[i].row == INT_MAX ? OPEN_ROW : bars[i].row, bars[i].n);
		map->n[d->measure] += bars[i].n;
	}
	if (slot >= map->n_slots)
		map->n_slots = slot + 1;
	free(bars);
}

void heat_add(struct heat *heat, const struct tr_groups *groups, uint64_t begin_ns)
{
	size_t slot;
	struct dist d;

	if (!groups->n)
		return;
	slot = slot_of(heat, begin_ns + heat->offset_ns);
	for (size_t i = 0; i < groups->n; i++)
		for (size_t m = 0; m < N_MEASURES; m++)
			if (dist_of_measure(&d, groups, groups->list[i], m))
				add_dist(heat, &d, slot);
}
