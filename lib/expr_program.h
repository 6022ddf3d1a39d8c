/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An expression made fit for one kind of records, or for one JSON object: steps for a stack of
 * 64-bit numbers, each of which may be null, with all types decided. Text is never on the stack: a
 * step names what it compares. This is what a back end runs; the one here runs a step over all
 * records of a batch before the next.
 */
#ifndef TR_EXPR_PROGRAM_H
#define TR_EXPR_PROGRAM_H

#include "expr.h"
#include "syscalls.h"

/* A condition's value is 0 or 1. Those of two operands take the right one off the stack first. */
enum tr_expr_op {
	TR_STEP_INT,       /* pushes VALUE */
	TR_STEP_LOAD,      /* pushes element ELEMENT of FIELD */
	TR_STEP_LOAD_FLAG, /* the same as 0 or 1 */
	TR_STEP_TEXT_EQ,   /* pushes whether texts A and B are equal */
	TR_STEP_MATCH,     /* pushes whether text A matches the glob B, a constant */
	TR_STEP_ERRNO,     /* a result's error number, or null */
	TR_STEP_NEGATE,
	TR_STEP_NOT,
	TR_STEP_IS_NULL,
	TR_STEP_OR, /* null is false here: neither leaves one */
	TR_STEP_AND,
	TR_STEP_EQ,
	TR_STEP_NE,
	TR_STEP_LT,
	TR_STEP_LE,
	TR_STEP_GT,
	TR_STEP_GE,
	TR_STEP_LT_U, /* ... unsigned */
	TR_STEP_LE_U,
	TR_STEP_GT_U,
	TR_STEP_GE_U,
	TR_STEP_ADD, /* arithmetic wraps */
	TR_STEP_SUB,
	TR_STEP_MUL,
	TR_STEP_DIV, /* by 0: null */
	TR_STEP_DIV_U,
	TR_STEP_MOD,
	TR_STEP_MOD_U,
	TR_STEP_BITAND,
	TR_STEP_BITOR,
	TR_STEP_BITXOR,
	TR_STEP_SHL, /* the count modulo 64 */
	TR_STEP_SHR, /* signed */
};

/* Text: a constant, or what a field shows. */
struct tr_expr_text {
	const struct tr_field *field; /* NULL: a constant. Else a comm, a str or a system call */
	unsigned element;
	struct tr_string string; /* the constant */
	bool has_code;           /* it is a system call's name */
	uint32_t code;
};

struct tr_expr_step {
	uint8_t op; /* enum tr_expr_op */
	uint8_t element;
	uint16_t a, b; /* in `texts` */
	const struct tr_field *field;
	int64_t value;
};

enum tr_expr_type {
	TR_EXPR_NULL,
	TR_EXPR_INT,
	TR_EXPR_UINT, /* u64, hex, addr, bytes: compared and divided unsigned */
	TR_EXPR_FLAG, /* true or false, and as good as 1 or 0 */
	TR_EXPR_BOOL, /* what a comparison leaves, which is no number */
	TR_EXPR_STRING,
	TR_EXPR_CODE, /* a system call: text that is compared by its number */
	TR_EXPR_ERRNO,
	TR_EXPR_ARRAY,
	TR_EXPR_NO_ARRAY,   /* an element was asked for, but it is none */
	TR_EXPR_NO_ELEMENT, /* it has fewer */
};

/* What one of an expression's fields is in the records: a field of their kind, or a value. */
struct tr_expr_source {
	enum tr_expr_type type;
	const struct tr_field *field; /* NULL: a value, or null */
	bool from_result;             /* an error number, to be worked out from FIELD, the result */
	int64_t value;
	struct tr_expr_text text;
};

/* What binding has to know beside the fields. */
struct tr_expr_records {
	const struct tr_kind *kind; /* NULL: an object */
	const struct tr_syscalls *calls;
	size_t n_targets; /* processes that the part's header names */
	int64_t target_pid;
	bool lenient; /* where types do not fit the result is null, and no error */
};

struct tr_expr_program {
	size_t n_steps, n_texts;
	struct tr_expr_step *steps;
	struct tr_expr_text *texts;
	const struct tr_kind *kind;
	const struct tr_syscalls *calls;
	const struct tr_string *unknown_call; /* a name compared with that no system call has */
};

/* For programs of EXPR, which must outlive it. */
void tr_expr_program_init(struct tr_expr_program *program, const struct tr_expr *expr);
void tr_expr_program_release(struct tr_expr_program *program);

/* What FIELD is in KIND, whose records are packed bodies. */
void tr_expr_source_of_kind(struct tr_expr_source *source, const struct tr_expr_field *field,
			    const struct tr_kind *kind);
/*
 * What it is in OBJECT, as FOUND, a field of its type's kinds, says if it is not NULL. The source
 * points into the object.
 */
void tr_expr_source_of_object(struct tr_expr_source *source, const struct tr_expr_field *field,
			      struct tr_json_object *object, const struct tr_field *found,
			      const struct tr_syscalls *calls);

/*
 * Fills PROGRAM, which may be filled again and again, for records where EXPR's fields are SOURCES.
 * 0, or -EINVAL with ERROR set: types that do not fit each other, or no $TARGET_PID.
 */
int tr_expr_bind(struct tr_expr_program *program, const struct tr_expr *expr,
		 const struct tr_expr_source *sources, const struct tr_expr_records *records,
		 struct tr_expr_error *error);

/* The number that TEXT is, as JSON writes those that are strings: 0, or -EINVAL. */
int tr_expr_string_number(struct tr_string text, int64_t *value, bool *is_unsigned);

/* Whether TEXT as a whole matches PATTERN: * any bytes, ? one. */
bool tr_glob_match(const char *pattern, size_t pattern_len, const char *text, size_t len);

/* Sets TRUE_FOR[I] to whether the program is true for BODIES[I], N (at most TR_EXPR_BATCH) of them;
 * BODIES is not looked at when the program is an object's. */
enum { TR_EXPR_BATCH = 256 };
void tr_expr_run(struct tr_expr_program *program, const unsigned char *const *bodies, size_t n,
		 bool *true_for);

#endif
