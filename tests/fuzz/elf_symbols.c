/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzing of symbol tables: whatever a file claims of itself, reading it ends, within its bound,
 * and what was read can be asked.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 256 << 10 };

static void must(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

static void ask(const struct tr_elf_symbols *symbols)
{
	const struct tr_symbols *functions = &symbols->functions;

	for (size_t i = 0; i < functions->n; i++) {
		const struct tr_symbol *symbol = &functions->list[i];
		const struct tr_symbol *found = tr_symbols_find(functions, symbol->address);

		must(found && found->address == symbol->address, "it is found where it is");
		must(!i || symbol[-1].address < symbol->address, "they are sorted");
		must(*tr_symbol_name(functions, symbol), "it has a name");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tr_elf_symbols symbols = {.functions.max_bytes = MAX_BYTES};
	int fd = memfd_create("elf", MFD_CLOEXEC);
	uint64_t address;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "there is a file");
	tr_elf_symbols_read(&symbols, fd);
	close(fd);
	must(tr_symbols_bytes(&symbols.functions) <= MAX_BYTES, "it is within its bound");
	tr_symbols_sort(&symbols.functions);
	ask(&symbols);
	for (uint64_t offset = 0; offset < 64; offset++)
		tr_elf_address(&symbols, offset * size / 32, &address);
	tr_elf_symbols_release(&symbols);
	return 0;
}
