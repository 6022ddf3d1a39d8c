/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack N [DEPTH]: getppid N times from stack_c, which stack_b calls, which stack_a calls, which
 * main calls; with DEPTH by way of stack_deep, which calls itself so often. Prints where stack_c,
 * stack_b and stack_a return to, a line with the three addresses. All of them keep a frame pointer,
 * and the call is no library's.
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

/* For other files: they must be found by name. */
long stack_c(void);
long stack_b(void);
long stack_a(void);
long stack_deep(long depth);

static void *returns[3];

static inline long getppid_here(void)
{
	long ret;

#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(ret) : "a"(SYS_getppid) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x0 __asm__("x0");
	register long x8 __asm__("x8") = SYS_getppid;

	__asm__ volatile("svc 0" : "=r"(x0) : "r"(x8) : "memory");
	ret = x0;
#else
#error "how does this architecture call the kernel?"
#endif
	return ret;
}

__attribute__((noinline)) long stack_c(void)
{
	returns[0] = __builtin_return_address(0);
	return getppid_here();
}

__attribute__((noinline)) long stack_b(void)
{
	returns[1] = __builtin_return_address(0);
	return stack_c() + 1;
}

__attribute__((noinline)) long stack_a(void)
{
	returns[2] = __builtin_return_address(0);
	return stack_b() + 1;
}

__attribute__((noinline)) long stack_deep(long depth)
{
	return (depth > 1 ? stack_deep(depth - 1) : stack_a()) + 1;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, depth = argc > 2 ? atol(argv[2]) : 0, sum = 0;

	for (long i = 0; i < n; i++)
		sum += depth ? stack_deep(depth) : stack_a();
	printf("%p %p %p\n", returns[0], returns[1], returns[2]);
	return sum == 0;
}
