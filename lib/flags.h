/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants of the system's headers by name: sets of them, which lib/flags.def describes and the
 * build fills. They are those of the architecture that this is built for.
 */
#ifndef TR_FLAGS_H
#define TR_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_flag {
	const char *name; /* NULL after the last one */
	uint32_t value;
};

/* How what has no name is shown. */
enum tr_rest { TR_REST_HEX, TR_REST_DEC, TR_REST_OCT };

struct tr_flag_set {
	const char *name;
	const struct tr_flag *flags;
	bool any;          /* a value is several of them together */
	uint8_t rest;      /* enum tr_rest */
	uint32_t masks[2]; /* bits that are one name's together; 0: none */
};

/* Each group's sets; one without a name comes after the last. */
extern const struct tr_flag_set tr_flags_kernel[], tr_flags_libc[];

/* The set of that name, or NULL. */
const struct tr_flag_set *tr_flags_find(const char *name, size_t len);

/*
 * Writes VALUE by names, "O_RDONLY|O_CLOEXEC|0x80000000", and returns the end; no zero byte. What
 * stands between the bars makes up VALUE (of a set that is not `any`, VALUE's low 32 bits).
 */
enum { TR_FLAGS_MAX = 1024 };
char *tr_flags_write(char *p, const struct tr_flag_set *set, uint64_t value);

#endif
