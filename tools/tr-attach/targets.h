/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is traced: checked when tr-attach starts, handed to the programs as constants and as an array
 * of bytes (bpf/target.h), and watched for their end. Conditions alone have no end.
 */
#ifndef TARGETS_H
#define TARGETS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "conditions.h"
#include "settings.h"

/* A target that was named, and what tells of its end. */
struct target {
	uint32_t id;
	bool is_thread;
	bool ended;
	int pidfd; /* -1: the kernel has none for threads (before 6.9) */
};

struct targets {
	struct tr_target_config config;
	struct conditions conditions;
	struct target *list;
	size_t n;
	int map_fd;     /* of the bytes, -1 when constants say it all */
	uint8_t *bytes; /* its memory */
	size_t map_bytes;
	uint64_t cleared;    /* how many bytes programs had cleared when we last looked */
	bool programs_clear; /* those of targets that end, too */
};

/*
 * Opens what the settings name, and the process COMMAND (0: none). Returns 0, or a status after
 * saying why. A zeroed one with both map_fd -1 can be
 * released.
 */
int targets_open(struct targets *targets, const struct settings *settings, uint32_t command);
void targets_release(struct targets *targets);
/* Says in notes who is traced. */
void targets_say(const struct targets *targets, const struct settings *settings);

/* Makes the map, where one is needed; the targets are in it. Returns 0 or -errno. */
int targets_make_map(struct targets *targets);

/* Where everybody is looked at (config.all): leaves out these processes and no others. */
void targets_exclude(struct targets *targets, const uint32_t *pids, size_t n);

/* Programs are attached: they have not noticed who has ended by now, but will notice who does. */
void targets_attached(struct targets *targets);
/* The target of that pidfd has ended, by itself or as poll() told. */
void targets_end(struct targets *targets, size_t i);
/* Nothing but looking tells of the end of some. */
bool targets_need_looking(const struct targets *targets);
/* Nobody is left to be traced. */
bool targets_all_ended(struct targets *targets);

/* /proc numbers processes as we do: it is not another namespace's. */
bool targets_proc_is_ours(void);
/* The process that thread TID belongs to, 0 when /proc does not tell. */
uint32_t targets_process_of(uint32_t tid);
/* The number of our PID namespace, 0 when it is the initial one. */
uint32_t targets_namespace(void);

#endif
