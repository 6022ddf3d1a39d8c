/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions, tracery-expressions(7): a text is parsed once into postfix nodes, which know of
 * fields by name only. Whoever is to run it says what each field is in his records, and gets a
 * program (expr_program.h) for a stack machine, with every type decided: one meaning, whoever runs
 * it. Not for several threads.
 */
#ifndef TR_EXPR_H
#define TR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "record.h"

enum {
	TR_EXPR_MAX_TEXT = 16384,
	TR_EXPR_MAX_NODES = 1024,
	TR_EXPR_MAX_DEPTH = 64, /* of parentheses and unary operators */
	TR_EXPR_MAX_STACK = 32,
	TR_EXPR_MAX_FIELDS = 64,
};

/* What is wrong with a text or with its types, and where: columns are counted from 1. */
struct tr_expr_error {
	unsigned column;
	char what[512];
};

/* Leaves first, then the operators; a node's operands are the nodes before it. */
enum tr_expr_node_op {
	TR_NODE_INT,
	TR_NODE_FLAG, /* true, false */
	TR_NODE_NULL,
	TR_NODE_STRING,
	TR_NODE_FIELD,
	TR_NODE_TARGET_PID,
	TR_NODE_NEGATE,
	TR_NODE_NOT,
	TR_NODE_OR,
	TR_NODE_AND,
	TR_NODE_EQ,
	TR_NODE_NE,
	TR_NODE_LT,
	TR_NODE_LE,
	TR_NODE_GT,
	TR_NODE_GE,
	TR_NODE_MATCH,
	TR_NODE_ADD,
	TR_NODE_SUB,
	TR_NODE_BITOR,
	TR_NODE_BITXOR,
	TR_NODE_MUL,
	TR_NODE_DIV,
	TR_NODE_MOD,
	TR_NODE_SHL,
	TR_NODE_SHR,
	TR_NODE_BITAND,
};

struct tr_expr_node {
	uint8_t op;       /* enum tr_expr_node_op */
	bool is_unsigned; /* an integer from 2^63 up */
	uint16_t column;  /* from 1; of an operator, its own */
	uint16_t ref;     /* in `strings` or `fields` */
	int64_t value;
};

struct tr_expr_field {
	char name[TR_MAX_NAME + 1];
	int element; /* of an array, -1: none was asked for */
};

struct tr_expr {
	struct tr_expr_node *nodes;
	size_t n_nodes;
	struct tr_string *strings; /* decoded; owned */
	size_t n_strings;
	struct tr_expr_field *fields; /* each once */
	size_t n_fields;
};

/* NULL after an error. */
struct tr_expr *tr_expr_parse(const char *text, struct tr_expr_error *error);
void tr_expr_free(struct tr_expr *expr);

/* Fills ERROR; returns -EINVAL. */
int tr_expr_fail(struct tr_expr_error *error, unsigned column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
