/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way in by fentry: programs at the entry and the exit of the kernel's own functions of a few
 * system calls, so that whoever makes other calls pays nothing. What is loaded once is loaded again
 * for each further function, with the same maps.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lost.h"
#include "settings.h"

enum { MAX_FUNCTIONS = 64 };

enum function_side { FUNCTION_ENTRY, FUNCTION_EXIT, N_SIDES };

struct function {
	char name[64];
	uint32_t btf_id;
	bool returns;             /* else nobody comes to its exit; those are behind all others */
	int program_fds[N_SIDES]; /* 0: there is none; as the next one */
	int link_fds[N_SIDES];
};

struct functions {
	struct function list[MAX_FUNCTIONS];
	size_t n, n_returning;
	char why[128]; /* calls can't be traced so */
};

/*
 * Finds the functions of all calls that SETTINGS ask for, on every ABI that this kernel has. False:
 * it can't be done so, or, with FEW, is not worth it; WHY says the reason.
 */
bool functions_find(struct functions *functions, const struct settings *settings, bool few);

/*
 * Before the programs' object is loaded, and after that: they are made for these functions, the
 * one of the exit (NULL: not wanted) for those that return. Return 0 or -errno.
 */
int functions_aim(const struct functions *functions, struct bpf_program *entry,
		  struct bpf_program *exit);
int functions_load(struct functions *functions, const struct bpf_program *entry,
		   const struct bpf_program *exit, struct lost *lost);

/* Returns 0 or -errno; then it may be attached to some. */
int functions_attach(struct functions *functions, enum function_side side);
void functions_detach(struct functions *functions, enum function_side side);
/* Forgets the programs as well. Their object may be closed before or after that. */
void functions_release(struct functions *functions);

#endif
