/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps on their way out: time across, rows down. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "words.h"

enum { MAX_SHADES = 9 };

static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

static const char *shade(size_t level)
{
	static const char *const blocks[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
	static const char *const letters[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};

	return is_utf8() ? blocks[level] : letters[level];
}

static size_t n_shades(void)
{
	return is_utf8() ? 4 : MAX_SHADES;
}

/* What a step must have at the least for a shade: each is about as many times the one before, so
 * that few values are seen beside many. */
static uint64_t threshold(double most, size_t level)
{
	size_t octaves = tr_octave_of(most < 1 ? 1 : (uint64_t)most), steps = n_shades() - 1;

	return 1ULL << ((level - 1) * octaves + steps - 1) / steps;
}

static size_t level_of(double n, double most)
{
	size_t level = n_shades();

	while (level > 1 && n < (double)threshold(most, level))
		level--;
	return n > 0 ? level : 0;
}

static char *put_time_at(char *text, __int128 ns)
{
	struct tr_value v = {.i = ns, .d = (double)ns};

	return ns ? put_value(text, &v, TR_UNIT_TIME) : stpcpy(text, "0 s");
}

/* When the map begins and ends, below it. */
static void draw_axis(const struct picture *p, const struct heat *heat, struct tr_out *out)
{
	__int128 slot = heat->slot_ns, begin = heat->first_ns + p->begin * slot;
	__int128 end = begin + slot * (__int128)(p->steps * p->per_step);
	char from[WORD_MAX], to[WORD_MAX];
	size_t width = p->steps * p->step_width, used;

	put_time_at(from, begin);
	put_time_at(to, end);
	used = strlen(from) + strlen(to);
	tr_out_printf(out, "%*s  %s%*s%s\n", (int)p->label_width, "", from,
		      used + 2 < width ? (int)(width - used) : 2, "", to);
}

/* What a step is, and from how many values on a shade stands. */
static void draw_legend(const struct picture *p, const struct heat *heat, struct tr_out *out,
			size_t width)
{
	char text[WORD_MAX];
	size_t used = p->label_width + 2;

	put_time_at(text, (__int128)p->per_step * heat->slot_ns);
	used += strlen(text) + strlen("a step is , with");
	if (used > width)
		return;
	tr_out_printf(out, "%*s  a step is %s, with", (int)p->label_width, "", text);
	for (size_t level = 1; level <= n_shades(); level++) {
		uint64_t from = threshold(p->most, level);

		if (level < n_shades() && threshold(p->most, level + 1) == from)
			continue;
		sprintf(text, "%" PRIu64 "+", from);
		used += strlen(text) + 3;
		if (used < width)
			tr_out_printf(out, " %s %s", shade(level), text);
	}
	tr_out_text(out, "\n");
}

static size_t draw_map(const struct heat *heat, const struct heat_map *map, struct tr_out *out,
		       const struct tr_screen *screen)
{
	size_t width = screen->columns - 1, lines = 2, rows;
	char label[2 * WORD_MAX];
	struct picture p;

	picture_make(&p, heat, map, width);
	if (*map->heading) {
		tr_out_printf(out, "%s\n", map->heading);
		lines++;
	}
	rows = p.n_rows;
	if (screen->lines && rows + lines > screen->lines)
		rows = screen->lines > lines + 1 ? screen->lines - lines - 1 : 0;
	for (size_t i = 0; i < rows; i++) {
		put_range(label, &p.rows[i], map->unit, map->scale->how);
		tr_out_printf(out, "%*s |", (int)p.label_width,
			      p.rows[i].row == NO_ROW ? "..." : label);
		for (size_t s = 0; s < p.steps; s++) {
			size_t level = level_of(p.cells[i * p.steps + s], p.most);

			for (size_t w = 0; w < p.step_width; w++)
				tr_out_text(out, shade(level));
		}
		tr_out_text(out, "|\n");
	}
	if (rows < p.n_rows) {
		tr_out_printf(out, "%*s ... and %zu rows more\n", (int)p.label_width, "",
			      p.n_rows - rows);
		lines++;
	}
	draw_axis(&p, heat, out);
	draw_legend(&p, heat, out, width);
	picture_release(&p);
	return lines + rows;
}

static uint64_t values_of(const struct heat_map *map)
{
	return map->n[OF_AGGREGATES] ? map->n[OF_AGGREGATES] : map->n[OF_EVENTS];
}

/* Most values first, "other" last. */
static int compare_maps(const void *a, const void *b)
{
	const struct heat_map *x = *(const struct heat_map *const *)a;
	const struct heat_map *y = *(const struct heat_map *const *)b;

	if (!x->name != !y->name)
		return !x->name - !y->name;
	if (values_of(x) != values_of(y))
		return (values_of(x) < values_of(y)) - (values_of(x) > values_of(y));
	return strcmp(x->heading, y->heading);
}

size_t heat_draw(struct heat *heat, struct tr_out *out, const struct tr_screen *screen)
{
	const struct heat_map *list[MAX_MAPS + 1] = {0};
	size_t lines = 0, i;

	for (i = 0; i < heat->n; i++) {
		list[i] = &heat->maps[i];
		heat->both |= list[i]->n[OF_AGGREGATES] && list[i]->n[OF_EVENTS];
	}
	qsort(list, heat->n, sizeof(list[0]), compare_maps);
	for (i = 0; i < heat->n; i++) {
		struct tr_screen room = *screen;

		/* what another one takes at the least, and a line to say that there is more */
		if (screen->lines && i && lines + 8 > screen->lines)
			break;
		if (screen->lines && heat->n > 1)
			room.lines -= lines + (screen->lines > lines + 8 ? 2 : 0);
		if (i) {
			tr_out_text(out, "\n");
			lines++;
		}
		lines += draw_map(heat, list[i], out, &room);
	}
	if (i < heat->n) {
		tr_out_printf(out, "... and %zu more\n", heat->n - i);
		lines++;
	}
	return lines;
}
