/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers with their units. */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

struct named_unit {
	const char *name;
	int64_t size;
};

static const struct named_unit times[] = {
	{" s", 1000000000}, {" ms", 1000000}, {" us", 1000}, {" ns", 1}};
static const struct named_unit sizes[] = {
	{" EiB", 1LL << 60}, {" PiB", 1LL << 50}, {" TiB", 1LL << 40}, {" GiB", 1LL << 30},
	{" MiB", 1LL << 20}, {" KiB", 1LL << 10}, {" B", 1},
};
static const struct named_unit powers[] = {
	{"E", 1LL << 60}, {"P", 1LL << 50}, {"T", 1LL << 40}, {"G", 1LL << 30},
	{"M", 1LL << 20}, {"K", 1LL << 10}, {"", 1},
};
static const struct named_unit none[] = {{"", 1}};

/* The largest unit of a list, which ends in one of size 1, that VALUE has one of at least. */
static const struct named_unit *unit_for(const struct named_unit *unit, double value)
{
	while (unit->size > 1 && __builtin_fabs(value) < (double)unit->size)
		unit++;
	return unit;
}

static char *put_double(char *p, double value)
{
	return p + sprintf(p, "%.6g", value);
}

/* Four digits and the unit; nothing is lost of whole seconds. */
static char *put_time(char *p, double ns)
{
	if (ns < 0) {
		*p++ = '-';
		ns = -ns;
	}
	if (ns < 1 && ns > 0)
		return p + sprintf(p, "%.4g ns", ns);
	if (ns < 0x1p62)
		return p + tr_time_format(p, (uint64_t)(ns + 0.5));
	return p + sprintf(p, ns < 1e24 ? "%.0f s" : "%.6g s", ns / 1e9);
}

char *put_value(char *p, const struct tr_value *v, enum tr_unit unit)
{
	if (unit == TR_UNIT_TIME)
		return put_time(p, v->is_double ? v->d : (double)v->i);
	if (unit == TR_UNIT_BYTES && !v->is_double && v->i >= 0 && v->i <= UINT64_MAX)
		return p + tr_size_format(p, v->i);
	return v->is_double ? put_double(p, v->d) : p + tr_i128_format(p, v->i);
}

/* Three decimals at most. */
static char *put_thousandths(char *p, __int128 value)
{
	int decimals = value % MEAN_SCALE < 0 ? -(value % MEAN_SCALE) : value % MEAN_SCALE;

	if (value < 0 && value > -MEAN_SCALE)
		*p++ = '-';
	p += tr_i128_format(p, value / MEAN_SCALE);
	if (!decimals)
		return p;
	p += sprintf(p, ".%03d", decimals);
	while (p[-1] == '0')
		*--p = 0;
	return p;
}

char *put_mean(char *p, const struct tr_value *v, enum tr_unit unit)
{
	struct tr_value rounded = *v;

	if (v->is_double || unit == TR_UNIT_NONE)
		return v->is_double ? put_value(p, v, unit) : put_thousandths(p, v->i);
	rounded.i /= MEAN_SCALE;
	return put_value(p, &rounded, unit);
}

static const struct named_unit *units_of(enum tr_unit unit, enum tr_scale_how how)
{
	switch (unit) {
	case TR_UNIT_TIME: return times;
	case TR_UNIT_BYTES: return sizes;
	case TR_UNIT_NONE: break;
	}
	return how == TR_SCALE_LOG2 ? powers : none;
}

/* A row's end in UNIT, all of it that matters. */
static char *put_end(char *p, const struct tr_value *v, const struct named_unit *unit)
{
	if (!v->is_double && unit->size == 1)
		return p + tr_i128_format(p, v->i);
	if (v->is_double)
		return p + sprintf(p, "%.4g", v->d / (double)unit->size);
	return p + sprintf(p, "%.12g", (double)v->i / (double)unit->size);
}

char *put_range(char *p, const struct bar *bar, enum tr_unit unit, enum tr_scale_how how)
{
	const struct named_unit *units = units_of(unit, how);
	const struct named_unit *low = unit_for(units, bar->low.d),
				*high = unit_for(units, bar->high.d);

	if (bar->open && bar->row < 0)
		return put_value(stpcpy(p, "< "), &bar->high, unit);
	if (bar->open)
		return put_value(stpcpy(p, ">= "), &bar->low, unit);
	/* 0 has any unit */
	if (!bar->low.d)
		low = high;
	if (!bar->high.d)
		high = low;
	if (!bar->low.d && !bar->low.is_double && bar->high.i == 1)
		return stpcpy(stpcpy(p, "0"), high->name);
	p = put_end(p, &bar->low, low);
	/* a unit that stands apart counts for both */
	if (low != high || *low->name != ' ')
		p = stpcpy(p, low->name);
	p = stpcpy(p, bar->low.d < 0 ? " to " : "-");
	return stpcpy(put_end(p, &bar->high, high), high->name);
}

char *put_number(char *p, const struct tr_value *v, bool json)
{
	bool quoted = json && !v->is_double && (v->i > 1LL << 53 || v->i < -(1LL << 53));

	if (v->is_double) {
		/* as few digits as it takes to read the same number again */
		snprintf(p, WORD_MAX, "%.15g", v->d);
		if (strtod(p, NULL) != v->d)
			snprintf(p, WORD_MAX, "%.17g", v->d);
		return p + strlen(p);
	}
	if (quoted)
		*p++ = '"';
	p += tr_i128_format(p, v->i);
	return stpcpy(p, quoted ? "\"" : "");
}

char *put_mean_number(char *p, const struct tr_value *mean)
{
	return mean->is_double ? put_number(p, mean, false) : put_thousandths(p, mean->i);
}
