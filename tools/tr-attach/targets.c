/* SPDX-License-Identifier: GPL-2.0-only */
/* Targets: are they there, where do they stand in the map, have they ended? */
#include "targets.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emit.h"
#include "message.h"

enum {
	INITIAL_NAMESPACE = 0xEFFFFFFC, /* PROC_PID_INIT_INO */
	DEFAULT_PID_MAX = 1 << 22,
	IDS_PER_ENTRY = 8,
};

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

uint32_t targets_namespace(void)
{
	struct stat self;

	if (stat("/proc/self/ns/pid", &self) || self.st_ino == INITIAL_NAMESPACE)
		return 0;
	return self.st_ino;
}

bool targets_proc_is_ours(void)
{
	char self[24] = "";

	return readlink("/proc/self", self, sizeof(self) - 1) > 0 && atoi(self) == getpid();
}

static uint32_t pid_max(void)
{
	FILE *file = fopen("/proc/sys/kernel/pid_max", "re");
	unsigned max = DEFAULT_PID_MAX;

	if (file && fscanf(file, "%u", &max) != 1)
		max = DEFAULT_PID_MAX;
	if (file)
		fclose(file);
	return max;
}

uint32_t targets_process_of(uint32_t tid)
{
	char path[40], line[128];
	unsigned tgid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %u", &tgid) == 1)
			break;
	if (file)
		fclose(file);
	return tgid;
}

static bool thread_exists(uint32_t tid)
{
	return !syscall(SYS_tkill, tid, 0) || errno == EPERM;
}

static int open_process(struct target *target)
{
	uint32_t process;
	int err;

	target->pidfd = syscall(SYS_pidfd_open, target->id, 0);
	if (target->pidfd >= 0)
		return 0;
	err = errno;
	process = targets_proc_is_ours() ? targets_process_of(target->id) : 0;
	if (process && process != target->id && thread_exists(target->id))
		tr_error("%u is a thread of process %u: --pid %u, or --tid %u", target->id, process,
			 process, target->id);
	else if (err == ESRCH || err == EINVAL || err == ENOENT)
		tr_error("no such process: %u", target->id);
	else
		tr_error("cannot watch process %u: %s", target->id, strerror(err));
	return TR_FAILED;
}

static int open_thread(struct target *target)
{
	target->is_thread = true;
	target->pidfd = syscall(SYS_pidfd_open, target->id, PIDFD_THREAD);
	if (target->pidfd >= 0 || thread_exists(target->id))
		return 0;
	tr_error("no such thread: %u", target->id);
	return TR_FAILED;
}

/*
 * A single process without followers is a constant of the programs; so is a thread. With conditions
 * alone everybody is looked at, and what --follow adds are threads.
 */
static void configure(struct targets *targets, const struct settings *settings, uint32_t command,
		      uint64_t opened)
{
	struct tr_target_config *c = &targets->config;
	size_t n_pids = settings->pids.n + !!command, n_tids = settings->tids.n;
	bool conditions = conditions_wanted(settings);

	c->ns.inum = targets_namespace();
	c->all = !n_pids && !n_tids;
	c->follow = settings->follow && (!c->all || conditions);
	c->fickle = n_tids || conditions;
	/* A command does nothing yet. */
	c->opened = c->follow && (settings->pids.n || n_tids) ? opened : 0;
	if (c->all || c->follow || n_pids > 1 || n_tids > 1) {
		c->n_ids = (pid_max() / IDS_PER_ENTRY + 1) * IDS_PER_ENTRY;
		c->by_pid = n_pids > 0;
		c->by_tid = n_tids || (c->all && c->follow);
		c->tid_base = c->by_tid && (c->by_pid || c->all) ? c->n_ids : 0;
	} else {
		c->pid = n_pids ? settings->pids.ids[0] : 0;
		c->tid = n_tids ? settings->tids.ids[0] : 0;
		c->only_pid = !c->tid && !c->ns.inum && !conditions;
	}
}

int targets_open(struct targets *targets, const struct settings *settings, uint32_t command)
{
	size_t n_pids = settings->pids.n, n_tids = settings->tids.n;
	uint64_t opened = emit_clock();
	int status = TR_DONE;

	*targets = (struct targets){.map_fd = -1, .conditions.map_fd = -1};
	targets->list = tr_xcalloc(n_pids + n_tids + 1, sizeof(*targets->list));
	for (size_t i = 0; i < n_pids + n_tids + !!command && !status; i++) {
		struct target *target = &targets->list[targets->n++];
		bool thread = i >= n_pids && i < n_pids + n_tids;

		target->pidfd = -1;
		target->id = i < n_pids ? settings->pids.ids[i]
			     : thread   ? settings->tids.ids[i - n_pids]
					: command;
		status = thread ? open_thread(target) : open_process(target);
	}
	if (!status)
		status = conditions_open(&targets->conditions, settings);
	configure(targets, settings, command, opened);
	return status;
}

void targets_release(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++)
		if (targets->list[i].pidfd >= 0)
			close(targets->list[i].pidfd);
	free(targets->list);
	conditions_release(&targets->conditions);
	if (targets->bytes)
		munmap(targets->bytes, targets->map_bytes);
	if (targets->map_fd >= 0)
		close(targets->map_fd);
	*targets = (struct targets){.map_fd = -1, .conditions.map_fd = -1};
}

void targets_say(const struct targets *targets, const struct settings *settings)
{
	const struct tr_target_config *c = &targets->config;

	for (size_t i = 0; i < targets->n; i++)
		tr_note("traced: %s %" PRIu32 "%s",
			targets->list[i].is_thread ? "thread" : "process", targets->list[i].id,
			c->follow ? " and what it creates" : "");
	if (c->all)
		tr_note("traced: the whole machine but for this pipeline");
	conditions_say(&targets->conditions, settings);
	if (c->all && c->follow)
		tr_note("and what these create, whatever it is");
}

static void set(struct targets *targets, const struct target *target, uint8_t value)
{
	uint32_t base = target->is_thread ? targets->config.tid_base : 0;

	if (targets->bytes && target->id < targets->config.n_ids)
		targets->bytes[base + target->id] = value;
}

int targets_make_map(struct targets *targets)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	struct tr_target_config *c = &targets->config;
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	if (!c->n_ids)
		return 0;
	c->cleared = (c->tid_base + c->n_ids) / IDS_PER_ENTRY;
	targets->map_fd =
		bpf_map_create(BPF_MAP_TYPE_ARRAY, "ids", 4, IDS_PER_ENTRY, c->cleared + 1, &opts);
	if (targets->map_fd < 0)
		return -errno;
	targets->map_bytes = ((c->cleared + 1) * IDS_PER_ENTRY + page - 1) & ~(page - 1);
	p = mmap(NULL, targets->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, targets->map_fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	targets->bytes = p;
	for (size_t i = 0; i < targets->n; i++)
		set(targets, &targets->list[i], 1);
	return 0;
}

void targets_exclude(struct targets *targets, const uint32_t *pids, size_t n)
{
	uint32_t n_ids = targets->config.n_ids;

	/* First in, then out: nobody who is left out both times is traced in between. */
	for (size_t i = 0; i < n; i++)
		if (pids[i] < n_ids)
			targets->bytes[pids[i]] = 1;
	for (uint32_t id = 0; id < n_ids; id++) {
		bool listed = false;

		if (!targets->bytes[id])
			continue;
		for (size_t i = 0; i < n && !listed; i++)
			listed = pids[i] == id;
		if (!listed)
			targets->bytes[id] = 0;
	}
}

void targets_end(struct targets *targets, size_t i)
{
	struct target *target = &targets->list[i];

	target->ended = true;
	if (target->pidfd >= 0)
		close(target->pidfd);
	target->pidfd = -1;
	/* Its number may be given to another one. With --follow programs see to that: a thread that
	 * calls execve ends by its former number, and they are to find that marked. */
	if (!targets->programs_clear)
		set(targets, target, 0);
	targets->cleared = UINT64_MAX;
}

void targets_attached(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++) {
		struct target *target = &targets->list[i];
		struct pollfd fd = {.fd = target->pidfd, .events = POLLIN};

		if (target->pidfd >= 0 ? poll(&fd, 1, 0) > 0 : !thread_exists(target->id))
			targets_end(targets, i);
	}
	targets->programs_clear = targets->config.follow;
}

/* Programs keep the bytes with --follow; whether any is left is asked only when one was cleared. */
static bool nobody_is_followed(struct targets *targets)
{
	const uint64_t *words = (const uint64_t *)targets->bytes;
	uint32_t n = targets->config.cleared;
	uint64_t cleared = __atomic_load_n(&words[n], __ATOMIC_ACQUIRE);

	if (cleared == targets->cleared)
		return false;
	targets->cleared = cleared;
	for (uint32_t i = 0; i < n; i++)
		if (words[i])
			return false;
	return true;
}

bool targets_need_looking(const struct targets *targets)
{
	bool need = targets->config.follow && !targets->config.all;

	for (size_t i = 0; i < targets->n; i++)
		need = need || (targets->list[i].pidfd < 0 && !targets->list[i].ended);
	return need;
}

bool targets_all_ended(struct targets *targets)
{
	bool ended = targets->n > 0;

	if (!targets->config.all && targets->config.follow)
		return nobody_is_followed(targets);
	for (size_t i = 0; i < targets->n; i++) {
		struct target *target = &targets->list[i];

		if (!target->ended && target->pidfd < 0 && !thread_exists(target->id))
			targets_end(targets, i);
		ended = ended && target->ended;
	}
	return ended;
}
