/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions of --where: what they may ask of a call, and what is said when they can't be. */
#include "where.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "syscalls.h"

/* What the kernel knows of a call, in the order in which it is shown. */
static const struct {
	const char *name;
	bool at_entry;
} fields[] = {
	{"syscall", true}, {"comm", true}, {"pid", true},    {"tid", true},   {"args", true},
	{"ns", false},     {"ret", false}, {"errno", false}, {"path", false}, {"path2", false},
};

void where_add(struct where *where, const char *text)
{
	where->texts = tr_xrealloc(where->texts, (where->n + 1) * sizeof(*where->texts));
	where->texts[where->n++] = text;
}

void where_release(struct where *where)
{
	free(where->texts);
	*where = (struct where){0};
}

static int check_field(const struct tr_expr_node *node, const char *name, bool at_entry,
		       struct tr_expr_error *error)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(fields[i].name, name))
			continue;
		if (!at_entry || fields[i].at_entry)
			return 0;
		return tr_expr_fail(error, node->column,
				    "%s is not known yet when --count counts a call, which is when "
				    "it begins; --summary counts calls that ended",
				    name);
	}
	if (!strcmp(name, "ts") || !strcmp(name, "type"))
		return tr_expr_fail(error, node->column,
				    "%s is given to records when they are written, and not known "
				    "in the kernel; tr-cat --where selects by it",
				    name);
	return tr_expr_fail(error, node->column,
			    "a system call has no %s; there are syscall, comm, pid, tid, args[0] "
			    "to args[5], ns, ret, errno, path, path2",
			    name);
}

static int check_fields(const struct tr_expr *expr, bool at_entry, struct tr_expr_error *error)
{
	int err = 0;

	for (size_t i = 0; i < expr->n_nodes && !err; i++)
		if (expr->nodes[i].op == TR_NODE_FIELD)
			err = check_field(&expr->nodes[i], expr->fields[expr->nodes[i].ref].name,
					  at_entry, error);
	return err;
}

static int unknown_call(const struct tr_string *name, struct tr_expr_error *error)
{
	const char *near = tr_syscall_nearest(tr_syscalls_native(), name->bytes, name->len);

	return tr_expr_fail(error, 0, "there is no system call \"%.*s\"%s%s%s", (int)name->len,
			    name->bytes, near ? "; did you mean " : "", near ? near : "",
			    near ? "?" : "");
}

static int compile(const struct tr_expr *expr, const struct where_use *use,
		   struct tr_where_config *config, struct tr_expr_error *error)
{
	struct tr_expr_records records = {.kind = tr_kind_builtin(TR_KIND_syscall_args),
					  .calls = tr_syscalls_native(),
					  .n_targets = use->n_targets,
					  .target_pid = use->target_pid};
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	struct tr_expr_program program;
	int err = check_fields(expr, use->at_entry, error);

	if (err)
		return err;
	for (size_t i = 0; i < expr->n_fields; i++)
		tr_expr_source_of_kind(&sources[i], &expr->fields[i], records.kind);
	tr_expr_program_init(&program, expr);
	err = tr_expr_bind(&program, expr, sources, &records, error);
	if (!err && program.unknown_call)
		err = unknown_call(program.unknown_call, error);
	if (!err)
		err = where_lower(&program, config, error);
	tr_expr_program_release(&program);
	return err;
}

int where_compile(const struct where *where, const struct where_use *use,
		  struct tr_where_config *config)
{
	struct tr_expr_error error = {0};
	int err = 0;

	*config =
		(struct tr_where_config){.wanted = where->n > 0, .first_path = TR_WHERE_MAX_STEPS};
	for (size_t i = 0; i < where->n && !err; i++) {
		struct tr_expr *expr = tr_expr_parse(where->texts[i], &error);

		err = expr ? compile(expr, use, config, &error) : -EINVAL;
		if (expr)
			tr_expr_free(expr);
	}
	if (!err)
		return 0;
	if (error.column)
		tr_error("--where: column %u: %s; see tracery-expressions(7)", error.column,
			 error.what);
	else
		tr_error("--where: %s; see tracery-expressions(7)", error.what);
	return err;
}
