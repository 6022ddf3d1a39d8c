/* SPDX-License-Identifier: GPL-2.0-only */
/* Capabilities: which ones tracing takes, and giving up the others once it runs. */
#ifndef CAPS_H
#define CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAP_BIT(cap) (1ULL << (cap))

/* "CAP_BPF and CAP_PERFMON" as far as they are missing here; NULL when none is. TEXT holds 64. */
const char *caps_missing(char *text);

/* Keeps only those of KEEP that we have. Returns 0 or -errno. */
int caps_drop(uint64_t keep);

/* The names of what we have, "none" when nothing. TEXT is SIZE bytes. */
void caps_names(char *text, size_t size);

#endif
