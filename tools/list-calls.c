/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list-calls MACHINE: prints what is known of the system calls of a machine, as uname -m calls it,
 * a line each of
 *
 *	257	openat	file,desc	dfd filename flags mode
 *
 * with tabs between and "-" where there is nothing: number, name, classes, arguments; those of the
 * 32-bit ABI after the native ones. The Makefile keeps it in share/tracery/syscalls.
 */
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "message.h"

enum { N_NUMBERS = 1024 };

static void print_classes(unsigned classes)
{
	const char *before = "";

	for (unsigned i = 0; i < TR_N_CLASSES; i++)
		if (classes & 1U << i) {
			printf("%s%s", before, tr_class_names[i]);
			before = ",";
		}
	if (!classes)
		putchar('-');
}

static void print_args(const struct tr_call *call)
{
	for (unsigned i = 0; i < call->n_args; i++)
		printf("%s%.*s", i ? " " : "", call->args[i].len, call->args[i].name);
	if (!call->n_args)
		putchar('-');
}

/* Prints nothing for a number without a name. */
static void print_call(const struct tr_syscalls *calls, uint32_t code)
{
	static const struct tr_call unknown;
	const struct tr_call *call = tr_call_find(calls, code);
	char name[TR_SYSCALL_NAME_MAX];

	tr_syscall_name(calls, code, name);
	if (strstr(name, "syscall_"))
		return;
	printf("%d\t%s\t", tr_syscall_nr(code), name);
	print_classes(call ? call->classes : 0);
	putchar('\t');
	print_args(call ? call : &unknown);
	putchar('\n');
}

int main(int argc, char **argv)
{
	const struct tr_syscalls *calls = argc == 2 ? tr_syscalls_of(argv[1]) : NULL;

	tr_message_name("list-calls");
	if (!calls) {
		tr_error("which machine?");
		return TR_USAGE;
	}
	for (unsigned abi = TR_ABI_NATIVE; abi <= TR_ABI_32; abi++)
		for (unsigned nr = 0; nr < N_NUMBERS; nr++)
			print_call(calls, tr_syscall_code(abi, nr));
	return fflush(stdout) || ferror(stdout) ? TR_FAILED : TR_DONE;
}
