/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline that tr-attach stands in, for --all to leave out: tracing those who read the trace
 * would feed on itself.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>
#include <stdint.h>

enum { PIPELINE_MAX = 64 };

/* Our own process, then who reads our stdout, who reads theirs, and so on. Returns how many. */
size_t pipeline_find(uint32_t pids[PIPELINE_MAX]);

#endif
