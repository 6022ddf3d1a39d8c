/* SPDX-License-Identifier: GPL-2.0-only */
/* What options say together. */
#include "conditions.h"
#include "message.h"
#include "settings.h"

bool settings_aggregate(const struct settings *s)
{
	return s->count.choice || s->summary.choice || s->latency.choice;
}

int settings_check(const struct settings *s)
{
	bool someone = s->pids.n || s->tids.n || conditions_wanted(s) || s->all;

	if (!someone && !s->command)
		tr_error("whom? --pid, --tid, --comm, --uid, --cgroup, --container, --all, or "
			 "-- COMMAND; see tr-attach --help");
	else if (s->all && (s->pids.n || s->tids.n || s->command))
		tr_error("--all leaves nobody for --pid, --tid or a COMMAND to add; see tr-attach "
			 "--help");
	else if (s->command && s->tids.n)
		tr_error("--tid and a COMMAND do not go together; see tr-attach --help");
	else if (!s->command && (s->run_as || s->command_stdout != -1))
		tr_error("--run-as and --command-stdout are for a COMMAND; see tr-attach --help");
	else if (s->args && !s->stream.choice)
		tr_error("--args is for --syscalls; see tr-attach --help");
	else if ((s->stacks.user || s->stacks.kernel) && !s->stream.choice)
		tr_error("--stacks is for --syscalls; see tr-attach --help");
	else if (s->way != WAY_ANY && !s->stream.choice && !settings_aggregate(s))
		tr_error("--way is for system calls; see tr-attach --help");
	else if (s->events && s->where.n)
		tr_error("--where is for system calls; of events, tr-cat --where selects");
	else if (s->per_process && !settings_aggregate(s))
		tr_error("--per-process is for --count, --summary and --latency; see tr-attach "
			 "--help");
	else if (s->max_keys && !s->latency.choice)
		tr_error("--max-keys is for --latency; see tr-attach --help");
	else
		return -1;
	return TR_USAGE;
}
