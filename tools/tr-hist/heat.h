/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values over time: for each key how many are in each row of its scale, in slots of time. The slots
 * become wider as time goes on, so that there are never more than MAX_SLOTS.
 */
#ifndef TR_HEAT_H
#define TR_HEAT_H

#include "dist.h"
#include "live.h"
#include "out.h"

enum {
	MAX_SLOTS = 1000,
	MAX_MAPS = 256, /* what is beyond goes into one, "other" */
	/* Sixteen rows of a slot each, 80 MiB. */
	MAX_HEAT_OCTAVES = 1 << 20,
};

struct heat_slot {
	struct tr_histogram rows[N_MEASURES]; /* by row of the scale; OPEN_ROW: at least open_low */
};

enum { OPEN_ROW = 2 * TR_LAST_ROW };

struct heat_map {
	char *heading;
	unsigned char *name; /* of the group */
	size_t name_len;
	uint64_t n[N_MEASURES]; /* values */
	enum tr_unit unit;
	const struct tr_scale *scale;
	struct tr_value open_low;
	size_t n_slots;
	struct heat_slot *slots;
};

struct heat {
	uint64_t slot_ns;
	uint64_t first_ns; /* where the first slot begins */
	uint64_t lost;     /* values for which there was no room */
	bool both;         /* a key had values of both measures: those of events are not shown */
	/* private */
	bool begun, five; /* slots become five times wider next, not twice */
	const struct tr_part *part;
	int64_t origin_ns;  /* when the first part began */
	uint64_t offset_ns; /* of the current part's clock */
	size_t octaves;     /* that may be allocated yet */
	size_t n;
	struct heat_map *maps;        /* MAX_MAPS + 1 */
	struct heat_map *other;       /* one of them, or NULL */
	uint16_t index[4 * MAX_MAPS]; /* open addressing: number of a map and 1 */
};

/* SLOT_NS is the narrowest slot; 0: the narrowest that makes sense. */
void heat_init(struct heat *heat, uint64_t slot_ns);
void heat_release(struct heat *heat);
/* What comes next is of PART: parts begin when their headers say so. */
void heat_enter(struct heat *heat, const struct tr_part *part);
/* Adds all values of GROUPS at BEGIN_NS of the part's time. */
void heat_add(struct heat *heat, const struct tr_groups *groups, uint64_t begin_ns);

/* Draws the maps, as many as fit where SCREEN has a number of lines; returns how many lines. */
size_t heat_draw(struct heat *heat, struct tr_out *out, const struct tr_screen *screen);

#endif
