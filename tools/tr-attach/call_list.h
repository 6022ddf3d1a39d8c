/* SPDX-License-Identifier: GPL-2.0-only */
/* The LIST of --syscalls and --count: names and %classes, and !names to leave out. */
#ifndef CALL_LIST_H
#define CALL_LIST_H

#include <linux/types.h>

#include "../../bpf/config.h"

/*
 * Adds ARGUMENT, "read,%net" or "!close", to LIST; NULL means every call. Returns 0, or -EINVAL
 * after saying what is wrong with --NAME.
 */
int call_list_parse(struct tr_call_list *list, const char *name, const char *argument);

#endif
