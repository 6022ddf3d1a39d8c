/* SPDX-License-Identifier: GPL-2.0-only */
/* Which columns there are, where each kind has them, and rows. */
#include "columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_json.h"
#include "result.h"
#include "text.h"

/* Where a kind has a column. */
struct place {
	enum { NOWHERE, FIELD, TYPE, ERRNO, TIME } what;
	const struct tr_field *field;
	bool is_key;
};

static void add(struct columns *columns, const char *name, size_t len, int element)
{
	if (columns->n % 64 == 0)
		columns->list =
			tr_xrealloc(columns->list, (columns->n + 64) * sizeof(columns->list[0]));
	columns->list[columns->n++] =
		(struct column){.name = tr_xstrndup(name, len), .element = element};
}

/* "args[2]": cuts the number off. -1 where there is none, -2 where it is none. */
static int take_element(const char *name, size_t *len)
{
	const char *open = memchr(name, '[', *len);
	int element = 0, used = 0;

	if (!open)
		return -1;
	if (sscanf(open, "[%3d]%n", &element, &used) != 1 || element < 0 ||
	    open + used != name + *len)
		return -2;
	*len = open - name;
	return element;
}

int columns_parse(struct columns *columns, const char *text)
{
	columns_release(columns);
	columns->given = columns->fixed = true;
	for (;;) {
		size_t len = strcspn(text, ","), name_len = len;
		int element = take_element(text, &name_len);

		if (!name_len || element < -1 || columns->n == MAX_COLUMNS)
			return -EINVAL;
		add(columns, text, name_len, element);
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

void columns_release(struct columns *columns)
{
	for (size_t i = 0; i < columns->n; i++)
		free(columns->list[i].name);
	free(columns->list);
	*columns = (struct columns){0};
}

static bool has(const struct columns *columns, const char *name, size_t len)
{
	for (size_t i = 0; i < columns->n; i++)
		if (!strncmp(columns->list[i].name, name, len) && !columns->list[i].name[len])
			return true;
	return false;
}

/* A column, or of an array one for each element. */
static void add_new(struct columns *columns, const char *name, size_t len, int elements)
{
	if (has(columns, name, len) || memchr(name, 0, len))
		return;
	for (int i = elements ? 0 : -1; i < elements && columns->n < MAX_COLUMNS; i++)
		add(columns, name, len, i);
}

void columns_add_kind(struct columns *columns, const struct tr_kind *kind)
{
	if (columns->fixed)
		return;
	add_new(columns, "type", 4, 0);
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];

		add_new(columns, f->name, strlen(f->name), f->array ? f->n : 0);
	}
}

void columns_head(struct columns *columns, struct tr_out *out, const struct tr_event *event)
{
	if (event && event->kind)
		columns_add_kind(columns, event->kind->kind);
	for (size_t i = 0; event && !event->kind && !columns->fixed && i < event->object->n; i++) {
		struct tr_string key = event->object->members[i].key;

		add_new(columns, key.bytes, key.len, 0);
	}
	columns->fixed = true;
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *c = &columns->list[i];

		if (i)
			tr_out_text(out, ",");
		cell_string(out, CELL_CSV, (struct tr_string){c->name, strlen(c->name)}, false);
		if (c->element >= 0)
			tr_out_printf(out, "[%d]", c->element);
	}
	tr_out_text(out, "\n");
}

/* Once: what is left out could be asked for. */
static void note_others(struct columns *columns, struct tr_string type, struct tr_string name)
{
	if (columns->given || columns->noted)
		return;
	columns->noted = true;
	tr_note("records of type %.*s have %.*s, which is no column: --fields can name it",
		(int)type.len, type.bytes, (int)name.len, name.bytes);
}

static struct tr_string string_of(const char *text)
{
	return (struct tr_string){text, strlen(text)};
}

/* The places of the columns in a kind, made on first sight. */
static const struct place *places_of(struct columns *columns, struct tr_part_kind *kind)
{
	const struct tr_kind *k = kind->kind;
	struct place *places = kind->plan;

	if (places)
		return places;
	places = tr_xcalloc(columns->n, sizeof(*places));
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *c = &columns->list[i];
		struct place *place = &places[i];

		place->field = tr_kind_field(k, c->name, strlen(c->name));
		if (place->field)
			place->what = place->field == moment_field(k) ? TIME : FIELD;
		else if (!strcmp(c->name, "type"))
			place->what = TYPE;
		else if (!strcmp(c->name, "errno") && (place->field = tr_kind_errno(k)))
			place->what = ERRNO;
		place->is_key = k->role[TR_R_key] >= 0 && place->what == FIELD &&
				place->field == &k->fields[k->role[TR_R_key]];
	}
	for (size_t i = 0; i < k->n_fields; i++)
		if (!has(columns, k->fields[i].name, strlen(k->fields[i].name)))
			note_others(columns, string_of(k->type), string_of(k->fields[i].name));
	kind->plan = places;
	kind->plan_free = free;
	return places;
}

/* What stands before a value: in JSON its name, in text too, unless time or key say it all. */
static void begin(const struct columns *columns, struct tr_out *out, enum cell_form form, size_t i,
		  bool bare)
{
	const struct column *c = &columns->list[i];
	static const char *const between[] = {
		[CELL_JSON] = ",", [CELL_CSV] = ",", [CELL_TEXT] = " "};
	char name[16] = "";

	if (i)
		tr_out_text(out, between[form]);
	else if (form == CELL_JSON)
		tr_out_text(out, "{");
	if (form == CELL_CSV || (form == CELL_TEXT && bare))
		return;
	if (c->element >= 0)
		snprintf(name, sizeof(name), "[%d]", c->element);
	if (form == CELL_TEXT) {
		cell_string(out, form, string_of(c->name), false);
		tr_out_printf(out, "%s=", name);
	} else {
		char *p = tr_out_reserve(out, 6 * strlen(c->name) + 64);

		p = tr_json_put_string(p, string_of(c->name));
		p = stpcpy(stpcpy(p - 1, name), "\":");
		tr_out_commit(out, p);
	}
}

static void end(struct tr_out *out, enum cell_form form)
{
	tr_out_text(out, form == CELL_JSON ? "}\n" : "\n");
}

static void put_time(struct tr_out *out, struct stamp *stamp, const struct tr_part *part,
		     uint64_t ts)
{
	char *p = tr_out_reserve(out, STAMP_MAX);

	tr_out_commit(out, stamp_put(stamp, p, part, ts));
}

/* JSON and, unless a form is asked for, CSV have times as the record does. */
static bool is_stamped(enum cell_form form, const struct stamp *stamp)
{
	return form == CELL_TEXT || (form == CELL_CSV && stamp->form != STAMP_DEFAULT);
}

void columns_record(struct columns *columns, struct tr_out *out, enum cell_form form,
		    struct stamp *stamp, const struct tr_event *event, size_t i)
{
	const struct place *places = places_of(columns, event->kind);
	const unsigned char *body = event->bodies[i];

	for (size_t c = 0; c < columns->n; c++) {
		const struct place *place = &places[c];
		bool stamped = place->what == TIME && is_stamped(form, stamp);
		bool bracketed = form == CELL_TEXT && place->is_key;

		begin(columns, out, form, c, stamped || bracketed);
		if (bracketed)
			tr_out_text(out, "[");
		if (stamped)
			put_time(out, stamp, event->part, tr_field_int(place->field, body, 0));
		else if (place->what == TYPE)
			cell_string(out, form, string_of(event->kind->kind->type), false);
		else if (place->what == ERRNO)
			cell_errno(out, form, tr_result_errno(tr_field_int(place->field, body, 0)));
		else if (place->what == NOWHERE)
			cell_null(out, form);
		else
			cell_field(out, form, event->kind, place->field, columns->list[c].element,
				   body);
		if (bracketed)
			tr_out_text(out, "]");
	}
	end(out, form);
}

void columns_object(struct columns *columns, struct tr_out *out, enum cell_form form,
		    struct stamp *stamp, const struct tr_event *event)
{
	struct tr_json_object *object = event->object;
	const struct tr_json_value *type = tr_json_get(object, "type");
	uint64_t ts;

	for (size_t c = 0; c < columns->n; c++) {
		const struct column *column = &columns->list[c];
		const struct tr_json_value *value = tr_json_get(object, column->name);
		bool stamped = !strcmp(column->name, "ts") && column->element < 0 &&
			       is_stamped(form, stamp) && moment_ts(object, &ts);

		begin(columns, out, form, c, stamped);
		if (stamped)
			put_time(out, stamp, event->part, ts);
		else if (!value && !strcmp(column->name, "errno"))
			cell_errno(out, form, tr_object_errno(object));
		else
			cell_value(out, form, object, value, column->element);
	}
	end(out, form);
	for (size_t i = 0; i < object->n && !event->kind; i++)
		if (!has(columns, object->members[i].key.bytes, object->members[i].key.len))
			note_others(columns,
				    type && type->type == TR_JSON_STRING ? type->string
									 : string_of("?"),
				    object->members[i].key);
}
