/* SPDX-License-Identifier: GPL-2.0-only */
/* The groups by name, and the types that were seen. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

#define INT128_MAX ((__int128)(((unsigned __int128)1 << 127) - 1))

static uint64_t hash_bytes(const unsigned char *p, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

void groups_init(struct groups *g)
{
	g->index_size = 1024;
	g->index = tr_xcalloc(g->index_size, sizeof(*g->index));
	g->epoch = 1;
}

void groups_clear(struct groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->names[i].bytes);
	memset(g->index, 0, g->index_size * sizeof(*g->index));
	g->n = g->others = 0;
	g->epoch++;
}

void groups_release(struct groups *g)
{
	groups_clear(g);
	free(g->names);
	free(g->totals);
	free(g->sums);
	free(g->fractions);
	free(g->index);
	free(g->types);
}

static void index_put(struct groups *g, size_t group)
{
	const struct group_key *key = &g->names[group];
	size_t i = hash_bytes(key->bytes, key->len);

	while (g->index[i &= g->index_size - 1])
		i++;
	g->index[i] = group + 1;
}

static void grow(struct groups *g)
{
	size_t n = g->n_max ? 2 * g->n_max : 256, m = g->n_measures;

	g->names = tr_xrealloc(g->names, n * sizeof(*g->names));
	g->totals = tr_xrealloc(g->totals, n * sizeof(*g->totals));
	g->sums = tr_xrealloc(g->sums, n * (m ? m : 1) * sizeof(*g->sums));
	if (g->fractions)
		g->fractions = tr_xrealloc(g->fractions, n * m * sizeof(*g->fractions));
	g->n_max = n;
}

/* A new group of that name. */
static size_t add_group(struct groups *g, const unsigned char *name, size_t len)
{
	size_t group = g->n, m = g->n_measures;

	if (group == g->n_max)
		grow(g);
	g->names[group].bytes = tr_xmalloc(len + 1);
	g->names[group].len = len;
	if (len)
		memcpy(g->names[group].bytes, name, len);
	g->totals[group] = (struct totals){0};
	for (size_t i = 0; i < m; i++)
		g->sums[group * m + i] = (struct sums){.min = INT128_MAX, .max = -INT128_MAX - 1};
	if (g->fractions)
		memset(g->fractions + group * m, 0, m * sizeof(*g->fractions));
	g->n++;
	if (2 * g->n > g->index_size) {
		free(g->index);
		g->index_size *= 2;
		g->index = tr_xcalloc(g->index_size, sizeof(*g->index));
		for (size_t i = 0; i < group; i++)
			index_put(g, i);
	}
	index_put(g, group);
	return group;
}

/* The group of that name; *OTHER is set when it is the one of all that is beyond the limit. */
size_t groups_find(struct groups *g, const unsigned char *name, size_t len, bool *other)
{
	size_t i = hash_bytes(name, len);

	*other = false;
	for (; g->index[i &= g->index_size - 1]; i++) {
		const struct group_key *key = &g->names[g->index[i] - 1];

		if (key->len == len && !memcmp(key->bytes, name, len))
			return g->index[i] - 1;
	}
	if (g->n < MAX_GROUPS)
		return add_group(g, name, len);
	*other = true;
	if (!g->others++)
		add_group(g, NULL, 0);
	return g->n - 1;
}

/* A cell is one byte type, two bytes length, the text. */
unsigned char *cell_put(unsigned char *p, enum cell_type type, struct tr_string text)
{
	uint16_t n = text.len < CELL_BYTES ? text.len : CELL_BYTES;

	*p++ = type;
	memcpy(p, &n, 2);
	if (n)
		memcpy(p + 2, text.bytes, n);
	return p + 2 + n;
}

size_t groups_cells(const struct groups *g, size_t group, struct cell *cells)
{
	const unsigned char *p = g->names[group].bytes, *end = p + g->names[group].len;
	size_t n = 0;

	while (p < end) {
		uint16_t len;

		memcpy(&len, p + 1, 2);
		cells[n].type = *p;
		cells[n++].text = (struct tr_string){(const char *)p + 3, len};
		p += 3 + len;
	}
	return n;
}

struct type_seen *groups_see_type(struct groups *g, struct tr_string type, bool *is_new)
{
	struct type_seen *seen;

	*is_new = false;
	for (size_t i = 0; i < g->n_types; i++)
		if (tr_string_is(type, g->types[i].name))
			return &g->types[i];
	if (g->n_types >= TR_MAX_KINDS || type.len > TR_MAX_NAME)
		return NULL;
	g->types = tr_xrealloc(g->types, (g->n_types + 1) * sizeof(*g->types));
	seen = &g->types[g->n_types++];
	*seen = (struct type_seen){0};
	memcpy(seen->name, type.bytes, type.len);
	*is_new = true;
	return seen;
}
