/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * minimal count|summary|latency|stream|EVENT PID [NR]: loads and attaches one of the minimal
 * programs (EVENT: that of minimal_event.bpf.c named so) until SIGINT, looks at its ring each
 * millisecond and throws away what is in it, and says on stderr how many calls or events there
 * were. NR: latency is that of this call alone.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "minimal_count.skel.h"
#include "minimal_event.skel.h"
#include "minimal_latency.skel.h"
#include "minimal_stream.skel.h"
#include "minimal_summary.skel.h"

static volatile sig_atomic_t stop;

static int usage(void)
{
	fprintf(stderr, "usage: minimal count|summary|latency|stream|switch|signal|open|datagram|"
			"fault|exec|connect PID [NR]\n");
	return 2;
}

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* Waits, then adds up the first number of all rows, which have so many. */
static void tell_sum(const struct bpf_map *map, size_t numbers)
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t sum = 0, *row = cpus > 0 ? calloc(cpus, numbers * sizeof(*row)) : NULL;

	while (!stop)
		pause();
	for (uint32_t nr = 0; row && nr < bpf_map__max_entries(map); nr++)
		if (!bpf_map_lookup_elem(bpf_map__fd(map), &nr, row))
			for (int i = 0; i < cpus; i++)
				sum += row[i * numbers];
	free(row);
	fprintf(stderr, "minimal: %" PRIu64 " calls\n", sum);
}

static int count(uint32_t pid)
{
	struct minimal_count_bpf *skel = minimal_count_bpf__open();

	if (!skel)
		return 1;
	skel->rodata->cfg_pid = pid;
	if (minimal_count_bpf__load(skel) || minimal_count_bpf__attach(skel))
		return 1;
	tell_sum(skel->maps.counts, 1);
	minimal_count_bpf__destroy(skel);
	return 0;
}

static int summary(uint32_t pid)
{
	struct minimal_summary_bpf *skel = minimal_summary_bpf__open();

	if (!skel)
		return 1;
	skel->rodata->cfg_pid = pid;
	if (minimal_summary_bpf__load(skel) || minimal_summary_bpf__attach(skel))
		return 1;
	tell_sum(skel->maps.times, 3);
	minimal_summary_bpf__destroy(skel);
	return 0;
}

static int latency(uint32_t pid, int nr)
{
	struct minimal_latency_bpf *skel = minimal_latency_bpf__open();

	if (!skel)
		return 1;
	skel->rodata->cfg_pid = pid;
	skel->rodata->cfg_nr = nr;
	if (minimal_latency_bpf__load(skel) || minimal_latency_bpf__attach(skel))
		return 1;
	tell_sum(skel->maps.buckets, 1);
	minimal_latency_bpf__destroy(skel);
	return 0;
}

static int throw_away(void *sum, void *event, size_t bytes)
{
	(void)event;
	(void)bytes;
	++*(uint64_t *)sum;
	return 0;
}

/* Attaches OBJECT's programs, and reads its ring until the end. */
static int consume(struct bpf_object_skeleton *skeleton, const struct bpf_map *events,
		   const unsigned long long *dropped)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	struct ring_buffer *ring;
	uint64_t sum = 0;

	ring = ring_buffer__new(bpf_map__fd(events), throw_away, &sum, NULL);
	if (!ring || bpf_object__attach_skeleton(skeleton))
		return 1;
	while (!stop) {
		ring_buffer__consume(ring);
		nanosleep(&ms, NULL);
	}
	bpf_object__detach_skeleton(skeleton);
	ring_buffer__consume(ring);
	fprintf(stderr, "minimal: %" PRIu64 ", %llu lost\n", sum, *dropped);
	ring_buffer__free(ring);
	return 0;
}

static int stream(uint32_t pid)
{
	struct minimal_stream_bpf *skel = minimal_stream_bpf__open();
	int status;

	if (!skel)
		return 1;
	skel->rodata->cfg_pid = pid;
	if (minimal_stream_bpf__load(skel))
		return 1;
	status = consume(skel->skeleton, skel->maps.events, &skel->bss->dropped);
	minimal_stream_bpf__destroy(skel);
	return status;
}

static int attach_to_faults(struct bpf_program *program)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
	};

	for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
		int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0 || !bpf_program__attach_perf_event(program, fd))
			return -1;
	}
	return 0;
}

/* WHAT is a program's name without "on_". */
static int event(uint32_t pid, const char *what)
{
	struct minimal_event_bpf *skel = minimal_event_bpf__open();
	struct bpf_program *program, *wanted = NULL;
	int status;

	if (!skel)
		return 1;
	skel->rodata->cfg_pid = pid;
	bpf_object__for_each_program (program, skel->obj) {
		bool is_it = !strcmp(bpf_program__name(program) + strlen("on_"), what);

		bpf_program__set_autoload(program, is_it);
		if (is_it)
			wanted = program;
	}
	if (!wanted)
		return usage();
	if (minimal_event_bpf__load(skel) || (!strcmp(what, "fault") && attach_to_faults(wanted)))
		return 1;
	status = consume(skel->skeleton, skel->maps.events, &skel->bss->dropped);
	minimal_event_bpf__destroy(skel);
	return status;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	int pid = argc == 3 || argc == 4 ? atoi(argv[2]) : 0;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (pid > 0 && !strcmp(argv[1], "count"))
		return count(pid);
	if (pid > 0 && !strcmp(argv[1], "summary"))
		return summary(pid);
	if (pid > 0 && !strcmp(argv[1], "latency"))
		return latency(pid, argc == 4 ? atoi(argv[3]) : -1);
	if (pid > 0 && !strcmp(argv[1], "stream"))
		return stream(pid);
	return pid > 0 ? event(pid, argv[1]) : usage();
}
