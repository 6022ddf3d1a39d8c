/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timed FILE COMMAND [ARG]...: runs COMMAND and adds a line to FILE: seconds from exec to end, and
 * the peak of its resident memory in KiB.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now();
	pid_t child;
	FILE *file;
	int status;

	if (argc < 3)
		return 2;
	child = fork();
	if (!child) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 1;
	start = now() - start;
	file = fopen(argv[1], "a");
	if (!file || fprintf(file, "%.6f %ld\n", start, usage.ru_maxrss) < 0 || fclose(file))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
