/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways in to system calls: which of them serves what is asked for and is worth it. For a list
 * of few calls that is fentry, where those who make other calls pay nothing; else all calls are
 * looked at, the cheapest way that this kernel has. bench/README.md has the figures.
 */
#ifndef WAYS_H
#define WAYS_H

#include "functions.h"
#include "kernel.h"
#include "settings.h"

/* The one that is taken. */
struct way_in {
	enum way way;
	struct functions functions; /* of WAY_FENTRY */
};

/* What costs least comes first, but whoever loses nothing before that. N is from 0 to N_WAYS - 1.
 */
enum way way_nth(int n);

/* Whether WAY_FENTRY serves what is asked for, and is worth it where it is not asked for by name.
 * Where it is, or with -v, says why not. OLD: the programs for kernels without task storage are
 * used. */
bool way_is_fit(struct way_in *in, const struct settings *settings, bool old);
/* Says in notes which way was taken. */
void way_say(const struct way_in *in, bool old);

/*
 * Attaches PROGRAM, or those that were made of it, to the side where calls begin or the one where
 * they end. Returns 0, NEXT_WAY when that way does not work after all, or a status after saying
 * why.
 */
enum { NEXT_WAY = -1 };
int way_attach(struct way_in *in, const struct settings *settings, struct links *links,
	       struct bpf_program *program, enum function_side side);

#endif
