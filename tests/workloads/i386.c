/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i386: calls getpid 1009 times by the 32-bit road, where its number (20) is writev's on the 64-bit
 * one, and access 211 times, whose number (33) is dup2's there, without a path. Prints how many of
 * each, "i386:getpid 1009". With an argument it maps a page instead, and prints its address, which
 * is in the upper half of 32 bits. Exits 77 where there is no such road.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CALLS = 1009, ACCESSES = 211, GETPID_I386 = 20, ACCESS_I386 = 33, MMAP2_I386 = 192 };

#ifdef __x86_64__
static int call(long nr)
{
	__asm__ volatile("int $0x80"
			 : "+a"(nr)
			 : "b"(0), "c"(0)
			 : "memory", "r8", "r9", "r10", "r11");
	return nr;
}

/* The sixth argument, 0, is in the frame pointer. */
static unsigned map(void)
{
	long nr = MMAP2_I386;

	__asm__ volatile("sub $128, %%rsp\n"
			 "push %%rbp\n"
			 "xor %%ebp, %%ebp\n"
			 "int $0x80\n"
			 "pop %%rbp\n"
			 "add $128, %%rsp"
			 : "+a"(nr)
			 : "b"(0), "c"(4096), "d"(PROT_READ), "S"(MAP_PRIVATE | MAP_ANONYMOUS),
			   "D"(-1)
			 : "memory", "cc", "r8", "r9", "r10", "r11");
	return nr;
}
#endif

int main(int argc, char **argv)
{
	(void)argv;
#ifdef __x86_64__
	pid_t self = getpid();

	if (argc > 1) {
		printf("%u\n", map());
		return 0;
	}
	for (int i = 0; i < CALLS; i++)
		if (call(GETPID_I386) != self)
			return 77;
	for (int i = 0; i < ACCESSES; i++)
		if (call(ACCESS_I386) != -EFAULT)
			return 77;
	printf("i386:getpid %d\ni386:access %d\n", CALLS, ACCESSES);
	return 0;
#else
	fputs("no 32-bit calls on this architecture\n", stderr);
	return 77;
#endif
}
