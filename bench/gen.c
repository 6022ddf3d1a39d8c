/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen plain|newline|schema N: a trace of N system calls as several busy programs would make them,
 * packed, with headers where tr-attach repeats them. With newline every time stamp holds a 0x0A, as
 * it does for 18 minutes of its fourth hour; with schema they are records of a kind that only
 * the trace itself defines.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"
#include "packed.h"
#include "part.h"

enum { HEADER_EVERY = 4096, SCHEMA_KIND = 64, READABLE = 64 };

static const char header[] =
	"{\"tracery\":{\"version\":1,\"id\":\"5eed5eed5eed5eed5eed5eed5eed5eed\",\"host\":\"web1\","
	"\"arch\":\"x86_64\",\"kernel\":\"6.12.1\",\"start\":\"2026-11-29T15:04:05.123456789Z\","
	"\"clock\":\"monotonic\",\"pid\":[1234,2345],"
	"\"argv\":[\"tr-attach\",\"--pid\",\"1234,2345\"]}}\n";

static const char schema[] =
	"{\"schema\":{\"kind\":64,\"type\":\"probe\",\"key\":\"shard\",\"value\":\"ns\","
	"\"fields\":[[\"ts\",\"time\"],[\"ns\",\"duration\"],[\"bytes\",\"i64\"],"
	"[\"comm\",\"comm\"],[\"pid\",\"pid\"],[\"tid\",\"pid\"],[\"shard\",\"u32\"]]}}\n";

/* The calls' numbers on x86_64, as often as they shall come. */
static const unsigned short calls[] = {
	0,   0,   0,   0,   0,   0,   0, /* read */
	1,   1,   1,   1,   1,           /* write */
	202, 202, 202, 202, 202, 202,    /* futex */
	232, 232, 232, 232,              /* epoll_wait */
	45,  45,  44,  44,  20,  228,    /* recvfrom, sendto, writev, clock_gettime */
	3,   5,   9,   257,              /* close, fstat, mmap, openat */
};

static const char comms[][16] = {"nginx", "redis-server", "postgres", "io_thd_redis"};

static uint64_t next_random(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

/* From a quarter of a us to 4 ms, short ones most. A tenth of the calls fails. */
static void next_call(struct tr_syscall *call)
{
	uint64_t dice = next_random(), shift = dice >> 8 & 15;
	unsigned who = dice >> 16 & 3;

	call->ts += 200 + (dice >> 20 & 1023);
	call->ns = 256 + (next_random() >> 56 << (shift < 8 ? 2 : shift - 1));
	call->ret = (dice >> 40) % 10 ? (int64_t)(dice >> 50) : -11;
	memcpy(&call->comm, comms[who], sizeof(call->comm));
	call->pid = 1234 + 1111 * who;
	call->tid = call->pid + (dice >> 18 & 3);
	call->syscall = calls[(dice >> 32 & 0xff) % (sizeof(calls) / sizeof(calls[0]))];
}

int main(int argc, char **argv)
{
	union {
		struct tr_syscall call;
		unsigned char bytes[TR_BYTES_syscall + READABLE];
	} body = {0};
	uint64_t n = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;
	bool own_kind, newline;
	char schemas[TR_SCHEMA_MAX + 1];
	struct tr_out out;

	if (argc != 3)
		return 2;
	own_kind = !strcmp(argv[1], "schema");
	newline = !strcmp(argv[1], "newline");
	*tr_schema_write(schemas, tr_kind_builtin(TR_KIND_syscall)) = 0;
	tr_out_init(&out, STDOUT_FILENO);
	body.call.ts = newline ? UINT64_C(0x0a) << 40 : 1;
	for (uint64_t i = 0; i < n && !out.error; i++) {
		char *p;

		if (i % HEADER_EVERY == 0) {
			tr_out_text(&out, header);
			tr_out_text(&out, own_kind ? schema : schemas);
		}
		next_call(&body.call);
		p = tr_out_reserve(&out, tr_packed_max(TR_BYTES_syscall) + READABLE);
		p += tr_packed_encode((unsigned char *)p, own_kind ? SCHEMA_KIND : TR_KIND_syscall,
				      body.bytes, TR_BYTES_syscall);
		tr_out_commit(&out, p);
	}
	tr_out_printf(&out, "{\"end\":{\"ts\":%llu,\"records\":%llu,\"lost\":0,\"status\":0}}\n",
		      body.call.ts, (unsigned long long)n);
	return tr_out_close(&out);
}
