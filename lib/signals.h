/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ctrl-C for filters: the first SIGINT asks for the result, a second one quits at once, also where
 * a shell had SIGINT ignored.
 */
#ifndef TR_SIGNALS_H
#define TR_SIGNALS_H

#include <poll.h>
#include <stdbool.h>

void tr_signals_init(void);
/* SIGINT was received. */
bool tr_interrupted(void);
/*
 * poll() that a signal always ends: one that comes between a look at tr_interrupted() and this call
 * is not missed. TIMEOUT_MS as for poll(). Returns as poll() does; EINTR counts as 0.
 */
int tr_signals_poll(struct pollfd *fds, nfds_t n, int timeout_ms);

#endif
