/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-symbols: the functions that a program or library has, from its symbol tables. Which of them
 * are wanted is for grep to say; separate debug files are not looked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "out.h"
#include "sandbox.h"
#include "text.h"

/* Longer names than any compiler makes come from files that mean no good. */
enum { NAME_MAX_BYTES = 64 << 10 };

/* Names that libelf owns. */
struct names {
	const char **list;
	size_t n, size;
};

static const struct tr_option options[] = {{0}};

static const struct tr_usage usage = {
	.synopsis = "tr-symbols FILE",
	.sentence = "Print the functions of a program or library, those that a probe can name.",
	.options = options,
	.examples = "  tr-symbols /bin/bash | grep malloc\n",
};

static void add(struct names *names, const char *name)
{
	if (names->n == names->size) {
		names->size = names->size ? 2 * names->size : 1024;
		names->list = tr_xrealloc(names->list, names->size * sizeof(*names->list));
	}
	names->list[names->n++] = name;
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF;
}

static void add_table(struct names *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < n && i <= INT_MAX; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, i, &symbol) || !is_function(&symbol))
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && *name && strnlen(name, NAME_MAX_BYTES) < NAME_MAX_BYTES)
			add(names, name);
	}
}

/* A file has one table of each type; a second one is not looked at. Is there a whole one? */
static bool add_tables(struct names *names, Elf *elf)
{
	bool whole = false, dynamic = false;
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		if ((header.sh_type == SHT_SYMTAB && !whole) ||
		    (header.sh_type == SHT_DYNSYM && !dynamic))
			add_table(names, elf, section, &header);
		whole = whole || header.sh_type == SHT_SYMTAB;
		dynamic = dynamic || header.sh_type == SHT_DYNSYM;
	}
	return whole;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each once, in order. */
static void print(struct tr_out *out, struct names *names)
{
	if (names->n)
		qsort(names->list, names->n, sizeof(*names->list), by_name);
	for (size_t i = 0; i < names->n && !out->error; i++) {
		const char *name = names->list[i];
		size_t len = strlen(name);
		char *p;

		if (i && !strcmp(name, names->list[i - 1]))
			continue;
		p = tr_text_terminal(tr_out_reserve(out, 4 * len + 1), name, len, 1);
		*p++ = '\n';
		tr_out_commit(out, p);
	}
}

/* Returns an exit status. */
static int list(struct tr_out *out, const char *path, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	struct names names = {0};
	int status = TR_FAILED;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		tr_error("%s: not an ELF file, neither a program nor a library", path);
	else if (!add_tables(&names, elf) && !names.n)
		tr_error("%s: no symbol table: it has been stripped", path);
	else if (!names.n)
		tr_error("%s: no functions in its symbol table", path);
	else
		status = TR_DONE;
	print(out, &names);
	free(names.list);
	elf_end(elf);
	return status;
}

/* A regular file, whatever a path may name; -1 after saying what is wrong. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd >= 0 && !fstat(fd, &file) && S_ISREG(file.st_mode))
		return fd;
	tr_error("%s: %s", path, fd < 0 ? strerror(errno) : "not a regular file");
	if (fd >= 0)
		close(fd);
	return -1;
}

int main(int argc, char **argv)
{
	int first, fd, status;
	struct tr_out out;

	tr_message_name("tr-symbols");
	status = tr_options_parse(&usage, NULL, argc, argv, &first);
	if (status >= 0)
		return status;
	if (argc - first != 1) {
		tr_error("one FILE is needed; see tr-symbols --help");
		return TR_USAGE;
	}
	fd = open_file(argv[first]);
	if (fd < 0)
		return TR_FAILED;
	elf_version(EV_CURRENT);
	tr_out_init(&out, STDOUT_FILENO);
	tr_sandbox_enter();
	status = list(&out, argv[first], fd);
	if (tr_out_close(&out))
		status = TR_FAILED;
	tr_out_release(&out);
	close(fd);
	return status;
}
