/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream on stdout: control lines, and records in the form that was asked for. While tracing
 * goes on nothing here waits for a slow reader: what it does not take stays in the buffer, and when
 * that is full, with those who bring more.
 */
#ifndef EMIT_H
#define EMIT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "out.h"
#include "record.h"
#include "settings.h"
#include "stack_text.h"

struct emit {
	struct tr_out out;
	enum format format;
	uint64_t kinds;     /* bit N: records of kind N may come */
	int64_t start_wall; /* ns since 1970, at the same moment as ... */
	uint64_t start;     /* ... this on the kernel's monotonic clock */
	char *header;       /* the tracery line and the schemas */
	size_t header_bytes;
	uint64_t lines; /* since the header was last written */
	uint64_t records, max_records;
	uint64_t lost;
	size_t line_room; /* a record that is longer makes the buffer grow */
	bool blocked;     /* the reader takes no more just now */
	struct tr_record_json *json[TR_N_BUILTIN];
};

/*
 * Opens stdout. Records of KINDS will be written; PIDS (N_PIDS) are named in the header. A zeroed
 * one can be released.
 */
void emit_open(struct emit *emit, const struct settings *settings, uint64_t kinds,
	       const uint32_t *pids, size_t n_pids);
void emit_release(struct emit *emit);

/* The kernel's monotonic clock, as programs see it. */
uint64_t emit_clock(void);

/* There is room for a few lines. */
bool emit_has_room(const struct emit *emit);
/* As many records as were asked for have been written; more are dropped. */
bool emit_is_full(const struct emit *emit);

/* BODY, its ts in the kernel's time, is changed. It must be readable for 64 bytes. */
void emit_record(struct emit *emit, uint16_t kind, unsigned flags, unsigned char *body,
		 size_t bytes);
void emit_record_with_stack(struct emit *emit, uint16_t kind, unsigned flags, unsigned char *body,
			    size_t bytes, const struct tr_stack *stack);
void emit_lost(struct emit *emit, uint64_t n, const char *why);
void emit_end(struct emit *emit, int status);

/* Writes as much as goes without waiting; sets `blocked`. */
void emit_write(struct emit *emit);
/* Writes all of it, however long it takes, and closes. Returns TR_DONE or TR_FAILED. */
int emit_close(struct emit *emit);

#endif
