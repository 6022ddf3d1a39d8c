/* SPDX-License-Identifier: GPL-2.0-only */
/* Hands out histograms, and writes what is new in them. */
#include "latency.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "buckets.h"
#include "map_memory.h"
#include "message.h"

/* IN_HAND: programs that may take one at the same moment for a key that the others have given one
 * by then; each holds a histogram while it finds that out. */
enum { MAX_IDLE = 2, TAKEN_AWAY = 255, IN_HAND = 8 };

static const char *const map_names[] = {"buckets", "histograms", "free_histograms",
					"taken_histograms"};

/* How many rows LIST has that are named, not left over by others. */
static uint32_t named_rows(const struct tr_call_list *list)
{
	uint32_t n = 0;

	if (list->choice != TR_CALLS_LISTED || list->odd_default)
		return 0;
	for (size_t i = 0; i < TR_N_ROWS / 64; i++)
		n += __builtin_popcountll(list->rows[i]);
	return n;
}

static void choose_size(struct latency *latency, const struct settings *settings)
{
	uint32_t odd = settings->latency.n_odd, named = named_rows(&settings->latency) + odd;
	uint32_t usual = named > TR_DEFAULT_HISTOGRAMS ? named : TR_DEFAULT_HISTOGRAMS;
	uint32_t most = settings->max_keys ? settings->max_keys : usual;
	bool for_named = !settings->per_process && named && named <= most;

	latency->keys = for_named ? named : most;
	latency->n = latency->keys + (for_named && !odd ? 0 : IN_HAND);
}

int latency_configure(struct latency *latency, const struct settings *settings, unsigned cpus,
		      struct bpf_object *object)
{
	uint64_t all;

	*latency = (struct latency){.cpus = cpus};
	if (settings->latency.choice)
		choose_size(latency, settings);
	all = (uint64_t)latency->n * cpus * TR_KERNEL_BUCKETS;
	if (all > UINT32_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(map_names) / sizeof(map_names[0]); i++)
		bpf_map__set_autocreate(bpf_object__find_map_by_name(object, map_names[i]),
					latency->n);
	if (!latency->n)
		return 0;
	bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "buckets"), all);
	bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "free_histograms"),
				 latency->n);
	bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "taken_histograms"),
				 latency->keys);
	return 0;
}

/* All of the calls have one, if all are named: the programs need not look for them. */
static uint32_t give_to_named(struct latency *latency, const struct settings *settings)
{
	const struct tr_call_list *list = &settings->latency;
	uint32_t named = named_rows(list), given = 0;

	if (settings->per_process || !named || named + list->n_odd > latency->keys)
		return 0;
	for (uint32_t row = 0; row < TR_N_ROWS; row++)
		if (list->rows[row / 64] >> row % 64 & 1)
			latency->rows[row] = ++given;
	return given;
}

int latency_open(struct latency *latency, const struct settings *settings,
		 struct bpf_object *object)
{
	size_t numbers = (size_t)latency->n * TR_KERNEL_BUCKETS;
	uint32_t given;

	if (!latency->n)
		return 0;
	latency->told = tr_xcalloc(numbers, sizeof(*latency->told));
	latency->idle = tr_xcalloc(latency->n + 1, sizeof(*latency->idle));
	latency->free_fd = bpf_object__find_map_fd_by_name(object, "free_histograms");
	latency->taken_fd = bpf_object__find_map_fd_by_name(object, "taken_histograms");
	latency->buckets_bytes = map_whole_pages(latency->cpus * numbers * sizeof(uint64_t));
	latency->buckets = map_memory(bpf_object__find_map_fd_by_name(object, "buckets"),
				      latency->buckets_bytes, PROT_READ);
	latency->rows_bytes = map_whole_pages((TR_NONE_LEFT + 1) * sizeof(uint64_t));
	latency->rows = map_memory(bpf_object__find_map_fd_by_name(object, "histograms"),
				   latency->rows_bytes, PROT_READ | PROT_WRITE);
	if (!latency->buckets || !latency->rows)
		return -errno;
	given = give_to_named(latency, settings);
	for (uint32_t i = given + 1; i <= latency->n; i++)
		if (bpf_map_update_elem(latency->free_fd, NULL, &i, 0))
			return -errno;
	return 0;
}

void latency_release(struct latency *latency)
{
	if (latency->buckets)
		munmap((void *)latency->buckets, latency->buckets_bytes);
	if (latency->rows)
		munmap(latency->rows, latency->rows_bytes);
	free(latency->told);
	free(latency->idle);
	*latency = (struct latency){0};
}

static void emit_bucket(struct emit *emit, uint64_t now, const struct owner *owner, unsigned bucket,
			uint64_t n)
{
	bool open = bucket == TR_OPEN_BUCKET;

	EMIT_AGGREGATE(emit, hist, open ? TR_NO_HI : 0, owner, .ts = now, .n = n,
		       .lo = tr_bucket_low(bucket), .hi = open ? 0 : tr_bucket_low(bucket + 1));
}

void latency_emit(struct latency *latency, struct emit *emit, uint64_t now,
		  const struct owner *owner, uint64_t histogram)
{
	size_t first = (size_t)(histogram - 1) * TR_KERNEL_BUCKETS;

	if (!histogram)
		return;
	if (latency->idle[histogram] != TAKEN_AWAY)
		latency->idle[histogram] = 0;
	for (unsigned bucket = 0; bucket < TR_KERNEL_BUCKETS; bucket++) {
		size_t i = first + bucket;
		uint64_t n = 0;

		for (uint32_t cpu = 0; cpu < latency->cpus; cpu++) {
			const uint64_t *its =
				latency->buckets + (size_t)cpu * latency->n * TR_KERNEL_BUCKETS;

			n += __atomic_load_n(&its[i], __ATOMIC_RELAXED);
		}
		if (n != latency->told[i])
			emit_bucket(emit, now, owner, bucket, n - latency->told[i]);
		latency->told[i] = n;
	}
}

void latency_recycle(struct latency *latency)
{
	struct tr_histogram_key key, next;
	int end;

	for (uint32_t i = 1; i <= latency->n; i++) {
		if (latency->idle[i] != TAKEN_AWAY)
			continue;
		bpf_map_update_elem(latency->free_fd, NULL, &i, 0);
		latency->idle[i] = 0;
		latency->rows[TR_NONE_LEFT] = 0;
	}
	end = bpf_map_get_next_key(latency->taken_fd, NULL, &key);
	while (!end) {
		uint32_t i = 0;

		end = bpf_map_get_next_key(latency->taken_fd, &key, &next);
		if (!bpf_map_lookup_elem(latency->taken_fd, &key, &i) &&
		    ++latency->idle[i] > MAX_IDLE) {
			bpf_map_delete_elem(latency->taken_fd, &key);
			latency->idle[i] = TAKEN_AWAY;
		}
		key = next;
	}
}
