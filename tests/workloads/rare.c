/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rare N MS: prints "ready PID" and awaits a line on stdin; then N times, MS milliseconds apart,
 * prints the time (microseconds since 1970) and calls getppid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, ms = argc > 2 ? atoi(argv[2]) : 100;
	char byte;

	printf("ready %d\n", getpid());
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
	for (int i = 0; i < n; i++) {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		syscall(SYS_getppid);
		printf("%lld\n", now.tv_sec * 1000000LL + now.tv_nsec / 1000);
		fflush(stdout);
		usleep(ms * 1000);
	}
	return 0;
}
