/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions found by address, and which name of several is taken. */
#include "symbols.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"

static const struct {
	uint64_t address, size;
	const char *name;
	enum tr_symbol_rank rank;
} functions[] = {
	{0x3000, 0x10, "__read", TR_SYMBOL_GLOBAL},
	{0x3000, 0x10, "read", TR_SYMBOL_WEAK},
	{0x3000, 0x10, "__libc_read", TR_SYMBOL_GLOBAL},
	{0x1000, 0x100, "outer", TR_SYMBOL_GLOBAL},
	{0x1040, 0x10, "inner", TR_SYMBOL_LOCAL},
	{0x2000, 0, "label", TR_SYMBOL_LOCAL},
	{0x4000, 0, "nothing", TR_SYMBOL_GLOBAL},
	{0x4000, 0x20, "sized", TR_SYMBOL_LOCAL},
	{0x5000, 0x20, "local", TR_SYMBOL_LOCAL},
	{0x5000, 0x20, "global", TR_SYMBOL_GLOBAL},
	{0xffffffff81000000, 0, "last", TR_SYMBOL_GLOBAL},
};

static const struct {
	uint64_t address;
	const char *name; /* NULL: none */
} rows[] = {
	{0, NULL},
	{0xfff, NULL},
	{0x1000, "outer"},
	{0x103f, "outer"},
	{0x1040, "inner"},
	{0x104f, "inner"},
	{0x1050, "outer"}, /* goes on behind the inner one */
	{0x10ff, "outer"},
	{0x1100, NULL},
	{0x2000, "label"},
	{0x2fff, "label"}, /* up to the next one */
	{0x3000, "read"},
	{0x3010, NULL},
	{0x401f, "sized"},
	{0x4020, NULL},
	{0x5000, "global"},
	{0xffffffff80ffffff, NULL},
	{UINT64_MAX, "last"},
};

static void check_found(const struct tr_symbols *symbols)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct tr_symbol *found = tr_symbols_find(symbols, rows[i].address);
		const char *name = found ? tr_symbol_name(symbols, found) : "(none)";

		CHECK_TEXT(name, rows[i].name ? rows[i].name : "(none)");
	}
}

static void check_bound(void)
{
	struct tr_symbols symbols = {.max_bytes = 100 << 10};
	size_t n = 0;

	while (!tr_symbols_add(&symbols, n, 1, "a name", TR_SYMBOL_GLOBAL) && n < 1 << 20)
		n++;
	CHECK(n > 1000 && n < 10000);
	CHECK_INT(tr_symbols_add(&symbols, n, 1, "a name", TR_SYMBOL_GLOBAL), -EFBIG);
	CHECK(tr_symbols_bytes(&symbols) <= symbols.max_bytes);
	tr_symbols_sort(&symbols);
	CHECK_INT(symbols.n, n);
	tr_symbols_release(&symbols);
}

int main(void)
{
	struct tr_symbols symbols = {0};

	tr_symbols_sort(&symbols);
	CHECK(!tr_symbols_find(&symbols, 1));
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		CHECK(!tr_symbols_add(&symbols, functions[i].address, functions[i].size,
				      functions[i].name, functions[i].rank));
	tr_symbols_sort(&symbols);
	check_found(&symbols);
	tr_symbols_release(&symbols);
	check_bound();
	return check_status();
}
