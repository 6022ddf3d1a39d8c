/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines from a table: getopt_long does the walking, the table prints --help. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "text.h"

/* What getopt_long returns for the table's row I is FIRST_ROW + I. */
enum { HELP = 256, VERSION, FIRST_ROW };

/* The form that getopt_long wants. */
struct parser {
	const struct tr_usage *usage;
	struct option *longs;
	char *letters;
	size_t n; /* rows of the table */
};

static bool is_optional(const struct tr_option *option)
{
	return option->argument && option->argument[0] == '[';
}

int tr_option_error(const char *name, const char *argument, const char *why)
{
	const char *tool = tr_message_tool();

	tr_error("--%s%s%s: %s; see %s --help", name, argument ? " " : "", argument ? argument : "",
		 why, tool);
	return -EINVAL;
}

int tr_option_choose(const char *name, const char *argument, const char *const *names, size_t n)
{
	char why[256] = "not one of", *p = why + strlen(why);
	const char *separator = " ";

	for (size_t i = 0; i < n; i++) {
		if (!names[i])
			continue;
		if (!strcmp(argument, names[i]))
			return i;
		p += snprintf(p, why + sizeof(why) - p, "%s%s", separator, names[i]);
		separator = ", ";
	}
	return tr_option_error(name, argument, why);
}

static void parser_init(struct parser *parser, const struct tr_usage *usage)
{
	size_t n = 0;
	char *p;

	while (usage->options[n].name)
		n++;
	*parser = (struct parser){.usage = usage, .n = n};
	parser->longs = tr_xcalloc(n + 3, sizeof(*parser->longs));
	parser->letters = p = tr_xcalloc(n + 3, 3);
	if (usage->stop_at_operand)
		*p++ = '+';
	*p++ = ':'; /* tells a missing argument from an unknown option */
	for (size_t i = 0; i < n; i++) {
		const struct tr_option *o = &usage->options[i];
		int has = !o->argument     ? no_argument
			  : is_optional(o) ? optional_argument
					   : required_argument;

		parser->longs[i] = (struct option){o->name, has, NULL, FIRST_ROW + i};
		if (o->letter)
			p += sprintf(p, "%c%.*s", o->letter, has, "::");
	}
	parser->longs[n] = (struct option){"help", no_argument, NULL, HELP};
	parser->longs[n + 1] = (struct option){"version", no_argument, NULL, VERSION};
	strcpy(p, "hV");
}

static void parser_release(struct parser *parser)
{
	free(parser->longs);
	free(parser->letters);
}

/* The row of what getopt_long returned: the table's number or a letter. NULL for no row's. */
static const struct tr_option *row(const struct parser *parser, int c)
{
	for (size_t i = 0; i < parser->n; i++)
		if (c == (int)(FIRST_ROW + i) || (c && c == parser->usage->options[i].letter))
			return &parser->usage->options[i];
	return NULL;
}

/* One that is wider pushes its own sentence to the right, not those of the others. */
enum { WIDEST = 36 };

/* An option's left column in --help. */
static int column(char *text, size_t size, char letter, const char *name, const char *argument)
{
	char dash[] = "    ";
	const char *gap = argument && argument[0] != '[' ? " " : "";

	if (letter)
		sprintf(dash, "-%c, ", letter);
	return snprintf(text, size, "  %s--%s%s%s", dash, name, gap, argument ? argument : "");
}

static int help(const struct tr_usage *usage)
{
	static const struct tr_option common[] = {
		{.letter = 'h', .name = "help", .sentence = "print this help and exit"},
		{.letter = 'V', .name = "version", .sentence = "print the version and exit"},
		{0},
	};
	const struct tr_option *tables[] = {usage->options, common};
	int width = 0;
	char text[128];

	for (int i = 0; i < 2; i++)
		for (const struct tr_option *o = tables[i]; o->name; o++) {
			int n = column(text, sizeof(text), o->letter, o->name, o->argument);

			width = n > width && n <= WIDEST ? n : width;
		}
	printf("Usage: %s\n%s\n\nOptions:\n", usage->synopsis, usage->sentence);
	for (int i = 0; i < 2; i++)
		for (const struct tr_option *o = tables[i]; o->name; o++) {
			column(text, sizeof(text), o->letter, o->name, o->argument);
			printf("%-*s  %s\n", width, text, o->sentence);
		}
	if (usage->examples)
		printf("\nExamples:\n%s", usage->examples);
	return TR_DONE;
}

/* What was printed must have arrived. */
static int printed(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	tr_error("cannot write: %s", strerror(errno));
	return TR_FAILED;
}

/* The argument that named the long option which was just taken. */
static const char *long_option(char **argv)
{
	return optarg && optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1];
}

/* The name of TEXT, "--name" or "--name=V", is not in the table: is there one near? */
static int unknown_long(const struct parser *parser, const char *text)
{
	size_t len = strcspn(text + 2, "="), nearest = 3;
	const char *near = NULL, *tool = tr_message_tool();

	for (const struct option *o = parser->longs; o->name; o++) {
		size_t name_len = strlen(o->name);
		size_t d = tr_text_distance(text + 2, len, o->name, name_len);

		/* A beginning is what getopt_long would take; here it is only a hint. */
		if (len && len < name_len && !memcmp(text + 2, o->name, len))
			d = 0;
		if (d < nearest && d < name_len) {
			nearest = d;
			near = o->name;
		}
	}
	if (near)
		tr_error("unknown option --%.*s; did you mean --%s? see %s --help", (int)len,
			 text + 2, near, tool);
	else
		tr_error("unknown option --%.*s; see %s --help", (int)len, text + 2, tool);
	return TR_USAGE;
}

/* getopt_long returned '?' or ':'. */
static int complain(const struct parser *parser, int c, char **argv)
{
	const struct tr_option *option = row(parser, optopt);
	const char *name = option              ? option->name
			   : optopt == HELP    ? "help"
			   : optopt == VERSION ? "version"
					       : NULL;

	if (c == ':' && option)
		tr_error("--%s needs an argument: %s; see %s --help", name, option->argument,
			 tr_message_tool());
	else if (name)
		tr_option_error(name, NULL, "takes no argument");
	else if (optopt)
		tr_error("unknown option -%c; see %s --help", optopt, tr_message_tool());
	else
		return unknown_long(parser, argv[optind - 1]);
	return TR_USAGE;
}

/* One option; -1 to go on. */
static int take(const struct parser *parser, void *settings, int c, int index, char **argv)
{
	const struct tr_option *option;

	if (c == '?' || c == ':')
		return complain(parser, c, argv);
	if (index >= 0) {
		const char *text = long_option(argv);

		if (strcspn(text + 2, "=") != strlen(parser->longs[index].name))
			return unknown_long(parser, text);
	}
	if (c == 'h' || c == HELP)
		return printed(help(parser->usage));
	if (c == 'V' || c == VERSION) {
		printf("%s %s\n", tr_message_tool(), TR_VERSION);
		return printed(TR_DONE);
	}
	option = row(parser, c);
	return option->set(settings, optarg) ? TR_USAGE : -1;
}

int tr_options_parse(const struct tr_usage *usage, void *settings, int argc, char **argv,
		     int *first)
{
	struct parser parser;
	int status = -1;

	parser_init(&parser, usage);
	opterr = 0;
	optind = 0; /* begins anew, also the second time */
	while (status < 0) {
		int index = -1;
		int c = getopt_long(argc, argv, parser.letters, parser.longs, &index);

		if (c < 0)
			break;
		status = take(&parser, settings, c, index, argv);
	}
	*first = optind;
	parser_release(&parser);
	return status;
}
