/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/kallsyms: a line is an address, a letter that says what is there, a name. */
#include "kallsyms.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

/* "ffffffff81000000 T _text\tmodule", with its newline. */
static void add_line(struct tr_symbols *symbols, char *line)
{
	char *rest, *name;
	uint64_t address = strtoull(line, &rest, 16);

	if (!address || rest[0] != ' ' || !rest[1] || !strchr("tTwW", rest[1]) || rest[2] != ' ')
		return;
	name = rest + 3;
	name[strcspn(name, " \t\n")] = 0;
	tr_symbols_add(symbols, address, 0, name,
		       rest[1] == 'T' ? TR_SYMBOL_GLOBAL : TR_SYMBOL_LOCAL);
}

void kallsyms_read(struct tr_symbols *symbols)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return;
	while (getline(&line, &size, file) > 0)
		add_line(symbols, line);
	free(line);
	fclose(file);
	tr_symbols_sort(symbols);
}

bool kallsyms_is_ours(const char *name)
{
	static const char *const patterns[] = {
		"bpf_prog_*",     "bpf_get_stack*",   "bpf_trace_run*",  "__bpf_trace_*",
		"__traceiter_*",  "bpf_trampoline_*", "trace_call_bpf*", "perf_trace_*",
		"perf_syscall_*", "perf_call_bpf_*",
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (!fnmatch(patterns[i], name, 0))
			return true;
	return false;
}
