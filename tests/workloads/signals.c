/* SPDX-License-Identifier: GPL-2.0-only */
/* signals N: sends itself SIGURG N times, which is ignored. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;

	while (n--)
		kill(getpid(), SIGURG);
	return 0;
}
