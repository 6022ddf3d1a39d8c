/* SPDX-License-Identifier: GPL-2.0-only */
/* A list of files, few enough to be searched from its end: what was mapped last is mapped again. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "open_mapped.h"

enum {
	MAX_FILES = 4096,
	MAX_OPEN = 128,            /* and not read yet */
	MAX_TRIES = 8,             /* to open one */
	MAX_BYTES = 256 << 20,     /* of all functions */
	MAX_FILE_BYTES = 64 << 20, /* of one file's */
	MAX_NAME = 4096, /* a longer one leaves too little of a line for the other frames */
};

static void close_file(struct files *files, struct file *file)
{
	if (file->fd < 0)
		return;
	close(file->fd);
	file->fd = -1;
	files->n_open--;
}

static void drop_functions(struct files *files, struct file *file)
{
	files->bytes -= tr_symbols_bytes(&file->symbols.functions);
	tr_symbols_release(&file->symbols.functions);
}

static void free_file(struct files *files, struct file *file)
{
	close_file(files, file);
	drop_functions(files, file);
	tr_elf_symbols_release(&file->symbols);
	free(file->path);
	free(file);
}

void files_release(struct files *files)
{
	while (files->n)
		free_file(files, files->list[--files->n]);
	free(files->list);
	*files = (struct files){0};
}

void files_sweep(struct files *files)
{
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++) {
		struct file *file = files->list[i];

		if (file->in_use)
			files->list[n++] = file;
		else
			free_file(files, file);
		file->in_use = false;
	}
	files->n = n;
}

/* Room for the functions of one more: those go that were not used for the longest time, but none
 * whose names are in use. False: there is none. */
static bool make_room(struct files *files)
{
	while (files->bytes > MAX_BYTES - MAX_FILE_BYTES) {
		struct file *oldest = NULL;

		for (size_t i = 0; i < files->n; i++) {
			struct file *file = files->list[i];

			if (file->symbols.functions.n && file->used <= files->uses_before &&
			    (!oldest || file->used < oldest->used))
				oldest = file;
		}
		if (!oldest)
			return false;
		/* It is read again if it can be opened again. Where its bytes are stays known. */
		drop_functions(files, oldest);
		oldest->is_read = false;
	}
	return true;
}

static void read_file(struct files *files, struct file *file)
{
	if (file->is_read || file->fd < 0 || !make_room(files))
		return;
	tr_elf_symbols_release(&file->symbols);
	file->symbols.functions.max_bytes = MAX_FILE_BYTES;
	tr_elf_symbols_read(&file->symbols, file->fd);
	tr_symbols_sort(&file->symbols.functions);
	files->bytes += tr_symbols_bytes(&file->symbols.functions);
	file->is_read = true;
	close_file(files, file);
}

static void open_file(struct files *files, struct file *file, const struct file_where *where)
{
	if (file->is_read || file->fd >= 0 || file->tries == MAX_TRIES)
		return;
	file->tries++;
	file->fd = open_mapped(&file->id, file->path, where);
	if (file->fd < 0)
		return;
	files->n_open++;
	if (files->n_open > MAX_OPEN)
		read_file(files, file);
}

static bool is_file(const struct file *file, const struct file_id *id, const char *path)
{
	return file->id.inode == id->inode && file->id.generation == id->generation &&
	       file->id.major == id->major && file->id.minor == id->minor &&
	       !strcmp(file->path, path);
}

struct file *files_get(struct files *files, const struct file_id *id, const char *path,
		       const struct file_where *where)
{
	struct file *file;
	const char *slash;

	for (size_t i = files->n; i-- > 0;) {
		if (!is_file(files->list[i], id, path))
			continue;
		open_file(files, files->list[i], where);
		return files->list[i];
	}
	if (files->n == MAX_FILES)
		return NULL;
	files->list = tr_xrealloc(files->list, (files->n + 1) * sizeof(*files->list));
	file = tr_xcalloc(1, sizeof(*file));
	*file = (struct file){.id = *id, .path = tr_xstrdup(path), .fd = -1};
	slash = strrchr(file->path, '/');
	file->name = slash ? slash + 1 : file->path;
	files->list[files->n++] = file;
	open_file(files, file, where);
	return file;
}

void files_begin(struct files *files)
{
	files->uses_before = files->uses;
}

static struct tr_string unnamed(const struct file *file, uint64_t at, char *text)
{
	int n = snprintf(text, FILE_TEXT_MAX - TR_NUMBER_MAX, "[%s", file->name);
	char *p =
		text + (n < FILE_TEXT_MAX - TR_NUMBER_MAX ? n : FILE_TEXT_MAX - TR_NUMBER_MAX - 1);

	*p++ = '+';
	p += tr_hex_format(p, at);
	*p++ = ']';
	return (struct tr_string){text, p - text};
}

struct tr_string files_name(struct files *files, struct file *file, uint64_t offset, char *text)
{
	const struct tr_symbol *found;
	uint64_t address;
	const char *name;

	read_file(files, file);
	file->used = ++files->uses;
	if (!tr_elf_address(&file->symbols, offset, &address))
		return (struct tr_string){0};
	/* A call that ends its function returns to behind it. Only the frame of a signal handler
	 * returns to the first byte of one, that which ends it. */
	found = tr_symbols_find(&file->symbols.functions, address - 1);
	if (!found)
		found = tr_symbols_find(&file->symbols.functions, address);
	name = found ? tr_symbol_name(&file->symbols.functions, found) : NULL;
	if (!name || strlen(name) > MAX_NAME)
		return unnamed(file, address, text);
	return (struct tr_string){name, strlen(name)};
}
