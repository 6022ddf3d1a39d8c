/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds functions in the kernel's BTF, and makes programs for them of one that is loaded. */
#include "functions.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call_function.h"
#include "tally.h"

/*
 * How many are few. Each costs some 10 ms to attach and, as the kernel waits for whoever may be in
 * the code that it takes away, up to 130 ms to detach.
 */
enum { FEW_FUNCTIONS = 8 };

static const enum bpf_attach_type attach_types[N_SIDES] = {
	[FUNCTION_ENTRY] = BPF_TRACE_FENTRY,
	[FUNCTION_EXIT] = BPF_TRACE_FEXIT,
};

/* A call that is asked for. */
struct wanted {
	uint32_t code;
	bool found;
};

struct search {
	struct functions *functions;
	struct wanted calls[MAX_FUNCTIONS];
	size_t n;
	bool abis[TR_N_ABIS]; /* the kernel has them */
};

/* Returns false, for the caller to return. */
static bool no(struct functions *f, const char *why)
{
	snprintf(f->why, sizeof(f->why), "%s", why);
	return false;
}

static bool no_function(struct functions *f, uint32_t code)
{
	char name[TR_SYSCALL_NAME_MAX];

	tr_syscall_name(tr_syscalls_native(), code, name);
	snprintf(f->why, sizeof(f->why), "%s has no function of its own in this kernel", name);
	return false;
}

/* A kernel that refuses says so before it looks at what it is to load. */
static bool is_permitted(void)
{
	const struct bpf_insn end = {.code = BPF_JMP | BPF_EXIT};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", &end, 1, &opts);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != EPERM;
}

/* Adds the calls of a list to those that are searched for. */
static bool add_list(struct search *s, const struct tr_call_list *list)
{
	if (list->choice == TR_CALLS_NONE)
		return true;
	if (list->choice == TR_CALLS_ALL || list->odd_default)
		return no(s->functions, "it is for a list of few system calls");
	if (list->n_odd)
		return no_function(s->functions, list->odd[0]);
	for (uint32_t row = 0; row < TR_N_ROWS; row++) {
		uint32_t code = tally_row_code(row);
		size_t i = 0;

		if (!(list->rows[row / 64] >> row % 64 & 1))
			continue;
		while (i < s->n && s->calls[i].code != code)
			i++;
		if (i == MAX_FUNCTIONS)
			return no(s->functions, "these are too many system calls for it");
		if (i == s->n)
			s->calls[s->n++] = (struct wanted){.code = code};
	}
	return true;
}

static bool add_lists(struct search *s, const struct settings *settings)
{
	return add_list(s, &settings->stream) && add_list(s, &settings->count) &&
	       add_list(s, &settings->summary) && add_list(s, &settings->latency);
}

/* TYPE is a function whose only argument is a pointer to the registers. */
static bool takes_registers(const struct btf *btf, const struct btf_type *type)
{
	const struct btf_type *prototype = btf__type_by_id(btf, type->type);
	const struct btf_type *argument;

	if (btf_vlen(prototype) != 1)
		return false;
	argument = btf__type_by_id(btf, btf_params(prototype)->type);
	if (!btf_is_ptr(argument))
		return false;
	do
		argument = btf__type_by_id(btf, argument->type);
	while (btf_is_const(argument));
	return btf_is_struct(argument) &&
	       !strcmp(btf__name_by_offset(btf, argument->name_off), "pt_regs");
}

/* exit and exit_group, at whose exit newer kernels take no program. */
static bool never_returns(const char *function)
{
	return strstr(function, "sys_exit") != NULL;
}

/* In front are those that return. */
static void put_function(struct functions *f, const char *name, uint32_t btf_id)
{
	struct function new = {.btf_id = btf_id, .returns = !never_returns(name)};
	size_t at = new.returns ? f->n_returning++ : f->n;

	snprintf(new.name, sizeof(new.name), "%s", name);
	f->list[f->n++] = f->list[at];
	f->list[at] = new;
}

/* The function NAME is there: it is some wanted call's, or not. False: one too many. */
static bool add_function(struct search *s, const char *name, uint32_t btf_id)
{
	struct functions *f = s->functions;
	bool wanted = false;

	for (size_t i = 0; i < s->n; i++)
		if (tr_call_has_function(tr_syscalls_native(), s->calls[i].code, name))
			wanted = s->calls[i].found = true;
	/* BTF may have a weak one several times. */
	for (size_t i = 0; i < f->n && wanted; i++)
		if (!strcmp(f->list[i].name, name))
			wanted = false;
	if (!wanted)
		return true;
	if (f->n == MAX_FUNCTIONS)
		return no(f, "the functions of these system calls are too many");
	put_function(f, name, btf_id);
	return true;
}

static bool search(struct search *s, const struct btf *btf)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, type->name_off);
		int abi;

		if (!btf_is_func(type) || name[0] != '_' || name[1] != '_')
			continue;
		abi = tr_function_abi(name);
		if (abi >= 0)
			s->abis[abi] = true;
		if (takes_registers(btf, type) && !add_function(s, name, id))
			return false;
	}
	for (size_t i = 0; i < s->n; i++)
		if (!s->calls[i].found && s->abis[s->calls[i].code >> 24])
			return no_function(s->functions, s->calls[i].code);
	return s->functions->n || no(s->functions, "this kernel has none of the system calls");
}

bool functions_find(struct functions *f, const struct settings *settings, bool few)
{
	struct search s = {.functions = f};
	struct btf *btf;
	bool all;

	if (!add_lists(&s, settings))
		return false;
	if (!is_permitted())
		return no(f, "this kernel does not permit it");
	btf = btf__load_vmlinux_btf();
	if (!btf)
		return no(f, strerror(errno));
	all = search(&s, btf);
	btf__free(btf);
	if (all && few && f->n > FEW_FUNCTIONS)
		return no(f, "for so many system calls it takes long to attach and detach");
	return all;
}

int functions_aim(const struct functions *f, struct bpf_program *entry, struct bpf_program *exit)
{
	int err = bpf_program__set_attach_target(entry, 0, f->list[0].name);

	return err || !exit ? err : bpf_program__set_attach_target(exit, 0, f->list[0].name);
}

/* The program is aimed at the first function; for others it is loaded once more. */
static int load_for(const struct functions *f, size_t i, enum function_side side,
		    const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_types[side],
		    .attach_btf_id = f->list[i].btf_id);
	int fd;

	if (i == 0)
		fd = fcntl(bpf_program__fd(program), F_DUPFD_CLOEXEC, 0);
	else
		fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, bpf_program__name(program), "GPL",
				   bpf_program__insns(program), bpf_program__insn_cnt(program),
				   &opts);
	return fd < 0 ? -errno : fd;
}

static int load_side(struct functions *f, enum function_side side,
		     const struct bpf_program *program, struct lost *lost)
{
	for (size_t i = 0; program && i < f->n; i++) {
		struct function *function = &f->list[i];
		int fd;

		if (side == FUNCTION_EXIT && !function->returns)
			continue;
		fd = load_for(f, i, side, program);
		if (fd < 0)
			return fd;
		function->program_fds[side] = fd;
		if (i > 0)
			lost_watch(lost, fd);
	}
	return 0;
}

int functions_load(struct functions *f, const struct bpf_program *entry,
		   const struct bpf_program *exit, struct lost *lost)
{
	int err = load_side(f, FUNCTION_ENTRY, entry, lost);

	return err ? err : load_side(f, FUNCTION_EXIT, exit, lost);
}

int functions_attach(struct functions *f, enum function_side side)
{
	for (size_t i = 0; i < f->n; i++) {
		int program = f->list[i].program_fds[side], link;

		if (!program)
			continue;
		link = bpf_raw_tracepoint_open(NULL, program);
		if (link < 0)
			return -errno;
		f->list[i].link_fds[side] = link;
	}
	return 0;
}

void functions_detach(struct functions *f, enum function_side side)
{
	for (size_t i = 0; i < f->n; i++) {
		int *link = &f->list[i].link_fds[side];

		if (*link)
			close(*link);
		*link = 0;
	}
}

void functions_release(struct functions *f)
{
	for (enum function_side side = 0; side < N_SIDES; side++) {
		functions_detach(f, side);
		for (size_t i = 0; i < f->n; i++)
			if (f->list[i].program_fds[side])
				close(f->list[i].program_fds[side]);
	}
	*f = (struct functions){0};
}
