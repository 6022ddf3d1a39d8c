/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions and the records of a stream: a program for each kind, made on first sight, run over
 * whole batches; one that is made anew for each object; and notes on fields that no record had.
 */
#include "where.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_program.h"
#include "text.h"

_Static_assert((int)TR_BATCH <= (int)TR_EXPR_BATCH, "a batch is run at once");

struct tr_where_clause {
	struct tr_expr *expr;
	struct tr_expr_program object_program;
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	bool found[TR_EXPR_MAX_FIELDS];                 /* some record has the field */
	char near[TR_EXPR_MAX_FIELDS][TR_MAX_NAME + 1]; /* a name that some record has instead */
	size_t distance[TR_EXPR_MAX_FIELDS];
	bool unknown_call_said;
};

/* A kind's programs, one for each clause. */
struct selection {
	size_t n;
	struct tr_expr_program programs[];
};

/* What other tools, and our own text, call our fields. */
static const struct {
	const char *other, *ours;
} synonyms[] = {
	{"latency", "ns"}, {"duration", "ns"},   {"nanos", "ns"},     {"time", "ts"},
	{"elapsed", "ns"}, {"retval", "ret"},    {"return", "ret"},   {"result", "ret"},
	{"name", "comm"},  {"process", "comm"},  {"command", "comm"}, {"call", "syscall"},
	{"file", "path"},  {"filename", "path"}, {"count", "n"},      {"arg", "args"},
};

static int say(const struct tr_expr_error *error, const struct tr_kind *kind)
{
	if (kind)
		tr_error("--where: column %u, for records of type %s: %s; see "
			 "tracery-expressions(7)",
			 error->column, kind->type, error->what);
	else
		tr_error("--where: column %u: %s; see tracery-expressions(7)", error->column,
			 error->what);
	return -EINVAL;
}

/* The kinds that every reader knows are at hand: what does not fit them is wrong from the start. */
static int check_builtin(struct tr_where_clause *clause, struct tr_expr_error *error)
{
	const struct tr_expr *expr = clause->expr;

	for (uint32_t number = 0; number < TR_N_BUILTIN; number++) {
		struct tr_expr_records records = {.kind = tr_kind_builtin(number),
						  .calls = tr_syscalls_native(),
						  .n_targets = 1};

		if (!records.kind)
			continue;
		for (size_t i = 0; i < expr->n_fields; i++)
			tr_expr_source_of_kind(&clause->sources[i], &expr->fields[i], records.kind);
		if (tr_expr_bind(&clause->object_program, expr, clause->sources, &records, error))
			return -EINVAL;
	}
	return 0;
}

int tr_where_add(struct tr_where *where, const char *text)
{
	struct tr_where_clause *clause;
	struct tr_expr_error error;
	struct tr_expr *expr = tr_expr_parse(text, &error);

	if (!expr)
		return say(&error, NULL);
	where->clauses = tr_xrealloc(where->clauses, (where->n + 1) * sizeof(*where->clauses));
	clause = &where->clauses[where->n++];
	*clause = (struct tr_where_clause){.expr = expr};
	for (size_t i = 0; i < expr->n_fields; i++)
		clause->distance[i] = SIZE_MAX;
	tr_expr_program_init(&clause->object_program, expr);
	return check_builtin(clause, &error) ? say(&error, NULL) : 0;
}

void tr_where_release(struct tr_where *where)
{
	for (size_t i = 0; i < where->n; i++) {
		tr_expr_free(where->clauses[i].expr);
		tr_expr_program_release(&where->clauses[i].object_program);
	}
	free(where->clauses);
	*where = (struct tr_where){0};
}

/* A name that some record has: is it what a field that none has was meant to be? */
static void see_name(struct tr_where_clause *clause, const char *name, size_t len)
{
	for (size_t i = 0; i < clause->expr->n_fields && len <= TR_MAX_NAME; i++) {
		const char *wanted = clause->expr->fields[i].name;
		size_t d = tr_text_distance(wanted, strlen(wanted), name, len);

		for (size_t s = 0; s < sizeof(synonyms) / sizeof(synonyms[0]); s++)
			if (!strcmp(synonyms[s].other, wanted) &&
			    !strncmp(synonyms[s].ours, name, len) && !synonyms[s].ours[len])
				d = 0;
		if (d >= clause->distance[i] || d > (strlen(wanted) + 1) / 3)
			continue;
		clause->distance[i] = d;
		memcpy(clause->near[i], name, len);
		clause->near[i][len] = 0;
	}
}

/* Keeps the name for a note that lists what there is. */
static void list_name(struct tr_where *where, const char *name, size_t len)
{
	char text[TR_MAX_NAME + 4];
	size_t used = strlen(where->fields);

	if (len > TR_MAX_NAME)
		return;
	snprintf(text, sizeof(text), " %.*s,", (int)len, name);
	if (!strstr(where->fields, text) && used + strlen(text) < sizeof(where->fields))
		strcpy(where->fields + used, text);
}

static bool lacks_fields(const struct tr_where_clause *clause)
{
	for (size_t i = 0; i < clause->expr->n_fields; i++)
		if (!clause->found[i])
			return true;
	return false;
}

static bool is_in_all_json(const char *name)
{
	return !strcmp(name, "type") || !strcmp(name, "why");
}

static void see_kind(struct tr_where *where, struct tr_where_clause *clause,
		     const struct tr_kind *kind)
{
	for (size_t i = 0; i < clause->expr->n_fields; i++)
		clause->found[i] |= clause->sources[i].type != TR_EXPR_NULL ||
				    is_in_all_json(clause->expr->fields[i].name);
	for (size_t i = 0; i < kind->n_fields; i++) {
		const char *name = kind->fields[i].name;

		see_name(clause, name, strlen(name));
		list_name(where, name, strlen(name));
	}
}

static void see_object(struct tr_where *where, struct tr_where_clause *clause,
		       const struct tr_json_object *object)
{
	for (size_t i = 0; i < clause->expr->n_fields; i++) {
		const char *name = clause->expr->fields[i].name;

		clause->found[i] |= tr_json_get(object, name) || is_in_all_json(name) ||
				    (!strcmp(name, "errno") && tr_json_get(object, "ret"));
	}
	for (size_t i = 0; i < object->n; i++) {
		see_name(clause, object->members[i].key.bytes, object->members[i].key.len);
		list_name(where, object->members[i].key.bytes, object->members[i].key.len);
	}
}

static void say_unknown_call(struct tr_where_clause *clause, const struct tr_part *part)
{
	const struct tr_string *name = clause->object_program.unknown_call;
	const char *near;

	if (!name || clause->unknown_call_said)
		return;
	clause->unknown_call_said = true;
	near = tr_syscall_nearest(part->calls, name->bytes, name->len);
	tr_note("--where: %s has no system call \"%.*s\"%s%s%s", part->arch, (int)name->len,
		name->bytes, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static void selection_free(void *of)
{
	struct selection *selection = of;

	for (size_t i = 0; i < selection->n; i++)
		tr_expr_program_release(&selection->programs[i]);
	free(selection);
}

static struct tr_expr_records records_of(const struct tr_part *part, const struct tr_kind *kind)
{
	return (struct tr_expr_records){.kind = kind,
					.calls = part->calls,
					.n_targets = part->n_targets,
					.target_pid = part->target_pid,
					.lenient = !kind};
}

/* The programs for KIND; NULL when the types do not fit. */
static struct selection *selection_of(struct tr_where *where, struct tr_part_kind *kind)
{
	struct tr_expr_records records = records_of(kind->part, kind->kind);
	struct selection *selection = kind->selection;
	struct tr_expr_error error;

	if (selection)
		return selection;
	selection = tr_xcalloc(1, sizeof(*selection) + where->n * sizeof(selection->programs[0]));
	kind->selection = selection;
	kind->selection_free = selection_free;
	selection->n = where->n;
	for (size_t i = 0; i < where->n; i++) {
		struct tr_where_clause *clause = &where->clauses[i];
		const struct tr_expr *expr = clause->expr;

		for (size_t f = 0; f < expr->n_fields; f++)
			tr_expr_source_of_kind(&clause->sources[f], &expr->fields[f], kind->kind);
		see_kind(where, clause, kind->kind);
		tr_expr_program_init(&selection->programs[i], expr);
		if (tr_expr_bind(&selection->programs[i], expr, clause->sources, &records, &error) <
		    0) {
			say(&error, kind->kind);
			where->failed = true;
			return NULL;
		}
		clause->object_program.unknown_call = selection->programs[i].unknown_call;
		say_unknown_call(clause, kind->part);
	}
	return selection;
}

static bool select_batch(struct tr_where *where, struct tr_event *event)
{
	struct selection *selection = selection_of(where, event->kind);
	bool true_for[TR_BATCH];

	if (!selection)
		return false;
	for (size_t i = 0; i < where->n && event->n; i++) {
		size_t n = 0;

		tr_expr_run(&selection->programs[i], event->bodies, event->n, true_for);
		for (size_t k = 0; k < event->n; k++) {
			where->bodies[n] = event->bodies[k];
			n += true_for[k];
		}
		event->bodies = where->bodies;
		event->n = n;
	}
	return event->n;
}

/* The field of that name in a kind of the object's type. */
static const struct tr_field *typed_field(const struct tr_event *event, const char *name)
{
	struct tr_part_kind *k = NULL;
	struct tr_string type;

	if (!event->kind)
		return NULL;
	type = (struct tr_string){event->kind->kind->type, strlen(event->kind->kind->type)};
	while ((k = tr_part_next_kind(event->part, type, k))) {
		const struct tr_field *f = tr_kind_field(k->kind, name, strlen(name));

		if (f)
			return f;
	}
	return NULL;
}

static bool select_object(struct tr_where *where, struct tr_event *event)
{
	struct tr_expr_records records = records_of(event->part, NULL);
	struct tr_expr_error error;
	bool holds = true;

	for (size_t i = 0; i < where->n && holds; i++) {
		struct tr_where_clause *clause = &where->clauses[i];
		const struct tr_expr *expr = clause->expr;

		for (size_t f = 0; f < expr->n_fields; f++)
			tr_expr_source_of_object(
				&clause->sources[f], &expr->fields[f], event->object,
				typed_field(event, expr->fields[f].name), event->part->calls);
		if (lacks_fields(clause))
			see_object(where, clause, event->object);
		if (tr_expr_bind(&clause->object_program, expr, clause->sources, &records, &error) <
		    0) {
			say(&error, NULL);
			where->failed = true;
			return false;
		}
		tr_expr_run(&clause->object_program, NULL, 1, &holds);
	}
	return holds;
}

void tr_where_next(struct tr_where *where, struct tr_stream *stream, struct tr_event *event)
{
	bool passes;

	do {
		tr_stream_next(stream, event);
		if (!where->n ||
		    (event->type != TR_EVENT_RECORDS && event->type != TR_EVENT_OBJECT))
			return;
		where->seen++;
		passes = event->type == TR_EVENT_RECORDS ? select_batch(where, event)
							 : select_object(where, event);
	} while (!passes && !where->failed);
	if (where->failed)
		*event = (struct tr_event){.type = TR_EVENT_END};
}

enum tr_status tr_where_finish(const struct tr_where *where)
{
	if (where->failed)
		return TR_USAGE;
	for (size_t i = 0; i < where->n && where->seen; i++) {
		const struct tr_where_clause *clause = &where->clauses[i];

		for (size_t f = 0; f < clause->expr->n_fields; f++) {
			if (clause->found[f])
				continue;
			if (*clause->near[f])
				tr_note("--where: no record has a field %s; did you mean %s?",
					clause->expr->fields[f].name, clause->near[f]);
			else
				tr_note("--where: no record has a field %s; there are%.*s",
					clause->expr->fields[f].name,
					(int)strlen(where->fields) - 1, where->fields);
		}
	}
	return TR_DONE;
}
