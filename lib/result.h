/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a system call's result says, for both sides of the kernel. The includer has defined __s64
 * and __u64.
 */
#ifndef TR_RESULT_H
#define TR_RESULT_H

enum {
	TR_MAX_ERRNO = 4095,
	/* The kernel's own codes for a call that a signal interrupted and that begins anew: neither
	 * errors nor results. */
	TR_FIRST_RESTART = 512,
	TR_LAST_RESTART = 516,
};

static inline _Bool tr_result_is_restart(__s64 ret)
{
	return -(__u64)ret - TR_FIRST_RESTART <= TR_LAST_RESTART - TR_FIRST_RESTART;
}

static inline _Bool tr_result_is_error(__s64 ret)
{
	return -(__u64)ret - 1 < TR_MAX_ERRNO && !tr_result_is_restart(ret);
}

/* The errno of a result; 0 where it is no error. */
static inline int tr_result_errno(__s64 ret)
{
	return tr_result_is_error(ret) ? (int)-ret : 0;
}

#endif
