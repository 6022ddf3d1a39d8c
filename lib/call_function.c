/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of calls: a prefix for the ABI, then the call's name, or one that is nearly that. */
#include "call_function.h"

#include <stddef.h>
#include <string.h>

/*
 * How functions of an ABI begin. Those of calls without arguments are the same for all ABIs of
 * x86, and have their prefixes as further names, which BTF does not know. PROVES: the kernel has
 * that ABI.
 */
static const struct {
	const char *abi, *prefix;
	bool proves;
	enum tr_abi which;
} prefixes[] = {
	{"x86_64", "__x64_sys_", true, TR_ABI_NATIVE},
	{"x86_64", "__do_sys_"},
	{"i386", "__ia32_sys_", true, TR_ABI_32},
	{"i386", "__ia32_compat_sys_", true, TR_ABI_32},
	{"i386", "__do_sys_"},
	{"i386", "__do_compat_sys_"},
	{"x32", "__x64_sys_"},
	{"x32", "__x64_compat_sys_", true, TR_ABI_X32},
	{"x32", "__do_sys_"},
	{"x32", "__do_compat_sys_"},
	{"aarch64", "__arm64_sys_", true, TR_ABI_NATIVE},
	{"arm", "__arm64_sys_"},
	{"arm", "__arm64_compat_sys_", true, TR_ABI_32},
};

/*
 * What may stand around a call's name: arguments that are put together from halves, ids of 16 bits,
 * times of 32 or 64, an older way to pass arguments.
 */
static const char *const before[] = {"", "x86_", "ia32_", "aarch32_", "old_"};
static const char *const behind[] = {"", "16", "32", "_time32", "_time64"};

/* Ends of names that functions do without: getuid32 is getuid. */
static const char *const without[] = {"32", "_time64"};

/* Calls whose functions have quite other names, and which. */
static const struct {
	const char *call, *stems;
} others[] = {
	{"_llseek", "llseek"},
	{"_newselect", "select"},
	{"_sysctl", "sysctl"},
	{"arm_fadvise64_64", "aarch32_fadvise64_64"},
	{"arm_sync_file_range", "sync_file_range2 aarch32_sync_file_range2"},
	{"clock_adjtime64", "clock_adjtime"},
	{"clock_gettime64", "clock_gettime"},
	{"clock_settime64", "clock_settime"},
	{"fadvise64", "fadvise64 fadvise64_64 x86_fadvise64 ia32_fadvise64"},
	{"fcntl", "fcntl fcntl64"},
	{"fstat", "newfstat"},
	{"fstatat64", "fstatat64 x86_fstatat ia32_fstatat64"},
	{"io_pgetevents_time64", "io_pgetevents io_pgetevents_time64"},
	{"lstat", "newlstat"},
	{"mmap2", "mmap_pgoff aarch32_mmap2"},
	{"oldfstat", "fstat"},
	{"oldlstat", "lstat"},
	{"oldolduname", "olduname"},
	{"oldstat", "stat"},
	{"olduname", "uname"},
	{"pread64", "pread64 x86_pread ia32_pread64 aarch32_pread64"},
	{"preadv", "preadv preadv64"},
	{"preadv2", "preadv2 preadv64v2"},
	{"pwrite64", "pwrite64 x86_pwrite ia32_pwrite64 aarch32_pwrite64"},
	{"pwritev", "pwritev pwritev64"},
	{"pwritev2", "pwritev2 pwritev64v2"},
	{"rt_sigreturn", "rt_sigreturn x32_rt_sigreturn"},
	{"sendfile", "sendfile sendfile64"},
	{"stat", "newstat"},
	{"timer_gettime64", "timer_gettime"},
	{"timer_settime64", "timer_settime"},
	{"timerfd_gettime64", "timerfd_gettime"},
	{"timerfd_settime64", "timerfd_settime"},
	{"ugetrlimit", "getrlimit"},
	{"umount", "oldumount"},
	{"umount2", "umount"},
	{"uname", "newuname"},
};

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* What is behind PREFIX in TEXT, NULL: it does not begin so. */
static const char *after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
}

static bool is_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += len)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

/* TEXT is NAME with one of N ENDINGS behind it. */
static bool has_ending(const char *text, const char *name, const char *const *endings, size_t n)
{
	const char *rest = after(text, name);

	for (size_t i = 0; rest && i < n; i++)
		if (!strcmp(rest, endings[i]))
			return true;
	return false;
}

/* A function's name without its prefix is one of CALL's, which has no prefix either. */
static bool is_stem(const char *stem, const char *call)
{
	for (size_t i = 0; i < N(others); i++)
		if (!strcmp(others[i].call, call))
			return is_word(others[i].stems, stem);
	if (has_ending(call, stem, without, N(without)))
		return true;
	for (size_t i = 0; i < N(before); i++) {
		const char *rest = after(stem, before[i]);

		if (rest && has_ending(rest, call, behind, N(behind)))
			return true;
	}
	return false;
}

bool tr_call_has_function(const struct tr_syscalls *calls, uint32_t code, const char *function)
{
	const char *abi = tr_syscall_abi(calls, code), *call, *stem;
	char name[TR_SYSCALL_NAME_MAX];

	tr_syscall_name(calls, code, name);
	call = strchr(name, ':') ? strchr(name, ':') + 1 : name;
	for (size_t i = 0; i < N(prefixes); i++) {
		stem = strcmp(prefixes[i].abi, abi) ? NULL : after(function, prefixes[i].prefix);
		if (stem && is_stem(stem, call))
			return true;
	}
	return false;
}

int tr_function_abi(const char *function)
{
	for (size_t i = 0; i < N(prefixes); i++)
		if (prefixes[i].proves && after(function, prefixes[i].prefix))
			return prefixes[i].which;
	return -1;
}
