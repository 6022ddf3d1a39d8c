/* SPDX-License-Identifier: GPL-2.0-only */
/* What the halves of the binder share; nobody else's business. */
#ifndef TR_EXPR_BINDER_H
#define TR_EXPR_BINDER_H

#include "expr_program.h"

/* A value of the stack while its types are worked out. Text and null have no steps yet. */
struct tr_expr_operand {
	uint8_t type;  /* enum tr_expr_type */
	bool literal;  /* stands in the expression itself */
	uint16_t text; /* of a string or code */
	size_t start;  /* its first step */
	const struct tr_expr_node *node;
};

struct tr_expr_binder {
	struct tr_expr_program *program;
	const struct tr_expr *expr;
	const struct tr_expr_source *sources;
	const struct tr_expr_records *records;
	struct tr_expr_error *error;
	struct tr_expr_operand stack[TR_EXPR_MAX_STACK];
	size_t n;
};

static inline void emit(struct tr_expr_binder *b, struct tr_expr_step step)
{
	b->program->steps[b->program->n_steps++] = step;
}

static inline void emit_op(struct tr_expr_binder *b, enum tr_expr_op op)
{
	emit(b, (struct tr_expr_step){.op = op});
}

static inline void emit_int(struct tr_expr_binder *b, int64_t value)
{
	emit(b, (struct tr_expr_step){.op = TR_STEP_INT, .value = value});
}

static inline void push(struct tr_expr_binder *b, const struct tr_expr_node *node,
			enum tr_expr_type type, size_t start)
{
	b->stack[b->n++] = (struct tr_expr_operand){.type = type, .node = node, .start = start};
}

/* The steps from START on are for nothing: the value is known. */
static inline int push_known(struct tr_expr_binder *b, const struct tr_expr_node *node,
			     size_t start, bool value)
{
	b->program->n_steps = start;
	emit_int(b, value);
	push(b, node, TR_EXPR_BOOL, start);
	return 0;
}

static inline int push_null(struct tr_expr_binder *b, const struct tr_expr_node *node, size_t start)
{
	b->program->n_steps = start;
	push(b, node, TR_EXPR_NULL, start);
	return 0;
}

static inline bool is_text(const struct tr_expr_operand *o)
{
	return o->type == TR_EXPR_STRING || o->type == TR_EXPR_CODE;
}

static inline bool is_flag(const struct tr_expr_operand *o)
{
	return o->type == TR_EXPR_FLAG || o->type == TR_EXPR_BOOL;
}

static inline void emit_load(struct tr_expr_binder *b, const struct tr_field *field,
			     unsigned element)
{
	bool is_flag_field = tr_types[field->type].class == TR_C_flag;

	emit(b, (struct tr_expr_step){.op = is_flag_field ? TR_STEP_LOAD_FLAG : TR_STEP_LOAD,
				      .field = field,
				      .element = element});
}

/* Types do not fit: operand O's, and WHAT is expected, or "". -EINVAL, or a null pushed for NODE.
 */
int tr_expr_misfit(struct tr_expr_binder *b, const struct tr_expr_node *node,
		   const struct tr_expr_operand *o, size_t start, const char *what);

/* Makes a number of O where it can be one. Of two operands the right one comes first. */
bool tr_expr_to_number(struct tr_expr_binder *b, struct tr_expr_operand *o);

/* == != and ~ */
int tr_expr_bind_equal(struct tr_expr_binder *b, const struct tr_expr_node *node,
		       struct tr_expr_operand *l, struct tr_expr_operand *r);
int tr_expr_bind_match(struct tr_expr_binder *b, const struct tr_expr_node *node,
		       struct tr_expr_operand *l, struct tr_expr_operand *r);

#endif
