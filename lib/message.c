/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tool says on stderr, and allocation that ends it. A message is one write(), so that the
 * lines of a pipeline's programs do not run into each other.
 */
#include "message.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

enum { MAX_MESSAGE = 2048 }; /* bytes before escaping; a longer one ends in "..." */

static const char *tool_name = "tracery";
static bool quiet_notes;

void tr_message_name(const char *tool)
{
	tool_name = tool;
}

const char *tr_message_tool(void)
{
	return tool_name;
}

void tr_message_quiet(bool quiet)
{
	quiet_notes = quiet;
}

static void say(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
static void say(const char *format, va_list args)
{
	char plain[MAX_MESSAGE], line[4 * MAX_MESSAGE + 1], *end;
	int start, n;

	start = snprintf(plain, sizeof(plain), "%.64s: ", tool_name);
	n = vsnprintf(plain + start, sizeof(plain) - start, format, args);
	n = n < 0 ? start : start + n;
	if (n >= (int)sizeof(plain)) {
		n = sizeof(plain) - 1;
		memcpy(plain + n - 3, "...", 3);
	}
	end = tr_text_terminal(line, plain, n, 1);
	*end++ = '\n';
	/* Nothing can be done, or said, when this fails. */
	if (write(STDERR_FILENO, line, end - line) < 0)
		return;
}

void tr_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void tr_note(const char *format, ...)
{
	va_list args;

	if (quiet_notes)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

static void *or_die(void *p)
{
	if (p)
		return p;
	tr_error("out of memory");
	exit(TR_FAILED);
}

void *tr_xmalloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *tr_xcalloc(size_t n, size_t size)
{
	return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *tr_xrealloc(void *p, size_t size)
{
	return or_die(realloc(p, size ? size : 1));
}

char *tr_xstrdup(const char *s)
{
	return or_die(strdup(s));
}

char *tr_xstrndup(const char *s, size_t n)
{
	return or_die(strndup(s, n));
}
