/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process has mapped now, as /proc tells. */
#ifndef PROC_MAPS_H
#define PROC_MAPS_H

#include <stdio.h>

#include "map_events.h"

struct proc_maps {
	FILE *file;
	char *line;
	size_t size;
};

/* Those of PID. False: there is no such process, or it is not ours to see. */
bool proc_maps_open(struct proc_maps *maps, uint32_t pid);
void proc_maps_close(struct proc_maps *maps);

/* The next one that can be executed, in EVENT, but for its time, process and the file's generation;
 * false: there is none. */
bool proc_maps_next(struct proc_maps *maps, struct map_event *event);

#endif
