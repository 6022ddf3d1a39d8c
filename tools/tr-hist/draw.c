/* SPDX-License-Identifier: GPL-2.0-only */
/* Drawing of one histogram. */
#include "draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "text.h"
#include "words.h"

enum {
	LEAST_BAR = 10, /* columns, however narrow the terminal */
	ITEM_MAX = WORD_MAX + 32,
};

static const char *const knowledge[] = {[EXACT] = "", [AT_LEAST] = ">= ", [BELOW] = "< "};

/* Items of one line, on as many lines as they take. */
struct items {
	struct tr_out *out; /* NULL: to see how many these are */
	size_t width, used, lines;
};

static void end_line(struct items *it)
{
	if (!it->used)
		return;
	if (it->out)
		tr_out_text(it->out, "\n");
	it->lines++;
	it->used = 0;
}

static void put_item(struct items *it, const char *text)
{
	size_t len = strlen(text);

	if (it->used && it->used + 2 + len > it->width)
		end_line(it);
	if (it->out)
		tr_out_printf(it->out, it->used ? "  %s" : "%s", text);
	it->used += len + (it->used ? 2 : 0);
}

static void put_figure(struct items *it, const char *name, const struct figure *f,
		       char *(*put)(char *, const struct tr_value *, enum tr_unit),
		       enum tr_unit unit)
{
	char text[ITEM_MAX];

	put(stpcpy(stpcpy(stpcpy(text, name), " "), knowledge[f->known]), &f->value, unit);
	put_item(it, text);
}

static size_t draw_figures(const struct dist *d, const struct percentiles *list, struct tr_out *out,
			   size_t width)
{
	struct items it = {.out = out, .width = width};
	char text[ITEM_MAX];

	sprintf(text, "count %" PRIu64, d->n);
	put_item(&it, text);
	put_figure(&it, "total", &d->sum, put_value, d->unit);
	put_figure(&it, "mean", &d->mean, put_mean, d->unit);
	put_figure(&it, "min", &d->least, put_value, d->unit);
	put_figure(&it, "max", &d->greatest, put_value, d->unit);
	end_line(&it);
	for (size_t i = 0; i < list->n; i++) {
		struct figure f = dist_percentile(d, list->list[i].part, list->list[i].of);

		sprintf(text, "p%s", list->list[i].text);
		if (f.value.null)
			put_item(&it, strcat(text, " -"));
		else
			put_figure(&it, text, &f, put_value, d->unit);
	}
	end_line(&it);
	return it.lines;
}

/* The ROOM rows one behind the other that have most. */
static size_t fullest(const struct bar *rows, size_t n, size_t room)
{
	unsigned __int128 sum = 0, most;
	size_t best = 0;

	for (size_t i = 0; i < room; i++)
		sum += rows[i].n;
	most = sum;
	for (size_t i = room; i < n; i++) {
		sum += rows[i].n;
		sum -= rows[i - room].n;
		if (sum > most) {
			most = sum;
			best = i + 1 - room;
		}
	}
	return best;
}

static void draw_bar(struct tr_out *out, uint64_t n, uint64_t most, size_t room)
{
	static const char bar[] =
		"################################################################";
	size_t len = (unsigned __int128)n * room / most;

	if (n && !len)
		len = 1;
	if (len)
		tr_out_text(out, " ");
	for (size_t part; len; len -= part) {
		part = len < sizeof(bar) - 1 ? len : sizeof(bar) - 1;
		tr_out_bytes(out, bar, part);
	}
	tr_out_text(out, "\n");
}

static void draw_rows(const struct dist *d, const struct bar *rows, size_t n, struct tr_out *out,
		      size_t width)
{
	size_t label_width = 0, count_width = 0, room;
	char label[2 * WORD_MAX], count[TR_NUMBER_MAX];
	uint64_t most = 1;

	for (size_t i = 0; i < n; i++) {
		size_t len = put_range(label, &rows[i], d->unit, d->scale->how) - label;

		if (rows[i].row == NO_ROW)
			continue;
		label_width = len > label_width ? len : label_width;
		len = tr_u64_format(count, rows[i].n);
		count_width = len > count_width ? len : count_width;
		most = rows[i].n > most ? rows[i].n : most;
	}
	room = label_width + 2 + count_width + 3;
	room = width > room + LEAST_BAR ? width - room : LEAST_BAR;
	for (size_t i = 0; i < n; i++) {
		if (rows[i].row == NO_ROW) {
			tr_out_printf(out, "%*s\n", (int)label_width, "...");
			continue;
		}
		put_range(label, &rows[i], d->unit, d->scale->how);
		tr_u64_format(count, rows[i].n);
		tr_out_printf(out, "%*s  %*s |", (int)label_width, label, (int)count_width, count);
		draw_bar(out, rows[i].n, most, room);
	}
}

/* As much of it as there is room for. */
static void put_heading(struct tr_out *out, const char *heading, size_t width)
{
	size_t len = strlen(heading), end = 0;

	while (end < len) {
		size_t n = tr_utf8_length(heading + end, len - end);

		n = n ? n : 1;
		if (tr_text_width(heading, end + n) > width)
			break;
		end += n;
	}
	tr_out_bytes(out, heading, end);
	tr_out_text(out, "\n");
}

size_t draw_histogram(const struct dist *d, const char *heading, const struct percentiles *list,
		      struct tr_out *out, const struct tr_screen *screen)
{
	/* One column is kept free: some terminals go to the next line when the last one is full. */
	size_t width = screen->columns - 1, lines = 0, n, shown, from = 0;
	size_t figures = draw_figures(d, list, NULL, width);
	struct bar *bars, *rows;

	if (*heading) {
		put_heading(out, heading, width);
		lines++;
	}
	n = d->left_out ? 0 : dist_rows(d, &bars);
	n = rows_with_gaps(d, n ? bars : NULL, n, &rows);
	if (!d->left_out)
		free(bars);
	shown = n;
	if (screen->lines && lines + n + figures > screen->lines) {
		shown = screen->lines > lines + figures ? screen->lines - lines - figures : 0;
		from = fullest(rows, n, shown);
	}
	draw_rows(d, rows + from, shown, out, width);
	free(rows);
	return lines + shown + draw_figures(d, list, out, width);
}
