/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --where: is an expression true for a call? It means what lib/expr_run.c means.
 *
 * Its steps are constants: the verifier goes through the loop as it will be gone through, drops
 * what no step asks for, and of programs without an expression all of this. Unrolled, it would take
 * as long to run and much longer to load. Values are worked out without branches, of which the
 * verifier would follow both ways through all later steps.
 */
#ifndef TR_WHERE_H
#define TR_WHERE_H

#include "args.h"
#include "call.h"
#include "comm.h"
#include "lost.h"
#include "target.h"
#include "where_config.h"

const volatile struct tr_where_config cfg_where;

/* The paths of a call, as the expression sees them. */
struct where_texts {
	char paths[2][TR_WHERE_TEXT_BYTES];
	__u8 cut[2];  /* not all of it is here */
	__u64 result; /* of texts_equal() */
};

struct where_values {
	__u64 v[TR_WHERE_OPERANDS];
	__u8 null[TR_WHERE_OPERANDS];
	bool readable; /* the paths */
	struct paths paths;
	struct task_struct *task;
	struct where_texts *texts; /* NULL before they are read */
};

/* Room for a call's paths, which no stack has. On kernels with the old programs none is interrupted
 * by another thread's. */
#ifdef TR_OLD_KERNEL
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct where_texts);
} texts SEC(".maps");

static __always_inline struct where_texts *texts_of(struct task_struct *task)
{
	__u32 zero = 0;

	(void)task;
	return bpf_map_lookup_elem(&texts, &zero);
}
#else
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct where_texts);
} texts SEC(".maps");

static __always_inline struct where_texts *texts_of(struct task_struct *task)
{
	return bpf_task_storage_get(&texts, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}
#endif

/* The compiler must not see what X is, or it would make a branch of what comes of it. */
static __always_inline __u64 hide(__u64 x)
{
	asm volatile("" : "+r"(x));
	return x;
}

static __always_inline __u64 differ(__u64 a, __u64 b)
{
	__u64 x = a ^ b;

	return (x | hide(-x)) >> 63;
}

static __always_inline __u64 is_less_unsigned(__u64 a, __u64 b)
{
	return ((~a & b) | (~(a ^ b) & hide(a - b))) >> 63;
}

static __always_inline __u64 is_less(__u64 a, __u64 b)
{
	const __u64 sign = 1ULL << 63;

	return is_less_unsigned(a ^ sign, b ^ sign);
}

/* As tr_result_errno(). */
static __always_inline __u64 error_number(__u64 ret)
{
	__u64 number = -ret;
	__u64 restart =
		is_less_unsigned(number - TR_FIRST_RESTART, TR_LAST_RESTART - TR_FIRST_RESTART + 1);

	return number & -(is_less_unsigned(number - 1, TR_MAX_ERRNO) & ~restart);
}

static __always_inline __u64 magnitude(__u64 x, __u64 sign)
{
	return (x ^ sign) - sign;
}

/* What B being 0 gives does not matter. */
static __noinline __u64 divide(__u64 a, __u64 b, __u8 op)
{
	__u64 sign_a = (__s64)a >> 63, sign_b = (__s64)b >> 63;

	switch (op) {
	case TR_WHERE_DIV_U: return a / b;
	case TR_WHERE_MOD_U: return a % b;
	case TR_WHERE_DIV:
		return magnitude(magnitude(a, sign_a) / magnitude(b, sign_b), sign_a ^ sign_b);
	}
	return magnitude(magnitude(a, sign_a) % magnitude(b, sign_b), sign_a);
}

static __always_inline __u64 take(const volatile struct tr_where_pattern *pattern, __u64 set,
				  __u8 byte)
{
	/* The verifier wants to see that it is a byte. */
	return (set & pattern->takes[hide(byte) & 255]) << 1 | (set & pattern->stay);
}

static __always_inline const char *text_at(struct where_values *values, __u8 text)
{
	if (text == TR_WHERE_NAME)
		return (const char *)&values->v[TR_WHERE_COMM];
	if (text >= TR_WHERE_TEXTS)
		return (const char *)cfg_where.texts[text - TR_WHERE_TEXTS];
	return values->texts ? values->texts->paths[text] : NULL;
}

/* Bytes within which it ends. */
static __always_inline int text_room(__u8 text)
{
	return text == TR_WHERE_NAME ? sizeof(struct tr_comm) : TR_WHERE_TEXT_BYTES;
}

static __always_inline __u8 text_is_null(struct where_values *values, __u8 text)
{
	return text <= TR_WHERE_PATH2 && values->texts ? values->texts->cut[text] : 0;
}

static __noinline __u64 text_matches(struct where_values *values, __u8 text, __u8 number)
{
	const volatile struct tr_where_pattern *pattern = &cfg_where.patterns[number];
	const char *p = text_at(values, text);
	__u64 set = pattern->begin;

	if (!p)
		return 0;
#pragma clang loop unroll(disable)
	for (int i = 0; i < text_room(text); i++) {
		__u8 byte = p[i];

		if (!byte)
			break;
		set = take(pattern, set, byte);
	}
	return differ(set & pattern->end, 0);
}

/* The result goes through memory that the verifier does not follow, as both ways come out here. */
static __noinline __u64 texts_equal(struct where_values *values, __u8 a, __u8 b)
{
	struct where_texts *texts = values->texts;
	const char *p = text_at(values, a), *q = text_at(values, b);
	__u64 difference = 0;

	if (!texts || !p || !q)
		return 0;
#pragma clang loop unroll(disable)
	for (int i = 0; i < text_room(a) && i < text_room(b); i++) {
		__u8 byte = p[i];

		difference = byte ^ (__u8)q[i];
		if (difference || !byte)
			break;
	}
	*(volatile __u64 *)&texts->result = difference;
	return 1 ^ differ(*(volatile __u64 *)&texts->result, 0);
}

/* No number has more digits; the first of them counts so many. */
enum { ODD_DIGITS = 7, ODD_UNIT = 1000000 };

/* The name of a call that no table has ends in its number. */
static __always_inline __u64 odd_matches(const volatile struct tr_where_pattern *pattern, __u32 abi,
					 __s32 nr)
{
	__u64 set = pattern->odd[abi];
	bool begun = false;

	if (nr == TR_SYSCALL_OUT_OF_RANGE)
		return pattern->out_of_range[abi];
	if (nr < 0) {
		set = take(pattern, set, '-');
		nr = -nr;
	}
	for (int left = ODD_DIGITS; left; left--) {
		__u32 digit = (__u32)nr / ODD_UNIT;

		nr = (__u32)nr % ODD_UNIT * 10;
		begun = begun || digit || left == 1;
		if (begun)
			set = take(pattern, set, '0' + digit);
	}
	return differ(set & pattern->end, 0);
}

static __noinline __u64 call_matches(__u32 code, __u8 number)
{
	const volatile struct tr_where_pattern *pattern = &cfg_where.patterns[number];
	__u32 row = call_row(code), abi = code >> 24;

	if (row < TR_N_ROWS)
		return pattern->rows[row / 64] >> row % 64 & 1;
	if (abi >= TR_N_ABIS)
		return 0;
	return odd_matches(pattern, abi, (__s32)(code << 8) >> 8);
}

/* An operand, and whether it is null. */
struct where_operand {
	__u64 v;
	__u8 null;
};

static __always_inline struct where_operand
operand(const struct where_values *values, const volatile struct tr_where_step *step, __u8 number)
{
	if (number == TR_WHERE_VALUE)
		return (struct where_operand){step->value, 0};
	return (struct where_operand){values->v[number], values->null[number]};
}

static __always_inline __u64 is_true(struct where_operand o)
{
	return differ(o.v, 0) & ~(__u64)o.null;
}

/* Operations on numbers. */
static __always_inline struct where_operand work_out(__u8 op, struct where_operand a,
						     struct where_operand b)
{
	struct where_operand to = {0, a.null | b.null};

	switch (op) {
	case TR_WHERE_SET: to.v = a.v; break;
	case TR_WHERE_EQ: to.v = 1 ^ differ(a.v, b.v); break;
	case TR_WHERE_NE: to.v = differ(a.v, b.v); break;
	case TR_WHERE_LT: to.v = is_less(a.v, b.v); break;
	case TR_WHERE_LE: to.v = 1 ^ is_less(b.v, a.v); break;
	case TR_WHERE_LT_U: to.v = is_less_unsigned(a.v, b.v); break;
	case TR_WHERE_LE_U: to.v = 1 ^ is_less_unsigned(b.v, a.v); break;
	case TR_WHERE_AND: return (struct where_operand){is_true(a) & is_true(b), 0};
	case TR_WHERE_OR: return (struct where_operand){is_true(a) | is_true(b), 0};
	case TR_WHERE_ADD: to.v = a.v + b.v; break;
	case TR_WHERE_SUB: to.v = a.v - b.v; break;
	case TR_WHERE_MUL: to.v = a.v * b.v; break;
	case TR_WHERE_BITAND: to.v = a.v & b.v; break;
	case TR_WHERE_BITOR: to.v = a.v | b.v; break;
	case TR_WHERE_BITXOR: to.v = a.v ^ b.v; break;
	case TR_WHERE_SHL: to.v = a.v << (b.v & 63); break;
	case TR_WHERE_SHR: to.v = (__s64)a.v >> (b.v & 63); break;
	case TR_WHERE_ERRNO:
		to.v = error_number(a.v);
		to.null |= 1 ^ differ(to.v, 0);
		break;
	case TR_WHERE_IS_NULL: return (struct where_operand){a.null, 0};
	default: /* division */ to.v = divide(a.v, b.v, op); to.null |= 1 ^ differ(b.v, 0);
	}
	return to;
}

/* Does STEP, an OP. False: it stops here. */
static __always_inline bool run(struct where_values *values,
				const volatile struct tr_where_step *step, __u8 op)
{
	struct where_operand to;

	switch (op) {
	case TR_WHERE_TEXT_EQ:
		to.v = texts_equal(values, step->a, step->b);
		to.null = text_is_null(values, step->a) | text_is_null(values, step->b);
		break;
	case TR_WHERE_MATCH:
		to.v = text_matches(values, step->a, step->b);
		to.null = text_is_null(values, step->a);
		break;
	case TR_WHERE_MATCH_CALL:
		to.v = call_matches(values->v[TR_WHERE_SYSCALL], step->b);
		to.null = 0;
		break;
	default: to = work_out(op, operand(values, step, step->a), operand(values, step, step->b));
	}
	values->v[step->to] = to.v;
	values->null[step->to] = to.null;
	return !step->stop || (to.v && !to.null);
}

static __always_inline void see_path(struct where_texts *texts, int i, const void *from,
				     bool readable)
{
	__u16 n = read_path(texts->paths[i], from, TR_WHERE_TEXT_BYTES - 1, readable);

	texts->cut[i] = n >> 15;
	texts->paths[i][n & (TR_WHERE_TEXT_BYTES - 1)] = 0;
}

/* False: there is no room for them. */
static __always_inline bool see_paths(struct where_values *values)
{
	values->texts = texts_of(values->task);
	if (!values->texts) {
		count_lost(TR_LOST_STATE);
		return false;
	}
	see_path(values->texts, 0, values->paths.first, values->readable);
	see_path(values->texts, 1, values->paths.second, values->readable);
	return true;
}

static __noinline bool where_holds(struct where_values *values)
{
#pragma clang loop unroll(disable)
	for (int i = 0; i < TR_WHERE_MAX_STEPS; i++) {
		const volatile struct tr_where_step *step = &cfg_where.steps[i];
		__u8 op = step->op;

		if (op == TR_WHERE_HOLDS)
			return true;
		if (i == cfg_where.first_path && !see_paths(values))
			return false;
		if (!run(values, step, op))
			return false;
	}
	return true;
}

/* What is known of a call from its beginning on; of ARGS if they are asked for. */
static __always_inline void where_begin(struct where_values *values, struct task_struct *task,
					__u32 code, const __u64 *args)
{
	__builtin_memset(values->null, 0, TR_WHERE_RESULTS);
	values->texts = NULL;
	values->v[TR_WHERE_SYSCALL] = code;
	if (cfg_where.asks_pid)
		values->v[TR_WHERE_PID] = process_id(task);
	if (cfg_where.asks_tid)
		values->v[TR_WHERE_TID] = thread_id(task);
	if (cfg_where.asks_comm)
		put_comm((struct tr_comm *)&values->v[TR_WHERE_COMM], task);
	if (cfg_where.asks_args)
		for (int i = 0; i < 6; i++)
			values->v[TR_WHERE_ARGS + i] = args[i];
}

/* Is it true for a call that is entered? */
static __always_inline bool where_counts(struct task_struct *task, __u32 code, const __u64 *args)
{
	struct where_values values;

	where_begin(&values, task, code, args);
	return where_holds(&values);
}

/* Is it true for a call that ended? */
static __always_inline bool where_selects(struct task_struct *task, __u32 code, const __u64 *args,
					  __u64 ns, long ret, __u16 flags, struct paths paths)
{
	struct where_values values;

	where_begin(&values, task, code, args);
	values.v[TR_WHERE_NS] = ns;
	values.v[TR_WHERE_RET] = ret;
	values.null[TR_WHERE_NS] = values.null[TR_WHERE_RET] = flags & TR_NO_RESULT;
	if (cfg_where.asks_paths) {
		values.task = task;
		values.paths = paths;
		values.readable = !(flags & TR_NO_RESULT);
	}
	return where_holds(&values);
}

#endif
