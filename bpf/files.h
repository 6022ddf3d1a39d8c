/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process has open. */
#ifndef TR_FILES_H
#define TR_FILES_H

#include "task.h"

/* The file behind FD; NULL: there is none any more. */
static __always_inline struct file *file_of(struct task_struct *task, __s64 fd)
{
	struct fdtable *table = READ(task, files, fdt);
	struct file **files = READ(table, fd), *file = NULL;

	if (fd >= 0 && fd < READ(table, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), &files[fd]);
	return file;
}

#endif
