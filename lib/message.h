/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tool says to its user, all of it on stderr, one line each: "tr-table: WHERE: WHAT". Text
 * from a stream or a command line is made safe for a terminal first.
 */
#ifndef TR_MESSAGE_H
#define TR_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of every tool. */
enum tr_status {
	TR_DONE = 0,
	TR_FAILED = 1,
	TR_USAGE = 2,
	TR_CANNOT = 3, /* not permitted or not supported here */
};

/* The name that messages begin with; call first. */
void tr_message_name(const char *tool);
const char *tr_message_tool(void);
/* Silences tr_note() (-q). */
void tr_message_quiet(bool quiet);

/* Something that failed: always shown. */
void tr_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something to know that is no failure: not shown after tr_message_quiet(). */
void tr_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* malloc and friends that end the program with a message, status 1, when memory is out. */
void *tr_xmalloc(size_t size);
void *tr_xcalloc(size_t n, size_t size);
void *tr_xrealloc(void *p, size_t size);
char *tr_xstrdup(const char *s);
char *tr_xstrndup(const char *s, size_t n);

#endif
