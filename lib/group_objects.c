/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grouping of JSON records that fit no kind: those with a null or with further members, of types
 * unknown here, and plain objects such as tr-table's own rows. One at a time, by their members'
 * names. In a plain object strings are keys, and `count` or `n` says how many events it stands for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "measured.h"
#include "number.h"
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
		return tr_cell_put(p, TR_CELL_NULL, (struct tr_string){0});
	if (v->type == TR_JSON_STRING)
		return tr_cell_put(p, TR_CELL_STRING, v->string);
	return tr_cell_put(p, v->type < TR_JSON_STRING ? TR_CELL_LITERAL : TR_CELL_STRING,
			   v->source);
}

static unsigned char *put_key(unsigned char *p, const struct tr_event *event, const char *name)
{
	const struct tr_json_value *v = member(event, name);

	if (!v && !strcmp(name, "errno"))
		return tr_cell_put_errno(p, tr_object_errno(event->object));
	return put_value(p, v);
}

/* A string that is just how a whole number beyond what doubles hold is written. */
static bool is_big_number(struct tr_string s)
{
	size_t sign = s.len && *s.bytes == '-';

	if (s.len - sign < 16 || s.len > TR_NUMBER_MAX - 4 || s.bytes[sign] == '0')
		return false;
	for (size_t i = sign; i < s.len; i++)
		if (s.bytes[i] < '0' || s.bytes[i] > '9')
			return false;
	return s.len - sign > 16 || memcmp(s.bytes + sign, "9007199254740992", 16) > 0;
}

/* Makes a number of V where it is one. */
static bool to_number(const struct tr_json_value *v, struct tr_json_value *number)
{
	char text[TR_NUMBER_MAX];
	int64_t i;
	char *end;

	if (!v || (v->type == TR_JSON_STRING && !is_big_number(v->string)))
		return false;
	*number = *v;
	if (v->type != TR_JSON_STRING)
		return v->type >= TR_JSON_INT && v->type <= TR_JSON_DOUBLE;
	memcpy(text, v->string.bytes, v->string.len);
	text[v->string.len] = 0;
	errno = 0;
	if (!tr_number_parse(text, INT64_MIN, INT64_MAX, &i)) {
		number->type = TR_JSON_INT;
		number->i = i;
		return true;
	}
	number->type = TR_JSON_UINT;
	number->u = strtoull(text, &end, 10);
	if (*text == '-' || errno) {
		number->type = TR_JSON_DOUBLE;
		number->d = strtod(text, &end);
	}
	return true;
}

/* A whole number that is not negative, else OTHERWISE. */
static uint64_t whole(const struct tr_json_value *v, uint64_t otherwise)
{
	struct tr_json_value number;

	if (!to_number(v, &number) || number.type == TR_JSON_DOUBLE)
		return otherwise;
	return number.type == TR_JSON_UINT || number.i >= 0 ? number.u : otherwise;
}

static const struct tr_json_value *field_member(const struct tr_event *event,
						const struct tr_field *field)
{
	return field ? member(event, field->name) : NULL;
}

static const struct tr_json_value *role_member(const struct tr_event *event, enum tr_role role)
{
	return event->kind ? field_member(event, tr_role_field(event->kind->kind, role)) : NULL;
}

/* Whether a string may be a key. */
static bool is_key(const struct tr_json_member *m)
{
	return m->key.len && m->key.len <= TR_MAX_NAME && !memchr(m->key.bytes, 0, m->key.len) &&
	       !is_big_number(m->value.string);
}

static bool has_key(const struct tr_type_seen *seen, struct tr_string key)
{
	for (size_t i = 0; i < seen->n_keys; i++)
		if (tr_string_is(key, seen->keys[i]))
			return true;
	return false;
}

/* The keys of a type: its kind's, or of objects without one all strings that were ever seen. */
static void choose_keys(struct tr_type_seen *seen, const struct tr_event *event, bool is_new)
{
	const struct tr_field *key =
		event->kind ? tr_role_field(event->kind->kind, TR_R_key) : NULL;

	if (key && is_new)
		strcpy(seen->keys[seen->n_keys++], key->name);
	if (*seen->name)
		return;
	for (size_t i = 0; i < event->object->n && seen->n_keys < TR_MAX_KEYS; i++) {
		const struct tr_json_member *m = &event->object->members[i];

		if (m->value.type == TR_JSON_STRING && !has_key(seen, m->key) && is_key(m))
			memcpy(seen->keys[seen->n_keys++], m->key.bytes, m->key.len);
	}
}

/* Objects without a type are all one group. */
static struct tr_group *find_by_key(struct tr_groups *g, const struct tr_event *event)
{
	const struct tr_field *key =
		event->kind ? tr_role_field(event->kind->kind, TR_R_key) : NULL;
	struct tr_string first = object_type(event);
	unsigned char name[TR_GROUP_NAME_BYTES], *p;
	struct tr_type_seen *seen;
	bool is_new;

	if (key)
		first = (struct tr_string){key->name, strlen(key->name)};
	seen = tr_groups_see_type(g, first, &is_new);
	if (seen && is_new && key)
		strcpy(seen->keys[seen->n_keys++], key->name);
	p = tr_cell_put(name, first.len ? TR_CELL_STRING : TR_CELL_NULL, first);
	if (key)
		p = put_value(p, member(event, key->name));
	return tr_groups_find(g, name, p - name);
}

static struct tr_group *find(struct tr_groups *g, const struct tr_event *event)
{
	struct tr_string type = tr_group_type(object_type(event));
	unsigned char name[TR_GROUP_NAME_BYTES], *p = name, *end = name;
	struct tr_type_seen *seen;
	bool is_new;

	if (g->by == TR_BY_KEY)
		return find_by_key(g, event);
	if (g->by == TR_BY_FIELDS) {
		for (size_t i = 0; i < g->n_keys; i++)
			p = put_key(p, event, g->keys[i]);
		return tr_groups_find(g, name, p - name);
	}
	seen = tr_groups_see_type(g, type, &is_new);
	if (seen)
		choose_keys(seen, event, is_new);
	end = p = type.len ? tr_cell_put(p, TR_CELL_STRING, type)
			   : put_value(p, member(event, "type"));
	for (size_t i = 0; seen && i < seen->n_keys; i++) {
		unsigned char *cell = p;

		p = put_value(p, member(event, seen->keys[i]));
		/* So that what has no value of a key is one group before and after the key was
		 * first seen, nulls at the end are left away. */
		if (*cell != TR_CELL_NULL || *seen->name)
			end = p;
	}
	return tr_groups_find(g, name, end - name);
}

/* What is no fraction. */
static __int128 whole_value(const struct tr_json_value *number)
{
	return number->type == TR_JSON_UINT ? (__int128)number->u : number->i;
}

/* A number added as one event's value. */
static void add_value(struct tr_groups *g, struct tr_group *group, size_t measure,
		      const struct tr_json_value *n)
{
	const struct tr_scale *scale = &g->measures[measure].scale;

	if (n->type == TR_JSON_DOUBLE) {
		tr_groups_add_fraction(g, group, measure, n->d);
		return;
	}
	tr_sums_add(&group->sums[measure], whole_value(n));
	if (g->measures[measure].sampled)
		tr_groups_sample(g, group, measure,
				 n->type == TR_JSON_INT ? tr_sample_bucket(n->i)
							: (int)tr_bucket_of(n->u),
				 1);
	if (tr_scale_is_counted(scale))
		tr_groups_row(g, group, measure, tr_scale_row(scale, whole_value(n)), 1);
}

/* The whole number of a field of EVENT. */
static bool field_number(const struct tr_event *event, const struct tr_field *field,
			 __int128 *value)
{
	struct tr_json_value n;

	if (!to_number(field_member(event, field), &n) || n.type == TR_JSON_DOUBLE)
		return false;
	*value = whole_value(&n);
	return true;
}

/* What an object that stands for WEIGHT events says of them by its roles. */
static void add_aggregate(struct tr_groups *g, struct tr_group *group, size_t measure,
			  const struct tr_event *event, const struct tr_measured *m,
			  uint64_t weight)
{
	struct tr_sums *s = &group->sums[measure];
	__int128 v, lo;

	if (field_number(event, m->sum, &v)) {
		tr_groups_count(g, &s->n, weight);
		s->sum += v;
	}
	if (field_number(event, m->min, &v))
		s->min = v < s->min ? v : s->min;
	if (field_number(event, m->max, &v))
		s->max = v > s->max ? v : s->max;
	/* an open bucket has no hi */
	if (!g->measures[measure].sampled || !field_number(event, m->lo, &lo))
		return;
	if (!field_number(event, m->hi, &v))
		v = lo;
	tr_groups_sample_between(g, group, measure, lo, v, weight);
}

static enum tr_unit unit_of_name(const char *name)
{
	size_t len = strlen(name);

	if (!strcmp(name, "ns") || (len > 3 && !strcmp(name + len - 3, "_ns")))
		return TR_UNIT_TIME;
	return !strcmp(name, "bytes") || (len > 6 && !strcmp(name + len - 6, "_bytes"))
		       ? TR_UNIT_BYTES
		       : TR_UNIT_NONE;
}

static void add_measure(struct tr_groups *g, struct tr_group *group, size_t measure,
			const struct tr_event *event, uint64_t weight)
{
	struct tr_measure *m = &g->measures[measure];
	struct tr_measured fields = {0};

	if (event->kind)
		fields = tr_measured_of(event->kind->kind, m->name);
	if (fields.sum || fields.min || fields.max || fields.lo) {
		if (m->of == TR_OF_EVENTS)
			return;
		tr_measure_see(m, tr_measured_unit(&fields));
		add_aggregate(g, group, measure, event, &fields, weight);
	} else if (m->of != TR_OF_AGGREGATES) {
		const char *name = fields.value ? fields.value->name : *m->name ? m->name : "ns";
		const struct tr_json_value *v = member(event, name);
		int number = !v && !strcmp(name, "errno") ? tr_object_errno(event->object) : 0;
		struct tr_json_value n = {.type = TR_JSON_INT, .i = number};

		if (!number && !to_number(v, &n))
			return;
		tr_measure_see(m, fields.value ? tr_measured_unit(&fields) : unit_of_name(name));
		add_value(g, group, measure, &n);
	}
}

void tr_groups_add_object(struct tr_groups *g, const struct tr_event *event)
{
	const struct tr_json_value *ret = member(event, "ret");
	const struct tr_json_value *weight = role_member(event, TR_R_weight);
	const struct tr_json_value *errors = role_member(event, TR_R_errors);
	bool plain = !object_type(event).len;
	struct tr_group *group = find(g, event);

	if (plain) {
		weight = member(event, "count");
		weight = weight ? weight : member(event, "n");
		errors = member(event, "errors");
	}
	tr_groups_count(g, role_member(event, TR_R_lo) ? &group->in_buckets : &group->count,
			whole(weight, 1));
	if (errors)
		tr_groups_count(g, &group->errors, whole(errors, 0));
	else if (ret && ret->type == TR_JSON_INT)
		group->errors += tr_result_is_error(ret->i);
	g->errors_seen |= errors || ret;
	for (size_t i = 0; i < g->n_measures; i++)
		add_measure(g, group, i, event, whole(weight, 1));
}
