/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the operators that also compare text, names and null: == != ~ */
#include <errno.h>
#include <string.h>

#include "errno_name.h"
#include "expr_binder.h"

/* == null asks whether the other side is null; that is never null itself. */
static int bind_is_null(struct tr_expr_binder *b, const struct tr_expr_node *node,
			struct tr_expr_operand *l, const struct tr_expr_operand *o)
{
	if (o->type == TR_EXPR_NULL || is_text(o) || o->type == TR_EXPR_ARRAY)
		return push_known(b, node, l->start,
				  (o->type == TR_EXPR_NULL) == (node->op == TR_NODE_EQ));
	emit_op(b, TR_STEP_IS_NULL);
	if (node->op == TR_NODE_NE)
		emit_op(b, TR_STEP_NOT);
	push(b, node, TR_EXPR_BOOL, l->start);
	return 0;
}

/* The code that TEXT's name stands for, if it is a constant. */
static bool code_of(struct tr_expr_binder *b, struct tr_expr_text *text)
{
	if (!text->field && !text->has_code)
		text->has_code = !tr_syscall_find(b->records->calls, text->string.bytes,
						  text->string.len, &text->code);
	return text->has_code;
}

static void emit_code(struct tr_expr_binder *b, const struct tr_expr_text *text)
{
	if (text->field)
		emit_load(b, text->field, text->element);
	else
		emit_int(b, text->code);
}

static bool same_bytes(struct tr_string a, struct tr_string b)
{
	return a.len == b.len && !memcmp(a.bytes, b.bytes, a.len);
}

static int bind_text(struct tr_expr_binder *b, const struct tr_expr_node *node,
		     struct tr_expr_operand *l, struct tr_expr_operand *r)
{
	struct tr_expr_text *x = &b->program->texts[l->text], *y = &b->program->texts[r->text];
	bool code_left = l->type == TR_EXPR_CODE, equal = node->op == TR_NODE_EQ;
	struct tr_expr_text *other = code_left ? y : x;

	if (!x->field && !y->field && same_bytes(x->string, y->string))
		return push_known(b, node, l->start, equal);
	if ((code_left || r->type == TR_EXPR_CODE) && (!other->field || l->type == r->type)) {
		if (!other->field && !code_of(b, other)) {
			b->program->unknown_call = &other->string;
			return push_known(b, node, l->start, !equal);
		}
		emit_code(b, x);
		emit_code(b, y);
		emit_op(b, equal ? TR_STEP_EQ : TR_STEP_NE);
		push(b, node, TR_EXPR_BOOL, l->start);
		return 0;
	}
	if (!x->field && !y->field)
		return push_known(b, node, l->start, !equal);
	emit(b, (struct tr_expr_step){.op = TR_STEP_TEXT_EQ, .a = l->text, .b = r->text});
	if (!equal)
		emit_op(b, TR_STEP_NOT);
	push(b, node, TR_EXPR_BOOL, l->start);
	return 0;
}

/* errno == "ENOENT" */
static int bind_errno_name(struct tr_expr_binder *b, const struct tr_expr_node *node, size_t start,
			   const struct tr_expr_operand *name)
{
	struct tr_string text = b->program->texts[name->text].string;
	int number = tr_errno_find(text.bytes, text.len);

	if (!number)
		return tr_expr_fail(b->error, name->node->column,
				    "no error is called so: names are such as ENOENT");
	emit_int(b, number);
	emit_op(b, node->op == TR_NODE_EQ ? TR_STEP_EQ : TR_STEP_NE);
	push(b, node, TR_EXPR_BOOL, start);
	return 0;
}

int tr_expr_bind_equal(struct tr_expr_binder *b, const struct tr_expr_node *node,
		       struct tr_expr_operand *l, struct tr_expr_operand *r)
{
	if (r->type == TR_EXPR_NULL && r->literal)
		return bind_is_null(b, node, l, l);
	if (l->type == TR_EXPR_NULL && l->literal)
		return bind_is_null(b, node, l, r);
	if (l->type == TR_EXPR_NULL || r->type == TR_EXPR_NULL)
		return push_null(b, node, l->start);
	if (is_text(l) && is_text(r))
		return bind_text(b, node, l, r);
	if (l->type == TR_EXPR_ERRNO && r->type == TR_EXPR_STRING && r->literal)
		return bind_errno_name(b, node, l->start, r);
	if (r->type == TR_EXPR_ERRNO && l->type == TR_EXPR_STRING && l->literal)
		return bind_errno_name(b, node, l->start, l);
	if (!(is_flag(l) && is_flag(r))) {
		if (r->type != TR_EXPR_FLAG && !tr_expr_to_number(b, r))
			return tr_expr_misfit(b, node, r, l->start, "the other side is not");
		if (l->type != TR_EXPR_FLAG && !tr_expr_to_number(b, l))
			return tr_expr_misfit(b, node, l, l->start, "the other side is not");
	}
	emit_op(b, node->op == TR_NODE_EQ ? TR_STEP_EQ : TR_STEP_NE);
	push(b, node, TR_EXPR_BOOL, l->start);
	return 0;
}

int tr_expr_bind_match(struct tr_expr_binder *b, const struct tr_expr_node *node,
		       struct tr_expr_operand *l, struct tr_expr_operand *r)
{
	struct tr_string pattern = b->program->texts[r->text].string, text;

	if (l->type == TR_EXPR_NULL)
		return push_null(b, node, l->start);
	if (!is_text(l))
		return tr_expr_misfit(b, node, l, l->start, "~ compares a string with a pattern");
	if (!b->program->texts[l->text].field) {
		text = b->program->texts[l->text].string;
		return push_known(b, node, l->start,
				  tr_glob_match(pattern.bytes, pattern.len, text.bytes, text.len));
	}
	emit(b, (struct tr_expr_step){.op = TR_STEP_MATCH, .a = l->text, .b = r->text});
	push(b, node, TR_EXPR_BOOL, l->start);
	return 0;
}
