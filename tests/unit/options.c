/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines: what is taken, what is said about the others, and the help made from the table. */
#include "options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "message.h"

/* What the setters saw: "top=3 syscalls quiet ". */
static char seen[256];

static void note(const char *name, const char *argument)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s%s%s ", name, argument ? "=" : "",
		 argument ? argument : "");
}

static int set_top(void *settings, const char *argument)
{
	(void)settings;
	if (!strcmp(argument, "0"))
		return tr_option_error("top", argument, "not a number from 1 up");
	note("top", argument);
	return 0;
}

static int set_syscalls(void *settings, const char *argument)
{
	(void)settings;
	note("syscalls", argument);
	return 0;
}

static int set_quiet(void *settings, const char *argument)
{
	(void)settings;
	note("quiet", argument);
	return 0;
}

static const struct tr_option options[] = {
	{'n', "top", "N", "show N rows", set_top},
	{0, "syscalls", "[=LIST]", "each call", set_syscalls},
	{'q', "quiet", NULL, "no notes", set_quiet},
	{0},
};

static const char help[] = "Usage: tr-x [OPTION]... [FILE]...\n"
			   "Does x.\n"
			   "\n"
			   "Options:\n"
			   "  -n, --top N            show N rows\n"
			   "      --syscalls[=LIST]  each call\n"
			   "  -q, --quiet            no notes\n"
			   "  -h, --help             print this help and exit\n"
			   "  -V, --version          print the version and exit\n"
			   "\n"
			   "Examples:\n"
			   "  tr-x a.trc\n";

/* Parses a command line of words that spaces part; what is printed goes to PRINTED. Returns the
 * status, and the operands in seen. */
static int parse(const char *line, bool stop_at_operand, char *printed, size_t size)
{
	const struct tr_usage usage = {
		.synopsis = "tr-x [OPTION]... [FILE]...",
		.sentence = "Does x.",
		.options = options,
		.examples = "  tr-x a.trc\n",
		.stop_at_operand = stop_at_operand,
	};
	char *copy = strdup(line), *argv[16] = {copy}, *save;
	int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)}, fds[2], argc = 0, first, status;
	ssize_t n;

	for (char *p = strtok_r(copy, " ", &save); p; p = strtok_r(NULL, " ", &save))
		argv[argc++] = p;
	argv[argc] = NULL;
	seen[0] = 0;
	fflush(stdout);
	if (pipe2(fds, O_NONBLOCK))
		exit(1);
	dup2(fds[1], STDOUT_FILENO);
	dup2(fds[1], STDERR_FILENO);
	status = tr_options_parse(&usage, NULL, argc, argv, &first);
	fflush(stdout);
	dup2(saved[0], STDOUT_FILENO);
	dup2(saved[1], STDERR_FILENO);
	n = read(fds[0], printed, size - 1);
	printed[n > 0 ? n : 0] = 0;
	for (; status < 0 && first < argc; first++)
		note(argv[first], NULL);
	close(fds[0]);
	close(fds[1]);
	close(saved[0]);
	close(saved[1]);
	free(copy);
	return status;
}

static void check_lines(void)
{
	static const struct {
		const char *line;
		bool stop;
		int status;
		const char *text; /* what was taken, or printed */
	} rows[] = {
		{"tr-x", false, -1, ""},
		{"tr-x a -n 3 b --quiet", false, -1, "top=3 quiet a b "},
		{"tr-x -qn3 --top=4 --top 5", false, -1, "quiet top=3 top=4 top=5 "},
		{"tr-x --syscalls --syscalls=read a", false, -1, "syscalls syscalls=read a "},
		{"tr-x --syscalls read", false, -1, "syscalls read "},
		{"tr-x - -- -q", false, -1, "- -q "},
		{"tr-x -q a -q", true, -1, "quiet a -q "},
		{"tr-x -q -- -q", true, -1, "quiet -q "},
		{"tr-x --version", false, 0, "tr-x " TR_VERSION "\n"},
		{"tr-x -V --bad", false, 0, "tr-x " TR_VERSION "\n"},
		{"tr-x --help", false, 0, help},
		{"tr-x -qh", false, 0, help},
		{"tr-x --top 0", false, 2,
		 "tr-x: --top 0: not a number from 1 up; see tr-x --help\n"},
		{"tr-x -n", false, 2, "tr-x: --top needs an argument: N; see tr-x --help\n"},
		{"tr-x --top", false, 2, "tr-x: --top needs an argument: N; see tr-x --help\n"},
		{"tr-x --quiet=1", false, 2, "tr-x: --quiet: takes no argument; see tr-x --help\n"},
		{"tr-x --help=1", false, 2, "tr-x: --help: takes no argument; see tr-x --help\n"},
		{"tr-x -x", false, 2, "tr-x: unknown option -x; see tr-x --help\n"},
		{"tr-x -\x1b", false, 2, "tr-x: unknown option -\\x1b; see tr-x --help\n"},
		{"tr-x --zebra", false, 2, "tr-x: unknown option --zebra; see tr-x --help\n"},
		{"tr-x --quite", false, 2,
		 "tr-x: unknown option --quite; did you mean --quiet? see tr-x --help\n"},
		/* Beginnings are not taken. */
		{"tr-x --qui", false, 2,
		 "tr-x: unknown option --qui; did you mean --quiet? see tr-x --help\n"},
		{"tr-x --to 3", false, 2,
		 "tr-x: unknown option --to; did you mean --top? see tr-x --help\n"},
		{"tr-x --to=3", false, 2,
		 "tr-x: unknown option --to; did you mean --top? see tr-x --help\n"},
		{"tr-x --sys=read", false, 2,
		 "tr-x: unknown option --sys; did you mean --syscalls? see tr-x --help\n"},
		{"tr-x --hel", false, 2,
		 "tr-x: unknown option --hel; did you mean --help? see tr-x --help\n"},
	};
	char printed[2048];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int status = parse(rows[i].line, rows[i].stop, printed, sizeof(printed));

		CHECK_INT(status, rows[i].status);
		CHECK_TEXT(status < 0 ? seen : printed, rows[i].text);
		if (status < 0)
			CHECK_TEXT(printed, "");
	}
}

int main(void)
{
	tr_message_name("tr-x");
	check_lines();
	return check_status();
}
