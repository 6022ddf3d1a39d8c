/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of containers, which only their runtimes know: in the files where they keep them. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "containers.h"
#include "json.h"
#include "message.h"

enum { MAX_BYTES = 64 << 20 };

/* The regular file at PATH between BEFORE and AFTER, for free(); NULL when it can't be read or is
 * too large. */
static char *read_file(const char *path, const char *before, const char *after, size_t *len)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	size_t first = strlen(before), last = strlen(after), n = 0;
	char *text = NULL;
	struct stat file;
	ssize_t more = 0;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size <= MAX_BYTES) {
		text = tr_xmalloc(first + file.st_size + last + 1);
		memcpy(text, before, first);
		while (n < (size_t)file.st_size &&
		       (more = read(fd, text + first + n, file.st_size - n)) > 0)
			n += more;
		memcpy(text + first + n, after, last + 1);
		*len = first + n + last;
	}
	close(fd);
	return text;
}

static bool is_name(const struct tr_json_value *value, const char *name)
{
	return value && value->type == TR_JSON_STRING && tr_string_is(value->string, name);
}

static void add(struct containers *found, const struct tr_json_value *id, const char *path)
{
	if (id && id->type == TR_JSON_STRING && id->string.len == CONTAINER_ID)
		containers_add(found, id->string.bytes, CONTAINER_ID, path);
}

/* docker has a file for each: {"ID":"..","Name":"/NAME",...} */
static void look_in_docker(struct containers *found, const char *path, const char *name)
{
	struct tr_json_object object = {0};
	const struct tr_json_value *value;
	size_t len;
	char *text = read_file(path, "", "", &len);

	if (text && !tr_json_parse(&object, text, len)) {
		value = tr_json_get(&object, "Name");
		if (is_name(value, name) ||
		    (value && value->type == TR_JSON_STRING && value->string.len &&
		     value->string.bytes[0] == '/' &&
		     tr_string_is(
			     (struct tr_string){value->string.bytes + 1, value->string.len - 1},
			     name)))
			add(found, tr_json_get(&object, "ID"), path);
	}
	tr_json_release(&object);
	free(text);
}

/* One of podman's or cri-o's: {"id":"..","names":["NAME",...],...} */
static void look_at_stored(struct containers *found, struct tr_string text, const char *path,
			   const char *name)
{
	struct tr_json_object object = {0};
	const struct tr_json_value *names;
	struct tr_json_value value;
	bool named = false;

	if (!tr_json_parse(&object, text.bytes, text.len)) {
		struct tr_string rest;

		names = tr_json_get(&object, "names");
		if (names && names->type == TR_JSON_ARRAY)
			for (rest = names->source;
			     !named && tr_json_array_next(&object, &rest, &value);)
				named = is_name(&value, name);
		if (named)
			add(found, tr_json_get(&object, "id"), path);
	}
	tr_json_release(&object);
}

/* They have one file for all, an array. */
static void look_in_storage(struct containers *found, const char *path, const char *name)
{
	struct tr_json_object object = {0};
	const struct tr_json_value *all;
	struct tr_json_value value;
	size_t len;
	char *text = read_file(path, "{\"all\":", "}", &len);

	if (text && !tr_json_parse(&object, text, len)) {
		struct tr_string rest;

		all = tr_json_get(&object, "all");
		if (all->type == TR_JSON_ARRAY)
			for (rest = all->source; tr_json_array_next(&object, &rest, &value);)
				if (value.type == TR_JSON_OBJECT)
					look_at_stored(found, value.source, path, name);
	}
	tr_json_release(&object);
	free(text);
}

/* nerdctl has a file that is called NAME, with the id in it. */
static void look_in_nerdctl(struct containers *found, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t len;
	char *text;

	if (!slash || strcmp(slash + 1, name))
		return;
	text = read_file(path, "", "", &len);
	if (text && len >= CONTAINER_ID)
		containers_add(found, text, CONTAINER_ID, path);
	free(text);
}

void containers_named(struct containers *containers, const char *name)
{
	static const struct {
		const char *files;
		void (*look)(struct containers *found, const char *path, const char *name);
	} states[] = {
		{"/var/lib/docker/containers/*/config.v2.json", look_in_docker},
		{"/var/lib/containers/storage/*-containers/containers.json", look_in_storage},
		{"/var/lib/nerdctl/*/names/*/*", look_in_nerdctl},
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		glob_t files = {0};

		if (!glob(states[i].files, GLOB_NOSORT, NULL, &files))
			for (size_t k = 0; k < files.gl_pathc; k++)
				states[i].look(containers, files.gl_pathv[k], name);
		globfree(&files);
	}
}
