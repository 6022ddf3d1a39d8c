/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i386: calls getpid 1009 times by the 32-bit road, where its number (20) is writev's on the 64-bit
 * one, and prints "i386:getpid 1009". Exits 77 where there is no such road.
 */
#include <stdio.h>
#include <unistd.h>

enum { CALLS = 1009, GETPID_I386 = 20 };

int main(void)
{
#ifdef __x86_64__
	pid_t self = getpid();

	for (int i = 0; i < CALLS; i++) {
		long ret = GETPID_I386;

		__asm__ volatile("int $0x80" : "+a"(ret) : : "memory", "r8", "r9", "r10", "r11");
		if ((int)ret != self)
			return 77;
	}
	printf("i386:getpid %d\n", CALLS);
	return 0;
#else
	fputs("no 32-bit calls on this architecture\n", stderr);
	return 77;
#endif
}
