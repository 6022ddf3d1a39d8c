/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbol tables of ELF files. */
#include "elf_symbols.h"

#include <errno.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct strings {
	const char *bytes;
	size_t size;
};

/* Longer names than any compiler makes come from files that mean no good. */
enum { NAME_MAX_BYTES = 64 << 10 };

/* Numbers of sections and segments that need a place of their own are no program's: libelf would
 * make room for as many as the file claims. */
static bool has_plain_header(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr h32;
		Elf64_Ehdr h64;
	} header;
	bool is_32;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.ident, ELFMAG, SELFMAG))
		return false;
	is_32 = header.ident[EI_CLASS] == ELFCLASS32;
	return is_32 ? header.h32.e_shnum || !header.h32.e_shoff
		     : header.h64.e_shnum || !header.h64.e_shoff;
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF;
}

static enum tr_symbol_rank rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL: return TR_SYMBOL_LOCAL;
	case STB_WEAK: return TR_SYMBOL_WEAK;
	}
	return TR_SYMBOL_GLOBAL;
}

static bool is_too_big(const struct tr_elf_symbols *symbols, const GElf_Shdr *header)
{
	size_t max = symbols->functions.max_bytes;

	return max && header->sh_size > max;
}

/* All strings of a section, of which the last one ends with it; false: it is in no such order.
 * elf_strptr() would look for that again with each name, from the end of the section on. */
static bool strings_of(Elf_Scn *section, struct strings *strings)
{
	GElf_Shdr header;
	Elf_Data *data;

	if (!gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB)
		return false;
	data = elf_getdata(section, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return false;
	*strings = (struct strings){data->d_buf, data->d_size};
	return !strings->bytes[strings->size - 1];
}

/* NULL: it is not there, or too long. */
static const char *string_at(const struct strings *strings, size_t at)
{
	if (at >= strings->size || strnlen(strings->bytes + at, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return NULL;
	return strings->bytes + at;
}

/* Returns 0 or -EFBIG. */
static int add_functions(struct tr_elf_symbols *symbols, Elf_Data *data, size_t n,
			 const struct strings *strings)
{
	int err = 0;

	for (size_t i = 0; i < n && i <= INT_MAX && !err; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, i, &symbol) || !is_function(&symbol))
			continue;
		name = string_at(strings, symbol.st_name);
		if (!name)
			return -EFBIG;
		if (*name)
			err = tr_symbols_add(&symbols->functions, symbol.st_value, symbol.st_size,
					     name, rank_of(&symbol));
	}
	return err;
}

/* Returns 0 or -EFBIG. */
static int add_table(struct tr_elf_symbols *symbols, Elf *elf, Elf_Scn *section,
		     const GElf_Shdr *header)
{
	Elf_Scn *names = elf_getscn(elf, header->sh_link);
	struct strings strings;
	GElf_Shdr of_names;
	Elf_Data *data;

	if (!names || !gelf_getshdr(names, &of_names) || !header->sh_entsize)
		return 0;
	if (is_too_big(symbols, header) || is_too_big(symbols, &of_names))
		return -EFBIG;
	data = elf_getdata(section, NULL);
	if (!data || !data->d_size)
		return 0;
	if (!strings_of(names, &strings))
		return -EFBIG;
	return add_functions(symbols, data, data->d_size / header->sh_entsize, &strings);
}

/* A file has one table of each type; a second one is not looked at. One that is left out does not
 * keep from the other, but half a table would give names that are not so. */
static int add_tables(struct tr_elf_symbols *symbols, Elf *elf)
{
	bool has_dynsym = false;
	Elf_Scn *section = NULL;
	int err = 0;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		bool is_symtab, is_dynsym;
		size_t n = symbols->functions.n;

		if (!gelf_getshdr(section, &header))
			continue;
		is_symtab = header.sh_type == SHT_SYMTAB && !symbols->has_symtab;
		is_dynsym = header.sh_type == SHT_DYNSYM && !has_dynsym;
		if ((is_symtab || is_dynsym) && add_table(symbols, elf, section, &header)) {
			symbols->functions.n = n;
			err = -EFBIG;
		}
		symbols->has_symtab = symbols->has_symtab || is_symtab;
		has_dynsym = has_dynsym || is_dynsym;
	}
	return err;
}

static void add_segments(struct tr_elf_symbols *symbols, Elf *elf)
{
	size_t n = 0;

	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && i <= INT_MAX && symbols->n_segments < TR_ELF_MAX_SEGMENTS;
	     i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, i, &header))
			break;
		if (header.p_type == PT_LOAD)
			symbols->segments[symbols->n_segments++] = (struct tr_elf_segment){
				.offset = header.p_offset,
				.bytes = header.p_filesz,
				.address = header.p_vaddr,
			};
	}
}

int tr_elf_symbols_read(struct tr_elf_symbols *symbols, int fd)
{
	Elf *elf = NULL;
	int err = -ENOEXEC;

	elf_version(EV_CURRENT);
	if (has_plain_header(fd))
		elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		add_segments(symbols, elf);
		err = add_tables(symbols, elf);
	}
	elf_end(elf);
	return err;
}

void tr_elf_symbols_release(struct tr_elf_symbols *symbols)
{
	tr_symbols_release(&symbols->functions);
	symbols->n_segments = 0;
	symbols->has_symtab = false;
}

bool tr_elf_address(const struct tr_elf_symbols *symbols, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < symbols->n_segments; i++) {
		const struct tr_elf_segment *s = &symbols->segments[i];

		if (offset - s->offset >= s->bytes)
			continue;
		*address = s->address + (offset - s->offset);
		return true;
	}
	return false;
}
