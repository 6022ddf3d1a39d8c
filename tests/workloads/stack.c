/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack [-w] [-j] N [DEPTH]: getppid N times from stack_c, which stack_b calls, which stack_a
 * calls, which main calls; with DEPTH by way of stack_deep, which calls itself so often. All of
 * them keep a frame pointer, and the call is no library's. With -j stack_c is code that is of no
 * file; prints the address behind its call. With -w prints "ready PID" first and awaits a line of
 * stdin.
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For other files: they must be found by name. */
long stack_c(void);
long stack_b(void);
long stack_a(void);
long stack_deep(long depth);

static long (*innermost)(void) = stack_c;

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
	/* Nothing else would make a function that calls none have a frame. */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	return getppid_here();
}

__attribute__((noinline)) long stack_b(void)
{
	return innermost() + 1;
}

__attribute__((noinline)) long stack_a(void)
{
	return stack_b() + 1;
}

__attribute__((noinline)) long stack_deep(long depth)
{
	return (depth > 1 ? stack_deep(depth - 1) : stack_a()) + 1;
}

/* A frame, getppid, and back. */
#if defined(__x86_64__)
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, SYS_getppid, 0,
				     0,    0,    0x0f, 0x05, 0x5d, 0xc3};
enum { BEHIND_CALL = 11 };
#elif defined(__aarch64__)
static const unsigned code[] = {0xa9bf7bfd, 0x910003fd, 0xd2800008 | SYS_getppid << 5,
				0xd4000001, 0xa8c17bfd, 0xd65f03c0};
enum { BEHIND_CALL = 16 };
#endif

static void make_code(void)
{
	unsigned char *memory = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	memcpy(memory, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + sizeof(code));
	if (mprotect(memory, sizeof(code), PROT_READ | PROT_EXEC))
		exit(1);
	innermost = (long (*)(void))memory;
	printf("%p\n", (void *)(memory + BEHIND_CALL));
}

static void wait_for_line(void)
{
	char byte;

	printf("ready %d\n", getpid());
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
}

int main(int argc, char **argv)
{
	long n, depth, sum = 0;
	int option;

	while ((option = getopt(argc, argv, "wj")) != -1)
		if (option == 'w')
			wait_for_line();
		else if (option == 'j')
			make_code();
		else
			return 2;
	n = optind < argc ? atol(argv[optind]) : 0;
	depth = optind + 1 < argc ? atol(argv[optind + 1]) : 0;
	for (long i = 0; i < n; i++)
		sum += depth ? stack_deep(depth) : stack_a();
	return n && !sum;
}
