/* SPDX-License-Identifier: GPL-2.0-only */
/* The groups by name, and the types that were seen. */
#include "groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define INT128_MAX ((__int128)(((unsigned __int128)1 << 127) - 1))

uint64_t tr_hash_bytes(const unsigned char *p, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

void tr_groups_init(struct tr_groups *g)
{
	g->index_size = 1024;
	g->index = tr_xcalloc(g->index_size, sizeof(*g->index));
	g->epoch = 1;
	g->octaves = TR_MAX_OCTAVES;
}

static void group_free(const struct tr_groups *g, struct tr_group *group)
{
	for (size_t i = 0; i < g->n_measures; i++) {
		if (group->samples)
			tr_histogram_release(&group->samples[i]);
		if (group->rows)
			tr_histogram_release(&group->rows[i]);
		if (group->fractions)
			tr_histogram_release(&group->fractions[i].samples);
	}
	free(group->samples);
	free(group->rows);
	free(group->open);
	free(group->fractions);
	free(group);
}

void tr_groups_clear(struct tr_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		group_free(g, g->list[i]);
	memset(g->index, 0, g->index_size * sizeof(*g->index));
	g->n = g->others = g->left_out = g->remembered = 0;
	g->saturated = false;
	g->other = NULL;
	g->octaves = TR_MAX_OCTAVES;
	g->epoch++;
}

void tr_groups_release(struct tr_groups *g)
{
	tr_groups_clear(g);
	free(g->list);
	free(g->index);
	free(g->types);
	free(g->key_list);
}

static unsigned char *group_name(const struct tr_groups *g, const struct tr_group *group)
{
	return (unsigned char *)(group->sums + g->n_measures);
}

const unsigned char *tr_group_name(const struct tr_groups *g, const struct tr_group *group,
				   size_t *len)
{
	*len = group->name_len;
	return group_name(g, group);
}

struct tr_string tr_group_type(struct tr_string type)
{
	return tr_string_is(type, "hist") ? (struct tr_string){"summary", 7} : type;
}

void tr_measure_see(struct tr_measure *m, enum tr_unit unit)
{
	m->seen = true;
	m->units |= 1 << unit;
	if (m->scale.how == TR_SCALE_BY_UNIT)
		m->scale.how = unit == TR_UNIT_TIME ? TR_SCALE_TIME : TR_SCALE_LOG2;
}

static void index_put(struct tr_groups *g, struct tr_group *group)
{
	size_t i = tr_hash_bytes(group_name(g, group), group->name_len);

	while (g->index[i &= g->index_size - 1])
		i++;
	g->index[i] = group;
}

static void grow_index(struct tr_groups *g)
{
	free(g->index);
	g->index_size *= 2;
	g->index = tr_xcalloc(g->index_size, sizeof(*g->index));
	for (size_t i = 0; i < g->n; i++)
		index_put(g, g->list[i]);
}

/* A new group of that name, which is not yet in the index. */
static struct tr_group *add_group(struct tr_groups *g, const unsigned char *name, size_t len)
{
	size_t sums = g->n_measures * sizeof(struct tr_sums);
	struct tr_group *group = tr_xcalloc(1, sizeof(*group) + sums + len + 1);

	/* a zero byte stays behind the name: numbers are compared as strtold() reads them */
	group->name_len = len;
	if (len)
		memcpy(group_name(g, group), name, len);
	for (size_t i = 0; i < g->n_measures; i++)
		group->sums[i] = (struct tr_sums){.min = INT128_MAX, .max = -INT128_MAX - 1};
	if (g->n == g->n_max) {
		g->n_max = g->n_max ? 2 * g->n_max : 256;
		g->list = tr_xrealloc(g->list, g->n_max * sizeof(*g->list));
	}
	return g->list[g->n++] = group;
}

struct tr_group *tr_groups_find(struct tr_groups *g, const unsigned char *name, size_t len)
{
	size_t i = tr_hash_bytes(name, len);
	struct tr_group *group;

	for (; g->index[i &= g->index_size - 1]; i++) {
		group = g->index[i];
		if (group->name_len == len && !memcmp(group_name(g, group), name, len))
			return group;
	}
	if (g->n >= TR_MAX_GROUPS) {
		if (!g->others++)
			g->other = add_group(g, NULL, 0);
		return g->other;
	}
	group = g->index[i] = add_group(g, name, len);
	if (2 * g->n > g->index_size)
		grow_index(g);
	return group;
}

size_t tr_groups_cells(const struct tr_groups *g, const struct tr_group *group,
		       struct tr_cell *cells)
{
	const unsigned char *name = group_name(g, group);

	return tr_cells_unpack(name, name + group->name_len, cells);
}

int tr_groups_compare(const struct tr_groups *g, const struct tr_group *a, const struct tr_group *b,
		      size_t from)
{
	struct tr_cell x[TR_MAX_KEYS + 1], y[TR_MAX_KEYS + 1];
	size_t n = tr_groups_cells(g, a, x), m = tr_groups_cells(g, b, y);

	for (size_t i = from; i < n && i < m; i++) {
		int diff = tr_cell_compare(&x[i], &y[i]);

		if (diff)
			return diff;
	}
	return (n > m) - (n < m);
}

struct tr_type_seen *tr_groups_see_type(struct tr_groups *g, struct tr_string type, bool *is_new)
{
	struct tr_type_seen *seen;

	*is_new = false;
	for (size_t i = 0; i < g->n_types; i++)
		if (tr_string_is(type, g->types[i].name))
			return &g->types[i];
	if (g->n_types >= TR_MAX_KINDS || type.len > TR_MAX_NAME)
		return NULL;
	g->types = tr_xrealloc(g->types, (g->n_types + 1) * sizeof(*g->types));
	seen = &g->types[g->n_types++];
	*seen = (struct tr_type_seen){0};
	memcpy(seen->name, type.bytes, type.len);
	*is_new = true;
	return seen;
}

size_t tr_groups_name_keys(const struct tr_groups *g, char (*names)[TR_MAX_NAME + 1], size_t *first)
{
	size_t n = 0;

	*first = 0;
	for (; n < g->n_keys; n++)
		strcpy(names[n], g->keys[n]);
	if (g->by == TR_BY_FIELDS)
		return n;
	*first = g->n_types == 1 && (*g->types[0].name == 0 || g->types[0].n_keys);
	if (!*first)
		strcpy(names[n++], "record");
	for (size_t i = 0; i < g->n_types; i++)
		for (size_t k = 0; k < g->types[i].n_keys; k++) {
			char *name = names[!*first + k];

			if (n < !*first + k + 1)
				*names[n++] = 0;
			if (*name && strcmp(name, g->types[i].keys[k]))
				strcpy(name, "key");
			else
				strcpy(name, g->types[i].keys[k]);
		}
	return n;
}

int tr_groups_set_keys(struct tr_groups *g, const char *list, const char **why)
{
	char *rest, *name;

	free(g->key_list);
	rest = g->key_list = tr_xstrdup(list);
	g->by = TR_BY_FIELDS;
	g->n_keys = 0;
	while ((name = strsep(&rest, ","))) {
		if (!*name || strlen(name) > TR_MAX_NAME)
			*why = "not a list of field names";
		else if (g->n_keys == TR_MAX_KEYS)
			*why = "more than 8 fields";
		else {
			g->keys[g->n_keys++] = name;
			continue;
		}
		return -EINVAL;
	}
	return 0;
}
