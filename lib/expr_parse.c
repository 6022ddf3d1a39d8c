/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of an expression into postfix nodes: operators by precedence, as in Go. Their operands
 * are in expr_leaf.c. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_parser.h"
#include "message.h"

/* Those of one precedence are taken from left to right; what begins another stands before it. */
static const struct infix {
	const char *text;
	uint8_t precedence;
	uint8_t op;
} operators[] = {
	{"||", 1, TR_NODE_OR},    {"&&", 2, TR_NODE_AND},  {"==", 3, TR_NODE_EQ},
	{"!=", 3, TR_NODE_NE},    {"<=", 3, TR_NODE_LE},   {">=", 3, TR_NODE_GE},
	{"<<", 5, TR_NODE_SHL},   {">>", 5, TR_NODE_SHR},  {"<", 3, TR_NODE_LT},
	{">", 3, TR_NODE_GT},     {"~", 3, TR_NODE_MATCH}, {"+", 4, TR_NODE_ADD},
	{"-", 4, TR_NODE_SUB},    {"|", 4, TR_NODE_BITOR}, {"^", 4, TR_NODE_BITXOR},
	{"*", 5, TR_NODE_MUL},    {"/", 5, TR_NODE_DIV},   {"%", 5, TR_NODE_MOD},
	{"&", 5, TR_NODE_BITAND},
};

/* What people who know other languages write. */
static const struct {
	const char *text, *instead;
} foreign[] = {
	{"and", "&&"},
	{"AND", "&&"},
	{"or", "||"},
	{"OR", "||"},
	{"=~", "~"},
	{"=", "=="},
	{"!~", "!(a ~ \"b\")"},
	{"is", "=="},
	{"like", "~"},
	{"in", "a == 1 || a == 2"},
	{"not", "!"},
};

int tr_expr_fail(struct tr_expr_error *error, unsigned column, const char *format, ...)
{
	va_list args;

	error->column = column;
	va_start(args, format);
	vsnprintf(error->what, sizeof(error->what), format, args);
	va_end(args);
	return -EINVAL;
}

void tr_expr_skip_space(struct tr_expr_parser *parser)
{
	while (parser->p < parser->end && strchr(" \t\r\n", *parser->p))
		parser->p++;
}

int tr_expr_add_node(struct tr_expr_parser *parser, unsigned operands, struct tr_expr_node node)
{
	struct tr_expr *expr = parser->expr;

	if (expr->n_nodes == TR_EXPR_MAX_NODES)
		return tr_expr_fail(parser->error, node.column, "more than %d names and operators",
				    TR_EXPR_MAX_NODES);
	parser->stack += 1 - operands;
	if (parser->stack > TR_EXPR_MAX_STACK)
		return tr_expr_fail(
			parser->error, node.column,
			"more than %d values wait for their operators: change the order",
			TR_EXPR_MAX_STACK);
	expr->nodes[expr->n_nodes++] = node;
	return 0;
}

/* One character as a message shows it. */
static int unexpected(struct tr_expr_parser *parser, const char *wanted)
{
	const char *p = parser->p;
	size_t len = tr_expr_is_letter(*p) ? tr_expr_name_length(p) : 1;

	if (p == parser->end)
		return tr_expr_fail(parser->error, tr_expr_column(parser, parser->p),
				    "the expression ends where %s", wanted);
	if (*p == '\'')
		return tr_expr_fail(parser->error, tr_expr_column(parser, parser->p),
				    "strings stand in double quotes");
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		size_t n = strlen(foreign[i].text);

		if ((size_t)(parser->end - p) >= n && !memcmp(p, foreign[i].text, n) &&
		    (len == n || !tr_expr_is_letter(*p)))
			return tr_expr_fail(parser->error, tr_expr_column(parser, parser->p),
					    "write %s instead of %s", foreign[i].instead,
					    foreign[i].text);
	}
	return tr_expr_fail(parser->error, tr_expr_column(parser, parser->p),
			    "unexpected %.*s where %s", (int)len, p, wanted);
}

static int parse_binary(struct tr_expr_parser *parser, unsigned lowest);

static int parse_group(struct tr_expr_parser *parser, unsigned at)
{
	parser->p++;
	if (parse_binary(parser, 1))
		return -EINVAL;
	tr_expr_skip_space(parser);
	if (*parser->p != ')')
		return parser->p < parser->end
			       ? unexpected(parser, "an operator or ) is due")
			       : tr_expr_fail(parser->error, at, "a ( that is not closed");
	parser->p++;
	return 0;
}

static int parse_operand(struct tr_expr_parser *parser);

/* A unary operator's node, once its operand is there. */
static int add_unary(struct tr_expr_parser *parser, enum tr_expr_node_op op, unsigned at)
{
	if (parse_operand(parser))
		return -EINVAL;
	return tr_expr_add_node(parser, 1, (struct tr_expr_node){.op = op, .column = at});
}

static int parse_unary(struct tr_expr_parser *parser, unsigned at)
{
	if (*parser->p++ == '!')
		return add_unary(parser, TR_NODE_NOT, at);
	tr_expr_skip_space(parser);
	if (tr_expr_is_digit(*parser->p))
		return tr_expr_parse_number(parser, at, true);
	return add_unary(parser, TR_NODE_NEGATE, at);
}

/* What stands between two operators, with the unary ones before it. */
static int parse_operand(struct tr_expr_parser *parser)
{
	unsigned at;
	int err;

	tr_expr_skip_space(parser);
	at = tr_expr_column(parser, parser->p);
	if (parser->depth == TR_EXPR_MAX_DEPTH)
		return tr_expr_fail(parser->error, at, "nested more than %d deep",
				    TR_EXPR_MAX_DEPTH);
	parser->depth++;
	if (tr_expr_is_digit(*parser->p))
		err = tr_expr_parse_number(parser, at, false);
	else if (*parser->p == '"')
		err = tr_expr_parse_string(parser, at);
	else if (*parser->p == '(')
		err = parse_group(parser, at);
	else if (*parser->p == '-' || (*parser->p == '!' && parser->p[1] != '='))
		err = parse_unary(parser, at);
	else if (*parser->p == '$')
		err = tr_expr_parse_variable(parser, at);
	else if (tr_expr_is_letter(*parser->p) && strncmp(parser->p, "not ", 4))
		err = tr_expr_parse_name(parser, at);
	else
		err = unexpected(parser, "a field, a number or a string is due");
	parser->depth--;
	return err;
}

static const struct infix *next_infix(struct tr_expr_parser *parser)
{
	tr_expr_skip_space(parser);
	if (!strncmp(parser->p, "!~", 2))
		return NULL;
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (!strncmp(parser->p, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

static int add_infix(struct tr_expr_parser *parser, const struct infix *infix, unsigned at)
{
	const struct tr_expr *expr = parser->expr;

	if (infix->op == TR_NODE_MATCH && expr->nodes[expr->n_nodes - 1].op != TR_NODE_STRING)
		return tr_expr_fail(parser->error, at,
				    "~ takes a pattern in double quotes on its right");
	return tr_expr_add_node(parser, 2, (struct tr_expr_node){.op = infix->op, .column = at});
}

/* Operands with operators between them, of that precedence or a higher one. */
static int parse_binary(struct tr_expr_parser *parser, unsigned lowest)
{
	const struct infix *infix;

	if (parse_operand(parser))
		return -EINVAL;
	while ((infix = next_infix(parser)) && infix->precedence >= lowest) {
		unsigned at = tr_expr_column(parser, parser->p);

		parser->p += strlen(infix->text);
		if (parse_binary(parser, infix->precedence + 1) || add_infix(parser, infix, at))
			return -EINVAL;
	}
	return 0;
}

struct tr_expr *tr_expr_parse(const char *text, struct tr_expr_error *error)
{
	struct tr_expr_parser parser = {.error = error, .text = text, .p = text};
	size_t len = strlen(text);

	if (len > TR_EXPR_MAX_TEXT) {
		tr_expr_fail(error, TR_EXPR_MAX_TEXT + 1, "longer than %d bytes", TR_EXPR_MAX_TEXT);
		return NULL;
	}
	parser.end = text + len;
	parser.expr = tr_xcalloc(1, sizeof(*parser.expr));
	parser.expr->nodes = tr_xcalloc(TR_EXPR_MAX_NODES, sizeof(*parser.expr->nodes));
	parser.expr->strings = tr_xcalloc(TR_EXPR_MAX_NODES + 1, sizeof(*parser.expr->strings));
	parser.expr->fields = tr_xcalloc(TR_EXPR_MAX_FIELDS, sizeof(*parser.expr->fields));
	if (!parse_binary(&parser, 1)) {
		tr_expr_skip_space(&parser);
		if (parser.p == parser.end)
			return parser.expr;
		unexpected(&parser, "an operator is due");
	}
	tr_expr_free(parser.expr);
	return NULL;
}

void tr_expr_free(struct tr_expr *expr)
{
	if (!expr)
		return;
	for (size_t i = 0; i < expr->n_strings; i++)
		free((char *)expr->strings[i].bytes);
	free(expr->nodes);
	free(expr->strings);
	free(expr->fields);
	free(expr);
}
