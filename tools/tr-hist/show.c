/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of histograms and what stands above them. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "report.h"
#include "text.h"

struct ranked {
	const struct tr_group *group;
	uint64_t n;
};

/* What has most first, what was too much last. */
static int compare(const void *a, const void *b, void *context)
{
	const struct tr_groups *g = context;
	const struct ranked *x = a, *y = b;

	if (x->group == g->other || y->group == g->other)
		return (x->group == g->other) - (y->group == g->other);
	if (x->n != y->n)
		return (x->n < y->n) - (x->n > y->n);
	return tr_groups_compare(g, x->group, y->group, 0);
}

static struct ranked *rank(struct show *show, const struct tr_groups *g, size_t *n)
{
	struct ranked *list = tr_xcalloc(g->n + 1, sizeof(*list));

	*n = show->summed = 0;
	for (size_t i = 0; i < g->n; i++) {
		struct ranked r = {g->list[i], dist_count(g->list[i])};

		if (r.n)
			list[(*n)++] = r;
		else
			show->summed += g->list[i]->sums[OF_AGGREGATES].n > 0;
	}
	qsort_r(list, *n, sizeof(*list), compare, (void *)g);
	return list;
}

static char *put_pair(char *p, const char *name, size_t len, const struct tr_cell *value)
{
	p = tr_text_terminal(p, name, len, 1);
	*p++ = '=';
	if (value->type == TR_CELL_NULL)
		return stpcpy(p, "-");
	return tr_text_terminal(p, value->text.bytes, value->text.len, 1);
}

void put_group_heading(const struct tr_groups *g, const struct tr_group *group, char *heading)
{
	struct tr_cell cells[TR_MAX_KEYS + 1];
	size_t n = tr_groups_cells(g, group, cells);
	char *p = heading;

	*p = 0;
	if (group == g->other) {
		strcpy(p, "other");
		return;
	}
	if (g->by == TR_BY_KEY && n == 1 && cells[0].type != TR_CELL_NULL)
		p = put_pair(p, "type", 4, &cells[0]);
	else if (g->by == TR_BY_KEY && n == 2)
		p = put_pair(p, cells[0].text.bytes, cells[0].text.len, &cells[1]);
	for (size_t i = 0; g->by == TR_BY_FIELDS && i < n; i++) {
		if (i)
			*p++ = ' ';
		p = put_pair(p, g->keys[i], strlen(g->keys[i]), &cells[i]);
	}
	*p = 0;
}

/* What does not fit is said, but not drawn. */
static size_t show_text(struct show *show, const struct tr_groups *g, const struct ranked *list,
			size_t n, struct tr_out *out, const struct tr_screen *screen)
{
	char heading[HEADING_MAX];
	size_t lines = 0, i;

	for (i = 0; i < n; i++) {
		struct tr_screen room = *screen;
		struct dist d;

		if (screen->lines && i) {
			/* what another one takes at the least, and a line to say that there is more
			 */
			if (lines + 8 > screen->lines)
				break;
			room.lines -= lines + 2;
		} else if (screen->lines && n > 1) {
			room.lines -= screen->lines > 8 ? 2 : 0;
		}
		if (i) {
			tr_out_text(out, "\n");
			lines++;
		}
		dist_of(&d, g, list[i].group);
		show->both += d.both;
		put_group_heading(g, list[i].group, heading);
		lines += draw_histogram(&d, heading, &show->percentiles, out, &room);
	}
	if (i < n) {
		tr_out_printf(out, "... and %zu more\n", n - i);
		lines++;
	}
	return lines;
}

size_t show_groups(struct show *show, const struct tr_groups *g, struct tr_out *out, uint64_t from,
		   uint64_t to, const struct tr_screen *screen)
{
	size_t n, lines = 0;
	struct ranked *list = rank(show, g, &n);
	struct dist d;

	show->shown = n;
	show->both = 0;
	switch (show->output) {
	case OUTPUT_TEXT:
		if (show->intervals && n)
			tr_report_put_interval(out, from, to);
		lines = show_text(show, g, list, n, out, screen);
		if (show->intervals && n)
			tr_out_text(out, "\n");
		break;
	case OUTPUT_JSON:
	case OUTPUT_CSV:
		for (size_t i = 0; i < n; i++) {
			dist_of(&d, g, list[i].group);
			show->both += d.both;
			if (show->output == OUTPUT_JSON)
				show_json(show, &d, out, to);
			else
				show_csv(show, &d, out, to);
		}
		break;
	}
	free(list);
	return lines;
}
