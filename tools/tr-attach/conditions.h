/* SPDX-License-Identifier: GPL-2.0-only */
/* --comm, --uid, --cgroup and --container, as the programs compare them (bpf/conditions.h). */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include <linux/types.h>
#include <stdbool.h>

#include "../../bpf/config.h"
#include "settings.h"

struct conditions {
	struct tr_conditions config;
	int map_fd;                       /* of the cgroups of version 2, -1 when there are none */
	bool version1;                    /* there are others: their places are wanted */
	char *containers[TR_MAX_CGROUPS]; /* their cgroups */
};

/* The settings name some. */
bool conditions_wanted(const struct settings *settings);
/* Finds out what the settings' names mean. Returns 0, or a status after saying what does not exist.
 */
int conditions_open(struct conditions *conditions, const struct settings *settings);
/* config.places has been found. */
void conditions_place(struct conditions *conditions);
void conditions_release(struct conditions *conditions);
/* Says in a note for each what it is; the settings are the same. */
void conditions_say(const struct conditions *conditions, const struct settings *settings);

#endif
