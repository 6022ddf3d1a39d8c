/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of expressions share: a part with one kind of every type, and an expression's
 * value for one record, packed or as JSON.
 */
#ifndef TRY_EXPR_H
#define TRY_EXPR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_program.h"
#include "part.h"
#include "record_json.h"

static const char expr_schema[] =
	"{\"kind\":64,\"type\":\"odd\",\"key\":\"call\",\"fields\":[[\"g\",\"time\"],[\"a\","
	"\"i64\"],"
	"[\"b\",\"u64\"],[\"z\",\"bytes\"],[\"e\",\"hex\"],[\"c\",\"u32\"],[\"i\",\"i32\"],"
	"[\"d\",\"i8\"],[\"f\",\"bool\"],[\"h\",\"i16[3]\"],[\"call\",\"syscall\"],[\"t\",\"comm\"]"
	","
	"[\"s\",\"str\"],[\"ret\",\"i64\"],[\"u\",\"str\"]]}";

enum verdict { IS_FALSE, IS_TRUE, IS_NULL, IS_ERROR };

static inline struct tr_part *expr_part(void)
{
	static const char header[] = "{\"id\":\"x\",\"arch\":\"x86_64\",\"pid\":[77]}";
	struct tr_json_object object = {0};
	struct tr_part *part;

	tr_json_parse(&object, header, strlen(header));
	part = tr_part_new(&object);
	tr_json_parse(&object, expr_schema, strlen(expr_schema));
	if (tr_part_add_schema(part, &object) != 1)
		abort();
	tr_json_release(&object);
	return part;
}

static inline bool expr_run_once(struct tr_expr_program *program, const unsigned char *body)
{
	bool holds;

	tr_expr_run(program, body ? &body : NULL, 1, &holds);
	return holds;
}

/* Whether TEXT is true for a packed body of KIND. */
static inline enum verdict expr_packed(const struct tr_part_kind *kind, const char *text,
				       const unsigned char *body, struct tr_expr_error *error)
{
	struct tr_expr *expr = tr_expr_parse(text, error);
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	struct tr_expr_records records = {.kind = kind->kind,
					  .calls = kind->part->calls,
					  .n_targets = kind->part->n_targets,
					  .target_pid = kind->part->target_pid};
	struct tr_expr_program program;
	enum verdict verdict = IS_ERROR;

	if (!expr)
		return IS_ERROR;
	for (size_t i = 0; i < expr->n_fields; i++)
		tr_expr_source_of_kind(&sources[i], &expr->fields[i], kind->kind);
	tr_expr_program_init(&program, expr);
	if (!tr_expr_bind(&program, expr, sources, &records, error))
		verdict = expr_run_once(&program, body);
	tr_expr_program_release(&program);
	tr_expr_free(expr);
	return verdict;
}

/* The same for a JSON object, whose members KIND (may be NULL) says more of. */
static inline enum verdict expr_object(const struct tr_part *part, const struct tr_kind *kind,
				       const char *text, struct tr_json_object *object,
				       struct tr_expr_error *error)
{
	struct tr_expr *expr = tr_expr_parse(text, error);
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	struct tr_expr_records records = {.calls = part->calls,
					  .n_targets = part->n_targets,
					  .target_pid = part->target_pid,
					  .lenient = true};
	struct tr_expr_program program;
	enum verdict verdict = IS_ERROR;

	if (!expr)
		return IS_ERROR;
	for (size_t i = 0; i < expr->n_fields; i++) {
		const char *name = expr->fields[i].name;

		tr_expr_source_of_object(&sources[i], &expr->fields[i], object,
					 kind ? tr_kind_field(kind, name, strlen(name)) : NULL,
					 part->calls);
	}
	tr_expr_program_init(&program, expr);
	if (!tr_expr_bind(&program, expr, sources, &records, error))
		verdict = expr_run_once(&program, NULL);
	tr_expr_program_release(&program);
	tr_expr_free(expr);
	return verdict;
}

#endif
