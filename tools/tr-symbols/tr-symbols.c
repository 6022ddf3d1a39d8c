/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-symbols: the functions that a program or library has, from its symbol tables. Which of them
 * are wanted is for grep to say; separate debug files are not looked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_symbols.h"
#include "message.h"
#include "options.h"
#include "out.h"
#include "sandbox.h"
#include "text.h"

static const struct tr_option options[] = {{0}};

static const struct tr_usage usage = {
	.synopsis = "tr-symbols FILE",
	.sentence = "Print the functions of a program or library, those that a probe can name.",
	.options = options,
	.examples = "  tr-symbols /bin/bash | grep malloc\n",
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_line(struct tr_out *out, const char *name)
{
	size_t len = strlen(name);
	char *p = tr_text_terminal(tr_out_reserve(out, 4 * len + 1), name, len, 1);

	*p++ = '\n';
	tr_out_commit(out, p);
}

/* Each once, in order. */
static void print(struct tr_out *out, const struct tr_symbols *functions)
{
	size_t n = functions->n;
	const char **names = tr_xcalloc(n, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = tr_symbol_name(functions, &functions->list[i]);
	if (n)
		qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n && !out->error; i++)
		if (!i || strcmp(names[i], names[i - 1]))
			print_line(out, names[i]);
	free(names);
}

/* Returns an exit status. */
static int list(struct tr_out *out, const char *path, int fd)
{
	struct tr_elf_symbols symbols = {0};
	int status = TR_FAILED;

	if (tr_elf_symbols_read(&symbols, fd))
		tr_error("%s: not an ELF file, neither a program nor a library", path);
	else if (!symbols.has_symtab && !symbols.functions.n)
		tr_error("%s: no symbol table: it has been stripped", path);
	else if (!symbols.functions.n)
		tr_error("%s: no functions in its symbol table", path);
	else
		status = TR_DONE;
	print(out, &symbols.functions);
	tr_elf_symbols_release(&symbols);
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
	tr_out_init(&out, STDOUT_FILENO);
	tr_sandbox_enter();
	status = list(&out, argv[first], fd);
	if (tr_out_close(&out))
		status = TR_FAILED;
	tr_out_release(&out);
	close(fd);
	return status;
}
