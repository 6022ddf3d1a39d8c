/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of expressions run over a batch of packed records, a step for all of them at a time. */
#include <string.h>

#include "expr_program.h"
#include "result.h"

enum {
	MAX_TEXT = 1 << 15, /* bytes of a str field */
	MEMO = 64,
};

static const char cut_mark[] = "\xe2\x80\xa6"; /* U+2026, as JSON ends a string that was cut */

/* One value of each record. */
struct column {
	bool nullable; /* else `null` is not looked at */
	bool null[TR_EXPR_BATCH];
	int64_t v[TR_EXPR_BATCH];
};

/* Where one run leaves its values; there is never a second under way. */
static struct column columns[TR_EXPR_MAX_STACK];
static char texts[2][MAX_TEXT + sizeof(cut_mark)];

bool tr_glob_match(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
	size_t p = 0, t = 0, star = SIZE_MAX, from = 0;

	while (t < len) {
		if (p < pattern_len && pattern[p] == '*') {
			star = p++;
			from = t;
		} else if (p < pattern_len && (pattern[p] == '?' || pattern[p] == text[t])) {
			p++;
			t++;
		} else if (star != SIZE_MAX) {
			/* only the last star need ever give in */
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern_len && pattern[p] == '*')
		p++;
	return p == pattern_len;
}

/* What TEXT is in a record; ROOM holds what is not there as it is shown. */
static struct tr_string text_of(const struct tr_expr_program *program,
				const struct tr_expr_text *text, const unsigned char *body,
				char *room)
{
	struct tr_string string;
	bool cut;

	if (!text->field)
		return text->string;
	if (text->field->type == TR_T_syscall) {
		uint32_t code = tr_field_int(text->field, body, text->element);

		return (struct tr_string){room, tr_syscall_name(program->calls, code, room)};
	}
	string.bytes = tr_field_text(program->kind, text->field, body, &string.len, &cut);
	if (!cut)
		return string;
	memcpy(room, string.bytes, string.len);
	memcpy(room + string.len, cut_mark, strlen(cut_mark));
	return (struct tr_string){room, string.len + strlen(cut_mark)};
}

/* A comm compared with a constant: as two words, with a zero behind the name if there is room. */
static void comm_equal(struct column *to, const struct tr_field *field, struct tr_string string,
		       const unsigned char *const *bodies, size_t n)
{
	uint64_t wanted[2] = {0}, mask[2] = {0};

	if (string.len > sizeof(wanted) || memchr(string.bytes, 0, string.len)) {
		memset(to->v, 0, n * sizeof(to->v[0]));
		return;
	}
	memcpy(wanted, string.bytes, string.len);
	memset(mask, 0xff, string.len < sizeof(mask) ? string.len + 1 : sizeof(mask));
	for (size_t i = 0; i < n; i++) {
		uint64_t words[2];

		memcpy(words, bodies[i] + field->offset, sizeof(words));
		to->v[i] =
			!(((words[0] ^ wanted[0]) & mask[0]) | ((words[1] ^ wanted[1]) & mask[1]));
	}
}

static void text_equal(const struct tr_expr_program *program, struct column *to,
		       const struct tr_expr_step *step, const unsigned char *const *bodies,
		       size_t n)
{
	const struct tr_expr_text *a = &program->texts[step->a], *b = &program->texts[step->b];

	to->nullable = false;
	if (a->field && a->field->type == TR_T_comm && !b->field) {
		comm_equal(to, a->field, b->string, bodies, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tr_string x = text_of(program, a, bodies[i], texts[0]);
		struct tr_string y = text_of(program, b, bodies[i], texts[1]);

		to->v[i] = x.len == y.len && !memcmp(x.bytes, y.bytes, x.len);
	}
}

/* Names of system calls are matched once for each call that a batch has. */
static void name_match(const struct tr_expr_program *program, struct column *to,
		       const struct tr_expr_text *name, struct tr_string pattern,
		       const unsigned char *const *bodies, size_t n)
{
	struct {
		uint32_t code;
		bool known, matches;
	} memo[MEMO] = {0};

	for (size_t i = 0; i < n; i++) {
		uint32_t code = tr_field_int(name->field, bodies[i], name->element);
		size_t at = code % MEMO;

		if (!memo[at].known || memo[at].code != code) {
			size_t len = tr_syscall_name(program->calls, code, texts[0]);

			memo[at].code = code;
			memo[at].known = true;
			memo[at].matches = tr_glob_match(pattern.bytes, pattern.len, texts[0], len);
		}
		to->v[i] = memo[at].matches;
	}
}

static void text_match(const struct tr_expr_program *program, struct column *to,
		       const struct tr_expr_step *step, const unsigned char *const *bodies,
		       size_t n)
{
	const struct tr_expr_text *a = &program->texts[step->a];
	struct tr_string pattern = program->texts[step->b].string;

	to->nullable = false;
	if (a->field && a->field->type == TR_T_syscall) {
		name_match(program, to, a, pattern, bodies, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tr_string text = text_of(program, a, bodies[i], texts[0]);

		to->v[i] = tr_glob_match(pattern.bytes, pattern.len, text.bytes, text.len);
	}
}

static void load(struct column *to, const struct tr_expr_step *step,
		 const unsigned char *const *bodies, size_t n)
{
	const struct tr_field *field = step->field;
	unsigned bytes = tr_types[field->type].bytes;
	size_t at = field->offset + step->element * bytes;

	to->nullable = false;
	if (bytes == 8)
		for (size_t i = 0; i < n; i++)
			memcpy(&to->v[i], bodies[i] + at, 8);
	else if (bytes == 4 && tr_types[field->type].class != TR_C_sint)
		for (size_t i = 0; i < n; i++) {
			uint32_t v;

			memcpy(&v, bodies[i] + at, 4);
			to->v[i] = v;
		}
	else
		for (size_t i = 0; i < n; i++)
			to->v[i] = tr_field_int(field, bodies[i], step->element);
	for (size_t i = 0; step->op == TR_STEP_LOAD_FLAG && i < n; i++)
		to->v[i] = to->v[i] != 0;
}

/* Steps that push a value. */
static void push(const struct tr_expr_program *program, struct column *to,
		 const struct tr_expr_step *step, const unsigned char *const *bodies, size_t n)
{
	switch (step->op) {
	case TR_STEP_LOAD:
	case TR_STEP_LOAD_FLAG: load(to, step, bodies, n); break;
	case TR_STEP_TEXT_EQ: text_equal(program, to, step, bodies, n); break;
	case TR_STEP_MATCH: text_match(program, to, step, bodies, n); break;
	default:
		to->nullable = false;
		for (size_t i = 0; i < n; i++)
			to->v[i] = step->value;
	}
}

/* Steps of one operand, which they replace. */
static void change(struct column *c, enum tr_expr_op op, size_t n)
{
	switch (op) {
	case TR_STEP_ERRNO:
		for (size_t i = 0; i < n; i++) {
			c->v[i] = tr_result_errno(c->v[i]);
			c->null[i] = !c->v[i];
		}
		c->nullable = true;
		break;
	case TR_STEP_NEGATE:
		for (size_t i = 0; i < n; i++)
			c->v[i] = (int64_t) - (uint64_t)c->v[i];
		break;
	case TR_STEP_NOT:
		for (size_t i = 0; i < n; i++)
			c->v[i] = !c->v[i];
		break;
	default: /* TR_STEP_IS_NULL */
		for (size_t i = 0; i < n; i++)
			c->v[i] = c->nullable && c->null[i];
		c->nullable = false;
	}
}

/* A condition for && and ||: what is null counts as false. */
static void settle(struct column *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->v[i] = c->v[i] != 0;
	for (size_t i = 0; c->nullable && i < n; i++)
		c->v[i] &= !c->null[i];
	c->nullable = false;
}

static void join(struct column *l, struct column *r, enum tr_expr_op op, size_t n)
{
	settle(l, n);
	settle(r, n);
	if (op == TR_STEP_AND)
		for (size_t i = 0; i < n; i++)
			l->v[i] &= r->v[i];
	else
		for (size_t i = 0; i < n; i++)
			l->v[i] |= r->v[i];
}

/* The result is null where one of both is. */
static void join_nulls(struct column *l, const struct column *r, size_t n)
{
	if (!l->nullable)
		memset(l->null, 0, n);
	for (size_t i = 0; r->nullable && i < n; i++)
		l->null[i] |= r->null[i];
	l->nullable = true;
}

/* / and %, which are the only ones that make a null of numbers. */
static void divide(struct column *l, const struct column *r, enum tr_expr_op op, size_t n)
{
	join_nulls(l, r, n);
	for (size_t i = 0; i < n; i++) {
		int64_t a = l->v[i], b = r->v[i];

		if (!b)
			l->null[i] = true;
		else if (op == TR_STEP_DIV_U)
			l->v[i] = (int64_t)((uint64_t)a / (uint64_t)b);
		else if (op == TR_STEP_MOD_U)
			l->v[i] = (int64_t)((uint64_t)a % (uint64_t)b);
		else if (b == -1) /* the smallest number has no opposite */
			l->v[i] = op == TR_STEP_DIV ? (int64_t) - (uint64_t)a : 0;
		else
			l->v[i] = op == TR_STEP_DIV ? a / b : a % b;
	}
}

#define EACH(expression)                                                                           \
	for (size_t i = 0; i < n; i++) {                                                           \
		uint64_t a = l->v[i], b = r->v[i];                                                 \
		l->v[i] = (int64_t)(expression);                                                   \
	}                                                                                          \
	break

/* The other steps of two operands; the right one's column is free afterwards. */
static void calculate(struct column *l, const struct column *r, enum tr_expr_op op, size_t n)
{
	if (l->nullable || r->nullable)
		join_nulls(l, r, n);
	switch (op) {
	case TR_STEP_EQ: EACH(a == b);
	case TR_STEP_NE: EACH(a != b);
	case TR_STEP_LT: EACH((int64_t)a < (int64_t)b);
	case TR_STEP_LE: EACH((int64_t)a <= (int64_t)b);
	case TR_STEP_GT: EACH((int64_t)a > (int64_t)b);
	case TR_STEP_GE: EACH((int64_t)a >= (int64_t)b);
	case TR_STEP_LT_U: EACH(a < b);
	case TR_STEP_LE_U: EACH(a <= b);
	case TR_STEP_GT_U: EACH(a > b);
	case TR_STEP_GE_U: EACH(a >= b);
	case TR_STEP_ADD: EACH(a + b);
	case TR_STEP_SUB: EACH(a - b);
	case TR_STEP_MUL: EACH(a * b);
	case TR_STEP_BITAND: EACH(a & b);
	case TR_STEP_BITOR: EACH(a | b);
	case TR_STEP_BITXOR: EACH(a ^ b);
	case TR_STEP_SHL: EACH(a << (b & 63));
	default: EACH((int64_t)a >> (b & 63)); /* TR_STEP_SHR */
	}
}

void tr_expr_run(struct tr_expr_program *program, const unsigned char *const *bodies, size_t n,
		 bool *true_for)
{
	static const unsigned char *const none[1];
	struct column *top = columns; /* where the next value goes */

	if (!bodies)
		bodies = none;
	for (size_t i = 0; i < program->n_steps; i++) {
		const struct tr_expr_step *step = &program->steps[i];

		if (step->op < TR_STEP_ERRNO) {
			push(program, top++, step, bodies, n);
		} else if (step->op < TR_STEP_OR) {
			change(top - 1, step->op, n);
		} else {
			top--;
			if (step->op <= TR_STEP_AND)
				join(top - 1, top, step->op, n);
			else if (step->op >= TR_STEP_DIV && step->op <= TR_STEP_MOD_U)
				divide(top - 1, top, step->op, n);
			else
				calculate(top - 1, top, step->op, n);
		}
	}
	settle(columns, n);
	for (size_t i = 0; i < n; i++)
		true_for[i] = columns[0].v[i];
}
