/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grouping of JSON records that fit no kind: those with a null or with further members, of types
 * unknown here, and plain objects such as tr-table's own rows. One at a time, by their members'
 * names. In a plain object strings are keys, and `count` or `n` says how many events it stands for.
 */
#include <string.h>

#include "groups.h"
#include "message.h"
#include "record_json.h"
#include "result.h"

static const struct tr_json_value *member(const struct tr_event *event, const char *name)
{
	return *name ? tr_json_get(event->object, name) : NULL;
}

static struct tr_string object_type(const struct tr_event *event)
{
	const struct tr_json_value *v = member(event, "type");

	return v && v->type == TR_JSON_STRING ? v->string : (struct tr_string){"", 0};
}

static unsigned char *put_value(unsigned char *p, const struct tr_json_value *v)
{
	if (!v || v->type == TR_JSON_NULL)
		return cell_put(p, CELL_NULL, (struct tr_string){0});
	if (v->type == TR_JSON_STRING)
		return cell_put(p, CELL_STRING, v->string);
	return cell_put(p, v->type < TR_JSON_STRING ? CELL_LITERAL : CELL_STRING, v->source);
}

/* The name of the field of the object's kind that has ROLE, else OTHERWISE. */
static const char *role_name(const struct tr_event *event, enum tr_role role, const char *otherwise)
{
	const struct tr_kind *kind = event->kind ? event->kind->kind : NULL;

	return kind && kind->role[role] >= 0 ? kind->fields[kind->role[role]].name : otherwise;
}

/* The keys of a type that was not seen before: its kind's, or the first plain object's strings. */
static void choose_keys(struct type_seen *seen, const struct tr_event *event)
{
	const char *key = role_name(event, TR_R_key, "");

	if (*key)
		strcpy(seen->keys[seen->n_keys++], key);
	if (*seen->name)
		return;
	for (size_t i = 0; i < event->object->n && seen->n_keys < MAX_KEYS; i++) {
		const struct tr_json_member *m = &event->object->members[i];

		if (m->value.type != TR_JSON_STRING || m->key.len > TR_MAX_NAME || !m->key.len ||
		    memchr(m->key.bytes, 0, m->key.len))
			continue;
		memcpy(seen->keys[seen->n_keys++], m->key.bytes, m->key.len);
	}
}

static struct group *find(struct groups *g, const struct tr_event *event)
{
	struct tr_string type = object_type(event);
	unsigned char name[NAME_BYTES], *p = name;
	struct type_seen *seen;
	bool is_new;

	if (g->n_keys) {
		for (size_t i = 0; i < g->n_keys; i++)
			p = put_value(p, member(event, g->keys[i]));
		return groups_find(g, name, p - name);
	}
	seen = groups_see_type(g, type, &is_new);
	if (seen && is_new)
		choose_keys(seen, event);
	p = put_value(p, member(event, "type"));
	for (size_t i = 0; seen && i < seen->n_keys; i++)
		p = put_value(p, member(event, seen->keys[i]));
	return groups_find(g, name, p - name);
}

static void add_fraction(struct groups *g, struct group *group, size_t measure, double value)
{
	struct fractions *f;

	if (!group->fractions)
		group->fractions = tr_xcalloc(g->n_measures, sizeof(*f));
	f = &group->fractions[measure];
	f->sum += value;
	f->min = !f->n || value < f->min ? value : f->min;
	f->max = !f->n || value > f->max ? value : f->max;
	f->n++;
}

static void add_value(struct groups *g, struct group *group, size_t measure,
		      const struct tr_json_value *v)
{
	struct sums *s = &group->sums[measure];
	__int128 value;

	if (v->type == TR_JSON_DOUBLE) {
		add_fraction(g, group, measure, v->d);
		return;
	}
	value = v->type == TR_JSON_INT ? v->i : (__int128)v->u;
	s->sum += value;
	s->min = value < s->min ? value : s->min;
	s->max = value > s->max ? value : s->max;
	s->n++;
}

/* A whole number that is not negative, else OTHERWISE. */
static uint64_t whole(const struct tr_json_value *v, uint64_t otherwise)
{
	return v && v->type == TR_JSON_INT && v->i >= 0 ? (uint64_t)v->i : otherwise;
}

void groups_add_object(struct groups *g, const struct tr_event *event)
{
	const struct tr_json_value *ret = member(event, "ret"), *v;
	const struct tr_json_value *weight = member(event, role_name(event, TR_R_weight, ""));
	const struct tr_json_value *errors = member(event, role_name(event, TR_R_errors, ""));
	bool plain = !object_type(event).len;
	struct group *group = find(g, event);

	if (plain)
		weight = member(event, member(event, "count") ? "count" : "n");
	if (plain)
		errors = member(event, "errors");
	group->count += whole(weight, 1);
	group->errors += whole(errors, 0);
	if (!errors && ret && ret->type == TR_JSON_INT)
		group->errors += tr_result_is_error(ret->i);
	g->errors_seen |= errors || ret;
	for (size_t i = 0; i < g->n_measures; i++) {
		struct measure *m = &g->measures[i];
		const char *name = *m->name ? m->name : role_name(event, TR_R_value, "ns");

		v = member(event, name);
		if (!v || v->type < TR_JSON_INT || v->type > TR_JSON_DOUBLE)
			continue;
		m->seen = true;
		if (!strcmp(name, "ns"))
			m->is_time = true;
		else
			m->is_other = true;
		add_value(g, group, i, v);
	}
}
