/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of calls.def, each taken apart when it is first wanted. */
#include "calls.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* The classes as rows name them. */
enum {
	FILE_NAME = TR_CLASS_FILE,
	NET = TR_CLASS_NET,
	PROCESS = TR_CLASS_PROCESS,
	MEMORY = TR_CLASS_MEMORY,
	SIGNAL = TR_CLASS_SIGNAL,
	IPC = TR_CLASS_IPC,
	DESC = TR_CLASS_DESC,
};

struct row {
	const char *name;
	unsigned classes;
	const char *args;
};

static const struct row rows[] = {
#include "calls.def"
};

const char *const tr_class_names[TR_N_CLASSES] = {"file",   "net", "process", "memory",
						  "signal", "ipc", "desc"};
const char tr_class_list[] = "%file %net %process %memory %signal %ipc %desc";

/* How a row spells each kind; what is in capitals names a set. */
static const char *const kind_names[] = {
	[TR_ARG_PATH] = "path", [TR_ARG_FD] = "fd",     [TR_ARG_DIR_FD] = "dfd",
	[TR_ARG_INT] = "int",   [TR_ARG_UINT] = "uint", [TR_ARG_LONG] = "long",
	[TR_ARG_HEX] = "hex",   [TR_ARG_MODE] = "mode", [TR_ARG_ADDRESS] = "addr",
};

/* The calls of one machine that were asked for, by code; a clash goes to the next place. */
enum { HASH_BITS = 12 };
struct known {
	const struct tr_syscalls *calls;
	struct known *next;
	size_t n;
	struct {
		uint32_t code;
		struct tr_call *call;
	} at[1 << HASH_BITS];
};

static struct known *all;

static int compare_row(const void *name, const void *row)
{
	return strcmp(name, ((const struct row *)row)->name);
}

static const struct row *find_row(const char *name)
{
	return bsearch(name, rows, sizeof(rows) / sizeof(rows[0]), sizeof(rows[0]), compare_row);
}

/* The next word of *P, up to a space or END: its length, 0 at the end. */
static size_t next_word(const char **p)
{
	*p += strspn(*p, " ");
	return strcspn(*p, " ");
}

/* How a value is shown: "dfd", or "MAP", whose names SET then points to. */
static enum tr_arg_kind read_kind(const char *word, size_t len, const struct tr_flag_set **set)
{
	for (size_t i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++)
		if (kind_names[i] && strlen(kind_names[i]) == len &&
		    !memcmp(kind_names[i], word, len))
			return i;
	*set = tr_flags_find(word, len);
	return TR_ARG_FLAGS;
}

static void add_arg(struct tr_call *call, const char *word, size_t len)
{
	struct tr_call_arg *arg = &call->args[call->n_args];
	const char *colon = memchr(word, ':', len);

	arg->name = word;
	arg->len = colon ? colon - word : (ptrdiff_t)len;
	if (colon)
		arg->kind = read_kind(colon + 1, word + len - colon - 1, &arg->set);
	if (arg->kind == TR_ARG_PATH)
		call->path[call->path[0] >= 0] = call->n_args;
	call->n_args++;
}

static void set_args(struct tr_call *call, const char *p)
{
	const struct tr_flag_set *none;

	for (size_t len; (len = next_word(&p)); p += len)
		if (*p != '=') {
			add_arg(call, p, len);
		} else {
			p++;
			len = next_word(&p);
			call->ret = read_kind(p, len, &none);
		}
}

static bool has_descriptor(const struct tr_call *call)
{
	for (size_t i = 0; i < call->n_args; i++)
		if (call->args[i].kind == TR_ARG_FD || call->args[i].kind == TR_ARG_DIR_FD)
			return true;
	return call->ret == TR_ARG_FD;
}

static void take_apart(struct tr_call *call, const struct row *row)
{
	*call = (struct tr_call){.classes = row->classes, .path = {-1, -1}};
	set_args(call, row->args);
	if (call->path[0] >= 0)
		call->classes |= TR_CLASS_FILE;
	if (has_descriptor(call))
		call->classes |= TR_CLASS_DESC;
}

/* NULL when no row is about it. What a call is about is the same on every architecture. */
static struct tr_call *read_call(const struct tr_syscalls *calls, uint32_t code)
{
	char name[TR_SYSCALL_NAME_MAX], own_name[2 * TR_SYSCALL_NAME_MAX];
	const struct row *plain, *own;
	struct tr_call *call;
	char *colon;
	unsigned classes = 0;

	tr_syscall_name(calls, code, name);
	colon = strchr(name, ':');
	plain = find_row(colon ? colon + 1 : name);
	snprintf(own_name, sizeof(own_name), "%s:%s", tr_syscall_abi(calls, code),
		 colon ? colon + 1 : name);
	own = find_row(own_name);
	if (!plain && !own)
		return NULL;
	call = tr_xcalloc(1, sizeof(*call));
	if (plain) {
		take_apart(call, plain);
		classes = call->classes;
	}
	if (own)
		take_apart(call, own);
	call->classes |= classes;
	return call;
}

static struct known *known_of(const struct tr_syscalls *calls)
{
	struct known *known = all;

	while (known && known->calls != calls)
		known = known->next;
	if (!known) {
		known = tr_xcalloc(1, sizeof(*known));
		known->calls = calls;
		known->next = all;
		all = known;
	}
	return known;
}

const struct tr_call *tr_call_find(const struct tr_syscalls *calls, uint32_t code)
{
	struct known *known = all && all->calls == calls ? all : known_of(calls);
	uint32_t at = code * 0x9e3779b1U >> (32 - HASH_BITS);
	struct tr_call *call;

	for (; known->at[at].call; at = (at + 1) % (1 << HASH_BITS))
		if (known->at[at].code == code)
			return known->at[at].call;
	call = read_call(calls, code);
	/* There are fewer names than half the places. */
	if (call) {
		known->at[at].code = code;
		known->at[at].call = call;
	}
	return call;
}

unsigned tr_class_find(const char *name, size_t len)
{
	for (size_t i = 0; i < TR_N_CLASSES; i++)
		if (strlen(tr_class_names[i]) == len && !memcmp(name, tr_class_names[i], len))
			return 1U << i;
	return len == 7 && !memcmp(name, "network", 7) ? TR_CLASS_NET : 0;
}
