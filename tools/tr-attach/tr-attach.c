/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tr-attach: the only program of Tracery that touches the kernel. Loads BPF programs, attaches
 * them, and writes what they find to stdout until there is a reason to stop.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "caps.h"
#include "kernel.h"
#include "message.h"
#include "pipeline.h"
#include "run.h"
#include "tracer.h"

/* In the order of attaching: events see a process end before --follow, which is the first one's,
 * forgets it. */
static const struct source *const all_sources[] = {&events_source, &syscalls_source};

enum { N_SOURCES = sizeof(all_sources) / sizeof(all_sources[0]) };

/* Those that were asked for; ends in NULL. */
static const struct source *sources[N_SOURCES + 1];

static uint64_t choose_sources(const struct settings *settings, size_t *in_ring)
{
	uint64_t kinds = 0;
	size_t n = 0;

	*in_ring = 0;
	for (size_t i = 0; i < N_SOURCES; i++) {
		const struct source *source = all_sources[i];
		uint64_t its = source->kinds(settings);

		if (!its)
			continue;
		kinds |= its;
		if (source->in_ring(settings) > *in_ring)
			*in_ring = source->in_ring(settings);
		sources[n++] = source;
	}
	return kinds;
}

/* The targets exist, and the kernel lets us. */
static int open_targets(struct tracer *t)
{
	int status = kernel_check(t->settings.verbose), err;

	if (!status)
		status = targets_open(&t->targets, &t->settings, t->command.pid);
	if (!status && t->targets.config.ns.inum) {
		err = kernel_find_namespace(&t->targets.config.ns);
		if (err)
			return kernel_explain(err, "cannot number processes as this PID namespace "
						   "does");
	}
	if (!status && t->targets.conditions.version1) {
		err = kernel_find_cgroups(&t->targets.conditions.config.places);
		if (err)
			return kernel_explain(err, "cannot trace cgroups of version 1");
		conditions_place(&t->targets.conditions);
	}
	return status;
}

/* The maps that programs share, and what they are to do with them. */
static int configure(struct tracer *t, size_t in_ring)
{
	uint64_t asked = t->settings.buffer_bytes, least = 2 * in_ring;
	uint64_t legal = rings_legal_bytes(asked < least ? least : asked);
	int err;

	t->cpus = libbpf_num_possible_cpus();
	if (in_ring && legal != asked)
		tr_note("--buffer-size: %" PRIu64 " bytes, the next size that a ring can have",
			legal);
	err = targets_make_map(&t->targets);
	if (!err)
		err = lost_init(&t->lost, t->cpus);
	if (!err && in_ring)
		err = rings_init(&t->rings, t->cpus, legal, least);
	if (err)
		return kernel_explain(err, "cannot make the maps");
	kernel_prepare_to_wait();
	order_init(&t->order, t->rings.n);
	stacks_open(&t->stacks, &t->settings, &t->targets, t->cpus, t->command.pid);
	if (t->targets.config.all) {
		uint32_t pids[PIPELINE_MAX];

		targets_exclude(&t->targets, pids, pipeline_find(pids));
	}
	return 0;
}

static int load(struct tracer *t)
{
	int status = 0;

	for (size_t i = 0; sources[i] && !status; i++)
		status = sources[i]->load(t);
	return status;
}

/* What is needed after this: to look at descriptors of others, to signal the command. */
static void drop_capabilities(const struct tracer *t)
{
	uint64_t keep = 0;
	char names[128];
	int err;

	if (kernel_version() < (5 << 8 | 19))
		keep |= CAP_BIT(CAP_BPF); /* map look-ups take it there */
	if (t->targets.config.all)
		keep |= CAP_BIT(CAP_SYS_PTRACE) | CAP_BIT(CAP_DAC_READ_SEARCH);
	/* To find and read the files that processes run. */
	if (t->settings.stacks.user)
		keep |= CAP_BIT(CAP_SYS_PTRACE) | CAP_BIT(CAP_DAC_READ_SEARCH) |
			CAP_BIT(CAP_CHECKPOINT_RESTORE);
	/* For addresses of the kernel. */
	if (t->settings.stacks.kernel)
		keep |= CAP_BIT(CAP_SYSLOG);
	if (t->command.pid)
		keep |= CAP_BIT(CAP_KILL);
	err = caps_drop(keep);
	if (err)
		tr_note("cannot give up capabilities: %s", strerror(-err));
	caps_names(names, sizeof(names));
	if (t->settings.verbose)
		tr_note("capabilities kept: %s", names);
}

/*
 * On a machine whose every CPU is busy, with the target at that, a ring is full before our turn
 * comes; and what we do with it is little. Not allowed, or not in time: it is lost and counted.
 */
static void go_first(void)
{
	if (setpriority(PRIO_PROCESS, 0, -20))
		errno = 0;
}

static int attach(struct tracer *t)
{
	int status = 0;

	if (t->rings.n)
		go_first();
	command_await(&t->command);
	for (size_t i = 0; sources[i] && !status; i++)
		status = sources[i]->attach(t);
	if (status)
		return status;
	targets_attached(&t->targets);
	drop_capabilities(t);
	command_let_go(&t->command);
	return 0;
}

static void detach(struct tracer *t)
{
	for (size_t i = 0; sources[i]; i++)
		if (sources[i]->stop)
			sources[i]->stop(t);
	for (size_t i = 0; sources[i]; i++)
		if (sources[i]->detach)
			sources[i]->detach(t);
	kernel_wait_for_programs();
}

/* What programs have left behind. */
static void collect(struct tracer *t)
{
	run_drain(t);
	for (size_t i = 0; sources[i]; i++)
		if (sources[i]->interval)
			sources[i]->interval(t);
	run_tell_lost(t, true);
}

/* The exit status when tracing went well. A command that outlives us is sent away. */
static int result(struct tracer *t)
{
	command_reap(&t->command);
	if (t->command.pid && !t->command.ended)
		kill(t->command.pid, SIGTERM);
	return t->command.ended ? t->command.status : TR_DONE;
}

/* With a command, statuses from 0 to 124 are its own. */
static int with_command(const struct settings *settings, int status)
{
	return settings->command && status < COMMAND_FAILED ? COMMAND_FAILED : status;
}

static void tell_lost(const struct tracer *t)
{
	const char *advice = ", see the lost lines for why";

	if (t->lost.told[TR_LOST_RING])
		advice = "; a larger --buffer-size or a faster reader may help";
	else if (t->lost.told[TR_LOST_HISTOGRAMS] == t->emit.lost)
		advice = ", to the histograms only; a larger --max-keys makes more of them";
	if (t->emit.lost)
		tr_note("%" PRIu64 " lost%s", t->emit.lost, advice);
}

/* The end of the stream. That the reader may have left is no failure. */
static int report(struct tracer *t, bool readable, int status)
{
	if (readable)
		emit_end(&t->emit, status);
	if (emit_close(&t->emit))
		status = with_command(&t->settings, TR_FAILED);
	tell_lost(t);
	stacks_tell(&t->stacks);
	return status;
}

static void close_all(struct tracer *t, struct run *run)
{
	for (size_t i = 0; sources[i]; i++)
		sources[i]->close(t);
	run_release(run);
	emit_release(&t->emit);
	order_release(&t->order);
	stacks_release(&t->stacks);
	rings_release(&t->rings);
	lost_release(&t->lost);
	targets_release(&t->targets);
	command_release(&t->command);
	settings_release(&t->settings);
}

/* --dry-run: what would be traced. */
static int say(const struct tracer *t, uint64_t kinds)
{
	for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
		if (kinds & 1ULL << kind)
			tr_note("would write %s records: %s", tr_kind_builtin(kind)->type,
				tr_kind_builtin(kind)->sentence);
	targets_say(&t->targets, &t->settings);
	return TR_DONE;
}

static int trace(struct tracer *t, struct run *run)
{
	size_t in_ring;
	uint64_t kinds = choose_sources(&t->settings, &in_ring);
	uint32_t command_pid;
	bool readable;
	int status;

	if ((status = command_start(&t->command, &t->settings)) ||
	    (status = run_init(run, t) ? TR_FAILED : 0) || (status = open_targets(t)) ||
	    (status = configure(t, in_ring)) || (status = load(t)))
		return with_command(&t->settings, status);
	if (t->settings.dry_run)
		return say(t, kinds);
	if (t->settings.verbose)
		targets_say(&t->targets, &t->settings);
	command_pid = t->command.pid;
	emit_open(&t->emit, &t->settings, kinds, command_pid ? &command_pid : t->settings.pids.ids,
		  command_pid ? 1 : t->settings.pids.n);
	status = attach(t);
	if (!status && run_loop(run, sources))
		status = TR_FAILED;
	run_let_signals_kill(run);
	detach(t);
	if (status)
		return with_command(&t->settings, status);
	readable = !t->emit.out.error && run->why != WHY_OUTPUT;
	if (readable)
		collect(t);
	return report(t, readable, result(t));
}

/* --wait-for: the filter behind us, which ends when our stdout does. */
static int wait_for(pid_t pid, int status)
{
	sigset_t none;
	int its;

	close(STDOUT_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (waitpid(pid, &its, 0) < 0) {
		tr_error("--wait-for %d: %s", pid, strerror(errno));
		its = W_EXITCODE(TR_FAILED, 0);
	}
	if (status)
		return status;
	return WIFSIGNALED(its) ? 128 + WTERMSIG(its) : WEXITSTATUS(its);
}

/* Descriptors 0 to 2 are open, so that no file of ours takes their place. */
static void open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			_exit(TR_FAILED);
}

int main(int argc, char **argv)
{
	struct tracer t = {.command.hold_fd = -1,
			   .targets = {.map_fd = -1, .conditions.map_fd = -1},
			   .rings.outer_fd = -1,
			   .lost.map_fd = -1};
	struct run run = {.epoll_fd = -1, .signal_fd = -1};
	int status;

	open_standard();
	tr_message_name("tr-attach");
	status = settings_parse(&t.settings, argc, argv);
	tr_message_quiet(t.settings.quiet);
	if (status < 0)
		status = trace(&t, &run);
	close_all(&t, &run);
	return t.settings.wait_for ? wait_for(t.settings.wait_for, status) : status;
}
