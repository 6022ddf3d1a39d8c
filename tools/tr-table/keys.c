/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a record to its group. A plan remembers the group of each key's bytes; only new ones are
 * spelled out and looked up by name, which also brings together what different kinds, traces and
 * JSON call the same.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "plan.h"
#include "record_text.h"
#include "result.h"

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
	if (plan->is_errno[key])
		return cell_put_errno(p, tr_result_errno(tr_field_int(f, body, 0)));
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

	if (8 * plan->used >= 5 * plan->n_slots) {
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
	struct groups *g = plan->groups;
	struct group *group = spell_group(plan, body);

	/* As many kinds may share a key as a trace likes, and one key may be spelled in many ways
	 * (by what is behind a comm's end): no more are remembered than an honest trace needs. */
	if (group != g->other && g->remembered < 2 * MAX_GROUPS) {
		remember(plan, a, b, group);
		g->remembered++;
	}
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

/* The bytes of all key fields, zero-extended to 16. Of a result only the errno counts: there are as
 * many results as there are numbers. */
static void gather(const struct plan *plan, const unsigned char *body, uint64_t key[2])
{
	unsigned char bytes[16] = {0}, *p = bytes;

	for (size_t i = 0; i < plan->n_keys; i++) {
		const struct tr_field *f = plan->keys[i];
		size_t n = f ? (size_t)tr_types[f->type].bytes * f->n : 0;

		if (f && plan->is_errno[i]) {
			int number = tr_result_errno(tr_field_int(f, body, 0));

			n = sizeof(number);
			memcpy(p, &number, n);
		} else if (f) {
			memcpy(p, body + f->offset, n);
		}
		p += n;
	}
	memcpy(key, bytes, 16);
}

void plan_find_groups(struct plan *plan, const unsigned char *const *bodies, size_t n,
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
