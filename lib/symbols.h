/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions by their addresses: gathered, sorted once, and then looked up. */
#ifndef TR_SYMBOLS_H
#define TR_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which of several names of an address is taken: the one with fewer underscores in front, then by
 * this, then the shorter one. */
enum tr_symbol_rank { TR_SYMBOL_GLOBAL, TR_SYMBOL_WEAK, TR_SYMBOL_LOCAL };

struct tr_symbol {
	uint64_t address;
	uint32_t size : 30; /* 0: not known, up to the next one; longer ones are cut */
	uint32_t rank : 2;
	uint32_t name; /* in `names` */
};

/* Start with zeroes but for max_bytes. */
struct tr_symbols {
	size_t max_bytes; /* that they may take; 0: any number */
	struct tr_symbol *list;
	size_t n, n_max;
	char *names; /* each ended by a zero byte */
	size_t names_bytes, names_max;
};

/* Returns 0, or -EFBIG when that is more than they may take. */
int tr_symbols_add(struct tr_symbols *symbols, uint64_t address, uint64_t size, const char *name,
		   enum tr_symbol_rank rank);
/* Sorts them by address, and leaves one of each. */
void tr_symbols_sort(struct tr_symbols *symbols);
void tr_symbols_release(struct tr_symbols *symbols);

/* The sorted one that ADDRESS lies in, NULL when there is none. */
const struct tr_symbol *tr_symbols_find(const struct tr_symbols *symbols, uint64_t address);

static inline const char *tr_symbol_name(const struct tr_symbols *symbols,
					 const struct tr_symbol *symbol)
{
	return symbols->names + symbol->name;
}

/* Memory that they take. */
static inline size_t tr_symbols_bytes(const struct tr_symbols *symbols)
{
	return symbols->n_max * sizeof(*symbols->list) + symbols->names_max;
}

#endif
