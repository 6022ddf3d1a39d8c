/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Error numbers by name. Filters show the virtual field `errno` with them: every record with a
 * result has it (tr_kind_errno(), tr_object_errno()).
 */
#ifndef TR_ERRNO_NAME_H
#define TR_ERRNO_NAME_H

#include <stddef.h>

enum { TR_ERRNO_NAME_MAX = 48 }; /* bytes that hold any name, with its zero byte */

/* Writes "ENOENT", or the number where it has no name, and returns its length. */
size_t tr_errno_name(int number, char *name);
/* The number of a name as above, or of another name that C has for it. 0: there is none. */
int tr_errno_find(const char *name, size_t len);

#endif
