/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting what could not be used, and saying so. */
#include "skipped.h"

#include <inttypes.h>
#include <stdio.h>

#include "message.h"
#include "part.h"

enum sort { DAMAGED, CUT, FOREIGN, UNKNOWN_KIND, N_SORTS };

static const char *const sort_names[N_SORTS] = {
	[DAMAGED] = "damaged",
	[CUT] = "cut",
	[FOREIGN] = "foreign",
	[UNKNOWN_KIND] = "of unknown kind",
};

static const struct {
	enum sort sort;  /* what they are counted as */
	const char *why; /* of the first one */
} reasons[TR_N_SKIPS] = {
	[TR_SKIP_CUT] = {CUT, "cut short: it has no newline"},
	[TR_SKIP_LONG] = {DAMAGED, "longer than 65536 bytes"},
	[TR_SKIP_CHAIN] = {DAMAGED, "a damaged packed line"},
	[TR_SKIP_LENGTH] = {DAMAGED, "a packed line whose length does not fit its kind"},
	[TR_SKIP_UNKNOWN_KIND] = {UNKNOWN_KIND,
				  "a packed record of a kind that no schema line defines"},
	[TR_SKIP_NO_JSON] = {DAMAGED, "not a JSON object"},
	[TR_SKIP_PRETTY] = {DAMAGED, "only \"{\": one object a line is needed, as jq -c writes it"},
	[TR_SKIP_CONTROL] = {DAMAGED, "a header, schema, lost or end line that makes no sense"},
	[TR_SKIP_FOREIGN] = {FOREIGN, "neither JSON nor a packed record"},
};

void tr_skipped_add(struct tr_skipped *s, enum tr_skip why, const char *name, uint64_t line)
{
	if (!s->n++) {
		s->first_name = name;
		s->first_line = line;
		s->first_why = why;
	}
	s->by_reason[why]++;
}

void tr_skipped_part(struct tr_skipped *s, const struct tr_part *part)
{
	uint64_t lost =
		part->ended && part->ended_lost > part->lost ? part->ended_lost : part->lost;

	if (__builtin_add_overflow(s->lost, lost, &s->lost))
		s->lost = UINT64_MAX;
	if (part->headless) {
		s->headless |= part->records > 0;
		return;
	}
	s->parts++;
	if (!part->ended)
		s->parts_cut++;
	else if (part->ended_records != part->records + part->objects)
		s->parts_selected++;
}

/* "2 damaged, 1 foreign" */
static void count_sorts(const struct tr_skipped *s, char *text, size_t size)
{
	uint64_t n[N_SORTS] = {0};
	size_t used = 0;

	for (int why = 0; why < TR_N_SKIPS; why++)
		n[reasons[why].sort] += s->by_reason[why];
	for (int i = 0; i < N_SORTS; i++)
		if (n[i] && used < size)
			used += snprintf(text + used, size - used, "%s%" PRIu64 " %s",
					 used ? ", " : "", n[i], sort_names[i]);
}

bool tr_skipped_report(const struct tr_skipped *s)
{
	char sorts[160] = "";

	if (s->headless)
		tr_note("records before any header: taken as this machine's");
	if (s->lost)
		tr_note("%" PRIu64 " records were lost while tracing: the figures lack them",
			s->lost);
	if (s->parts_cut)
		tr_note("%" PRIu64 " of %" PRIu64
			" traces has no end line: it was cut short, or is still being written",
			s->parts_cut, s->parts);
	if (s->parts_selected)
		tr_note("%" PRIu64 " of %" PRIu64
			" traces holds another number of records than its end line says",
			s->parts_selected, s->parts);
	if (!s->n)
		return false;
	count_sorts(s, sorts, sizeof(sorts));
	tr_error("%s:%" PRIu64 ": %s; skipped %" PRIu64 " line%s in all (%s)", s->first_name,
		 s->first_line, reasons[s->first_why].why, s->n, s->n == 1 ? "" : "s", sorts);
	return true;
}
