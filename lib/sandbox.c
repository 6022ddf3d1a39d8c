/* SPDX-License-Identifier: GPL-2.0-only */
/* A seccomp filter for programs that only read, compute and write. */
#include "sandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Sanitizers make calls of their own, at exit even ptrace. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const int allowed[] = {
	SCMP_SYS(read),
	SCMP_SYS(pread64),
	SCMP_SYS(readv),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(lseek),
	SCMP_SYS(close),
	SCMP_SYS(fstat),
	SCMP_SYS(newfstatat), /* glibc's fstat() */
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(mmap),
	SCMP_SYS(mremap),
	SCMP_SYS(munmap),
	SCMP_SYS(madvise),
	SCMP_SYS(brk),
	SCMP_SYS(futex),
	SCMP_SYS(getrandom), /* malloc's first use */
	SCMP_SYS(sysinfo),   /* qsort() asks how much memory there is */
	SCMP_SYS(clock_gettime),
	SCMP_SYS(uname), /* a trace that does not say its architecture has this machine's */
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(getpid), /* raise(), after a second Ctrl-C */
	SCMP_SYS(gettid),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

int tr_sandbox_enter(void)
{
	scmp_filter_ctx filter;
	int error = 0;

	tzset(); /* timegm() reads the zone's file when that has not been done */
	if (SANITIZED)
		return 0;
	filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	if (!filter)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]) && !error; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!error) /* the terminal's size */
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
					 SCMP_A1(SCMP_CMP_EQ, TIOCGWINSZ));
	if (!error) /* raise() */
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
					 SCMP_A0(SCMP_CMP_EQ, getpid()));
	if (!error)
		error = seccomp_load(filter);
	seccomp_release(filter);
	return error;
}
