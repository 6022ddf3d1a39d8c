/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the steps of a stack machine to those of bpf/where.h, which name what they work on: fields
 * and constants take none. What && joins at the top is tested one by one, and the first that is
 * false ends it.
 */
#include <errno.h>
#include <string.h>

#include "syscalls.h"
#include "where.h"

/* A value of the stack machine. */
struct operand {
	uint8_t number; /* enum tr_where_operand */
	int64_t value;  /* of TR_WHERE_VALUE */
};

struct lowering {
	const struct tr_expr_program *program;
	struct tr_where_config *config;
	struct tr_expr_error *error;
	struct operand stack[TR_EXPR_MAX_STACK];
	size_t n;
};

static int too_much(struct lowering *l, const char *what, int most)
{
	return tr_expr_fail(l->error, 0,
			    "too much for the kernel, which takes at most %d %s; tr-cat --where "
			    "takes more",
			    most, what);
}

static void push(struct lowering *l, uint8_t number)
{
	l->stack[l->n++] = (struct operand){.number = number};
}

static void push_value(struct lowering *l, int64_t value)
{
	l->stack[l->n++] = (struct operand){TR_WHERE_VALUE, value};
}

static struct operand pop(struct lowering *l)
{
	return l->stack[--l->n];
}

static bool is_result(const struct operand *o)
{
	return o->number >= TR_WHERE_RESULTS && o->number != TR_WHERE_VALUE;
}

/* Adds a step, whose result is pushed. */
static int add(struct lowering *l, enum tr_where_op op, struct operand a, struct operand b)
{
	struct tr_where_step step = {.op = op,
				     .to = TR_WHERE_RESULTS,
				     .a = a.number,
				     .b = b.number,
				     .value = a.number == TR_WHERE_VALUE ? a.value : b.value};

	for (size_t i = 0; i < l->n; i++)
		step.to += is_result(&l->stack[i]);
	if (l->config->n_steps == TR_WHERE_MAX_STEPS)
		return too_much(l, "operators", TR_WHERE_MAX_STEPS);
	if (step.to == TR_WHERE_OPERANDS)
		return too_much(l, "values that wait for others", TR_WHERE_MAX_RESULTS);
	l->config->steps[l->config->n_steps++] = step;
	push(l, step.to);
	return 0;
}

static const struct operand nothing = {.number = TR_WHERE_VALUE};

/* Of two operands off the stack. A step has room for one value. */
static int add_binary(struct lowering *l, enum tr_where_op op, bool swap)
{
	struct operand b = pop(l), a = pop(l);
	int err;

	if (a.number == TR_WHERE_VALUE && b.number == TR_WHERE_VALUE) {
		err = add(l, TR_WHERE_SET, a, nothing);
		if (err)
			return err;
		a = pop(l);
	}
	return swap ? add(l, op, b, a) : add(l, op, a, b);
}

static int add_unary(struct lowering *l, enum tr_where_op op)
{
	struct operand a = pop(l);

	return add(l, op, a, nothing);
}

/* The number of a field of the kind syscall_args, but for its texts. */
static void push_field(struct lowering *l, const struct tr_expr_step *step)
{
	static const struct {
		const char *name;
		uint8_t number;
	} numbers[] = {
		{"ns", TR_WHERE_NS},   {"ret", TR_WHERE_RET}, {"syscall", TR_WHERE_SYSCALL},
		{"pid", TR_WHERE_PID}, {"tid", TR_WHERE_TID}, {"args", TR_WHERE_ARGS},
	};
	size_t i = 0;

	while (strcmp(numbers[i].name, step->field->name))
		i++;
	push(l, numbers[i].number + step->element);
	switch (numbers[i].number) {
	case TR_WHERE_PID: l->config->asks_pid = true; break;
	case TR_WHERE_TID: l->config->asks_tid = true; break;
	case TR_WHERE_ARGS: l->config->asks_args = true; break;
	}
}

/* Sets NUMBER to that of a text that is not a system call. */
static int find_text(struct lowering *l, const struct tr_expr_text *text, uint8_t *number)
{
	struct tr_where_config *config = l->config;

	if (text->field) {
		bool is_comm = text->field->type == TR_T_comm;

		*number = is_comm                              ? TR_WHERE_NAME
			  : !strcmp(text->field->name, "path") ? TR_WHERE_PATH
							       : TR_WHERE_PATH2;
		config->asks_comm |= is_comm;
		if (is_comm || config->asks_paths)
			return 0;
		config->asks_paths = true;
		config->first_path = config->n_steps;
		return 0;
	}
	if (text->string.len >= TR_WHERE_TEXT_BYTES)
		return too_much(l, "bytes of a string", TR_WHERE_TEXT_BYTES - 1);
	if (l->config->n_texts == TR_WHERE_MAX_TEXTS)
		return too_much(l, "strings", TR_WHERE_MAX_TEXTS);
	memcpy(config->texts[l->config->n_texts], text->string.bytes, text->string.len);
	*number = TR_WHERE_TEXTS + l->config->n_texts++;
	return 0;
}

/* As two words, of which the second is nothing when the first has an end. */
static int compare_comm(struct lowering *l, struct tr_string string)
{
	int64_t words[2] = {0};
	int err;

	l->config->asks_comm = true;
	if (string.len >= sizeof(words)) {
		push_value(l, false);
		return 0;
	}
	memcpy(words, string.bytes, string.len);
	push(l, TR_WHERE_COMM);
	push_value(l, words[0]);
	err = add_binary(l, TR_WHERE_EQ, false);
	if (err || string.len < sizeof(words[0]))
		return err;
	push(l, TR_WHERE_COMM + 1);
	push_value(l, words[1]);
	err = add_binary(l, TR_WHERE_EQ, false);
	return err ? err : add_binary(l, TR_WHERE_AND, false);
}

static int compare_texts(struct lowering *l, const struct tr_expr_text *a,
			 const struct tr_expr_text *b)
{
	const struct tr_expr_text *field = a->field ? a : b, *other = a->field ? b : a;
	struct operand x = {0}, y = {0};
	int err;

	if (field->field->type == TR_T_syscall ||
	    (other->field && other->field->type == TR_T_syscall))
		return tr_expr_fail(l->error, 0,
				    "the kernel compares a system call's name with constants only; "
				    "tr-cat --where compares it with fields as well");
	if (!other->field && memchr(other->string.bytes, 0, other->string.len))
		return tr_expr_fail(l->error, 0, "no string of the kernel has a zero byte in it");
	if (field->field->type == TR_T_comm && !other->field)
		return compare_comm(l, other->string);
	if (field->field->type == TR_T_comm && other->field && other->field->type == TR_T_comm) {
		push_value(l, true);
		return 0;
	}
	err = find_text(l, field, &x.number);
	if (!err)
		err = find_text(l, other, &y.number);
	return err ? err : add(l, TR_WHERE_TEXT_EQ, x, y);
}

static uint64_t take(const struct tr_where_pattern *pattern, uint64_t set, const char *text,
		     size_t len)
{
	for (size_t i = 0; i < len; i++)
		set = (set & pattern->takes[(uint8_t)text[i]]) << 1 | (set & pattern->stay);
	return set;
}

static bool matches(struct lowering *l, struct tr_string glob, uint32_t code)
{
	char name[TR_SYSCALL_NAME_MAX];
	size_t len = tr_syscall_name(l->program->calls, code, name);

	return tr_glob_match(glob.bytes, glob.len, name, len);
}

static void match_calls(struct lowering *l, struct tr_where_pattern *pattern, struct tr_string glob)
{
	char name[TR_SYSCALL_NAME_MAX];

	for (uint32_t row = 0; row < TR_N_ROWS; row++)
		if (matches(l, glob, tr_syscall_code(row / TR_ROWS_PER_ABI, row % TR_ROWS_PER_ABI)))
			pattern->rows[row / 64] |= 1ULL << row % 64;
	for (enum tr_abi abi = 0; abi < TR_N_ABIS; abi++) {
		uint32_t odd = tr_syscall_code(abi, TR_ROWS_PER_ABI);

		/* "syscall_" or "i386:syscall_", then the number */
		tr_syscall_name(l->program->calls, odd, name);
		pattern->odd[abi] =
			take(pattern, pattern->begin, name, strrchr(name, '_') + 1 - name);
		pattern->out_of_range[abi] =
			matches(l, glob, tr_syscall_code(abi, TR_SYSCALL_OUT_OF_RANGE));
	}
}

static int match(struct lowering *l, const struct tr_expr_text *text, struct tr_string glob)
{
	struct tr_where_pattern *pattern = &l->config->patterns[l->config->n_patterns];
	struct operand a = {0}, b = {.number = l->config->n_patterns};
	unsigned at = 0;
	int err;

	if (l->config->n_patterns++ == TR_WHERE_MAX_PATTERNS)
		return too_much(l, "patterns", TR_WHERE_MAX_PATTERNS);
	pattern->begin = 1;
	for (size_t i = 0; i < glob.len; i++) {
		uint64_t bit = 1ULL << at;

		if (glob.bytes[i] == '*') {
			pattern->stay |= bit;
			continue;
		}
		if (at++ == TR_WHERE_PATTERN_BYTES)
			return too_much(l, "bytes of a pattern beside its stars",
					TR_WHERE_PATTERN_BYTES);
		for (int byte = 0; byte < 256; byte++)
			if (glob.bytes[i] == '?' || (uint8_t)glob.bytes[i] == byte)
				pattern->takes[byte] |= bit;
	}
	pattern->end = 1ULL << at;
	if (text->field->type == TR_T_syscall) {
		match_calls(l, pattern, glob);
		return add(l, TR_WHERE_MATCH_CALL, nothing, b);
	}
	err = find_text(l, text, &a.number);
	return err ? err : add(l, TR_WHERE_MATCH, a, b);
}

/* Operators of two numbers; the kernel has no > and >=. */
static const struct {
	uint8_t op;
	bool swap;
} binary[] = {
	[TR_STEP_OR] = {TR_WHERE_OR},           [TR_STEP_AND] = {TR_WHERE_AND},
	[TR_STEP_EQ] = {TR_WHERE_EQ},           [TR_STEP_NE] = {TR_WHERE_NE},
	[TR_STEP_LT] = {TR_WHERE_LT},           [TR_STEP_LE] = {TR_WHERE_LE},
	[TR_STEP_GT] = {TR_WHERE_LT, true},     [TR_STEP_GE] = {TR_WHERE_LE, true},
	[TR_STEP_LT_U] = {TR_WHERE_LT_U},       [TR_STEP_LE_U] = {TR_WHERE_LE_U},
	[TR_STEP_GT_U] = {TR_WHERE_LT_U, true}, [TR_STEP_GE_U] = {TR_WHERE_LE_U, true},
	[TR_STEP_ADD] = {TR_WHERE_ADD},         [TR_STEP_SUB] = {TR_WHERE_SUB},
	[TR_STEP_MUL] = {TR_WHERE_MUL},         [TR_STEP_DIV] = {TR_WHERE_DIV},
	[TR_STEP_DIV_U] = {TR_WHERE_DIV_U},     [TR_STEP_MOD] = {TR_WHERE_MOD},
	[TR_STEP_MOD_U] = {TR_WHERE_MOD_U},     [TR_STEP_BITAND] = {TR_WHERE_BITAND},
	[TR_STEP_BITOR] = {TR_WHERE_BITOR},     [TR_STEP_BITXOR] = {TR_WHERE_BITXOR},
	[TR_STEP_SHL] = {TR_WHERE_SHL},         [TR_STEP_SHR] = {TR_WHERE_SHR},
};

static int lower_step(struct lowering *l, const struct tr_expr_step *step)
{
	const struct tr_expr_text *texts = l->program->texts;

	switch (step->op) {
	case TR_STEP_INT: push_value(l, step->value); return 0;
	case TR_STEP_LOAD:
	case TR_STEP_LOAD_FLAG: push_field(l, step); return 0;
	case TR_STEP_TEXT_EQ: return compare_texts(l, &texts[step->a], &texts[step->b]);
	case TR_STEP_MATCH: return match(l, &texts[step->a], texts[step->b].string);
	case TR_STEP_ERRNO: return add_unary(l, TR_WHERE_ERRNO);
	case TR_STEP_IS_NULL: return add_unary(l, TR_WHERE_IS_NULL);
	case TR_STEP_NOT: push_value(l, 0); return add_binary(l, TR_WHERE_EQ, false);
	case TR_STEP_NEGATE: push_value(l, 0); return add_binary(l, TR_WHERE_SUB, true);
	}
	return add_binary(l, binary[step->op].op, binary[step->op].swap);
}

/* The first of the steps that make the value which is there before step END. */
static size_t start_of(const struct tr_expr_program *program, size_t end)
{
	size_t wanted = 1;

	while (wanted) {
		enum tr_expr_op op = program->steps[--end].op;

		wanted += op < TR_STEP_ERRNO ? -1 : op < TR_STEP_OR ? 0 : 1;
	}
	return end;
}

/* The steps up to END, which make one value, must make a true one. */
static int lower_condition(struct lowering *l, size_t from, size_t end)
{
	const struct tr_expr_step *steps = l->program->steps;
	struct operand value;
	int err = 0;

	if (steps[end - 1].op == TR_STEP_AND) {
		size_t right = start_of(l->program, end - 1);

		err = lower_condition(l, from, right);
		return err ? err : lower_condition(l, right, end - 1);
	}
	for (size_t i = from; i < end && !err; i++)
		err = lower_step(l, &steps[i]);
	if (err)
		return err;
	value = pop(l);
	if (value.number == TR_WHERE_VALUE && value.value)
		return 0;
	if (!is_result(&value))
		err = add(l, TR_WHERE_SET, value, nothing);
	if (!err)
		l->config->steps[l->config->n_steps - 1].stop = true;
	l->n = 0;
	return err;
}

int where_lower(const struct tr_expr_program *program, struct tr_where_config *config,
		struct tr_expr_error *error)
{
	struct lowering l = {.program = program, .config = config, .error = error};

	return lower_condition(&l, 0, program->n_steps);
}
