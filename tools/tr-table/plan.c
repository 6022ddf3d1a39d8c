/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grouping at the speed of the stream. Each kind has a plan: which bytes of its body are the key,
 * which fields are added up. A batch is done in loops over its records, one for the key and one for
 * each field, so that the inner loops hold nothing but loads and additions. The plan remembers the
 * group of each key's bytes; only new ones are spelled out and looked up by name, which also brings
 * together what different kinds, traces and JSON call the same.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "message.h"
#include "record_text.h"

enum { MAX_ERRNO = 4095, FIRST_RESTART = 512, LAST_RESTART = 516, FIRST_SLOTS_LOG2 = 10 };

struct remembered {
	uint64_t a, b;
	struct group *group; /* NULL: free */
};

/* How one kind's records are added. */
struct plan {
	struct groups *groups;
	uint64_t epoch;
	struct tr_part_kind *kind;
	size_t n_keys;
	const struct tr_field *keys[MAX_KEYS]; /* NULL: it has no such field */
	const char *names[MAX_KEYS];
	const struct tr_field *only; /* the one of them that there is, when there is one */
	bool short_key;              /* at most 16 bytes of fixed fields: remembered */
	struct remembered *slots;
	size_t n_slots, used;
	unsigned shift; /* 64 - log2(n_slots) */
	const struct tr_field *weight, *errors, *ret;
	struct {
		const struct tr_field *sum, *min, *max; /* NULL: no such field */
	} measures[MAX_MEASURES];
};

/* Where to look first among 2^(64 - SHIFT) slots. */
static inline size_t hash_pair(uint64_t a, uint64_t b, unsigned shift)
{
	return (a ^ b * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 >> shift;
}

static unsigned char *put_field(unsigned char *p, const struct plan *plan, size_t key,
				const unsigned char *body)
{
	const struct tr_kind *kind = plan->kind->kind;
	const struct tr_field *f = plan->keys[key];
	struct tr_string text = {0};
	char buffer[TR_CELL_MAX];
	bool cut, literal;

	if (!f && !strcmp(plan->names[key], "type"))
		return cell_put(p, CELL_STRING, (struct tr_string){kind->type, strlen(kind->type)});
	if (!f)
		return cell_put(p, CELL_NULL, text);
	if (tr_types[f->type].class == TR_C_text) {
		text.bytes = tr_field_text(kind, f, body, &text.len, &cut);
		return cell_put(p, CELL_STRING, text);
	}
	text.bytes = buffer;
	text.len = tr_field_cell(buffer, kind, f, plan->kind->part->calls, body) - buffer;
	literal = tr_types[f->type].class != TR_C_code && tr_types[f->type].class != TR_C_hex &&
		  !f->array;
	return cell_put(p, literal ? CELL_LITERAL : CELL_STRING, text);
}

/* The slow way to a record's group: its key spelled out. */
static struct group *spell_group(const struct plan *plan, const unsigned char *body)
{
	unsigned char name[NAME_BYTES], *p = name;

	for (size_t i = 0; i < plan->n_keys; i++)
		p = put_field(p, plan, i, body);
	return groups_find(plan->groups, name, p - name);
}

static void remember(struct plan *plan, uint64_t a, uint64_t b, struct group *group)
{
	size_t i;

	if (2 * plan->used >= plan->n_slots) {
		struct remembered *old = plan->slots;
		size_t n = plan->n_slots;

		plan->n_slots = 2 * n;
		plan->shift--;
		plan->slots = tr_xcalloc(plan->n_slots, sizeof(*plan->slots));
		plan->used = 0;
		for (i = 0; i < n; i++)
			if (old[i].group)
				remember(plan, old[i].a, old[i].b, old[i].group);
		free(old);
	}
	for (i = hash_pair(a, b, plan->shift); plan->slots[i &= plan->n_slots - 1].group; i++)
		;
	plan->slots[i] = (struct remembered){a, b, group};
	plan->used++;
}

__attribute__((noinline)) static struct group *new_group(struct plan *plan, uint64_t a, uint64_t b,
							 const unsigned char *body)
{
	struct group *group = spell_group(plan, body);

	if (group != plan->groups->other)
		remember(plan, a, b, group);
	return group;
}

static inline struct group *short_group(struct plan *plan, uint64_t a, uint64_t b,
					const unsigned char *body)
{
	const struct remembered *slots = plan->slots;

	for (size_t i = hash_pair(a, b, plan->shift); slots[i].group;
	     i = (i + 1) & (plan->n_slots - 1))
		if (slots[i].a == a && slots[i].b == b)
			return slots[i].group;
	return new_group(plan, a, b, body);
}

/* The bytes of all key fields, zero-extended to 16. */
static void gather(const struct plan *plan, const unsigned char *body, uint64_t key[2])
{
	unsigned char bytes[16] = {0}, *p = bytes;

	for (size_t i = 0; i < plan->n_keys; i++) {
		const struct tr_field *f = plan->keys[i];
		size_t n = f ? (size_t)tr_types[f->type].bytes * f->n : 0;

		if (f)
			memcpy(p, body + f->offset, n);
		p += n;
	}
	memcpy(key, bytes, 16);
}

static void find_groups(struct plan *plan, const unsigned char *const *bodies, size_t n,
			struct group **groups)
{
	const struct tr_field *only = plan->only;
	size_t offset = only ? only->offset : 0;
	uint64_t key[2] = {0};

	if (!plan->short_key) {
		for (size_t i = 0; i < n; i++)
			groups[i] = spell_group(plan, bodies[i]);
	} else if (only && tr_types[only->type].bytes == 4) {
		for (size_t i = 0; i < n; i++) {
			uint32_t a;

			memcpy(&a, bodies[i] + offset, 4);
			groups[i] = short_group(plan, a, 0, bodies[i]);
		}
	} else if (only && tr_types[only->type].bytes == 8) {
		for (size_t i = 0; i < n; i++) {
			memcpy(key, bodies[i] + offset, 8);
			groups[i] = short_group(plan, key[0], 0, bodies[i]);
		}
	} else if (only && tr_types[only->type].bytes == 16) {
		for (size_t i = 0; i < n; i++) {
			memcpy(key, bodies[i] + offset, 16);
			groups[i] = short_group(plan, key[0], key[1], bodies[i]);
		}
	} else {
		for (size_t i = 0; i < n; i++) {
			gather(plan, bodies[i], key);
			groups[i] = short_group(plan, key[0], key[1], bodies[i]);
		}
	}
}

static bool is_unsigned(const struct tr_field *f)
{
	return tr_types[f->type].class != TR_C_sint && tr_types[f->type].bytes == 8;
}

static __int128 field_value(const struct tr_field *f, const unsigned char *body)
{
	int64_t v = tr_field_int(f, body, 0);

	return is_unsigned(f) ? (__int128)(uint64_t)v : v;
}

/* The common shape, one 8-byte field that is not negative, apart: its loop keeps to 64 bits. */
static void add_u64(size_t measure, const struct tr_field *f, const unsigned char *const *bodies,
		    size_t n, struct group *const *groups)
{
	size_t offset = f->offset;

	for (size_t i = 0; i < n; i++) {
		struct sums *s = &groups[i]->sums[measure];
		uint64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		s->sum += v;
		s->n++;
		if (__builtin_expect(v < s->min, 0))
			s->min = v;
		if (__builtin_expect(v > s->max, 0))
			s->max = v;
	}
}

static void add_measure(struct plan *plan, size_t measure, const unsigned char *const *bodies,
			size_t n, struct group *const *groups)
{
	const struct tr_field *sum = plan->measures[measure].sum;
	const struct tr_field *min = plan->measures[measure].min;
	const struct tr_field *max = plan->measures[measure].max;

	if (!sum)
		return;
	if (sum == min && sum == max && is_unsigned(sum)) {
		add_u64(measure, sum, bodies, n, groups);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct sums *s = &groups[i]->sums[measure];
		uint64_t events = 1;
		__int128 v;

		/* an aggregate's sum is that of as many events as its weight says */
		if (plan->weight && sum != max)
			events = tr_field_int(plan->weight, bodies[i], 0);
		s->n += events;
		s->sum += field_value(sum, bodies[i]);
		v = field_value(min, bodies[i]);
		s->min = v < s->min ? v : s->min;
		v = field_value(max, bodies[i]);
		s->max = v > s->max ? v : s->max;
	}
}

static inline bool is_error(int64_t ret)
{
	uint64_t errno_value = -(uint64_t)ret;

	return errno_value - 1 < MAX_ERRNO &&
	       errno_value - FIRST_RESTART > LAST_RESTART - FIRST_RESTART;
}

bool is_error_result(int64_t ret)
{
	return is_error(ret);
}

/* The common shape, apart: one event a record, with an 8-byte result. */
static void add_results(const struct tr_field *ret, const unsigned char *const *bodies, size_t n,
			struct group *const *groups)
{
	size_t offset = ret->offset;

	for (size_t i = 0; i < n; i++) {
		int64_t v;

		memcpy(&v, bodies[i] + offset, 8);
		groups[i]->count++;
		groups[i]->errors += is_error(v);
	}
}

static void add_totals(struct plan *plan, const unsigned char *const *bodies, size_t n,
		       struct group *const *groups)
{
	if (!plan->weight && !plan->errors && plan->ret && tr_types[plan->ret->type].bytes == 8) {
		add_results(plan->ret, bodies, n, groups);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct group *g = groups[i];

		g->count += plan->weight ? (uint64_t)tr_field_int(plan->weight, bodies[i], 0) : 1;
		if (plan->errors)
			g->errors += tr_field_int(plan->errors, bodies[i], 0);
		else if (plan->ret)
			g->errors += is_error(tr_field_int(plan->ret, bodies[i], 0));
	}
}

static const struct tr_field *role_field(const struct tr_kind *kind, enum tr_role role)
{
	return kind->role[role] < 0 ? NULL : &kind->fields[kind->role[role]];
}

static const struct tr_field *number_field(const struct tr_kind *kind, const char *name)
{
	const struct tr_field *f = tr_kind_field(kind, name, strlen(name));

	return f && tr_types[f->type].class != TR_C_text && !f->array ? f : NULL;
}

/* The fields of KIND behind a measure. */
static void plan_measure(struct plan *plan, size_t i, const struct tr_kind *kind)
{
	struct measure *m = &plan->groups->measures[i];
	const struct tr_field *value =
		*m->name ? number_field(kind, m->name) : role_field(kind, TR_R_value);
	const struct tr_field *sum = *m->name ? NULL : role_field(kind, TR_R_sum);
	const struct tr_field *min = *m->name ? NULL : role_field(kind, TR_R_min);
	const struct tr_field *max = *m->name ? NULL : role_field(kind, TR_R_max);

	plan->measures[i].sum = sum ? sum : value;
	plan->measures[i].min = min ? min : plan->measures[i].sum;
	plan->measures[i].max = max ? max : plan->measures[i].sum;
	if (!plan->measures[i].sum)
		return;
	m->seen = true;
	if (plan->measures[i].sum->type == TR_T_duration)
		m->is_time = true;
	else
		m->is_other = true;
}

static void plan_free(void *p)
{
	struct plan *plan = p;

	free(plan->slots);
	free(plan);
}

/* Without keys given the first cell is the type, so that types do not mix. */
static void plan_keys(struct plan *plan, const struct tr_kind *kind)
{
	const struct groups *g = plan->groups;
	const struct tr_field *key = role_field(kind, TR_R_key);
	size_t bytes = 0, fields = 0;

	plan->short_key = true;
	plan->n_keys = g->n_keys ? g->n_keys : key ? 2 : 1;
	for (size_t i = 0; i < plan->n_keys; i++) {
		const char *name = g->n_keys ? g->keys[i] : i ? key->name : "type";
		const struct tr_field *f = tr_kind_field(kind, name, strlen(name));

		plan->names[i] = name;
		plan->keys[i] = f;
		if (!f)
			continue;
		bytes += (size_t)tr_types[f->type].bytes * f->n;
		plan->only = !fields++ && !f->array ? f : NULL;
		if (f->type == TR_T_str)
			plan->short_key = false;
	}
	if (bytes > 16)
		plan->short_key = false;
}

/* Notes the type and its key, for the table's columns. */
static void see_kind(struct groups *g, const struct tr_kind *kind)
{
	const struct tr_field *key = role_field(kind, TR_R_key);
	struct type_seen *seen;
	bool is_new;

	seen = groups_see_type(g, (struct tr_string){kind->type, strlen(kind->type)}, &is_new);
	if (!seen || !is_new || !key)
		return;
	seen->n_keys = 1;
	strcpy(seen->keys[0], key->name);
}

static struct plan *plan_of(struct groups *g, struct tr_part_kind *k)
{
	const struct tr_kind *kind = k->kind;
	struct plan *plan = k->plan;

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
	plan->slots = tr_xcalloc(plan->n_slots, sizeof(*plan->slots));
	plan_keys(plan, kind);
	plan->weight = role_field(kind, TR_R_weight);
	plan->errors = role_field(kind, TR_R_errors);
	plan->ret = number_field(kind, "ret");
	if (plan->errors || plan->ret)
		g->errors_seen = true;
	for (size_t i = 0; i < g->n_measures; i++)
		plan_measure(plan, i, kind);
	see_kind(g, kind);
	return plan;
}

void groups_add(struct groups *g, const struct tr_event *event, size_t from, size_t to)
{
	struct plan *plan = plan_of(g, event->kind);
	const unsigned char *const *bodies = event->bodies + from;
	struct group *groups[TR_BATCH];

	find_groups(plan, bodies, to - from, groups);
	add_totals(plan, bodies, to - from, groups);
	for (size_t i = 0; i < g->n_measures; i++)
		add_measure(plan, i, bodies, to - from, groups);
}
