/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments and results of calls as text. */
#include "call_text.h"

#include <errno.h>

#include "check.h"

static char text[TR_CALL_ARGS_MAX + 4096];

/* Arguments, path and second path of a call, as they read. */
static void check_args(const char *name, const char *wanted, struct tr_call_path path,
		       struct tr_call_path path2, const uint64_t args[TR_MAX_ARGS])
{
	const struct tr_syscalls *calls = tr_syscalls_of("x86_64");
	struct tr_call_values values = {.paths = {path, path2}};
	const struct tr_call *call;

	CHECK(!tr_syscall_find(calls, name, strlen(name), &values.code));
	memcpy(values.args, args, sizeof(values.args));
	call = tr_call_find(calls, values.code);
	CHECK(call);
	*tr_call_args_write(text, calls, call, &values) = 0;
	CHECK_TEXT(text, wanted);
}

#define PATH(string)                                                                               \
	(struct tr_call_path)                                                                      \
	{                                                                                          \
		.bytes = (string), .len = sizeof(string) - 1                                       \
	}
#define ARGS(...)                                                                                  \
	(const uint64_t[TR_MAX_ARGS])                                                              \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
static const struct tr_call_path none, unreadable = {.bytes = "", .cut = true};

static void check_numbers(void)
{
	/* the registers' upper halves are not the call's */
	check_args("read", " fd=3 buf=0x7f0000001000 count=-1", none, none,
		   ARGS(0xdead00000003, 0x7f0000001000, (uint64_t)-1, 1, 2, 3));
	check_args("close", " fd=-1", none, none, ARGS((uint32_t)-1));
	check_args("getpid", "", none, none, ARGS(1, 2, 3, 4, 5, 6));
	check_args("alarm", " seconds=4294967295", none, none, ARGS((uint64_t)-1));
	check_args("umask", " mask=022", none, none, ARGS(022));
	check_args("fchmod", " fd=0 mode=0", none, none, ARGS(0, 0x10000));
	check_args("pread64", " fd=3 buf=NULL count=0 pos=-5", none, none,
		   ARGS(3, 0, 0, (uint64_t)-5));
	check_args("i386:write", " fd=1 buf=0xfffff000 count=-2", none, none,
		   ARGS(0xffffffff00000001, 0xfffff000, 0xfffffffe));
	check_args("i386:mmap", " arg=0xff801234", none, none, ARGS(0xffffffffff801234));
}

static void check_paths(void)
{
	check_args("openat",
		   " dfd=AT_FDCWD filename=\"/etc/passwd\" flags=O_RDONLY|O_CLOEXEC mode=0",
		   PATH("/etc/passwd"), none, ARGS((uint32_t)-100, 0x1000, 02000000, 0));
	check_args("openat", " dfd=5 filename=\"\" flags=O_RDONLY mode=0", PATH(""), none,
		   ARGS(5, 0x1000, 0, 0));
	check_args("unlink", " pathname=0x1000(unreadable)", unreadable, none, ARGS(0x1000));
	check_args("unlink", " pathname=0x1000", none, none, ARGS(0x1000));
	check_args("unlink", " pathname=NULL", unreadable, none, ARGS(0));
	check_args("unlink", " pathname=\"/ab\"\xe2\x80\xa6",
		   (struct tr_call_path){.bytes = "/abc", .len = 3, .cut = true}, none, ARGS(1));
	check_args("rename", " oldname=\"a\" newname=\"b\"", PATH("a"), PATH("b"), ARGS(1, 2));
	check_args("symlinkat", " oldname=\"a\" newdfd=AT_FDCWD newname=0x3(unreadable)", PATH("a"),
		   unreadable, ARGS(1, (uint64_t)-100, 3));
	/* what a terminal obeys, and what would end the quotes */
	check_args("chdir", " filename=\"a\\\"b\\\\c \\x1b[2J\\n\\xff\"",
		   PATH("a\"b\\c \x1b[2J\n\xff"), none, ARGS(1));
	check_args("chdir", " filename=\"\\\"\\\"\"", PATH("\"\""), none, ARGS(1));
}

/* Other machines' constants stay numbers. */
static void check_strangers(void)
{
	const struct tr_syscalls *calls = tr_syscalls_of("s390x");
	struct tr_call_values values = {.args = {(uint32_t)-100, 1, 0x8000, 0600},
					.paths[0] = PATH("x")};
	const struct tr_call *call;

	CHECK(!tr_syscall_find(calls, "openat", 6, &values.code));
	call = tr_call_find(calls, values.code);
	*tr_call_args_write(text, calls, call, &values) = 0;
	CHECK_TEXT(text, " dfd=AT_FDCWD filename=\"x\" flags=0x8000 mode=0600");
}

static void check_ret(const char *name, int64_t ret, const char *wanted)
{
	const struct tr_syscalls *calls = tr_syscalls_native();
	uint32_t code = 0;

	CHECK(!tr_syscall_find(calls, name, strlen(name), &code));
	*tr_call_ret_write(text, tr_call_find(calls, code), ret) = 0;
	CHECK_TEXT(text, wanted);
}

static void check_rets(void)
{
	check_ret("mmap", 0x7f1234567000, "0x7f1234567000");
	check_ret("mmap", -ENOMEM, "-12");
	check_ret("brk", 0, "0x0");
	check_ret("mremap", -4096, "0xfffffffffffff000");
	check_ret("read", 4096, "4096");
	check_ret("read", -512, "-512");
	check_ret("mmap", -512, "-512");
	check_ret("umask", 022, "022");
	check_ret("openat", 3, "3");
	check_ret("lseek", INT64_MIN, "-9223372036854775808");
}

int main(void)
{
	check_numbers();
	check_paths();
	check_strangers();
	check_rets();
	return check_status();
}
