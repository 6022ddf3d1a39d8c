/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command line asked for. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/config.h"
#include "where.h"
#include "words.h"

enum format { FORMAT_BY_OUTPUT, FORMAT_PACKED, FORMAT_JSON, FORMAT_TEXT };

/* How calls are got at, the cheapest first. */
enum way { WAY_FENTRY, WAY_TP_BTF, WAY_RAW_TP, WAY_TRACEPOINT, N_WAYS, WAY_ANY = N_WAYS };
extern const char *const way_names[N_WAYS];

struct id_list {
	uint32_t *ids;
	size_t n;
};

struct settings {
	struct id_list pids, tids;
	struct words comms, uids, cgroups, containers; /* as given */
	bool all, follow;
	struct where where;
	struct tr_call_list stream, count, summary, latency;
	uint64_t events; /* bit N: those of kind N */
	bool args, per_process;
	struct tr_stacks_config stacks;
	uint32_t max_keys; /* that get a histogram; 0: as many as by default */
	uint64_t interval_ns;
	uint64_t duration_ns; /* 0: no end */
	uint64_t max_records; /* 0: no end */
	uint64_t buffer_bytes;
	enum format format;
	enum way way;
	bool dry_run, verbose, quiet;
	char **command; /* NULL, or the argv of a command to start */
	const char *run_as;
	int command_stdout;
	int wait_for; /* 0, or a child of ours from before this program ran */
	int argc;
	char **argv; /* tr-attach's own */
};

/*
 * Reads the command line. Returns -1 to go on, else the status to exit with; what was wrong has
 * been said.
 */
int settings_parse(struct settings *settings, int argc, char **argv);
/* --where, as programs get it. Before a command is there, 0 will do for its number. Returns 0, or
 * -EINVAL after saying what is wrong. */
int settings_where(const struct settings *settings, uint32_t command_pid,
		   struct tr_where_config *config);
/* They ask for something that is added up in the kernel. */
bool settings_aggregate(const struct settings *settings);
/* Of options each of which is right: do they go together? Returns as settings_parse() does. */
int settings_check(const struct settings *settings);
void settings_release(struct settings *settings);

#endif
