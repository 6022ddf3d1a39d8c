/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of a program or library, from the symbol tables in its file: .symtab and .dynsym.
 * The file may come from a stranger: it is read by its descriptor, nothing in it is believed, and
 * what it says of its size is checked. Separate debug files are not looked for. By libelf.
 */
#ifndef TR_ELF_SYMBOLS_H
#define TR_ELF_SYMBOLS_H

#include "symbols.h"

/* Where the file's bytes are once it is loaded. */
struct tr_elf_segment {
	uint64_t offset, bytes; /* in the file */
	uint64_t address;
};

enum { TR_ELF_MAX_SEGMENTS = 64 };

struct tr_elf_symbols {
	struct tr_symbols functions; /* as they come, or sorted */
	bool has_symtab;
	size_t n_segments;
	struct tr_elf_segment segments[TR_ELF_MAX_SEGMENTS];
};

/*
 * Reads FD's into SYMBOLS, which is zeroed but for functions.max_bytes. Returns 0, -ENOEXEC when it
 * is no ELF file, -EFBIG when a table was left out, since it takes more than that or its names are
 * not where they should be; SYMBOLS can be used and released all the same.
 */
int tr_elf_symbols_read(struct tr_elf_symbols *symbols, int fd);
void tr_elf_symbols_release(struct tr_elf_symbols *symbols);

/* The address that the byte at OFFSET of the file is loaded to; false: it is not. */
bool tr_elf_address(const struct tr_elf_symbols *symbols, uint64_t offset, uint64_t *address);

#endif
