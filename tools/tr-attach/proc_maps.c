/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/PID/maps, a mapping a line. */
#include "proc_maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool proc_maps_open(struct proc_maps *maps, uint32_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%" PRIu32 "/maps", pid);
	*maps = (struct proc_maps){.file = fopen(name, "re")};
	return maps->file;
}

void proc_maps_close(struct proc_maps *maps)
{
	free(maps->line);
	fclose(maps->file);
}

/* "7f12-7f34 r-xp 00001000 fe:01 1234   /lib/x.so", with its newline. False: nothing of interest.
 */
static bool read_line(char *line, struct map_event *map)
{
	char flags[8];
	uint64_t end;
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &map->start, &end, flags, &map->offset, &map->file.major, &map->file.minor,
		   &map->file.inode, &at) < 7 ||
	    flags[2] != 'x')
		return false;
	line[strcspn(line, "\n")] = 0;
	map->bytes = end - map->start;
	map->path = line + at;
	return true;
}

bool proc_maps_next(struct proc_maps *maps, struct map_event *event)
{
	while (getline(&maps->line, &maps->size, maps->file) > 0)
		if (read_line(maps->line, event))
			return true;
	return false;
}
