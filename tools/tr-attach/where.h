/* SPDX-License-Identifier: GPL-2.0-only */
/* --where: expressions, tracery-expressions(7), made fit for the kernel. */
#ifndef WHERE_H
#define WHERE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/where_config.h"
#include "expr_program.h"

/* As given; all of them must hold. */
struct where {
	const char **texts;
	size_t n;
};

/* What binding has to know beside the text. */
struct where_use {
	bool at_entry; /* calls are tested when they are entered: --count */
	size_t n_targets;
	int64_t target_pid;
};

/* Keeps TEXT, which must last. */
void where_add(struct where *where, const char *text);
void where_release(struct where *where);

/* Fills CONFIG. Returns 0, or -EINVAL after saying what is wrong. */
int where_compile(const struct where *where, const struct where_use *use,
		  struct tr_where_config *config);

/*
 * Adds the steps of PROGRAM, which is bound to records of kind syscall_args, to CONFIG. Returns 0,
 * or -EINVAL with ERROR's `what` set: it is too much for the kernel.
 */
int where_lower(const struct tr_expr_program *program, struct tr_where_config *config,
		struct tr_expr_error *error);

#endif
