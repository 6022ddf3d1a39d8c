/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i386: calls getpid 1009 times by the 32-bit road, where its number (20) is writev's on the 64-bit
 * one, and access 211 times, whose number (33) is dup2's there, without a path. Prints how many of
 * each, "i386:getpid 1009". Exits 77 where there is no such road.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { CALLS = 1009, ACCESSES = 211, GETPID_I386 = 20, ACCESS_I386 = 33 };

#ifdef __x86_64__
static int call(long nr)
{
	__asm__ volatile("int $0x80"
			 : "+a"(nr)
			 : "b"(0), "c"(0)
			 : "memory", "r8", "r9", "r10", "r11");
	return nr;
}
#endif

int main(void)
{
#ifdef __x86_64__
	pid_t self = getpid();

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
