/* SPDX-License-Identifier: GPL-2.0-only */
/* --stacks: what stands behind a record as bpf/stacks.h put it there, as names of frames. */
#ifndef STACKS_H
#define STACKS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "order.h"
#include "settings.h"
#include "spaces.h"
#include "stack_text.h"
#include "targets.h"

enum { STACK_MAX_FRAMES = 2 * TR_MAX_FRAMES };

struct stacks {
	struct tr_stacks_config config;
	unsigned limit; /* frames that the kernel gives at most */
	struct spaces spaces;
	struct tr_symbols kernel; /* read when the first frame of it comes */
	bool kernel_is_read;
	struct tr_string frames[STACK_MAX_FRAMES];
	char texts[STACK_MAX_FRAMES][FILE_TEXT_MAX]; /* of those without a name */
};

/* Before programs are attached: what the targets have mapped, and from now on map, is noted. CPUS
 * processors, COMMAND as for targets_open(). A zeroed one can be released. */
void stacks_open(struct stacks *stacks, const struct settings *settings,
		 const struct targets *targets, unsigned cpus, uint32_t command);
void stacks_release(struct stacks *stacks);

/* Takes in what has happened up to LIMIT; no record from before NEEDED comes any more. The kernel's
 * times. */
void stacks_look(struct stacks *stacks, uint64_t limit, uint64_t needed);
/* Says what kept frames from having names. */
void stacks_tell(const struct stacks *stacks);

/*
 * Takes the stacks off RECORD, which has TR_HAS_STACK, and sets STACK, good until the next call.
 * What could not be taken is "[unknown]", a deeper one ends in TR_STACK_CUT.
 */
void stacks_take(struct stacks *stacks, struct order_record *record, struct tr_stack *stack);

#endif
