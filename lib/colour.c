/* SPDX-License-Identifier: GPL-2.0-only */
/* The few sequences that every terminal with colours knows. */
#include "colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const sequences[TR_N_COLOURS] = {
	[TR_PLAIN] = "\033[0m",
	[TR_FAINT] = "\033[2m",
	[TR_STRONG] = "\033[1;36m",
};

static bool wanted;

void tr_colour_for(int fd)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	wanted = isatty(fd) && !(no && *no) && terminal && *terminal &&
		 strcmp(terminal, "dumb") != 0;
}

char *tr_colour_put(char *p, enum tr_colour colour)
{
	return wanted ? stpcpy(p, sequences[colour]) : p;
}
