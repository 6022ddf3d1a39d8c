/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grouping at the speed of the stream. Each kind has a plan: which bytes of its body are the key,
 * which fields are added up. A batch is done in loops over its records, one for the key and one for
 * each field, so that the inner loops hold nothing but loads and additions.
 */
#include "group_plan.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

static void plan_measure(struct tr_plan *plan, size_t i, const struct tr_kind *kind)
{
	struct tr_measure *m = &plan->groups->measures[i];

	struct tr_measured fields = tr_measured_of(kind, m->name);

	if (!tr_measured_is_there(&fields) ||
	    (m->of != TR_OF_ALL && (m->of == TR_OF_EVENTS) != tr_measured_is_event(&fields)))
		return;
	plan->measures[i] = fields;
	tr_measure_see(m, tr_measured_unit(&fields));
}

static void plan_free(void *p)
{
	struct tr_plan *plan = p;

	if (plan->epoch == plan->groups->epoch)
		plan->groups->remembered -= plan->used;
	free(plan->slots);
	free(plan);
}

static enum key_how key_how(const struct tr_field *f, bool is_errno)
{
	size_t bytes = f ? (size_t)tr_types[f->type].bytes * f->n : 0;

	if (!f)
		return KEY_NONE;
	if (is_errno)
		return KEY_ERRNO;
	if (f->type == TR_T_str)
		return KEY_STRING;
	return bytes == 4 ? KEY_4 : bytes == 8 ? KEY_8 : bytes == 16 ? KEY_16 : KEY_BYTES;
}

/* What stands in the first cell, so that types do not mix, or keys of different names. */
static const char *first_cell(const struct tr_groups *g, const struct tr_kind *kind)
{
	const struct tr_field *key = tr_role_field(kind, TR_R_key);

	if (g->by == TR_BY_KEY)
		return key ? key->name : kind->type;
	return tr_group_type((struct tr_string){kind->type, strlen(kind->type)}).bytes;
}

static void plan_keys(struct tr_plan *plan, const struct tr_kind *kind)
{
	const struct tr_groups *g = plan->groups;
	const struct tr_field *key = tr_role_field(kind, TR_R_key);
	size_t bytes = 0, fields = 0;
	bool strings = false;

	plan->first_cell = first_cell(g, kind);
	plan->n_keys = g->by == TR_BY_FIELDS ? g->n_keys : key ? 2 : 1;
	for (size_t i = 0; i < plan->n_keys; i++) {
		const char *name = g->by == TR_BY_FIELDS ? g->keys[i] : i ? key->name : NULL;
		const struct tr_field *f = name ? tr_kind_field(kind, name, strlen(name)) : NULL;
		bool is_errno = name && !f && !strcmp(name, "errno");

		if (is_errno)
			f = tr_kind_errno(kind);
		plan->names[i] = name;
		plan->keys[i] = f;
		plan->how[i] = key_how(f, is_errno);
		if (!f)
			continue;
		plan->bytes[i] = is_errno ? sizeof(int) : tr_types[f->type].bytes * f->n;
		bytes += plan->bytes[i];
		plan->only = !fields++ && !f->array && !is_errno ? f : NULL;
		strings |= plan->how[i] == KEY_STRING;
		if (plan->how[i] == KEY_STRING)
			plan->bytes[i] = 0;
	}
	if (bytes > 8 * MAX_KEY_WORDS)
		plan->words = 0;
	else
		plan->words = strings || bytes > 16 ? MAX_KEY_WORDS : bytes > 8 ? 2 : 1;
}

/* Notes the type and its key, for the table's columns. */
static void see_kind(struct tr_groups *g, const struct tr_kind *kind)
{
	const struct tr_field *key = tr_role_field(kind, TR_R_key);
	const char *first = first_cell(g, kind);
	struct tr_type_seen *seen;
	bool is_new;

	seen = tr_groups_see_type(g, (struct tr_string){first, strlen(first)}, &is_new);
	if (!seen || !is_new || !key)
		return;
	seen->n_keys = 1;
	strcpy(seen->keys[0], key->name);
}

static struct tr_plan *plan_of(struct tr_groups *g, struct tr_part_kind *k)
{
	const struct tr_kind *kind = k->kind;
	struct tr_plan *plan = k->plan;

	if (plan && plan->epoch == g->epoch)
		return plan;
	if (plan)
		plan_free(plan);
	k->plan = plan = tr_xcalloc(1, sizeof(*plan));
	k->plan_free = plan_free;
	plan->groups = g;
	plan->epoch = g->epoch;
	plan->kind = k;
	plan->shift = 64 - FIRST_SLOTS_LOG2;
	plan->n_slots = 1 << FIRST_SLOTS_LOG2;
	plan_keys(plan, kind);
	plan->slots = tr_xcalloc(plan->n_slots, (plan->words + 1) * sizeof(*plan->slots));
	plan->buckets = tr_role_field(kind, TR_R_lo) != NULL;
	plan->weight = tr_role_field(kind, TR_R_weight);
	plan->errors = tr_role_field(kind, TR_R_errors);
	plan->ret = tr_kind_ret(kind);
	if (plan->errors || plan->ret)
		g->errors_seen = true;
	for (size_t i = 0; i < g->n_measures; i++)
		plan_measure(plan, i, kind);
	see_kind(g, kind);
	return plan;
}

void tr_groups_add(struct tr_groups *g, const struct tr_event *event, size_t from, size_t to)
{
	struct tr_plan *plan = plan_of(g, event->kind);
	const unsigned char *const *bodies = event->bodies + from;
	struct tr_group *groups[TR_BATCH];

	tr_plan_find_groups(plan, bodies, to - from, groups);
	tr_plan_add_totals(plan, bodies, to - from, groups);
	for (size_t i = 0; i < g->n_measures; i++)
		tr_plan_add_measure(plan, i, bodies, to - from, groups);
}
