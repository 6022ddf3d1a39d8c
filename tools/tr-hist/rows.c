/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms for programs: JSON and CSV. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "show.h"
#include "words.h"

static size_t bars_of(const struct show *show, const struct dist *d, struct bar **bars)
{
	if (d->left_out) {
		*bars = NULL;
		return 0;
	}
	return show->linear ? dist_rows(d, bars) : dist_buckets(d, bars);
}

/* The cells of a group with what they are called, of which those from the first on are shown. */
static size_t keys_of(const struct dist *d, char (*names)[TR_MAX_NAME + 1], struct tr_cell *cells)
{
	struct tr_cell all[TR_MAX_KEYS + 1] = {0};
	const struct tr_cell other = {TR_CELL_STRING, {"other", 5}};
	size_t first, n = tr_groups_name_keys(d->groups, names, &first);
	size_t n_cells = tr_groups_cells(d->groups, d->group, all);

	for (size_t i = 0; i < n; i++)
		cells[i] = first + i < n_cells ? all[first + i] : (struct tr_cell){0};
	if (d->group == d->groups->other && n)
		cells[0] = other;
	return n;
}

static void put_member(struct tr_out *out, const char *name, const struct figure *f, bool is_mean)
{
	char text[WORD_MAX];

	tr_out_printf(out, ",\"%s\":", name);
	if (f->known != EXACT || f->value.null) {
		tr_out_text(out, "null");
		return;
	}
	if (is_mean)
		put_mean_number(text, &f->value);
	else
		put_number(text, &f->value, true);
	tr_out_text(out, text);
}

/* An end that is not there is null, in CSV nothing. */
static void put_ends(const struct bar *bar, char *low, char *high, bool json)
{
	put_number(low, &bar->low, json);
	put_number(high, &bar->high, json);
	if (bar->open)
		strcpy(bar->row < 0 ? low : high, json ? "null" : "");
}

static void put_bars(struct tr_out *out, const struct bar *bars, size_t n)
{
	char low[WORD_MAX], high[WORD_MAX], count[WORD_MAX];

	tr_out_text(out, ",\"buckets\":[");
	for (size_t i = 0; i < n; i++) {
		struct tr_value v = {.i = bars[i].n};

		put_ends(&bars[i], low, high, true);
		put_number(count, &v, true);
		tr_out_printf(out, "%s[%s,%s,%s]", i ? "," : "", low, high, count);
	}
	tr_out_text(out, "]}\n");
}

void show_json(const struct show *show, const struct dist *d, struct tr_out *out, uint64_t to)
{
	char names[TR_MAX_KEYS + 1][TR_MAX_NAME + 1], text[6 * TR_CELL_BYTES + 64];
	struct tr_cell cells[TR_MAX_KEYS + 1];
	size_t n = keys_of(d, names, cells);
	struct figure count = {.value.i = d->n};
	struct bar *bars;

	tr_out_text(out, "{");
	if (show->intervals)
		tr_out_printf(out, "\"ts\":%.*s,", (int)(tr_json_put_u64(text, to) - text), text);
	for (size_t i = 0; i < n; i++) {
		struct tr_string name = {names[i], strlen(names[i])};

		tr_out_bytes(out, text, tr_json_put_string(text, name) - text);
		tr_out_text(out, ":");
		tr_out_bytes(out, text, tr_cell_put_json(text, &cells[i]) - text);
		tr_out_text(out, ",");
	}
	put_number(text, &count.value, true);
	tr_out_printf(out, "\"count\":%s", text);
	put_member(out, "sum", &d->sum, false);
	put_member(out, "min", &d->least, false);
	put_member(out, "max", &d->greatest, false);
	put_member(out, "mean", &d->mean, true);
	for (size_t i = 0; i < show->percentiles.n; i++) {
		const struct percentile *p = &show->percentiles.list[i];
		struct figure f = dist_percentile(d, p->part, p->of);
		char name[PERCENTILE_MAX + 1] = "p";

		put_member(out, strcat(name, p->text), &f, false);
	}
	n = bars_of(show, d, &bars);
	put_bars(out, bars, n);
	free(bars);
}

static void put_names(struct tr_out *out, const struct show *show, const struct dist *d)
{
	char names[TR_MAX_KEYS + 1][TR_MAX_NAME + 1];
	struct tr_cell cells[TR_MAX_KEYS + 1];
	size_t n = keys_of(d, names, cells);

	if (show->intervals)
		tr_out_text(out, "ts,");
	for (size_t i = 0; i < n; i++) {
		tr_out_separated(out, ',', names[i], strlen(names[i]));
		tr_out_text(out, ",");
	}
	tr_out_text(out, "lo,hi,n\n");
}

void show_csv(struct show *show, const struct dist *d, struct tr_out *out, uint64_t to)
{
	char names[TR_MAX_KEYS + 1][TR_MAX_NAME + 1], low[WORD_MAX], high[WORD_MAX];
	struct tr_cell cells[TR_MAX_KEYS + 1];
	size_t n = keys_of(d, names, cells), n_bars;
	struct bar *bars;

	if (!show->headed)
		put_names(out, show, d);
	show->headed = true;
	n_bars = bars_of(show, d, &bars);
	for (size_t b = 0; b < n_bars; b++) {
		if (show->intervals)
			tr_out_printf(out, "%" PRIu64 ",", to);
		for (size_t i = 0; i < n; i++) {
			tr_out_separated(out, ',', cells[i].text.len ? cells[i].text.bytes : "",
					 cells[i].text.len);
			tr_out_text(out, ",");
		}
		put_ends(&bars[b], low, high, false);
		tr_out_printf(out, "%s,%s,%" PRIu64 "\n", low, high, bars[b].n);
	}
	free(bars);
}
