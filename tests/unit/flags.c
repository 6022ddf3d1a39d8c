/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants by name: known values, what sets must be like, and any value to its text and back. */
#include "flags.h"

#include <stdlib.h>

#include "check.h"

static void check_known(const char *set, uint64_t value, const char *wanted)
{
	char text[TR_FLAGS_MAX];

	*tr_flags_write(text, tr_flags_find(set, strlen(set)), value) = 0;
	CHECK_TEXT(text, wanted);
}

/* Values that are the same on all architectures that we build on. */
static void check_values(void)
{
	check_known("O", 0, "O_RDONLY");
	check_known("O", 02000000, "O_RDONLY|O_CLOEXEC");
	check_known("O", 01101, "O_WRONLY|O_CREAT|O_TRUNC");
	check_known("O", 3, "0x3");
	check_known("O", 04010002, "O_RDWR|O_SYNC");
	check_known("O", 010000, "O_RDONLY|O_DSYNC");
	check_known("O", 0x100000000, "O_RDONLY|0x100000000");
	check_known("PROT", 0, "PROT_NONE");
	check_known("PROT", 3, "PROT_READ|PROT_WRITE");
	check_known("MAP", 0x22, "MAP_PRIVATE|MAP_ANONYMOUS");
	check_known("MAP", 0x54040022, "MAP_PRIVATE|MAP_HUGE_2MB|MAP_ANONYMOUS|MAP_HUGETLB");
	check_known("MAP", 0x20, "MAP_ANONYMOUS");
	check_known("MAP", 0, "0");
	check_known("CLONE", 0x1200011, "SIGCHLD|CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID");
	check_known("CLONE", 17, "SIGCHLD");
	check_known("NS", 0x20000080, "CLONE_NEWPID|CLONE_NEWTIME");
	check_known("FUTEX", 0, "FUTEX_WAIT");
	check_known("FUTEX", 0x189, "FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME");
	check_known("SOCK", 02000001, "SOCK_STREAM|SOCK_CLOEXEC");
	check_known("SIG", 9, "SIGKILL");
	check_known("SIG", 0, "0");
	check_known("SIG", 34, "34");
	check_known("CLOCK", 1, "CLOCK_MONOTONIC");
	check_known("CLOCK", (uint32_t)-6, "-6");
	check_known("RUSAGE", (uint64_t)-1, "RUSAGE_CHILDREN");
	check_known("RUSAGE", 0xffffffff, "RUSAGE_CHILDREN");
	check_known("SEEK", 0, "SEEK_SET");
	check_known("SEEK", 77, "0x4d");
	check_known("AT", 0, "0");
	check_known("AT", 0x1100, "AT_SYMLINK_NOFOLLOW|AT_EMPTY_PATH");
	check_known("AT_UNLINK", 0x200, "AT_REMOVEDIR");
	check_known("AT_ACCESS", 0x200, "AT_EACCESS");
	check_known("ACCESS", 0, "F_OK");
	check_known("ACCESS", 6, "R_OK|W_OK");
	check_known("IPC", 01666, "IPC_CREAT|0666");
	check_known("SCHED", 0, "SCHED_NORMAL");
	check_known("SCHED", 0x40000001, "SCHED_FIFO|SCHED_RESET_ON_FORK");
	check_known("IOCTL", 0x5401, "TCGETS");
	check_known("BPF", 5, "BPF_PROG_LOAD");
	check_known("STATX", 0x7ff, "STATX_BASIC_STATS");
	check_known("STATX", 0xfff, "STATX_BASIC_STATS|STATX_BTIME");
	check_known("SEMCTL", 0x100, "IPC_RMID|IPC_64");
	check_known("SOL", 1, "SOL_SOCKET");
	CHECK(!tr_flags_find("NONE", 4));
	CHECK(!tr_flags_find("", 0));
	CHECK(!tr_flags_find("OO", 2));
}

/* The value of one piece of a text. */
static uint64_t value_of(const struct tr_flag_set *set, const char *piece)
{
	char *end;
	uint64_t v;

	for (const struct tr_flag *f = set->flags; f->name; f++)
		if (!strcmp(f->name, piece))
			return f->value;
	v = strtoull(piece, &end, 0);
	if (*end || end == piece)
		CHECK_TEXT(piece, "a name or a number");
	return v;
}

static void check_round_trip(const struct tr_flag_set *set, uint64_t value)
{
	char text[TR_FLAGS_MAX], copy[TR_FLAGS_MAX], *rest = copy, *piece;
	size_t len = tr_flags_write(text, set, value) - text;
	uint64_t sum = 0, bits = 0;

	CHECK(len < TR_FLAGS_MAX);
	text[len] = 0;
	strcpy(copy, text);
	while ((piece = strsep(&rest, "|"))) {
		uint64_t v = value_of(set, piece);

		sum += v;
		bits |= v;
	}
	if (!set->any && (uint32_t)value == (uint32_t)sum)
		return;
	/* No bit is said twice. */
	if (sum != value || bits != value) {
		CHECK_TEXT(set->name, text);
		CHECK_INT(bits, value);
		CHECK_INT(sum, value);
	}
}

/* Any bits; some of those that have names; one name. */
static void check_round_trips(const struct tr_flag_set *set)
{
	size_t n = 0;

	while (set->flags[n].name)
		n++;
	for (unsigned i = 0; n && i < 3000; i++) {
		uint64_t value = 0;

		for (unsigned j = check_random() % 6; j; j--)
			value |= set->flags[check_random() % n].value;
		check_round_trip(set, value);
		check_round_trip(set, value | check_random_sized());
		check_round_trip(set, check_random_sized());
		check_round_trip(set, 1ULL << i % 64);
		check_round_trip(set, set->flags[i % n].value);
	}
	check_round_trip(set, 0);
	check_round_trip(set, UINT64_MAX);
}

/* Two names of one set may not say the same. */
static bool clash(const struct tr_flag_set *set, uint32_t a, uint32_t b)
{
	uint32_t masked = set->masks[0] | set->masks[1];
	bool several = (a & (a - 1)) && (b & (b - 1));

	if (a == b)
		return true;
	/* Which one is meant where bits are shared would be chance. */
	return set->any && !(a & masked) && !(b & masked) && several && (a & b);
}

static void check_set(const struct tr_flag_set *set)
{
	size_t len = 0;

	if (!set->flags->name)
		CHECK_TEXT(set->name, "a set with names");
	for (const struct tr_flag *f = set->flags; f->name; f++) {
		len += strlen(f->name) + 1;
		for (const struct tr_flag *g = set->flags; g < f; g++)
			if (clash(set, f->value, g->value)) {
				CHECK_TEXT(set->name, "a set without clashes");
				CHECK_TEXT(f->name, g->name);
			}
	}
	if (set->any)
		CHECK(len + 24 < TR_FLAGS_MAX);
	CHECK(tr_flags_find(set->name, strlen(set->name)) == set);
	check_round_trips(set);
}

int main(void)
{
	check_values();
	for (const struct tr_flag_set *set = tr_flags_kernel; set->name; set++)
		check_set(set);
	for (const struct tr_flag_set *set = tr_flags_libc; set->name; set++)
		check_set(set);
	return check_status();
}
