/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a record to its group. A plan remembers the group of each key's bytes, as one, two or four
 * words; only new ones are spelled out and looked up by name, which also brings together what
 * different kinds, traces and JSON call the same.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "group_plan.h"
#include "record_text.h"
#include "result.h"

/* For the loops: the number of words is known where they are. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Where to look first among 2^(64 - SHIFT) slots. */
static ALWAYS_INLINE size_t hash_words(const uint64_t *key, unsigned words, unsigned shift)
{
	uint64_t h = key[0];

	if (words > 1)
		h ^= key[1] * 0x9e3779b97f4a7c15;
	if (words > 2)
		h = (h ^ h >> 29) * 0x94d049bb133111eb ^ key[2] ^ key[3] * 0x9e3779b97f4a7c15;
	return h * 0xbf58476d1ce4e5b9 >> shift;
}

static ALWAYS_INLINE bool is_same(const uint64_t *a, const uint64_t *b, unsigned words)
{
	for (unsigned i = 0; i < words; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static unsigned char *put_field(unsigned char *p, const struct tr_plan *plan, size_t key,
				const unsigned char *body)
{
	const struct tr_kind *kind = plan->kind->kind;
	const struct tr_field *f = plan->keys[key];
	struct tr_string text = {0};
	char buffer[TR_CELL_MAX];
	bool cut, literal;

	if (!plan->names[key])
		return tr_cell_put(p, TR_CELL_STRING,
				   (struct tr_string){plan->first_cell, strlen(plan->first_cell)});
	if (!f && !strcmp(plan->names[key], "type"))
		return tr_cell_put(p, TR_CELL_STRING,
				   (struct tr_string){kind->type, strlen(kind->type)});
	if (!f)
		return tr_cell_put(p, TR_CELL_NULL, text);
	if (plan->how[key] == KEY_ERRNO)
		return tr_cell_put_errno(p, tr_result_errno(tr_field_int(f, body, 0)));
	if (tr_types[f->type].class == TR_C_text) {
		text.bytes = tr_field_text(kind, f, body, &text.len, &cut);
		return tr_cell_put(p, TR_CELL_STRING, text);
	}
	text.bytes = buffer;
	text.len = tr_field_cell(buffer, kind, f, plan->kind->part->calls, body) - buffer;
	literal = tr_types[f->type].class != TR_C_code && tr_types[f->type].class != TR_C_hex &&
		  !f->array;
	return tr_cell_put(p, literal ? TR_CELL_LITERAL : TR_CELL_STRING, text);
}

/* The slow way to a record's group: its key spelled out. */
static struct tr_group *spell_group(const struct tr_plan *plan, const unsigned char *body)
{
	unsigned char name[TR_GROUP_NAME_BYTES], *p = name;

	for (size_t i = 0; i < plan->n_keys; i++)
		p = put_field(p, plan, i, body);
	return tr_groups_find(plan->groups, name, p - name);
}

/* A slot is the key's words, then the pointer to its group. */
static uint64_t *slot_of(const struct tr_plan *plan, size_t i)
{
	return plan->slots + (i & (plan->n_slots - 1)) * (plan->words + 1);
}

static void remember(struct tr_plan *plan, const uint64_t *key, struct tr_group *group)
{
	unsigned words = plan->words;
	uint64_t *slot;
	size_t i;

	if (8 * plan->used >= 5 * plan->n_slots) {
		uint64_t *old = plan->slots;
		size_t n = plan->n_slots;

		plan->n_slots = 2 * n;
		plan->shift--;
		plan->slots = tr_xcalloc(plan->n_slots, (words + 1) * sizeof(*plan->slots));
		plan->used = 0;
		for (slot = old; slot < old + n * (words + 1); slot += words + 1)
			if (slot[words])
				remember(plan, slot, (struct tr_group *)(uintptr_t)slot[words]);
		free(old);
	}
	for (i = hash_words(key, words, plan->shift); slot_of(plan, i)[words]; i++)
		;
	slot = slot_of(plan, i);
	memcpy(slot, key, words * sizeof(*key));
	slot[words] = (uintptr_t)group;
	plan->used++;
}

__attribute__((noinline)) static struct tr_group *
new_group(struct tr_plan *plan, const uint64_t *key, const unsigned char *body)
{
	struct tr_groups *g = plan->groups;
	struct tr_group *group = spell_group(plan, body);

	/* As many kinds may share a key as a trace likes, and one key may be spelled in many ways
	 * (by what is behind a comm's end): no more are remembered than an honest trace needs. */
	if (group != g->other && g->remembered < 2 * TR_MAX_GROUPS) {
		remember(plan, key, group);
		g->remembered++;
	}
	return group;
}

static ALWAYS_INLINE struct tr_group *find_group(struct tr_plan *plan, const uint64_t *key,
						 unsigned words, const unsigned char *body)
{
	const uint64_t *slots = plan->slots;
	size_t i = hash_words(key, words, plan->shift);

	for (;; i = (i + 1) & (plan->n_slots - 1)) {
		const uint64_t *slot = slots + i * (words + 1);

		if (!slot[words])
			return new_group(plan, key, body);
		if (is_same(slot, key, words))
			return (struct tr_group *)(uintptr_t)slot[words];
	}
}

/* A string of a key: its length and its bytes. NULL when there is no room for them. */
static unsigned char *put_string(unsigned char *p, const unsigned char *end,
				 const struct tr_plan *plan, const struct tr_field *f,
				 const unsigned char *body)
{
	const char *text;
	size_t len;
	bool cut;

	text = tr_field_text(plan->kind->kind, f, body, &len, &cut);
	if (len + 2 > (size_t)(end - p))
		return NULL;
	memcpy(p, body + f->offset, 2);
	memcpy(p + 2, text, len);
	return p + 2 + len;
}

/*
 * The bytes of all key fields, zero-extended. Of a result only the errno counts: there are as many
 * results as there are numbers. False when there is no room for all.
 */
static ALWAYS_INLINE bool gather(const struct tr_plan *plan, const unsigned char *body,
				 uint64_t *key, unsigned words)
{
	unsigned char *p = (unsigned char *)key, *end = p + 8 * words;

	memset(key, 0, 8 * words);
	for (size_t i = 0; i < plan->n_keys; i++) {
		const struct tr_field *f = plan->keys[i];
		size_t n = plan->bytes[i];
		int number;

		if (n > (size_t)(end - p))
			return false;
		switch (plan->how[i]) {
		case KEY_NONE: break;
		case KEY_4: memcpy(p, body + f->offset, 4); break;
		case KEY_8: memcpy(p, body + f->offset, 8); break;
		case KEY_16: memcpy(p, body + f->offset, 16); break;
		case KEY_BYTES: memcpy(p, body + f->offset, n); break;
		case KEY_ERRNO:
			number = tr_result_errno(tr_field_int(f, body, 0));
			memcpy(p, &number, sizeof(number));
			break;
		case KEY_STRING:
			p = put_string(p, end, plan, f, body);
			if (!p)
				return false;
			break;
		}
		p += n;
	}
	return true;
}

static ALWAYS_INLINE void find_gathered(struct tr_plan *plan, const unsigned char *const *bodies,
					size_t n, struct tr_group **groups, unsigned words)
{
	uint64_t key[MAX_KEY_WORDS];

	for (size_t i = 0; i < n; i++)
		groups[i] = gather(plan, bodies[i], key, words)
				    ? find_group(plan, key, words, bodies[i])
				    : spell_group(plan, bodies[i]);
}

void tr_plan_find_groups(struct tr_plan *plan, const unsigned char *const *bodies, size_t n,
			 struct tr_group **groups)
{
	const struct tr_field *only = plan->only;
	size_t offset = only ? only->offset : 0;
	uint64_t key[2] = {0};

	if (only && tr_types[only->type].bytes == 4) {
		for (size_t i = 0; i < n; i++) {
			uint32_t a;

			memcpy(&a, bodies[i] + offset, 4);
			key[0] = a;
			groups[i] = find_group(plan, key, 1, bodies[i]);
		}
	} else if (only && tr_types[only->type].bytes == 8) {
		for (size_t i = 0; i < n; i++) {
			memcpy(key, bodies[i] + offset, 8);
			groups[i] = find_group(plan, key, 1, bodies[i]);
		}
	} else if (only && tr_types[only->type].bytes == 16) {
		for (size_t i = 0; i < n; i++) {
			memcpy(key, bodies[i] + offset, 16);
			groups[i] = find_group(plan, key, 2, bodies[i]);
		}
	} else if (plan->words == 1) {
		find_gathered(plan, bodies, n, groups, 1);
	} else if (plan->words == 2) {
		find_gathered(plan, bodies, n, groups, 2);
	} else if (plan->words == MAX_KEY_WORDS) {
		find_gathered(plan, bodies, n, groups, MAX_KEY_WORDS);
	} else {
		for (size_t i = 0; i < n; i++)
			groups[i] = spell_group(plan, bodies[i]);
	}
}
