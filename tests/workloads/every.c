/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * every [i386]: makes every system call that has a number below 600 once, with zeroes for
 * arguments, by the 32-bit road if asked; a seccomp filter refuses all of them, so that nothing
 * happens. For whoever sees calls before that filter does, as strace. Exits 77 where there is no
 * such road.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_CALLS = 600, LEAVE_IT = 0x5eed };

static int refuse_all(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LEAVE_IT, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38 /* ENOSYS */),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void call(long nr)
{
#ifdef __x86_64__
	if (nr == 335 || nr == 336) /* uretprobe and uprobe are a program's death */
		return;
#endif
	syscall(nr, 0, 0, 0, 0, 0, 0);
}

static void call_i386(long nr)
{
#ifdef __x86_64__
	__asm__ volatile("int $0x80"
			 : "+a"(nr)
			 : "b"(0), "c"(0), "d"(0), "S"(0), "D"(0)
			 : "memory", "r8", "r9", "r10", "r11");
#else
	(void)nr;
#endif
}

int main(int argc, char **argv)
{
	int i386 = argc == 2 && !strcmp(argv[1], "i386");

#ifndef __x86_64__
	if (i386)
		return 77;
#endif
	if (refuse_all()) {
		perror("seccomp");
		return 77;
	}
	for (long nr = 0; nr < N_CALLS; nr++)
		(i386 ? call_i386 : call)(nr);
	syscall(SYS_exit_group, 0, 0, 0, 0, 0, LEAVE_IT);
	return 1;
}
