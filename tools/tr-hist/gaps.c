/* SPDX-License-Identifier: GPL-2.0-only */
/* Empty rows between others. */
#include <limits.h>
#include <stdlib.h>

#include "draw.h"
#include "message.h"

enum { LONG_RUN = 16 };

/* Rows of fractions begin where there are some: between them and 0 there would be no end of rows.
 */
static int first_log2_row(const struct bar *bars, size_t n)
{
	int first = TR_LOG2_ROW_OF_1;

	for (size_t i = 0; i < n; i++)
		if (bars[i].row && abs(bars[i].row) < first)
			first = abs(bars[i].row);
	return first;
}

static int next_row(const struct dist *d, int row, int first)
{
	if (d->scale->how == TR_SCALE_LOG2 && row == -first)
		return 0;
	if (d->scale->how == TR_SCALE_LOG2 && row == 0)
		return first;
	return row + 1;
}

/* How many rows are between that of a bar and the next one's, or LONG_RUN + 1 where there are more.
 */
static int gap(const struct dist *d, const struct bar *bar, int first)
{
	int row = next_row(d, bar[0].row, first), n = 0;

	for (; bar[1].row != INT_MAX && row < bar[1].row && n <= LONG_RUN; n++)
		row = next_row(d, row, first);
	return n;
}

static struct bar *put_gap(struct bar *p, const struct dist *d, const struct bar *bar, int first)
{
	int missing = gap(d, bar, first), row = bar->row;

	if (missing > LONG_RUN) {
		*p = (struct bar){.row = NO_ROW};
		return p + 1;
	}
	for (; missing; missing--, p++) {
		row = next_row(d, row, first);
		*p = (struct bar){.row = row};
		tr_scale_ends(d->scale, row, &p->low, &p->high);
	}
	return p;
}

size_t rows_with_gaps(const struct dist *d, const struct bar *bars, size_t n, struct bar **all)
{
	int first = first_log2_row(bars, n);
	size_t n_all = n;
	struct bar *p;

	for (size_t i = 0; i + 1 < n; i++) {
		int missing = gap(d, &bars[i], first);

		n_all += missing > LONG_RUN ? 1 : missing;
	}
	*all = p = tr_xcalloc(n_all, sizeof(**all));
	for (size_t i = 0; i < n; i++) {
		*p++ = bars[i];
		if (i + 1 < n)
			p = put_gap(p, d, &bars[i], first);
	}
	return p - *all;
}
