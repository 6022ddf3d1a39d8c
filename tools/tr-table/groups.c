/* SPDX-License-Identifier: GPL-2.0-only */
/* The groups by name, and the types that were seen. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "errno_name.h"
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
	g->octaves = MAX_OCTAVES;
}

static void group_free(const struct groups *g, struct group *group)
{
	for (size_t i = 0; i < g->n_measures; i++) {
		if (group->samples)
			tr_histogram_release(&group->samples[i]);
		if (group->fractions)
			tr_histogram_release(&group->fractions[i].samples);
	}
	free(group->samples);
	free(group->fractions);
	free(group);
}

void groups_clear(struct groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		group_free(g, g->list[i]);
	memset(g->index, 0, g->index_size * sizeof(*g->index));
	g->n = g->others = g->left_out = g->remembered = 0;
	g->saturated = false;
	g->other = NULL;
	g->octaves = MAX_OCTAVES;
	g->epoch++;
}

void groups_release(struct groups *g)
{
	groups_clear(g);
	free(g->list);
	free(g->index);
	free(g->types);
}

static unsigned char *group_name(const struct groups *g, const struct group *group)
{
	return (unsigned char *)(group->sums + g->n_measures);
}

static void index_put(struct groups *g, struct group *group)
{
	size_t i = hash_bytes(group_name(g, group), group->name_len);

	while (g->index[i &= g->index_size - 1])
		i++;
	g->index[i] = group;
}

static void grow_index(struct groups *g)
{
	free(g->index);
	g->index_size *= 2;
	g->index = tr_xcalloc(g->index_size, sizeof(*g->index));
	for (size_t i = 0; i < g->n; i++)
		index_put(g, g->list[i]);
}

/* A new group of that name, which is not yet in the index. */
static struct group *add_group(struct groups *g, const unsigned char *name, size_t len)
{
	size_t sums = g->n_measures * sizeof(struct sums);
	struct group *group = tr_xcalloc(1, sizeof(*group) + sums + len + 1);

	/* a zero byte stays behind the name: numbers are compared as strtold() reads them */
	group->name_len = len;
	if (len)
		memcpy(group_name(g, group), name, len);
	for (size_t i = 0; i < g->n_measures; i++)
		group->sums[i] = (struct sums){.min = INT128_MAX, .max = -INT128_MAX - 1};
	if (g->n == g->n_max) {
		g->n_max = g->n_max ? 2 * g->n_max : 256;
		g->list = tr_xrealloc(g->list, g->n_max * sizeof(*g->list));
	}
	return g->list[g->n++] = group;
}

struct group *groups_find(struct groups *g, const unsigned char *name, size_t len)
{
	size_t i = hash_bytes(name, len);
	struct group *group;

	for (; g->index[i &= g->index_size - 1]; i++) {
		group = g->index[i];
		if (group->name_len == len && !memcmp(group_name(g, group), name, len))
			return group;
	}
	if (g->n >= MAX_GROUPS) {
		if (!g->others++)
			g->other = add_group(g, NULL, 0);
		return g->other;
	}
	group = g->index[i] = add_group(g, name, len);
	if (2 * g->n > g->index_size)
		grow_index(g);
	return group;
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

unsigned char *cell_put_errno(unsigned char *p, int number)
{
	char name[TR_ERRNO_NAME_MAX];
	size_t len = number ? tr_errno_name(number, name) : 0;

	return cell_put(p, number ? CELL_STRING : CELL_NULL, (struct tr_string){name, len});
}

size_t groups_cells(const struct groups *g, const struct group *group, struct cell *cells)
{
	const unsigned char *p = group_name(g, group), *end = p + group->name_len;
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
