/* SPDX-License-Identifier: GPL-2.0-only */
/* Ring buffers: made here, so that several objects can share them, and read. */
#include "ring.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "message.h"

enum {
	CPUS_PER_RING = 8,
	TELL_EVERY = 64, /* records */
	RECORD_MAX = sizeof(struct tr_ring_header) + 65536,
};

struct ring {
	int fd;
	uint64_t bytes;           /* a power of two */
	uint64_t *consumer;       /* how far we are; a page of its own */
	const uint64_t *producer; /* how far the programs are; a page, then the data */
	const unsigned char *data;
};

static size_t page(void)
{
	return sysconf(_SC_PAGESIZE);
}

uint64_t rings_legal_bytes(uint64_t bytes)
{
	uint64_t legal = page();

	while (legal < bytes)
		legal *= 2;
	return legal;
}

static int ring_init(struct ring *ring, uint64_t bytes)
{
	void *p;

	ring->bytes = bytes;
	ring->fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "events", 0, 0, bytes, NULL);
	if (ring->fd < 0)
		return -errno;
	p = mmap(NULL, page(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	ring->consumer = p;
	/* The data could be had twice in a row, with no record broken by the end, but would count
	 * twice as our memory. */
	p = mmap(NULL, page() + bytes, PROT_READ, MAP_SHARED, ring->fd, page());
	if (p == MAP_FAILED)
		return -errno;
	ring->producer = p;
	ring->data = (const unsigned char *)p + page();
	return 0;
}

static void ring_release(struct ring *ring)
{
	if (ring->consumer)
		munmap(ring->consumer, page());
	if (ring->producer)
		munmap((void *)ring->producer, page() + ring->bytes);
	if (ring->fd >= 0)
		close(ring->fd);
}

static int make_outer(struct rings *rings)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = rings->rings[0].fd);

	rings->outer_fd =
		bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "rings", 4, 4, rings->n, &opts);
	if (rings->outer_fd < 0)
		return -errno;
	for (uint32_t i = 0; i < rings->n; i++)
		if (bpf_map_update_elem(rings->outer_fd, &i, &rings->rings[i].fd, BPF_ANY))
			return -errno;
	return 0;
}

int rings_init(struct rings *rings, unsigned cpus, uint64_t bytes, uint64_t least)
{
	/* For trying several rings on a small machine; not for users, hence in no manual. */
	const char *forced = getenv("TR_CPUS_PER_RING");
	unsigned per_ring = forced && atoi(forced) > 0 ? atoi(forced) : CPUS_PER_RING;
	int err = 0;

	rings->n = (cpus + per_ring - 1) / per_ring;
	rings->rings = tr_xcalloc(rings->n, sizeof(*rings->rings));
	for (size_t i = 0; i < rings->n; i++)
		rings->rings[i].fd = -1;
	bytes /= rings->n;
	bytes = rings_legal_bytes(bytes < least ? least : bytes);
	for (size_t i = 0; i < rings->n && !err; i++)
		err = ring_init(&rings->rings[i], bytes);
	if (!err && rings->n > 1)
		err = make_outer(rings);
	rings->config = (struct tr_ring_config){
		.rings = rings->n, .cpus_per_ring = per_ring, .wake_bytes = bytes / 4};
	return err;
}

void rings_release(struct rings *rings)
{
	for (size_t i = 0; i < rings->n; i++)
		ring_release(&rings->rings[i]);
	free(rings->rings);
	if (rings->outer_fd >= 0)
		close(rings->outer_fd);
	*rings = (struct rings){.outer_fd = -1};
}

int rings_fd(const struct rings *rings, size_t i)
{
	return rings->rings[i].fd;
}

/* The record of LEN bytes at AT; copied to WHOLE when the ring's end breaks it. */
static const struct tr_ring_header *record_at(const struct ring *ring, uint64_t at, uint32_t len,
					      unsigned char *whole)
{
	uint64_t from = at & (ring->bytes - 1), to_end = ring->bytes - from;

	if (to_end >= len)
		return (const void *)(ring->data + from);
	memcpy(whole, ring->data + from, to_end);
	memcpy(whole + to_end, ring->data, len - to_end);
	return (const void *)whole;
}

static size_t ring_drain(struct ring *ring, struct order *order, size_t lane, size_t max,
			 bool *full)
{
	uint64_t at = *ring->consumer, end = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
	static unsigned char whole[RECORD_MAX] __attribute__((aligned(8)));
	size_t n = 0;

	while (at < end && n < max) {
		const uint32_t *word = (const void *)(ring->data + (at & (ring->bytes - 1)));
		uint32_t len = __atomic_load_n(word, __ATOMIC_ACQUIRE);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT) &&
		    !order_add(order, lane, record_at(ring, at + BPF_RINGBUF_HDR_SZ, len, whole))) {
			*full = true;
			break;
		}
		len &= ~BPF_RINGBUF_DISCARD_BIT;
		at += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7U;
		if (++n % TELL_EVERY == 0)
			__atomic_store_n(ring->consumer, at, __ATOMIC_RELEASE);
	}
	__atomic_store_n(ring->consumer, at, __ATOMIC_RELEASE);
	return n;
}

size_t rings_drain(struct rings *rings, struct order *order, size_t max, uint64_t *let_go)
{
	size_t n = 0;

	*let_go = 0;
	for (size_t i = 0; i < rings->n; i++) {
		bool full = false;

		n += ring_drain(&rings->rings[i], order, i, max, &full);
		if (full && order_middle(order, i) > *let_go)
			*let_go = order_middle(order, i);
	}
	return n;
}
