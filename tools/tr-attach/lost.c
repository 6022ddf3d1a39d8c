/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds up losses. */
#include "lost.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "map_memory.h"

static const char *const names[LOST_N_CAUSES] = {
	[TR_LOST_RING] = "ring buffer full",
	[TR_LOST_COUNTS] = "too many processes and system calls to count",
	[TR_LOST_STATE] = "no memory for a thread's state",
	[TR_LOST_HISTOGRAMS] = "no histogram left for them, see --max-keys",
	[TR_LOST_MESSAGES] = "more than 64 datagrams of one call",
	[LOST_SKIPPED] = "skipped by the kernel",
};

static size_t map_bytes(const struct lost *lost)
{
	return map_whole_pages(lost->cpus * TR_N_LOST * sizeof(uint64_t));
}

int lost_init(struct lost *lost, unsigned cpus)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	*lost = (struct lost){.cpus = cpus};
	lost->map_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "lost", 4, 8, cpus * TR_N_LOST, &opts);
	if (lost->map_fd < 0)
		return -errno;
	lost->counters = map_memory(lost->map_fd, map_bytes(lost), PROT_READ);
	return lost->counters ? 0 : -errno;
}

void lost_release(struct lost *lost)
{
	if (lost->counters)
		munmap(lost->counters, map_bytes(lost));
	if (lost->map_fd >= 0)
		close(lost->map_fd);
	*lost = (struct lost){.map_fd = -1};
}

void lost_watch(struct lost *lost, int program_fd)
{
	if (lost->n_programs < LOST_MAX_PROGRAMS)
		lost->programs[lost->n_programs++] = program_fd;
}

static uint64_t skipped(const struct lost *lost)
{
	uint64_t n = 0;

	for (size_t i = 0; i < lost->n_programs; i++) {
		struct bpf_prog_info info = {0};
		__u32 bytes = sizeof(info);

		if (!bpf_obj_get_info_by_fd(lost->programs[i], &info, &bytes))
			n += info.recursion_misses;
	}
	return n;
}

static uint64_t counted(const struct lost *lost, int cause)
{
	uint64_t n = 0;

	for (unsigned cpu = 0; cpu < lost->cpus; cpu++)
		n += __atomic_load_n(&lost->counters[cpu * TR_N_LOST + cause], __ATOMIC_RELAXED);
	return n;
}

uint64_t lost_next(struct lost *lost, int with_skipped, const char **why)
{
	for (int cause = 0; cause < LOST_N_CAUSES; cause++) {
		uint64_t n, before = lost->told[cause];

		if (!names[cause] || (cause == LOST_SKIPPED && !with_skipped))
			continue;
		n = cause == LOST_SKIPPED ? skipped(lost) : counted(lost, cause);
		if (n <= before)
			continue;
		lost->told[cause] = n;
		lost->total += n - before;
		*why = names[cause];
		return n - before;
	}
	return 0;
}
