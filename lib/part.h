/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a stream: what a `tracery` line began, with the kinds that its schema lines define.
 * Builds parts from control lines; the reader (stream.h) says which part a line belongs to.
 */
#ifndef TR_PART_H
#define TR_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "json.h"
#include "record.h"
#include "syscalls.h"

enum {
	TR_MAX_KINDS = 4096, /* that the schemas of one stream may define */
	TR_PART_LINES = 16,
};

/* A kind in a part, with what reading and writing it takes. */
struct tr_part_kind {
	const struct tr_kind *kind;
	struct tr_kind own;          /* `kind` points here unless it is built in */
	struct tr_record_json *json; /* made when first needed: tr_part_kind_json() */
	unsigned char first;         /* byte of a packed line */
	uint8_t line_bytes;          /* of a packed line, 0: longer than 64 or not fixed */
	struct tr_part *part;
	void *plan; /* the tool's own, made on first sight */
	void (*plan_free)(void *plan);
	void *selection; /* where.c's */
	void (*selection_free)(void *selection);
};

struct tr_part {
	char *id, *host, *arch, *kernel; /* "" where the header does not say */
	int64_t start_ns;                /* since 1970 */
	bool headless;                   /* no header: taken as this machine's */
	size_t n_targets;                /* processes that the header names */
	int64_t target_pid;              /* the first of them */
	const struct tr_syscalls *calls;
	uint64_t records; /* data lines read that fit a kind */
	uint64_t objects; /* and those that do not */
	uint64_t lost;    /* by the `lost` lines */
	uint64_t passed;  /* for the tool, to count those that it passes on */
	uint32_t slot;    /* for the tool, to number parts; at first 0 */
	bool ended;
	uint64_t ended_records, ended_lost; /* by the `end` line */
	/* private */
	struct tr_part_line {
		char *bytes;
		size_t len;
		int control;
	} lines[TR_PART_LINES]; /* its first header and schema lines: parts.c */
	size_t n_lines;
	struct tr_part_kind *low[TR_FIRST_YAML_KIND]; /* by number */
	struct tr_part_kind **high;                   /* in order of number */
	size_t n_high;
};

/* HEADER is the object inside {"tracery":...}, NULL for a part without one. NULL when a member has
 * the wrong type. */
struct tr_part *tr_part_new(struct tr_json_object *header);
void tr_part_free(struct tr_part *part);

/*
 * Takes in the object inside {"schema":...}: defines the kind, or finds that it is known already.
 * Returns 1 for a new kind, 0 for a known one, -EINVAL for a bad or contradicting one.
 */
int tr_part_add_schema(struct tr_part *part, struct tr_json_object *schema);

/* The kind of that number, or NULL. */
struct tr_part_kind *tr_part_find_kind(struct tr_part *part, uint32_t number);
/* The kinds with that type name, one after the other: AFTER is NULL, then the last one. */
struct tr_part_kind *tr_part_next_kind(struct tr_part *part, struct tr_string type,
				       const struct tr_part_kind *after);
struct tr_record_json *tr_part_kind_json(struct tr_part_kind *kind);

/* Writes {"schema":...} and a newline for KIND; at most TR_SCHEMA_MAX bytes. Returns the end. */
enum { TR_SCHEMA_MAX = 40960 };
char *tr_schema_write(char *p, const struct tr_kind *kind);

/* "2026-11-29T15:04:05.123456789Z" to and from ns since 1970. 0 or -EINVAL; TEXT holds 40 bytes. */
int tr_iso_time_parse(struct tr_string text, int64_t *ns);
void tr_iso_time_format(char *text, int64_t ns);

#endif
