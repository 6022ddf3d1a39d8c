/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads counters and writes what they have gained. */
#include "counts.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "message.h"
#include "syscalls.h"

struct odd_count {
	uint32_t code;
	uint64_t told;
};

int counts_open(struct counts *counts, unsigned cpus, int rows_fd, int odd_fd)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	*counts = (struct counts){.cpus = cpus, .odd_fd = odd_fd};
	counts->bytes = (cpus * TR_N_ROWS * sizeof(uint64_t) + page - 1) & ~(page - 1);
	p = mmap(NULL, counts->bytes, PROT_READ, MAP_SHARED, rows_fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	counts->rows = p;
	counts->told = tr_xcalloc(TR_N_ROWS, sizeof(*counts->told));
	counts->odd = tr_xcalloc(TR_MAX_ODD_CALLS, sizeof(*counts->odd));
	return 0;
}

void counts_release(struct counts *counts)
{
	if (counts->rows)
		munmap((void *)counts->rows, counts->bytes);
	free(counts->told);
	free(counts->odd);
	*counts = (struct counts){0};
}

static void emit_count(struct emit *emit, uint64_t now, uint32_t code, uint64_t n)
{
	union {
		struct tr_count record;
		unsigned char readable[64];
	} u = {.record = {.ts = now, .n = n, .syscall = code}};

	emit_record(emit, TR_KIND_count, 0, u.readable, TR_BYTES_count);
}

static void emit_rows(struct counts *counts, struct emit *emit, uint64_t now)
{
	for (uint32_t row = 0; row < TR_N_ROWS; row++) {
		uint64_t n = 0;

		for (unsigned cpu = 0; cpu < counts->cpus; cpu++)
			n += __atomic_load_n(&counts->rows[cpu * TR_N_ROWS + row],
					     __ATOMIC_RELAXED);
		if (n == counts->told[row])
			continue;
		emit_count(emit, now, tr_syscall_code(row / TR_ROWS_PER_ABI, row % TR_ROWS_PER_ABI),
			   n - counts->told[row]);
		counts->told[row] = n;
	}
}

static struct odd_count *odd_count(struct counts *counts, uint32_t code)
{
	for (size_t i = 0; i < counts->n_odd; i++)
		if (counts->odd[i].code == code)
			return &counts->odd[i];
	if (counts->n_odd == TR_MAX_ODD_CALLS)
		return NULL;
	counts->odd[counts->n_odd] = (struct odd_count){.code = code};
	return &counts->odd[counts->n_odd++];
}

static void emit_odd(struct counts *counts, struct emit *emit, uint64_t now)
{
	uint32_t code, *last = NULL;

	while (!bpf_map_get_next_key(counts->odd_fd, last, &code)) {
		struct odd_count *odd = odd_count(counts, code);
		uint64_t n;

		last = &code;
		if (!odd || bpf_map_lookup_elem(counts->odd_fd, &code, &n) || n == odd->told)
			continue;
		emit_count(emit, now, code, n - odd->told);
		odd->told = n;
	}
}

void counts_emit(struct counts *counts, struct emit *emit)
{
	uint64_t now = emit_clock();

	emit_rows(counts, emit, now);
	emit_odd(counts, emit, now);
}
