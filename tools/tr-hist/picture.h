/* SPDX-License-Identifier: GPL-2.0-only */
/* A map as it is drawn: time in steps that fit, and what is in each row of each step. */
#ifndef TR_PICTURE_H
#define TR_PICTURE_H

#include "draw.h"
#include "heat.h"

struct picture {
	const struct heat_map *map;
	size_t measure;
	struct bar *rows; /* with gaps */
	size_t n_rows;
	size_t label_width;
	int64_t begin;   /* its first slot, which may be before the map's */
	size_t per_step; /* slots that a step across is */
	size_t steps, step_width;
	double *cells; /* values in each row of each step */
	double most;
};

/* Makes it of MAP, which has values, for lines of WIDTH columns. */
void picture_make(struct picture *picture, const struct heat *heat, const struct heat_map *map,
		  size_t width);
void picture_release(struct picture *picture);

#endif
