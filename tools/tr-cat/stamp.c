/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as people want to read them: since the start, since the record before, of the day. */
#include "stamp.h"

#include <time.h>

#include "message.h"
#include "number.h"

enum { SECOND_NS = 1000000000 };

/* ".003417123" */
static char *put_fraction(char *p, uint64_t ns)
{
	char digits[TR_NUMBER_MAX];

	tr_u64_put(digits, SECOND_NS + ns % SECOND_NS);
	digits[0] = '.';
	memcpy(p, digits, 10);
	return p + 10;
}

static char *put_seconds(char *p, uint64_t ns)
{
	return put_fraction(tr_u64_put(p, ns / SECOND_NS), ns);
}

/* From one moment to another, which may be the earlier one. */
static char *put_difference(char *p, int64_t from, int64_t to)
{
	uint64_t ns = (uint64_t)to - (uint64_t)from;

	if (to >= from)
		return put_seconds(p, ns);
	*p = '-';
	return put_seconds(p + 1, -ns);
}

/* The day's time, or day and time; what stands before the fraction is made once a second. */
static char *put_clock(struct stamp *stamp, char *p, int64_t moment)
{
	time_t second = moment / SECOND_NS;

	if (!stamp->len || second != stamp->second) {
		struct tm tm;

		stamp->second = second;
		if (stamp->form == STAMP_CLOCK)
			stamp->len = strftime(stamp->text, sizeof(stamp->text), "%H:%M:%S",
					      localtime_r(&second, &tm));
		else
			stamp->len = strftime(stamp->text, sizeof(stamp->text), "%Y-%m-%dT%H:%M:%S",
					      gmtime_r(&second, &tm));
	}
	memcpy(p, stamp->text, stamp->len);
	p = put_fraction(p + stamp->len, moment);
	if (stamp->form == STAMP_ISO)
		*p++ = 'Z';
	return p;
}

char *stamp_put(struct stamp *stamp, char *p, const struct tr_part *part, uint64_t ts)
{
	int64_t moment = moment_of(part, ts), before = stamp->begun ? stamp->last : moment;
	bool is_clock = stamp->form == STAMP_CLOCK || stamp->form == STAMP_ISO;

	if (!stamp->begun)
		stamp->start = part->start_ns;
	stamp->begun = true;
	stamp->last = moment;
	if (is_clock && moment_has_start(part))
		return put_clock(stamp, p, moment);
	if (is_clock && !stamp->noted) {
		stamp->noted = true;
		tr_note("--time: a trace does not say when it began: its times are seconds since "
			"then");
	}
	if (stamp->form == STAMP_DELTA)
		return put_difference(p, before, moment);
	if (stamp->one_line)
		return put_difference(p, stamp->start, moment);
	return put_seconds(p, ts);
}
