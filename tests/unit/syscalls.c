/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls' names: known ones, and every code to its name and back. */
#include "syscalls.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"

static void check_known(const char *arch, uint32_t code, const char *wanted)
{
	const struct tr_syscalls *calls = tr_syscalls_of(arch);
	char name[TR_SYSCALL_NAME_MAX];
	uint32_t found = ~code;

	CHECK_INT(tr_syscall_name(calls, code, name), strlen(wanted));
	CHECK_TEXT(name, wanted);
	CHECK_INT(tr_syscall_find(calls, wanted, strlen(wanted), &found), 0);
	CHECK_INT(found, code);
}

static void check_names(void)
{
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, 0), "read");
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, 39), "getpid");
	check_known("x86_64", tr_syscall_code(TR_ABI_32, 20), "i386:getpid");
	check_known("x86_64", tr_syscall_code(TR_ABI_32, 359), "i386:socket");
	check_known("x86_64", tr_syscall_code(TR_ABI_32, 999), "i386:syscall_999");
	check_known("x86_64", tr_syscall_code(TR_ABI_X32, 0), "x32:read");
	check_known("x86_64", tr_syscall_code(TR_ABI_X32, 520), "x32:execve");
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, 999), "syscall_999");
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, -1), "syscall_-1");
	/* libseccomp's own number for a call that the architecture does not have */
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, -101), "syscall_-101");
	check_known("x86_64", tr_syscall_code(TR_ABI_NATIVE, TR_SYSCALL_OUT_OF_RANGE),
		    "syscall_out_of_range");
	check_known("x86_64", tr_syscall_code(TR_ABI_32, TR_SYSCALL_OUT_OF_RANGE),
		    "i386:syscall_out_of_range");
	check_known("x86_64", (uint32_t)200 << 24 | 5, "abi200:syscall_5");
	check_known("aarch64", tr_syscall_code(TR_ABI_NATIVE, 63), "read");
	check_known("aarch64", tr_syscall_code(TR_ABI_32, 3), "arm:read");
	check_known("aarch64", tr_syscall_code(TR_ABI_32, 0xf0002), "arm:cacheflush");
	check_known("i686", tr_syscall_code(TR_ABI_NATIVE, 3), "read");
	check_known("riscv64", tr_syscall_code(TR_ABI_NATIVE, 63), "read");
	check_known("pdp11", tr_syscall_code(TR_ABI_NATIVE, 3), "syscall_3");
	check_known("pdp11", tr_syscall_code(TR_ABI_32, 3), "abi1:syscall_3");
	check_known("", tr_syscall_code(TR_ABI_NATIVE, 3), "syscall_3");
}

/* One code; few enough of a failure are shown. */
static void check_round_trip(const struct tr_syscalls *calls, uint32_t code)
{
	char name[TR_SYSCALL_NAME_MAX];
	size_t len = tr_syscall_name(calls, code, name);
	uint32_t found = ~code;

	if (len != strlen(name) || tr_syscall_find(calls, name, len, &found) || found != code) {
		CHECK_INT(found, code);
		if (check_failures > 20)
			exit(check_status());
	}
}

static void check_round_trips(void)
{
	static const char *const arches[] = {"x86_64", "aarch64", "s390x", "armv7l", "pdp11"};

	for (uint32_t nr = 0; nr < 1 << 24; nr++)
		check_round_trip(tr_syscalls_of("x86_64"), nr);
	for (size_t i = 0; i < sizeof(arches) / sizeof(arches[0]); i++) {
		const struct tr_syscalls *calls = tr_syscalls_of(arches[i]);

		for (uint32_t abi = 0; abi < 256; abi++) {
			for (int32_t nr = -2000; nr < 2000; nr++)
				check_round_trip(calls, tr_syscall_code(abi, nr));
			for (int32_t nr = 0xefff0; nr < 0xf0100; nr++)
				check_round_trip(calls, tr_syscall_code(abi, nr));
			check_round_trip(calls, tr_syscall_code(abi, TR_SYSCALL_OUT_OF_RANGE));
			check_round_trip(calls, tr_syscall_code(abi, TR_SYSCALL_OUT_OF_RANGE + 1));
			check_round_trip(calls, tr_syscall_code(abi, (1 << 23) - 1));
		}
	}
}

static void check_refused(void)
{
	static const char *const names[] = {
		"",
		"reed",
		"READ",
		"read ",
		" read",
		"arm:read",
		"i386:",
		"i386",
		":read",
		"i386:i386:read",
		"syscall_",
		"syscall_01",
		"syscall_-0",
		"syscall_+1",
		"syscall_1x",
		"syscall_8388608",
		"syscall_-8388609",
		"syscall_99999999999999999999",
		"abi1:syscall_1",
		"abi3:read",
		"abi03:syscall_1",
		"abi256:syscall_1",
		"abi:syscall_1",
	};
	const struct tr_syscalls *calls = tr_syscalls_of("x86_64");
	uint32_t code;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK_INT(tr_syscall_find(calls, names[i], strlen(names[i]), &code), -ENOENT);
	CHECK_INT(tr_syscall_find(calls, "read\0", 5, &code), -ENOENT);
	/* A call that had no name where the record was made. */
	CHECK_INT(tr_syscall_find(calls, "syscall_0", 9, &code), 0);
	CHECK_INT(code, 0);
}

static void check_lists(void)
{
	const struct tr_syscalls *calls = tr_syscalls_of("x86_64");
	uint32_t codes[TR_N_ABIS];

	CHECK_INT(tr_syscall_select(calls, "getpid", 6, codes), 3);
	CHECK_INT(codes[0], tr_syscall_code(TR_ABI_NATIVE, 39));
	CHECK_INT(codes[1], tr_syscall_code(TR_ABI_32, 20));
	CHECK_INT(codes[2], tr_syscall_code(TR_ABI_X32, 39));
	CHECK_INT(tr_syscall_select(calls, "waitpid", 7, codes), 1);
	CHECK_INT(codes[0], tr_syscall_code(TR_ABI_32, 7));
	CHECK_INT(tr_syscall_select(calls, "i386:getpid", 11, codes), 1);
	CHECK_INT(codes[0], tr_syscall_code(TR_ABI_32, 20));
	CHECK_INT(tr_syscall_select(calls, "getpit", 6, codes), 0);
	CHECK_INT(tr_syscall_select(tr_syscalls_of("riscv64"), "getpid", 6, codes), 1);

	CHECK_TEXT(tr_syscall_nearest(calls, "getpit", 6), "getpid");
	CHECK_TEXT(tr_syscall_nearest(calls, "i386:waitpit", 12), "i386:waitpid");
	CHECK(!tr_syscall_nearest(calls, "something_else", 14));
	CHECK(!tr_syscall_nearest(calls, "nowhere:read", 12));
}

int main(void)
{
	check_names();
	check_refused();
	check_lists();
	check_round_trips();
	return check_status();
}
