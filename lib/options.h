/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines: a tool has one table of options, which is parsed with getopt_long and also prints
 * --help. --help and --version are handled here and stand in no table.
 */
#ifndef TR_OPTIONS_H
#define TR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct tr_option {
	char letter;          /* 0: it has no short form */
	const char *name;     /* without the dashes */
	const char *argument; /* NULL: takes none; "[=LIST]": may take one; "T": must */
	const char *sentence;
	/* Called for each use; ARGUMENT is NULL when none was given. Returns 0, or prints an error
	 * (tr_option_error) and returns -EINVAL. */
	int (*set)(void *settings, const char *argument);
};

struct tr_usage {
	const char *synopsis;            /* "tr-table [OPTION]... [FILE]..." */
	const char *sentence;            /* what the tool does */
	const struct tr_option *options; /* ends in a row without name */
	const char *examples;            /* lines shown at the end of --help, or NULL */
	bool stop_at_operand; /* what follows the first operand or -- belongs to someone else */
};

/*
 * Parses; operands are left in argv from *FIRST on. Returns -1 to go on, else the status to exit
 * with at once (0 after --help and --version, 2 after an error, which has been printed).
 */
int tr_options_parse(const struct tr_usage *usage, void *settings, int argc, char **argv,
		     int *first);

/*
 * Which of NAMES (N of them, NULL ones are skipped) ARGUMENT is, or -EINVAL after an error that
 * lists them.
 */
int tr_option_choose(const char *name, const char *argument, const char *const *names, size_t n);

/* "tr-table: --top 0: not a number from 1 up; see tr-table --help"; returns -EINVAL. */
int tr_option_error(const char *name, const char *argument, const char *why);

#endif
