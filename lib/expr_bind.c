/* SPDX-License-Identifier: GPL-2.0-only */
/* Types: from the nodes of an expression and what its fields are to a program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr_binder.h"
#include "message.h"

static const char *const type_names[] = {
	[TR_EXPR_NULL] = "null",
	[TR_EXPR_INT] = "a number",
	[TR_EXPR_UINT] = "a number",
	[TR_EXPR_FLAG] = "true or false",
	[TR_EXPR_BOOL] = "true or false",
	[TR_EXPR_STRING] = "a string",
	[TR_EXPR_CODE] = "a name",
	[TR_EXPR_ERRNO] = "an error number",
	[TR_EXPR_ARRAY] = "an array, of which one element is asked for as in args[0]",
	[TR_EXPR_NO_ARRAY] = "no array",
	[TR_EXPR_NO_ELEMENT] = "an array with fewer elements",
};

static void insert_int(struct tr_expr_binder *b, size_t at, int64_t value)
{
	struct tr_expr_step *steps = b->program->steps;

	memmove(steps + at + 1, steps + at, (b->program->n_steps - at) * sizeof(*steps));
	steps[at] = (struct tr_expr_step){.op = TR_STEP_INT, .value = value};
	b->program->n_steps++;
}

int tr_expr_misfit(struct tr_expr_binder *b, const struct tr_expr_node *node,
		   const struct tr_expr_operand *o, size_t start, const char *what)
{
	const struct tr_expr_field *field =
		o->node->op == TR_NODE_FIELD ? &b->expr->fields[o->node->ref] : NULL;

	if (b->records->lenient)
		return push_null(b, node, start);
	return tr_expr_fail(b->error, o->node->column, "%s is %s%s%s", field ? field->name : "this",
			    type_names[o->type], *what ? ": " : "", what);
}

static uint16_t add_text(struct tr_expr_binder *b, struct tr_expr_text text)
{
	b->program->texts[b->program->n_texts] = text;
	return b->program->n_texts++;
}

bool tr_expr_to_number(struct tr_expr_binder *b, struct tr_expr_operand *o)
{
	int64_t value;
	bool is_unsigned;

	if (o->type == TR_EXPR_ERRNO)
		o->type = TR_EXPR_INT;
	if (o->type == TR_EXPR_INT || o->type == TR_EXPR_UINT)
		return true;
	/* JSON writes some numbers as strings. */
	if (o->type != TR_EXPR_STRING || o->literal || b->program->texts[o->text].field ||
	    tr_expr_string_number(b->program->texts[o->text].string, &value, &is_unsigned))
		return false;
	insert_int(b, o->start, value);
	o->type = is_unsigned ? TR_EXPR_UINT : TR_EXPR_INT;
	return true;
}

/* Makes a condition of O; null counts as false. Of two operands the right one comes first. */
static bool to_condition(struct tr_expr_binder *b, struct tr_expr_operand *o)
{
	if (o->type == TR_EXPR_NULL)
		insert_int(b, o->start, 0);
	return o->type <= TR_EXPR_BOOL || o->type == TR_EXPR_ERRNO;
}

static int bind_field(struct tr_expr_binder *b, const struct tr_expr_node *node)
{
	const struct tr_expr_source *source = &b->sources[node->ref];
	int element = b->expr->fields[node->ref].element;
	size_t start = b->program->n_steps;
	struct tr_expr_operand o = {.type = source->type, .node = node, .start = start};

	if (source->type == TR_EXPR_NO_ARRAY || source->type == TR_EXPR_NO_ELEMENT)
		return tr_expr_misfit(b, node, &o, start, "");
	if (is_text(&o)) {
		o.text = add_text(b, source->text);
	} else if (source->field && source->type != TR_EXPR_ARRAY) {
		emit_load(b, source->field, element < 0 ? 0 : element);
		if (source->from_result)
			emit_op(b, TR_STEP_ERRNO);
	} else if (source->type != TR_EXPR_NULL && source->type != TR_EXPR_ARRAY) {
		emit_int(b, source->value);
	}
	b->stack[b->n++] = o;
	return 0;
}

static int bind_leaf(struct tr_expr_binder *b, const struct tr_expr_node *node)
{
	size_t start = b->program->n_steps;
	struct tr_expr_operand *o = &b->stack[b->n];

	switch (node->op) {
	case TR_NODE_FIELD: return bind_field(b, node);
	case TR_NODE_TARGET_PID:
		if (b->records->n_targets != 1)
			return tr_expr_fail(b->error, node->column,
					    "$TARGET_PID: the trace names %s target process",
					    b->records->n_targets ? "more than one" : "no");
		emit_int(b, b->records->target_pid);
		push(b, node, TR_EXPR_INT, start);
		break;
	case TR_NODE_INT:
		emit_int(b, node->value);
		push(b, node, node->is_unsigned ? TR_EXPR_UINT : TR_EXPR_INT, start);
		break;
	case TR_NODE_FLAG:
		emit_int(b, node->value);
		push(b, node, TR_EXPR_FLAG, start);
		break;
	case TR_NODE_STRING:
		push(b, node, TR_EXPR_STRING, start);
		o->text = add_text(b, (struct tr_expr_text){.string = b->expr->strings[node->ref]});
		break;
	default: push(b, node, TR_EXPR_NULL, start);
	}
	o->literal = true;
	return 0;
}

static int bind_unary(struct tr_expr_binder *b, const struct tr_expr_node *node)
{
	struct tr_expr_operand o = b->stack[--b->n];

	if (o.type == TR_EXPR_NULL)
		return push_null(b, node, o.start);
	if (node->op == TR_NODE_NEGATE) {
		if (!tr_expr_to_number(b, &o))
			return tr_expr_misfit(b, node, &o, o.start, "- takes a number");
		emit_op(b, TR_STEP_NEGATE);
		push(b, node, o.type, o.start);
		return 0;
	}
	if (!to_condition(b, &o))
		return tr_expr_misfit(b, node, &o, o.start, "! takes a condition");
	emit_op(b, TR_STEP_NOT);
	push(b, node, TR_EXPR_BOOL, o.start);
	return 0;
}

static int bind_logic(struct tr_expr_binder *b, const struct tr_expr_node *node,
		      struct tr_expr_operand *l, struct tr_expr_operand *r)
{
	const char *what = "&& and || take conditions, such as comparisons";

	if (!to_condition(b, r))
		return tr_expr_misfit(b, node, r, l->start, what);
	if (!to_condition(b, l))
		return tr_expr_misfit(b, node, l, l->start, what);
	emit_op(b, node->op == TR_NODE_OR ? TR_STEP_OR : TR_STEP_AND);
	push(b, node, TR_EXPR_BOOL, l->start);
	return 0;
}

/* The step of an operator on two numbers, and of the same unsigned. */
static const struct {
	uint8_t op, op_unsigned;
} number_steps[] = {
	[TR_NODE_LT] = {TR_STEP_LT, TR_STEP_LT_U},
	[TR_NODE_LE] = {TR_STEP_LE, TR_STEP_LE_U},
	[TR_NODE_GT] = {TR_STEP_GT, TR_STEP_GT_U},
	[TR_NODE_GE] = {TR_STEP_GE, TR_STEP_GE_U},
	[TR_NODE_ADD] = {TR_STEP_ADD, TR_STEP_ADD},
	[TR_NODE_SUB] = {TR_STEP_SUB, TR_STEP_SUB},
	[TR_NODE_BITOR] = {TR_STEP_BITOR, TR_STEP_BITOR},
	[TR_NODE_BITXOR] = {TR_STEP_BITXOR, TR_STEP_BITXOR},
	[TR_NODE_MUL] = {TR_STEP_MUL, TR_STEP_MUL},
	[TR_NODE_DIV] = {TR_STEP_DIV, TR_STEP_DIV_U},
	[TR_NODE_MOD] = {TR_STEP_MOD, TR_STEP_MOD_U},
	[TR_NODE_SHL] = {TR_STEP_SHL, TR_STEP_SHL},
	[TR_NODE_SHR] = {TR_STEP_SHR, TR_STEP_SHR},
	[TR_NODE_BITAND] = {TR_STEP_BITAND, TR_STEP_BITAND},
};

static int bind_numbers(struct tr_expr_binder *b, const struct tr_expr_node *node,
			struct tr_expr_operand *l, struct tr_expr_operand *r)
{
	bool is_order = node->op >= TR_NODE_LT && node->op <= TR_NODE_GE, is_unsigned;
	bool is_shift = node->op == TR_NODE_SHL || node->op == TR_NODE_SHR;
	const char *what = is_order ? "< <= > >= compare numbers" : "arithmetic takes numbers";

	if (l->type == TR_EXPR_NULL || r->type == TR_EXPR_NULL)
		return push_null(b, node, l->start);
	if (!tr_expr_to_number(b, r))
		return tr_expr_misfit(b, node, r, l->start, what);
	if (!tr_expr_to_number(b, l))
		return tr_expr_misfit(b, node, l, l->start, what);
	is_unsigned = l->type == TR_EXPR_UINT || (!is_shift && r->type == TR_EXPR_UINT);
	emit_op(b, is_unsigned ? number_steps[node->op].op_unsigned : number_steps[node->op].op);
	push(b, node, is_order ? TR_EXPR_BOOL : is_unsigned ? TR_EXPR_UINT : TR_EXPR_INT, l->start);
	return 0;
}

static int bind_binary(struct tr_expr_binder *b, const struct tr_expr_node *node)
{
	struct tr_expr_operand *r = &b->stack[--b->n], *l = &b->stack[--b->n];
	struct tr_expr_operand left = *l, right = *r;

	switch (node->op) {
	case TR_NODE_OR:
	case TR_NODE_AND: return bind_logic(b, node, &left, &right);
	case TR_NODE_EQ:
	case TR_NODE_NE: return tr_expr_bind_equal(b, node, &left, &right);
	case TR_NODE_MATCH: return tr_expr_bind_match(b, node, &left, &right);
	default: return bind_numbers(b, node, &left, &right);
	}
}

int tr_expr_bind(struct tr_expr_program *program, const struct tr_expr *expr,
		 const struct tr_expr_source *sources, const struct tr_expr_records *records,
		 struct tr_expr_error *error)
{
	struct tr_expr_binder b = {.program = program,
				   .expr = expr,
				   .sources = sources,
				   .records = records,
				   .error = error};
	int err = 0;

	program->n_steps = program->n_texts = 0;
	program->kind = records->kind;
	program->calls = records->calls;
	program->unknown_call = NULL;
	for (size_t i = 0; i < expr->n_nodes && !err; i++) {
		const struct tr_expr_node *node = &expr->nodes[i];

		if (node->op < TR_NODE_NEGATE)
			err = bind_leaf(&b, node);
		else if (node->op < TR_NODE_OR)
			err = bind_unary(&b, node);
		else
			err = bind_binary(&b, node);
	}
	if (!err && !to_condition(&b, &b.stack[0])) {
		err = tr_expr_misfit(&b, b.stack[0].node, &b.stack[0], 0, "it is no condition");
		if (!err)
			emit_int(&b, 0);
	}
	return err;
}

void tr_expr_program_init(struct tr_expr_program *program, const struct tr_expr *expr)
{
	/* No node has more than two steps of its own. */
	*program = (struct tr_expr_program){
		.steps = tr_xcalloc(2 * expr->n_nodes + 2, sizeof(*program->steps)),
		.texts = tr_xcalloc(expr->n_nodes, sizeof(*program->texts)),
	};
}

void tr_expr_program_release(struct tr_expr_program *program)
{
	free(program->steps);
	free(program->texts);
	*program = (struct tr_expr_program){0};
}
