/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for the time of a record. Whoever comes late, as from a live trace, does not wait. */
#include "pace.h"

#include <limits.h>
#include <time.h>

#include "signals.h"

enum { MS_NS = 1000000 };

static int64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool pace_wait(struct pace *pace, bool live, const struct tr_part *part, uint64_t ts, bool first)
{
	int64_t moment = moment_of(part, ts), due;

	if (!pace->begun || (first && !pace->one_line)) {
		pace->begun = true;
		pace->moment = moment;
		pace->clock_ns = pace->now_ns = clock_now();
	}
	if (__builtin_sub_overflow(moment, pace->moment, &due) ||
	    __builtin_add_overflow(due, pace->clock_ns, &due))
		due = moment < pace->moment ? INT64_MIN : INT64_MAX;
	while (due > pace->now_ns && !pace->over) {
		struct pollfd fd = {.fd = pace->out->fd};
		int64_t ms;

		pace->now_ns = clock_now();
		if (due <= pace->now_ns)
			break;
		pace->over = tr_interrupted() && live;
		if (tr_out_flush(pace->out) < 0 || (tr_interrupted() && !live))
			return false;
		if (pace->over)
			break;
		ms = (due - pace->now_ns + MS_NS - 1) / MS_NS;
		if (tr_signals_poll(&fd, 1, ms < INT_MAX ? (int)ms : INT_MAX) > 0 &&
		    fd.revents & (POLLERR | POLLHUP | POLLNVAL))
			return false;
	}
	return true;
}
