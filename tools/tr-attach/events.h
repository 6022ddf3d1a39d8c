/* SPDX-License-Identifier: GPL-2.0-only */
/* --events: which kinds of records, by name. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdint.h>

/* Adds the kinds of ARGUMENT, "sched,fork", to KINDS: bit N is kind N. Returns 0, or what
 * tr_option_error() does after saying what is wrong. */
int events_parse(uint64_t *kinds, const char *argument);

#endif
