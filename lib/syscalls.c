/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of system calls, from libseccomp. Each ABI's are fetched once, when the first of them is
 * wanted, into a flat table by number and a hash by name. Not for several threads.
 */
#include "syscalls.h"

#include <errno.h>
#include <limits.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "digits.h"
#include "message.h"
#include "text.h"

enum {
	N_NUMBERS = 1024, /* calls from 0 up */
	/* arm's own calls have numbers of their own, far up. */
	FIRST_PRIVATE = 0xf0000,
	N_PRIVATE = 8,
	HASH_BITS = 11,
	X32_BIT = 0x40000000, /* of the kernel's and libseccomp's numbers, not of ours */
};

struct name {
	char text[TR_SYSCALL_NAME_MAX]; /* with the ABI's prefix */
	uint8_t len;                    /* 0: it has none */
};

struct abi {
	uint32_t token;  /* libseccomp's, 0 where it knows none */
	char name[12];   /* "i386"; "" where it knows none */
	char prefix[12]; /* "i386:" */
	bool loaded;
	struct name names[N_NUMBERS + N_PRIVATE];
	uint16_t hash[1 << HASH_BITS]; /* places in names, plus 1; a clash goes to the next */
};

struct tr_syscalls {
	struct tr_syscalls *next;
	struct abi abis[TR_N_ABIS];
};

/* What libseccomp calls an architecture and its 32-bit ABI, where that is not what uname does. */
static const struct {
	const char *uname, *native, *abi_32, *prefix_32, *x32;
} arches[] = {
	{.uname = "x86_64",
	 .native = "x86_64",
	 .abi_32 = "x86",
	 .prefix_32 = "i386:",
	 .x32 = "x32"},
	{.uname = "aarch64", .native = "aarch64", .abi_32 = "arm", .prefix_32 = "arm:"},
	{.uname = "s390x", .native = "s390x", .abi_32 = "s390", .prefix_32 = "s390:"},
	{.uname = "ppc64", .native = "ppc64", .abi_32 = "ppc", .prefix_32 = "ppc:"},
	{.uname = "i386", .native = "x86"},
	{.uname = "i486", .native = "x86"},
	{.uname = "i586", .native = "x86"},
	{.uname = "i686", .native = "x86"},
	{.uname = "armv6l", .native = "arm"},
	{.uname = "armv7l", .native = "arm"},
	{.uname = "armv8l", .native = "arm"},
};

static struct tr_syscalls *all;

static uint32_t token_of(const char *name)
{
	return name ? seccomp_arch_resolve_name(name) : 0;
}

static void name_abi(struct abi *abi, const char *name)
{
	if (abi->token)
		snprintf(abi->name, sizeof(abi->name), "%s", strcmp(name, "x86") ? name : "i386");
}

/* Architectures are told apart by what is known of them: all unknown ones are the same. */
static struct tr_syscalls *syscalls_of_names(const char *native_name, const char *abi_32_name,
					     const char *prefix_32, const char *x32_name)
{
	uint32_t native = token_of(native_name), abi_32 = token_of(abi_32_name);
	struct tr_syscalls *calls = all;

	while (calls && calls->abis[TR_ABI_NATIVE].token != native)
		calls = calls->next;
	if (calls)
		return calls;
	calls = tr_xcalloc(1, sizeof(*calls));
	calls->abis[TR_ABI_NATIVE].token = native;
	calls->abis[TR_ABI_32].token = abi_32;
	calls->abis[TR_ABI_X32].token = token_of(x32_name);
	name_abi(&calls->abis[TR_ABI_NATIVE], native_name);
	name_abi(&calls->abis[TR_ABI_32], abi_32_name);
	name_abi(&calls->abis[TR_ABI_X32], x32_name);
	snprintf(calls->abis[TR_ABI_32].prefix, sizeof(calls->abis[TR_ABI_32].prefix), "%s",
		 abi_32 ? prefix_32 : "abi1:");
	strcpy(calls->abis[TR_ABI_X32].prefix, "x32:");
	calls->next = all;
	all = calls;
	return calls;
}

const struct tr_syscalls *tr_syscalls_of(const char *arch)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(arches[0]); i++)
		if (!strcmp(arch, arches[i].uname))
			return syscalls_of_names(arches[i].native, arches[i].abi_32,
						 arches[i].prefix_32, arches[i].x32);
	return syscalls_of_names(arch, NULL, NULL, NULL);
}

const struct tr_syscalls *tr_syscalls_native(void)
{
	static const struct tr_syscalls *native;
	struct utsname names;

	if (!native)
		native = tr_syscalls_of(uname(&names) ? "" : names.machine);
	return native;
}

const char *tr_syscall_abi(const struct tr_syscalls *calls, uint32_t code)
{
	return code >> 24 < TR_N_ABIS ? calls->abis[code >> 24].name : "";
}

bool tr_syscalls_are_ours(const struct tr_syscalls *calls)
{
	return calls->abis[TR_ABI_NATIVE].token == seccomp_arch_native();
}

static uint32_t hash_of(const char *name, size_t len)
{
	uint64_t first = 0, last = 0;
	size_t n = len < 8 ? len : 8;

	memcpy(&first, name, n);
	memcpy(&last, name + len - n, n);
	return (first + last * 31 + len) * 0x9e3779b97f4a7c15 >> (64 - HASH_BITS);
}

/* The place in names of a name without prefix, plus 1; or, at *EMPTY, where it belongs and 0. */
static unsigned look_up(const struct abi *abi, const char *name, size_t len, uint32_t *empty)
{
	size_t prefix = strlen(abi->prefix);
	uint32_t at = hash_of(name, len);

	for (unsigned i; (i = abi->hash[at]); at = (at + 1) % (1 << HASH_BITS)) {
		const struct name *known = &abi->names[i - 1];

		if (known->len == prefix + len && !memcmp(known->text + prefix, name, len))
			return i;
	}
	*empty = at;
	return 0;
}

static int32_t number_at(unsigned place)
{
	return place < N_NUMBERS ? place : FIRST_PRIVATE + place - N_NUMBERS;
}

/* The place in names of number NR, -1 where it can have none. */
static int place_of(int32_t nr)
{
	if (nr >= 0 && nr < N_NUMBERS)
		return nr;
	if (nr >= FIRST_PRIVATE && nr < FIRST_PRIVATE + N_PRIVATE)
		return nr - FIRST_PRIVATE + N_NUMBERS;
	return -1;
}

/* NAME is that of the call at PLACE, if a record can hold it and no other call has it. */
static void add_name(struct abi *abi, unsigned place, const char *name)
{
	struct name *own = &abi->names[place];
	size_t len = strlen(name);
	uint32_t at;

	if (!len || strlen(abi->prefix) + len >= sizeof(own->text) || strchr(name, ':') ||
	    !strncmp(name, "syscall_", 8) || look_up(abi, name, len, &at))
		return;
	own->len = sprintf(own->text, "%s%s", abi->prefix, name);
	abi->hash[at] = place + 1;
}

/* The tables are a cache, so that callers hold them const. */
static void load(const struct tr_syscalls *calls, unsigned which)
{
	struct abi *abi = &((struct tr_syscalls *)calls)->abis[which];

	if (abi->loaded)
		return;
	abi->loaded = true;
	for (unsigned i = 0; abi->token && i < N_NUMBERS + N_PRIVATE; i++) {
		int nr = number_at(i) | (which == TR_ABI_X32 ? X32_BIT : 0);
		char *name = seccomp_syscall_resolve_num_arch(abi->token, nr);

		if (name)
			add_name(abi, i, name);
		free(name);
	}
}

/* The rare ones: not loaded yet, without a name, of no ABI. */
static size_t name_slowly(const struct tr_syscalls *calls, uint32_t code, char *name)
{
	char other[] = "abi255:";
	const char *prefix = other;
	unsigned which = code >> 24;
	int32_t nr = tr_syscall_nr(code);
	int place = place_of(nr);
	char *end;

	if (which < TR_N_ABIS) {
		const struct abi *abi = &calls->abis[which];

		load(calls, which);
		prefix = abi->prefix;
		if (place >= 0 && abi->names[place].len) {
			memcpy(name, abi->names[place].text, TR_SYSCALL_NAME_MAX);
			return abi->names[place].len;
		}
	} else {
		snprintf(other, sizeof(other), "abi%u:", which);
	}
	end = stpcpy(stpcpy(name, prefix), "syscall_");
	end = nr == TR_SYSCALL_OUT_OF_RANGE ? stpcpy(end, "out_of_range") : tr_i64_put(end, nr);
	*end = 0;
	return end - name;
}

size_t tr_syscall_name(const struct tr_syscalls *calls, uint32_t code, char *name)
{
	unsigned which = code >> 24, nr = code & 0xffffff;

	if (which < TR_N_ABIS && nr < N_NUMBERS) {
		const struct name *known = &calls->abis[which].names[nr];

		if (known->len) {
			memcpy(name, known->text, TR_SYSCALL_NAME_MAX);
			return known->len;
		}
	}
	return name_slowly(calls, code, name);
}

/* Takes a decimal number as printf() writes it, all of TEXT; false for anything else and below MIN
 * or above MAX. */
static bool take_number(const char *text, size_t len, int32_t min, int32_t max, int32_t *number)
{
	bool negative = len && *text == '-';
	size_t i = negative;
	int32_t v = 0;

	if (len - i < 1 || len - i > 8 || (text[i] == '0' && len > 1))
		return false;
	for (; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		v = v * 10 + (text[i] - '0');
	}
	*number = negative ? -v : v;
	return *number >= min && *number <= max;
}

/* Cuts a prefix off the name and says which ABI it means; -1 for an unknown one. */
static int split_prefix(const struct tr_syscalls *calls, const char **name, size_t *len)
{
	const char *colon = memchr(*name, ':', *len);
	size_t n = colon ? colon + 1 - *name : 0; /* with the colon */
	int32_t other;

	if (!colon)
		return TR_ABI_NATIVE;
	for (int i = TR_ABI_32; i < TR_N_ABIS; i++)
		if (strlen(calls->abis[i].prefix) == n &&
		    !memcmp(calls->abis[i].prefix, *name, n)) {
			*name += n;
			*len -= n;
			return i;
		}
	if (n < 5 || memcmp(*name, "abi", 3) ||
	    !take_number(*name + 3, n - 4, TR_N_ABIS, UINT8_MAX, &other))
		return -1;
	*name += n;
	*len -= n;
	return other;
}

/* A name without prefix in one ABI. */
static int find_in(const struct tr_syscalls *calls, unsigned which, const char *name, size_t len,
		   uint32_t *code)
{
	static const char out_of_range[] = "syscall_out_of_range";
	unsigned place = 0;
	uint32_t at;
	int32_t nr;

	if (which < TR_N_ABIS) {
		load(calls, which);
		place = look_up(&calls->abis[which], name, len, &at);
	}
	if (place)
		nr = number_at(place - 1);
	else if (len == strlen(out_of_range) && !memcmp(name, out_of_range, len))
		nr = TR_SYSCALL_OUT_OF_RANGE;
	else if (len < 9 || memcmp(name, "syscall_", 8) ||
		 !take_number(name + 8, len - 8, -(1 << 23), (1 << 23) - 1, &nr))
		return -ENOENT;
	*code = tr_syscall_code(which, nr);
	return 0;
}

int tr_syscall_find(const struct tr_syscalls *calls, const char *name, size_t len, uint32_t *code)
{
	int which = split_prefix(calls, &name, &len);

	return which < 0 ? -ENOENT : find_in(calls, which, name, len, code);
}

size_t tr_syscall_select(const struct tr_syscalls *calls, const char *name, size_t len,
			 uint32_t *codes)
{
	size_t n = 0;

	if (memchr(name, ':', len))
		return !tr_syscall_find(calls, name, len, codes);
	for (unsigned i = 0; i < TR_N_ABIS; i++)
		if (i == TR_ABI_NATIVE || calls->abis[i].token)
			n += !find_in(calls, i, name, len, &codes[n]);
	return n;
}

const char *tr_syscall_nearest(const struct tr_syscalls *calls, const char *name, size_t len)
{
	int which = split_prefix(calls, &name, &len);
	const char *nearest = NULL;
	const struct abi *abi;
	size_t best = 3, prefix;

	if (which < 0 || which >= TR_N_ABIS)
		return NULL;
	load(calls, which);
	abi = &calls->abis[which];
	prefix = strlen(abi->prefix);
	for (size_t i = 0; i < N_NUMBERS + N_PRIVATE; i++) {
		const struct name *known = &abi->names[i];
		size_t d;

		if (!known->len)
			continue;
		d = tr_text_distance(name, len, known->text + prefix, known->len - prefix);
		if (d < best && d < known->len - prefix) {
			best = d;
			nearest = known->text;
		}
	}
	return nearest;
}
