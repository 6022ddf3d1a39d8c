/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's functions. */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include "symbols.h"

/* Reads them, with those of modules and BPF programs, into SYMBOLS, which is empty. None when the
 * kernel does not tell their addresses. */
void kallsyms_read(struct tr_symbols *symbols);

/* Whether a frame of that name is part of how a program of ours was called. */
bool kallsyms_is_ours(const char *name);

#endif
