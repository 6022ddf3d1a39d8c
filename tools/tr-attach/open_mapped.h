/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening a file that a stranger's process has mapped. */
#ifndef OPEN_MAPPED_H
#define OPEN_MAPPED_H

#include "files.h"

/*
 * Opens for reading the file ID that is mapped as WHERE says, by the mapping itself or by PATH as
 * the process or one that it descends from sees it, or we do. Only if it is that very file, a
 * regular one, and on no file system that a stranger could answer for. Returns a descriptor or -1.
 */
int open_mapped(const struct file_id *id, const char *path, const struct file_where *where);

#endif
