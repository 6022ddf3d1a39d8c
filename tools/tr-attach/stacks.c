/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks taken off records, and their frames named. */
#include "stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kallsyms.h"
#include "message.h"
#include "number.h"
#include "record.h"

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

void stacks_open(struct stacks *stacks, const struct settings *settings,
		 const struct targets *targets, unsigned cpus, uint32_t command)
{
	bool all = targets->config.all || !(settings->pids.n || settings->tids.n || command);
	int err;

	stacks->config = settings->stacks;
	stacks->limit = frames_of_kernel();
	if (!stacks->config.user)
		return;
	err = spaces_open(&stacks->spaces, cpus, all, targets_proc_is_ours());
	if (err)
		tr_note("--stacks: no names for processes that come and go: perf_event_open: %s",
			strerror(-err));
	for (size_t i = 0; i < settings->pids.n; i++)
		spaces_add(&stacks->spaces, settings->pids.ids[i]);
	for (size_t i = 0; i < settings->tids.n; i++)
		spaces_add(&stacks->spaces, targets_process_of(settings->tids.ids[i]));
	if (command)
		spaces_add(&stacks->spaces, command);
}

void stacks_release(struct stacks *stacks)
{
	spaces_release(&stacks->spaces);
	tr_symbols_release(&stacks->kernel);
}

void stacks_look(struct stacks *stacks, uint64_t limit, uint64_t needed)
{
	if (stacks->config.user)
		spaces_look(&stacks->spaces, limit, needed);
}

void stacks_tell(const struct stacks *stacks)
{
	const struct spaces *s = &stacks->spaces;

	if (s->refused)
		tr_note("--stacks: no room for %" PRIu64 " mappings of files; frames of them have "
			"no names",
			s->refused);
	if (s->missed)
		tr_note("--stacks: what processes mapped could not be followed %" PRIu64
			" times; frames may have no names",
			s->missed);
}

static void add_text(struct stacks *stacks, struct tr_stack *stack, const char *text)
{
	stacks->frames[stack->n++] = (struct tr_string){text, strlen(text)};
}

static struct tr_string hex(uint64_t address, char *text)
{
	return (struct tr_string){text, tr_hex_format(text, address)};
}

/* Whose stack it is, and when. */
struct moment {
	bool is_kernel;
	uint32_t pid;
	uint64_t time;
};

static struct tr_string kernel_name(struct stacks *stacks, uint64_t address, char *text)
{
	const struct tr_symbol *found;
	const char *name;

	if (!stacks->kernel_is_read)
		kallsyms_read(&stacks->kernel);
	stacks->kernel_is_read = true;
	found = tr_symbols_find(&stacks->kernel, address - 1);
	if (!found)
		return hex(address, text);
	name = tr_symbol_name(&stacks->kernel, found);
	return (struct tr_string){name, strlen(name)};
}

static struct tr_string name_of(struct stacks *stacks, const struct moment *moment,
				uint64_t address, char *text)
{
	struct tr_string name = {0};
	struct file *file;
	uint64_t offset;

	if (moment->is_kernel)
		return kernel_name(stacks, address, text);
	file = spaces_find(&stacks->spaces, moment->pid, moment->time, address, &offset);
	if (file)
		name = files_name(&stacks->spaces.files, file, offset, text);
	return name.bytes ? name : hex(address, text);
}

static uint64_t address_at(const unsigned char *addresses, size_t i)
{
	uint64_t address;

	memcpy(&address, addresses + i * sizeof(address), sizeof(address));
	return address;
}

/* How many of the innermost frames are there because our program looked. */
static size_t ours(struct stacks *stacks, const unsigned char *addresses, size_t n)
{
	char text[FILE_TEXT_MAX];
	size_t last = 0;

	for (size_t i = 0; i < n && i < 16; i++) {
		struct tr_string name = kernel_name(stacks, address_at(addresses, i), text);

		if (name.bytes != text && kallsyms_is_ours(name.bytes))
			last = i + 1;
	}
	return last;
}

/* N addresses, innermost first. As many as the kernel gives at most: there may have been more, and
 * one of them gives way to the mark. */
static void add_frames(struct stacks *stacks, struct tr_stack *stack, const struct moment *moment,
		       const unsigned char *addresses, size_t n)
{
	size_t skip = moment->is_kernel ? ours(stacks, addresses, n) : 0;

	if (n == skip) {
		add_text(stacks, stack, "[unknown]");
		return;
	}
	if (n >= stacks->limit) {
		add_text(stacks, stack, TR_STACK_CUT);
		n--;
	}
	while (n-- > skip) {
		uint64_t address = address_at(addresses, n);

		/* Nothing is there: a register that once was the end of the chain. */
		if (!address)
			continue;
		stacks->frames[stack->n] =
			name_of(stacks, moment, address, stacks->texts[stack->n]);
		stack->n++;
	}
}

static uint32_t pid_of(const struct order_record *record)
{
	const struct tr_kind *kind = tr_kind_builtin(record->header.kind);
	const struct tr_field *pid = kind ? tr_kind_field(kind, "pid", 3) : NULL;

	return pid ? tr_field_int(pid, record->body, 0) : 0;
}

void stacks_take(struct stacks *stacks, struct order_record *record, struct tr_stack *stack)
{
	const unsigned char *end = record->body + record->header.bytes;
	struct moment moment = {.pid = pid_of(record)};
	struct tr_stack_end ends;

	memcpy(&moment.time, record->body, sizeof(moment.time));
	memcpy(&ends, end - sizeof(ends), sizeof(ends));
	end -= sizeof(ends) + (ends.user + ends.kernel) * sizeof(uint64_t);
	record->header.bytes = end - record->body;
	record->header.flags &= ~TR_HAS_STACK;
	*stack = (struct tr_stack){.frames = stacks->frames};
	files_begin(&stacks->spaces.files);
	if (stacks->config.user)
		add_frames(stacks, stack, &moment, end, ends.user);
	moment.is_kernel = true;
	if (stacks->config.kernel)
		add_frames(stacks, stack, &moment, end + ends.user * sizeof(uint64_t), ends.kernel);
}
