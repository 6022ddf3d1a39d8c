/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks taken off records. */
#include "stacks.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

static unsigned frames_of_kernel(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
	unsigned limit = 0;

	if (file && fscanf(file, "%u", &limit) != 1)
		limit = 0;
	if (file)
		fclose(file);
	return limit && limit < TR_MAX_FRAMES ? limit : TR_MAX_FRAMES;
}

void stacks_open(struct stacks *stacks, const struct tr_stacks_config *config)
{
	stacks->config = *config;
	stacks->limit = frames_of_kernel();
}

static void add_text(struct stacks *stacks, struct tr_stack *stack, const char *text)
{
	stacks->frames[stack->n++] = (struct tr_string){text, strlen(text)};
}

static void add_address(struct stacks *stacks, struct tr_stack *stack, uint64_t address)
{
	char *text = stacks->texts[stack->n];

	stacks->frames[stack->n++] = (struct tr_string){text, tr_hex_format(text, address)};
}

/* N addresses, innermost first. As many as the kernel gives at most: there may have been more, and
 * one of them gives way to the mark. */
static void add_frames(struct stacks *stacks, struct tr_stack *stack,
		       const unsigned char *addresses, size_t n)
{
	if (!n) {
		add_text(stacks, stack, "[unknown]");
		return;
	}
	if (n >= stacks->limit) {
		add_text(stacks, stack, TR_STACK_CUT);
		n--;
	}
	while (n--) {
		uint64_t address;

		memcpy(&address, addresses + n * sizeof(address), sizeof(address));
		/* Nothing is there: a register that once was the end of the chain. */
		if (address)
			add_address(stacks, stack, address);
	}
}

void stacks_take(struct stacks *stacks, struct order_record *record, struct tr_stack *stack)
{
	const unsigned char *end = record->body + record->header.bytes;
	struct tr_stack_end ends;

	memcpy(&ends, end - sizeof(ends), sizeof(ends));
	end -= sizeof(ends) + (ends.user + ends.kernel) * sizeof(uint64_t);
	record->header.bytes = end - record->body;
	record->header.flags &= ~TR_HAS_STACK;
	*stack = (struct tr_stack){.frames = stacks->frames};
	if (stacks->config.user)
		add_frames(stacks, stack, end, ends.user);
	if (stacks->config.kernel)
		add_frames(stacks, stack, end + ends.user * sizeof(uint64_t), ends.kernel);
}
