/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stand_in [ARG]... [-- COMMAND...]: in place of tr-attach, without tracing. Writes its arguments
 * to attach.args and its umask to umask, runs COMMAND with descriptor 3 as its stdout, prints
 * "records", and exits with $ATTACH_STATUS, or when that is 0 with the status of the child that
 * --wait-for names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **command)
{
	pid_t pid = fork();

	if (!pid) {
		dup2(3, STDOUT_FILENO);
		execvp(command[0], command);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *status = getenv("ATTACH_STATUS");
	int result = status ? atoi(status) : 0, its = 0;
	FILE *said = fopen("attach.args", "w");
	pid_t child = 0;

	for (int i = 1; i < argc; i++)
		fprintf(said, "attach:<%s>\n", argv[i]);
	fclose(said);
	said = fopen("umask", "w");
	fprintf(said, "%04o\n", umask(0));
	fclose(said);
	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--wait-for=", 11))
			child = atoi(argv[i] + 11);
		if (!strcmp(argv[i], "--")) {
			run(argv + i + 1);
			break;
		}
	}
	puts("records");
	fclose(stdout);
	if (child && waitpid(child, &its, 0) != child)
		return 99;
	return result ? result : WEXITSTATUS(its);
}
