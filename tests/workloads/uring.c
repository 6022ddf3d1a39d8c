/* SPDX-License-Identifier: GPL-2.0-only */
/* uring N: enters an io_uring(7) N times, with nothing for it to do, and says "pid PID"; 77 where
 * there is none to be had. */
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	struct io_uring_params params = {0};
	long fd = syscall(SYS_io_uring_setup, 1, &params);

	if (fd < 0)
		return 77;
	for (long i = 0; i < n; i++)
		syscall(SYS_io_uring_enter, fd, 0, 0, 0, NULL, 0);
	printf("pid %d\n", getpid());
	return 0;
}
