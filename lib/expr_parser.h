/* SPDX-License-Identifier: GPL-2.0-only */
/* What the halves of the parser share, operators and leaves; nobody else's business. */
#ifndef TR_EXPR_PARSER_H
#define TR_EXPR_PARSER_H

#include "expr.h"

struct tr_expr_parser {
	struct tr_expr *expr;
	struct tr_expr_error *error;
	const char *text, *p, *end; /* a zero byte is at END */
	unsigned depth;             /* of what is being parsed */
	unsigned stack;             /* values that the nodes so far leave */
};

static inline unsigned tr_expr_column(const struct tr_expr_parser *parser, const char *p)
{
	return p - parser->text + 1;
}

static inline bool tr_expr_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether a name can begin with C. */
static inline bool tr_expr_is_letter(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

static inline size_t tr_expr_name_length(const char *p)
{
	size_t n = 0;

	while (tr_expr_is_letter(p[n]) || tr_expr_is_digit(p[n]) || p[n] == '.')
		n++;
	return n;
}

void tr_expr_skip_space(struct tr_expr_parser *parser);

/* Adds a node that takes OPERANDS values off the stack and leaves one. */
int tr_expr_add_node(struct tr_expr_parser *parser, unsigned operands, struct tr_expr_node node);

/* Each takes one leaf from P on; a digit, a quote, a letter and a $ stand there. */
int tr_expr_parse_number(struct tr_expr_parser *parser, unsigned at, bool negative);
int tr_expr_parse_string(struct tr_expr_parser *parser, unsigned at);
int tr_expr_parse_name(struct tr_expr_parser *parser, unsigned at);
int tr_expr_parse_variable(struct tr_expr_parser *parser, unsigned at);

#endif
