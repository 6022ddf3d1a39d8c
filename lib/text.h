/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes from elsewhere, made safe to show and to write. */
#ifndef TR_TEXT_H
#define TR_TEXT_H

#include <stddef.h>

/*
 * For JSON, without the quotes: escapes what JSON needs escaped, and each byte that is no part of
 * valid UTF-8 as \udcXX. Writes at most 6 * LEN bytes at OUT, no zero byte; returns the end.
 */
char *tr_text_json(char *out, const char *text, size_t len);

/*
 * For a terminal or a table's cell: control characters (C0, DEL, C1) as \n, \t or \xNN, bytes that
 * are no UTF-8 as \xNN, backslash doubled only where KEEP_BACKSLASH is 0. At most 4 * LEN bytes, no
 * zero byte; returns the end.
 */
char *tr_text_terminal(char *out, const char *text, size_t len, int keep_backslash);

/* Columns that UTF-8 text takes on a terminal: wide characters count 2, combining ones 0. */
size_t tr_text_width(const char *text, size_t len);

/* Bytes of the valid UTF-8 character at TEXT, 0 when there is none (LEN is at least 1). */
size_t tr_utf8_length(const char *text, size_t len);

#endif
