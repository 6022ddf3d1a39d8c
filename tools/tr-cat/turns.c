/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers and schema lines of traces, kept to be written again. */
#include "turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_LINES = 4096 }; /* after so many all is written again, as tr-attach does */

struct lines {
	char *bytes;
	size_t len;
};

struct turn {
	struct lines header, schemas;
	bool continues; /* it has an id, by which readers know it again */
	bool written;
	uint64_t written_at; /* in lines */
};

static void add_line(struct lines *to, struct tr_string line)
{
	to->bytes = tr_xrealloc(to->bytes, to->len + line.len + 1);
	memcpy(to->bytes + to->len, line.bytes, line.len);
	to->bytes[to->len + line.len] = '\n';
	to->len += line.len + 1;
}

void turns_release(struct turns *turns)
{
	for (size_t i = 0; i < turns->n; i++) {
		free(turns->list[i].header.bytes);
		free(turns->list[i].schemas.bytes);
	}
	free(turns->list);
	*turns = (struct turns){0};
}

bool turns_keeps(const struct tr_event *event)
{
	return event->type == TR_EVENT_CONTROL &&
	       (event->control == TR_CONTROL_TRACERY || event->control == TR_CONTROL_SCHEMA);
}

/* A part that has no header gets one, without a start: so it is known again after others. */
static void add_header(struct turns *turns, struct turn *turn, const struct tr_event *event)
{
	char text[128 + TR_MAX_NAME];

	turn->continues = true;
	if (event->type == TR_EVENT_CONTROL && event->control == TR_CONTROL_TRACERY) {
		turn->continues = *event->part->id;
		add_line(&turn->header, event->line);
		return;
	}
	snprintf(text, sizeof(text),
		 "{\"tracery\":{\"version\":1,\"id\":\"headless-%zu\",\"arch\":\"%.64s\"}}",
		 turns->n, event->part->arch);
	add_line(&turn->header, (struct tr_string){text, strlen(text)});
}

uint32_t turns_see(struct turns *turns, const struct tr_event *event)
{
	struct tr_part *part = event->part;
	struct turn *turn;

	if (!part->slot) {
		if (turns->n == TURNS_MAX) {
			tr_error("more than %d traces", TURNS_MAX);
			return 0;
		}
		turns->list = tr_xrealloc(turns->list, (turns->n + 1) * sizeof(*turns->list));
		turn = &turns->list[turns->n++];
		*turn = (struct turn){0};
		part->slot = turns->n;
		add_header(turns, turn, event);
	}
	turn = &turns->list[part->slot - 1];
	if (event->type == TR_EVENT_CONTROL && event->control == TR_CONTROL_SCHEMA &&
	    (!turn->schemas.len ||
	     !memmem(turn->schemas.bytes, turn->schemas.len, event->line.bytes, event->line.len)))
		add_line(&turn->schemas, event->line);
	return part->slot;
}

void turns_enter(struct turns *turns, struct tr_out *out, uint32_t slot, size_t n)
{
	struct turn *turn = &turns->list[slot - 1];
	bool all = !turn->written || !turn->continues ||
		   turns->lines - turn->written_at >= REPEAT_LINES;
	bool again = turns->current != slot || (turn->continues && all);

	turns->lines += n;
	turns->current = slot;
	if (!again)
		return;
	tr_out_bytes(out, turn->header.bytes, turn->header.len);
	if (!all)
		return;
	if (turn->schemas.len)
		tr_out_bytes(out, turn->schemas.bytes, turn->schemas.len);
	turn->written = true;
	turn->written_at = turns->lines;
}
