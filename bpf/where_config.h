/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --where as the programs get it: steps in order, each of which works out one value from two. What
 * && joins at the top is a step's result each, and the first that is not true ends it. The includer
 * has defined __u8 .. __s64.
 */
#ifndef TR_WHERE_CONFIG_H
#define TR_WHERE_CONFIG_H

#include "config.h"
#include "syscall_code.h"

/* What a step works on, by number: what is known of a call, then the results of steps that are
 * still to be used. */
enum tr_where_operand {
	TR_WHERE_NS,
	TR_WHERE_RET,
	TR_WHERE_SYSCALL,
	TR_WHERE_PID,
	TR_WHERE_TID,
	TR_WHERE_COMM, /* two words */
	TR_WHERE_ARGS = TR_WHERE_COMM + 2,
	TR_WHERE_RESULTS = TR_WHERE_ARGS + 6,
	TR_WHERE_MAX_RESULTS = 8,
	TR_WHERE_OPERANDS = TR_WHERE_RESULTS + TR_WHERE_MAX_RESULTS,
	TR_WHERE_VALUE = 255, /* the step's own */
};

/* Texts, by number; the rest are constants. */
enum tr_where_text {
	TR_WHERE_PATH,
	TR_WHERE_PATH2,
	TR_WHERE_NAME, /* comm */
	TR_WHERE_TEXTS,
};

enum {
	TR_WHERE_MAX_STEPS = 64,
	TR_WHERE_MAX_TEXTS = 8,
	TR_WHERE_MAX_PATTERNS = 4,
	TR_WHERE_TEXT_BYTES = 256, /* of any text, with a zero byte behind it */
	TR_WHERE_PATTERN_BYTES = 63,
};

/* Conditions are 0 or 1. Null where an operand is, unless said otherwise. */
enum tr_where_op {
	TR_WHERE_HOLDS, /* the end: all that stops has been true */
	TR_WHERE_SET,   /* A */
	TR_WHERE_EQ,
	TR_WHERE_NE,
	TR_WHERE_LT,
	TR_WHERE_LE,
	TR_WHERE_LT_U, /* unsigned */
	TR_WHERE_LE_U,
	TR_WHERE_AND, /* null is false here: never null, nor is the next */
	TR_WHERE_OR,
	TR_WHERE_ADD,
	TR_WHERE_SUB,
	TR_WHERE_MUL,
	TR_WHERE_BITAND,
	TR_WHERE_BITOR,
	TR_WHERE_BITXOR,
	TR_WHERE_SHL, /* the count modulo 64 */
	TR_WHERE_SHR, /* signed */
	TR_WHERE_DIV, /* by 0: null */
	TR_WHERE_MOD,
	TR_WHERE_DIV_U,
	TR_WHERE_MOD_U,
	TR_WHERE_ERRNO,      /* of the result A; null where it is no error */
	TR_WHERE_IS_NULL,    /* A */
	TR_WHERE_TEXT_EQ,    /* texts A and B, null where one was cut */
	TR_WHERE_MATCH,      /* text A and pattern B, the same */
	TR_WHERE_MATCH_CALL, /* the system call's name and pattern B */
};

struct tr_where_step {
	__u8 op;   /* enum tr_where_op */
	__u8 stop; /* unless the result is true, the whole is not */
	__u8 to;   /* the operand that becomes the result */
	__u8 a, b;
	__s64 value;
};

/*
 * A glob without its stars: its letters have a bit each, from bit 0 up, and the bit behind the last
 * is the end. A set of bits tells up to where the bytes so far may have come.
 */
struct tr_where_pattern {
	__u64 begin;                /* before the first byte */
	__u64 stay;                 /* a star stands before these */
	__u64 end;                  /* one bit */
	__u64 takes[256];           /* from here a byte leads on to the next bit */
	__u64 rows[TR_N_ROWS / 64]; /* the system calls that match, of those that have a row */
	__u64 odd[TR_N_ABIS];       /* behind what comes before the number in the names of others */
	__u8 out_of_range[TR_N_ABIS];
};

struct tr_where_config {
	struct tr_where_step steps[TR_WHERE_MAX_STEPS];
	__u8 wanted;
	__u8 n_steps, n_texts, n_patterns;                         /* used */
	__u8 asks_pid, asks_tid, asks_comm, asks_args, asks_paths; /* of a call */
	__u8 first_path; /* the step that is the first to ask for a path; TR_WHERE_MAX_STEPS: none
			  */
	char texts[TR_WHERE_MAX_TEXTS][TR_WHERE_TEXT_BYTES];
	struct tr_where_pattern patterns[TR_WHERE_MAX_PATTERNS];
};

#endif
