/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the maps of counts and times, and writes what they have gained. */
#include "tally.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel.h"
#include "map_memory.h"
#include "message.h"
#include "syscalls.h"

/* Old kernels' programs add up for each CPU apart. */
static void open_keyed(struct tally *tally, int fd)
{
	struct bpf_map_info info = {0};
	__u32 bytes = sizeof(info);

	tally->keyed_fd = fd;
	tally->keyed_cpus = 1;
	if (!bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.type == BPF_MAP_TYPE_PERCPU_HASH)
		tally->keyed_cpus = tally->config.cpus;
	tally->keyed = tr_xcalloc(tally->keyed_cpus, sizeof(*tally->keyed));
}

int tally_open(struct tally *tally, int counts_fd, int times_fd, int keyed_fd, int epoch_fd)
{
	size_t rows = (size_t)tally->config.cpus * TR_N_ROWS;

	open_keyed(tally, keyed_fd);
	tally->epoch = map_memory(epoch_fd, map_whole_pages(1), PROT_READ | PROT_WRITE);
	if (!tally->epoch)
		return -errno;
	tally->told = tr_xcalloc(TR_N_ROWS, sizeof(*tally->told));
	if (counts_fd >= 0) {
		tally->counts_bytes = map_whole_pages(rows * sizeof(*tally->counts));
		tally->counts = map_memory(counts_fd, tally->counts_bytes, PROT_READ);
		if (!tally->counts)
			return -errno;
	}
	if (times_fd >= 0) {
		tally->times_bytes = map_whole_pages(2 * rows * sizeof(*tally->times));
		tally->times = map_memory(times_fd, tally->times_bytes, PROT_READ | PROT_WRITE);
		if (!tally->times)
			return -errno;
	}
	return 0;
}

void tally_release(struct tally *tally)
{
	if (tally->counts)
		munmap((void *)tally->counts, tally->counts_bytes);
	if (tally->times)
		munmap(tally->times, tally->times_bytes);
	if (tally->epoch)
		munmap(tally->epoch, map_whole_pages(1));
	latency_release(&tally->latency);
	free(tally->told);
	free(tally->keyed);
	*tally = (struct tally){0};
}

static void emit_count(struct emit *emit, uint64_t now, const struct owner *owner, uint64_t n)
{
	if (n)
		EMIT_AGGREGATE(emit, count, 0, owner, .ts = now, .n = n);
}

/* Calls that never returned are a record of their own, without times. */
static void emit_times(struct emit *emit, uint64_t now, const struct owner *owner,
		       const struct tr_times *t)
{
	if (t->n)
		EMIT_AGGREGATE(emit, summary, 0, owner, .ts = now, .n = t->n, .errors = t->errors,
			       .ns_total = t->ns_total, .ns_min = ~t->not_ns_min,
			       .ns_max = t->ns_max);
	if (t->never_returned)
		EMIT_AGGREGATE(emit, summary, TR_NO_RESULT, owner, .ts = now,
			       .n = t->never_returned);
}

uint32_t tally_row_code(uint32_t row)
{
	return tr_syscall_code(row / TR_ROWS_PER_ABI, row % TR_ROWS_PER_ABI);
}

static void emit_counts(struct tally *tally, struct emit *emit, uint64_t now)
{
	for (uint32_t row = 0; row < TR_N_ROWS; row++) {
		uint64_t n = 0;

		for (unsigned cpu = 0; cpu < tally->config.cpus; cpu++)
			n += __atomic_load_n(&tally->counts[cpu * TR_N_ROWS + row],
					     __ATOMIC_RELAXED);
		emit_count(emit, now, &(struct owner){.code = tally_row_code(row)},
			   n - tally->told[row]);
		tally->told[row] = n;
	}
}

/* Moves what T holds to SUM. */
static void take_times(struct tr_times *sum, struct tr_times *t)
{
	if (!t->n && !t->never_returned)
		return;
	sum->n += t->n;
	sum->errors += t->errors;
	sum->ns_total += t->ns_total;
	sum->never_returned += t->never_returned;
	if (t->ns_max > sum->ns_max)
		sum->ns_max = t->ns_max;
	if (t->not_ns_min > sum->not_ns_min)
		sum->not_ns_min = t->not_ns_min;
	*t = (struct tr_times){0};
}

static void emit_rows(struct tally *tally, struct emit *emit, uint64_t now, uint32_t epoch)
{
	struct tr_times *rows = tally->times + (size_t)epoch * tally->config.cpus * TR_N_ROWS;

	for (uint32_t row = 0; row < TR_N_ROWS; row++) {
		struct owner owner = {.code = tally_row_code(row)};
		struct tr_times sum = {0};

		for (unsigned cpu = 0; cpu < tally->config.cpus; cpu++)
			take_times(&sum, &rows[(size_t)cpu * TR_N_ROWS + row]);
		emit_times(emit, now, &owner, &sum);
		if (tally->latency.n && sum.n)
			latency_emit(&tally->latency, emit, now, &owner, tally->latency.rows[row]);
	}
}

static void emit_key(struct tally *tally, struct emit *emit, uint64_t now,
		     const struct tr_keyed_key *key)
{
	struct owner owner = {.pid = key->pid, .code = key->code};
	struct tr_keyed keyed = {0};

	if (bpf_map_lookup_elem(tally->keyed_fd, key, tally->keyed))
		return;
	for (unsigned cpu = 0; cpu < tally->keyed_cpus; cpu++) {
		keyed.entered += tally->keyed[cpu].entered;
		take_times(&keyed.times, &tally->keyed[cpu].times);
		if (!owner.comm.words[0])
			owner.comm = tally->keyed[cpu].comm;
	}
	emit_count(emit, now, &owner, keyed.entered);
	emit_times(emit, now, &owner, &keyed.times);
	/* One, but when that was taken away between a call on one CPU and one on another. */
	for (unsigned cpu = 0; cpu < tally->keyed_cpus; cpu++)
		latency_emit(&tally->latency, emit, now, &owner, tally->keyed[cpu].histogram);
	bpf_map_delete_elem(tally->keyed_fd, key);
}

/* The next key is asked for while this one is still there: otherwise all would begin anew. */
static void emit_keys(struct tally *tally, struct emit *emit, uint64_t now, uint32_t epoch)
{
	struct tr_keyed_key key, next;
	int end = bpf_map_get_next_key(tally->keyed_fd, NULL, &key);

	while (!end) {
		end = bpf_map_get_next_key(tally->keyed_fd, &key, &next);
		if (key.epoch == epoch)
			emit_key(tally, emit, now, &key);
		key = next;
	}
}

void tally_emit(struct tally *tally, struct emit *emit)
{
	uint32_t epoch = *tally->epoch;
	struct tr_keyed_key any;
	uint64_t now;

	if (tally->times || !bpf_map_get_next_key(tally->keyed_fd, NULL, &any)) {
		__atomic_store_n(tally->epoch, !epoch, __ATOMIC_RELEASE);
		kernel_wait_for_programs();
	}
	now = emit_clock();
	if (tally->counts)
		emit_counts(tally, emit, now);
	if (tally->times)
		emit_rows(tally, emit, now, epoch);
	if (*tally->epoch == epoch)
		return;
	emit_keys(tally, emit, now, epoch);
	if (tally->config.per_process && tally->latency.n)
		latency_recycle(&tally->latency);
}
