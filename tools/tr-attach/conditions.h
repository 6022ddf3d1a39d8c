/* SPDX-License-Identifier: GPL-2.0-only */
/* --comm and --uid, as the programs compare them (bpf/conditions.h). */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include <linux/types.h>
#include <stdbool.h>

#include "../../bpf/config.h"
#include "settings.h"

struct conditions {
	struct tr_conditions config;
};

/* The settings name some. */
bool conditions_wanted(const struct settings *settings);
/* Finds out what the settings' names mean. Returns 0, or a status after saying what does not exist.
 */
int conditions_open(struct conditions *conditions, const struct settings *settings);
/* Says in a note for each what it is; the settings are the same. */
void conditions_say(const struct conditions *conditions, const struct settings *settings);

#endif
