/* SPDX-License-Identifier: GPL-2.0-only */
/* Which part is current, and what its control lines say. */
#include "parts.h"

#include <errno.h>
#include <string.h>

#include "message.h"

void tr_parts_release(struct tr_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		tr_part_free(parts->list[i]);
	parts->n = 0;
}

/* Puts PART in front; the one that was not used for the longest time goes when there are many. */
static void use(struct tr_parts *parts, struct tr_part *part)
{
	size_t i = 0;

	while (i < parts->n && parts->list[i] != part)
		i++;
	if (i == TR_MAX_PARTS) {
		i--;
		tr_skipped_part(parts->skipped, parts->list[i]);
		tr_part_free(parts->list[i]);
	} else if (i == parts->n) {
		parts->n++;
	}
	memmove(parts->list + 1, parts->list, i * sizeof(parts->list[0]));
	parts->list[0] = part;
}

struct tr_part *tr_parts_current(struct tr_parts *parts)
{
	if (!parts->n)
		use(parts, tr_part_new(NULL));
	return parts->list[0];
}

/* A header continues the part that has its id, or begins one. */
static int take_header(struct tr_parts *parts, struct tr_json_object *header)
{
	const struct tr_json_value *id = tr_json_get(header, "id");
	struct tr_part *part = NULL;

	for (size_t i = 0; i < parts->n && !part; i++)
		if (!parts->list[i]->headless && id && id->type == TR_JSON_STRING &&
		    tr_string_is(id->string, parts->list[i]->id))
			part = parts->list[i];
	if (!part)
		part = tr_part_new(header);
	if (!part)
		return -EINVAL;
	use(parts, part);
	return 0;
}

static uint64_t member_u64(const struct tr_json_object *object, const char *key)
{
	const struct tr_json_value *v = tr_json_get(object, key);

	return v && v->type == TR_JSON_INT && v->i > 0 ? (uint64_t)v->i : 0;
}

int tr_parts_repeated(const struct tr_parts *parts, struct tr_string line)
{
	const struct tr_part *part = parts->n ? parts->list[0] : NULL;

	for (size_t i = 0; part && i < part->n_lines; i++)
		if (line.len == part->lines[i].len &&
		    !memcmp(line.bytes, part->lines[i].bytes, line.len))
			return part->lines[i].control;
	return -1;
}

/* A part without an id is never continued, so its header is never the same again. */
static void remember(struct tr_part *part, enum tr_control control, struct tr_string line)
{
	struct tr_part_line *to = &part->lines[part->n_lines];

	if (part->n_lines == TR_PART_LINES || !*part->id)
		return;
	*to = (struct tr_part_line){tr_xmalloc(line.len), line.len, control};
	memcpy(to->bytes, line.bytes, line.len);
	part->n_lines++;
}

static int take(struct tr_parts *parts, enum tr_control control, struct tr_json_object *object)
{
	struct tr_part *part;

	if (control == TR_CONTROL_TRACERY)
		return take_header(parts, object);
	part = tr_parts_current(parts);
	switch (control) {
	case TR_CONTROL_TRACERY: break;
	case TR_CONTROL_SCHEMA: return tr_part_add_schema(part, object) < 0 ? -EINVAL : 0;
	case TR_CONTROL_LOST:
		if (__builtin_add_overflow(part->lost, member_u64(object, "n"), &part->lost))
			part->lost = UINT64_MAX;
		break;
	case TR_CONTROL_END:
		part->ended = true;
		part->ended_records = member_u64(object, "records");
		part->ended_lost = member_u64(object, "lost");
		break;
	}
	return 0;
}

int tr_parts_control(struct tr_parts *parts, enum tr_control control, struct tr_json_object *object,
		     struct tr_string line)
{
	int err = take(parts, control, object);

	if (!err && (control == TR_CONTROL_TRACERY || control == TR_CONTROL_SCHEMA))
		remember(parts->list[0], control, line);
	return err;
}
