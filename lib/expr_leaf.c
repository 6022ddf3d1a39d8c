/* SPDX-License-Identifier: GPL-2.0-only */
/* What an expression's operators work on: numbers, strings, fields, and other names. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "errno_name.h"
#include "expr_parser.h"
#include "message.h"

static int add_leaf(struct tr_expr_parser *parser, enum tr_expr_node_op op, unsigned at,
		    int64_t value)
{
	return tr_expr_add_node(parser, 0,
				(struct tr_expr_node){.op = op, .column = at, .value = value});
}

/* The factor of a unit of LEN letters; 0 for none that is known. */
static uint64_t unit_factor(const char *unit, size_t len)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {
		{"", 1},           {"ns", 1},          {"us", 1000},         {"ms", 1000000},
		{"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000}, {"K", 1ULL << 10},
		{"M", 1ULL << 20}, {"G", 1ULL << 30},  {"T", 1ULL << 40},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == len && !memcmp(units[i].name, unit, len))
			return units[i].factor;
	return 0;
}

/* 15, 0x7f, 10ms, 4K; with NEGATIVE what a minus stood before. */
int tr_expr_parse_number(struct tr_expr_parser *parser, unsigned at, bool negative)
{
	const char *p = parser->p;
	int base = p[0] == '0' && (p[1] | 0x20) == 'x' && isxdigit((unsigned char)p[2]) ? 16 : 10;
	const char *start = base == 16 ? p + 2 : p;
	uint64_t v = 0, factor;
	bool over = false;
	size_t len;

	for (p = start; base == 16 ? isxdigit((unsigned char)*p) : tr_expr_is_digit(*p); p++) {
		unsigned digit = tr_expr_is_digit(*p) ? *p - '0' : (*p | 0x20) - 'a' + 10;

		over |= __builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v);
	}
	if (*p == '.' && tr_expr_is_digit(p[1]))
		return tr_expr_fail(parser->error, at,
				    "numbers are whole: write 1500us instead of 1.5ms");
	len = tr_expr_name_length(p);
	factor = unit_factor(p, len);
	if (!factor)
		return tr_expr_fail(parser->error, tr_expr_column(parser, p),
				    "unknown unit %.*s: there are ns us ms s m h, and K M G T",
				    (int)len, p);
	over |= __builtin_mul_overflow(v, factor, &v);
	if (over || (negative && v > 1ULL << 63))
		return tr_expr_fail(parser->error, at, "a number beyond 64 bits");
	parser->p = p + len;
	return tr_expr_add_node(parser, 0,
				(struct tr_expr_node){.op = TR_NODE_INT,
						      .column = at,
						      .is_unsigned = !negative && v > INT64_MAX,
						      .value = (int64_t)(negative ? -v : v)});
}

int tr_expr_parse_string(struct tr_expr_parser *parser, unsigned at)
{
	struct tr_expr *expr = parser->expr;
	struct tr_string *string = &expr->strings[expr->n_strings];
	size_t room = parser->end - parser->p;
	char *bytes = tr_xmalloc(room);
	const char *p = tr_json_take_string(parser->p + 1, parser->end, bytes, room, &string->len);

	if (!p) {
		free(bytes);
		return tr_expr_fail(
			parser->error, at,
			"a string that is not closed, or has an escape that JSON does not know");
	}
	string->bytes = bytes;
	parser->p = p;
	return tr_expr_add_node(parser, 0,
				(struct tr_expr_node){.op = TR_NODE_STRING,
						      .column = at,
						      .ref = expr->n_strings++});
}

/* [N] after a field's name, if it is there. */
static int parse_element(struct tr_expr_parser *parser, int *element)
{
	const char *p;
	int n = 0;

	*element = -1;
	tr_expr_skip_space(parser);
	if (*parser->p != '[')
		return 0;
	for (p = parser->p + 1; tr_expr_is_digit(*p) && n < 1000; p++)
		n = 10 * n + (*p - '0');
	if (p == parser->p + 1 || *p != ']')
		return tr_expr_fail(parser->error, tr_expr_column(parser, parser->p),
				    "an element is asked for by its number, as in args[0]");
	parser->p = p + 1;
	*element = n;
	return 0;
}

/* The number that a field has in the expression, -1 when there are too many. */
static int field_ref(struct tr_expr *expr, const char *name, size_t len, int element)
{
	struct tr_expr_field *field = expr->fields;

	for (; field < expr->fields + expr->n_fields; field++)
		if (strlen(field->name) == len && !memcmp(field->name, name, len) &&
		    field->element == element)
			return field - expr->fields;
	if (expr->n_fields == TR_EXPR_MAX_FIELDS)
		return -1;
	*field = (struct tr_expr_field){.element = element};
	memcpy(field->name, name, len);
	return expr->n_fields++;
}

static bool is_word(const char *name, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(name, word, len);
}

/* A name: of a constant, of an error number, of a field. */
int tr_expr_parse_name(struct tr_expr_parser *parser, unsigned at)
{
	const char *name = parser->p;
	size_t len = tr_expr_name_length(name);
	int number, element, ref;

	parser->p += len;
	if (is_word(name, len, "true") || is_word(name, len, "false"))
		return add_leaf(parser, TR_NODE_FLAG, at, *name == 't');
	if (is_word(name, len, "null"))
		return add_leaf(parser, TR_NODE_NULL, at, 0);
	number = *name == 'E' ? tr_errno_find(name, len) : 0;
	if (number)
		return add_leaf(parser, TR_NODE_INT, at, number);
	if (len > TR_MAX_NAME)
		return tr_expr_fail(parser->error, at, "a name longer than %d bytes", TR_MAX_NAME);
	if (parse_element(parser, &element))
		return -EINVAL;
	ref = field_ref(parser->expr, name, len, element);
	if (ref < 0)
		return tr_expr_fail(parser->error, at, "more than %d fields", TR_EXPR_MAX_FIELDS);
	return tr_expr_add_node(
		parser, 0, (struct tr_expr_node){.op = TR_NODE_FIELD, .column = at, .ref = ref});
}

int tr_expr_parse_variable(struct tr_expr_parser *parser, unsigned at)
{
	size_t len = tr_expr_name_length(parser->p + 1);

	if (!is_word(parser->p + 1, len, "TARGET_PID"))
		return tr_expr_fail(parser->error, at, "$%.*s is unknown: there is $TARGET_PID",
				    (int)len, parser->p + 1);
	parser->p += 1 + len;
	return add_leaf(parser, TR_NODE_TARGET_PID, at, 0);
}
