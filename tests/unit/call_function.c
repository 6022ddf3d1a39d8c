/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of system calls: some that are well known. With a folder of the kernel's tracepoints as
 * argument (events/syscalls of tracefs), which are named after functions, also each of those, and
 * the functions that only 32-bit calls have, by the kernel's own list of symbols.
 */
#include "call_function.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"

static bool has(const char *arch, const char *name, const char *function)
{
	const struct tr_syscalls *calls = tr_syscalls_of(arch);
	uint32_t code = 0;

	if (tr_syscall_find(calls, name, strlen(name), &code))
		CHECK_TEXT(name, "a known name");
	return tr_call_has_function(calls, code, function);
}

static void check_known(void)
{
	CHECK(has("x86_64", "read", "__x64_sys_read"));
	CHECK(!has("x86_64", "read", "__ia32_sys_read"));
	CHECK(!has("x86_64", "read", "__x64_sys_readv"));
	CHECK(!has("x86_64", "readv", "__x64_sys_read"));
	CHECK(!has("x86_64", "read", "ksys_read"));
	CHECK(!has("x86_64", "read", ""));
	CHECK(has("x86_64", "i386:read", "__ia32_sys_read"));
	CHECK(has("x86_64", "x32:read", "__x64_sys_read"));
	CHECK(has("x86_64", "x32:ioctl", "__x64_compat_sys_ioctl"));
	CHECK(has("x86_64", "getppid", "__do_sys_getppid"));
	CHECK(has("x86_64", "i386:getppid", "__do_sys_getppid"));
	CHECK(has("x86_64", "stat", "__x64_sys_newstat"));
	CHECK(!has("x86_64", "stat", "__x64_sys_stat"));
	CHECK(has("x86_64", "i386:stat", "__ia32_compat_sys_newstat"));
	CHECK(has("x86_64", "i386:oldstat", "__ia32_sys_stat"));
	CHECK(has("x86_64", "i386:stat64", "__ia32_compat_sys_ia32_stat64"));
	CHECK(has("x86_64", "i386:getuid", "__do_sys_getuid16"));
	CHECK(has("x86_64", "i386:getuid32", "__do_sys_getuid"));
	CHECK(has("x86_64", "i386:setuid32", "__ia32_sys_setuid"));
	CHECK(has("x86_64", "i386:futex", "__ia32_sys_futex_time32"));
	CHECK(has("x86_64", "i386:futex_time64", "__ia32_sys_futex"));
	CHECK(has("x86_64", "i386:clock_gettime", "__ia32_sys_clock_gettime32"));
	CHECK(has("x86_64", "i386:mmap", "__ia32_compat_sys_ia32_mmap"));
	CHECK(has("x86_64", "sendfile", "__x64_sys_sendfile64"));
	CHECK(has("aarch64", "read", "__arm64_sys_read"));
	CHECK(!has("aarch64", "read", "__x64_sys_read"));
	CHECK(has("aarch64", "arm:read", "__arm64_sys_read"));
	CHECK(has("aarch64", "arm:openat", "__arm64_compat_sys_openat"));
	CHECK(has("aarch64", "arm:pread64", "__arm64_compat_sys_aarch32_pread64"));
	CHECK(!has("s390x", "read", "__s390x_sys_read"));
	CHECK(!tr_call_has_function(tr_syscalls_of("x86_64"), tr_syscall_code(TR_ABI_NATIVE, -1),
				    "__x64_sys_ni_syscall"));

	CHECK_INT(tr_function_abi("__x64_sys_read"), TR_ABI_NATIVE);
	CHECK_INT(tr_function_abi("__ia32_sys_read"), TR_ABI_32);
	CHECK_INT(tr_function_abi("__ia32_compat_sys_ioctl"), TR_ABI_32);
	CHECK_INT(tr_function_abi("__x64_compat_sys_ioctl"), TR_ABI_X32);
	CHECK_INT(tr_function_abi("__arm64_sys_read"), TR_ABI_NATIVE);
	CHECK_INT(tr_function_abi("__arm64_compat_sys_ioctl"), TR_ABI_32);
	CHECK_INT(tr_function_abi("__do_sys_getppid"), -1);
	CHECK_INT(tr_function_abi("ksys_read"), -1);
}

static bool is_someones(enum tr_abi abi, const char *function)
{
	enum { N_NUMBERS = 1024 };

	for (int32_t nr = 0; nr < N_NUMBERS; nr++)
		if (tr_call_has_function(tr_syscalls_native(), tr_syscall_code(abi, nr), function))
			return true;
	return false;
}

/* Of these no table of this machine has a call. */
static bool is_unused(const char *function)
{
	static const char *const stems[] = {"newfstatat", "ni_syscall", "recv", "s390_ipc",
					    "semtimedop_time32"};
	const char *stem = strstr(function, "sys_") + strlen("sys_");

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (!strcmp(stem, stems[i]))
			return true;
	return strchr(stem, '.'); /* a part of a function */
}

static void check_symbols(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512], name[256];

	while (file && fgets(line, sizeof(line), file)) {
		int abi;

		if (sscanf(line, "%*s %*[tTwW] %255s", name) != 1)
			continue;
		abi = tr_function_abi(name);
		if ((abi == TR_ABI_32 || abi == TR_ABI_X32) &&
		    (strstr(name, "_compat_sys_") || strstr(name, "time32")) && !is_unused(name) &&
		    !is_someones(abi, name))
			CHECK_TEXT(name, "a function of some call");
	}
	if (file)
		fclose(file);
}

/* The name of a call that has no number yet: it is younger than libseccomp. */
static bool is_young(const char *name)
{
	enum { FILE_NAME, NET, PROCESS, MEMORY, SIGNAL, IPC, DESC };
	static const struct {
		const char *name;
		unsigned classes;
		const char *args;
	} rows[] = {
#include "calls.def"
	};
	uint32_t code;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return tr_syscall_find(tr_syscalls_native(), name, strlen(name), &code);
	return false;
}

static int check_tracepoints(const char *folder)
{
	DIR *events = opendir(folder);
	struct dirent *entry;
	char name[300];

	if (!events)
		return 77;
	while ((entry = readdir(events))) {
		const char *stem = entry->d_name + strlen("sys_enter_");

		if (strncmp(entry->d_name, "sys_enter_", strlen("sys_enter_")))
			continue;
		snprintf(name, sizeof(name), "__%s_sys_%s",
			 strcmp(tr_syscall_abi(tr_syscalls_native(), 0), "x86_64") ? "arm64"
										   : "x64",
			 stem);
		if (!is_young(stem) && !is_someones(TR_ABI_NATIVE, name))
			CHECK_TEXT(name, "a function of some call");
	}
	closedir(events);
	return check_status();
}

int main(int argc, char **argv)
{
	check_known();
	if (argc != 2)
		return check_status();
	check_symbols("/proc/kallsyms");
	return check_tracepoints(argv[1]);
}
