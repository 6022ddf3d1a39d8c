/* SPDX-License-Identifier: GPL-2.0-only */
/* opens N FILE: opens and closes FILE N times, and prints "opens N". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	const char *path = argc > 2 ? argv[2] : "/dev/null";

	for (long i = 0; i < n; i++)
		close(open(path, O_RDONLY | O_CLOEXEC));
	printf("opens %ld\n", n);
	return 0;
}
