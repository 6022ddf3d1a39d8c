/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after --: started early, with its caller's signal settings and none of our
 * descriptors, and held until the probes are attached. It waits inside a read, so that the first
 * call that can be traced is its execve.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "settings.h"

enum {
	COMMAND_FAILED = 125, /* tr-attach itself failed */
	COMMAND_CANNOT_RUN = 126,
	COMMAND_NOT_FOUND = 127,
};

struct command {
	pid_t pid;   /* 0: there is none */
	int hold_fd; /* -1 once it has been let go */
	bool ended;
	int status; /* once it has ended: what a shell would say */
};

/*
 * Starts what the settings name, if they name one. Call before signals are set up and files are
 * opened. Returns 0, or a status after saying why.
 */
int command_start(struct command *command, const struct settings *settings);
/* It is asleep in its read now, or dead. */
void command_await(const struct command *command);
void command_let_go(struct command *command);
/* It may have ended: looks, sets `ended` and `status`. */
void command_reap(struct command *command);
/* A held one ends without having run; one that runs is left to itself. */
void command_release(struct command *command);

#endif
