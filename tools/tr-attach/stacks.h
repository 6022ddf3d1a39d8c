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
#include "stack_text.h"

enum {
	STACK_MAX_FRAMES = 2 * TR_MAX_FRAMES,
	FRAME_MAX = 32, /* bytes of a frame without a name */
};

struct stacks {
	struct tr_stacks_config config;
	unsigned limit; /* frames that the kernel gives at most */
	struct tr_string frames[STACK_MAX_FRAMES];
	char texts[STACK_MAX_FRAMES][FRAME_MAX];
};

void stacks_open(struct stacks *stacks, const struct tr_stacks_config *config);

/*
 * Takes the stacks off RECORD, which has TR_HAS_STACK, and sets STACK, good until the next call.
 * What could not be taken is "[unknown]", a deeper one ends in TR_STACK_CUT.
 */
void stacks_take(struct stacks *stacks, struct order_record *record, struct tr_stack *stack);

#endif
