/* SPDX-License-Identifier: GPL-2.0-only */
/* A sorted array of functions. */
#include "symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	FIRST_N = 1024,
	FIRST_NAMES = 16 << 10,
	MAX_SIZE = (1 << 30) - 1,
	MAX_NESTED = 8, /* functions before, of which one may still go on */
};

static bool may_grow(const struct tr_symbols *symbols, size_t by)
{
	size_t bytes = tr_symbols_bytes(symbols);

	return !symbols->max_bytes ||
	       (by <= symbols->max_bytes && bytes <= symbols->max_bytes - by);
}

static int grow_list(struct tr_symbols *symbols)
{
	size_t n = symbols->n_max ? 2 * symbols->n_max : FIRST_N;

	if (!may_grow(symbols, (n - symbols->n_max) * sizeof(*symbols->list)))
		return -EFBIG;
	symbols->list = tr_xrealloc(symbols->list, n * sizeof(*symbols->list));
	symbols->n_max = n;
	return 0;
}

static int grow_names(struct tr_symbols *symbols, size_t len)
{
	size_t bytes = symbols->names_max ? symbols->names_max : FIRST_NAMES;

	while (bytes - symbols->names_bytes < len)
		bytes *= 2;
	if (bytes > UINT32_MAX || !may_grow(symbols, bytes - symbols->names_max))
		return -EFBIG;
	symbols->names = tr_xrealloc(symbols->names, bytes);
	symbols->names_max = bytes;
	return 0;
}

int tr_symbols_add(struct tr_symbols *symbols, uint64_t address, uint64_t size, const char *name,
		   enum tr_symbol_rank rank)
{
	size_t len = strlen(name) + 1;
	int err = 0;

	if (symbols->n == symbols->n_max)
		err = grow_list(symbols);
	if (!err && symbols->names_max - symbols->names_bytes < len)
		err = grow_names(symbols, len);
	if (err)
		return err;
	memcpy(symbols->names + symbols->names_bytes, name, len);
	symbols->list[symbols->n++] = (struct tr_symbol){
		.address = address,
		.size = size < MAX_SIZE ? size : MAX_SIZE,
		.rank = rank,
		.name = symbols->names_bytes,
	};
	symbols->names_bytes += len;
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By address, and of one address the best first. */
static int by_address(const void *one, const void *other, void *names)
{
	const struct tr_symbol *a = one, *b = other;
	const char *name_a = (char *)names + a->name, *name_b = (char *)names + b->name;
	int order = compare(a->address, b->address);

	if (!order)
		order = compare(!a->size, !b->size);
	if (!order)
		order = compare(strspn(name_a, "_"), strspn(name_b, "_"));
	if (!order)
		order = compare(a->rank, b->rank);
	if (!order)
		order = compare(strlen(name_a), strlen(name_b));
	return order ? order : strcmp(name_a, name_b);
}

void tr_symbols_sort(struct tr_symbols *symbols)
{
	size_t n = 0;

	if (!symbols->n)
		return;
	qsort_r(symbols->list, symbols->n, sizeof(*symbols->list), by_address, symbols->names);
	for (size_t i = 0; i < symbols->n; i++)
		if (!n || symbols->list[i].address != symbols->list[n - 1].address)
			symbols->list[n++] = symbols->list[i];
	symbols->n = n;
}

void tr_symbols_release(struct tr_symbols *symbols)
{
	free(symbols->list);
	free(symbols->names);
	*symbols = (struct tr_symbols){.max_bytes = symbols->max_bytes};
}

const struct tr_symbol *tr_symbols_find(const struct tr_symbols *symbols, uint64_t address)
{
	size_t first = 0, end = symbols->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (symbols->list[middle].address <= address)
			first = middle + 1;
		else
			end = middle;
	}
	/* The last one that begins before, or one that it is inside of. */
	for (size_t i = first; i-- > 0 && first - i <= MAX_NESTED;) {
		const struct tr_symbol *symbol = &symbols->list[i];

		if (address - symbol->address < symbol->size || (!symbol->size && i + 1 == first))
			return symbol;
	}
	return NULL;
}
