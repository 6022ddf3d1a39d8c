/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deep LEVELS LENGTH: makes a directory in the current one and goes into it, LEVELS times, each
 * with a name of LENGTH bytes, creates a file "end" in the last, and removes all of them again.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long levels = argc > 1 ? atol(argv[1]) : 1, length = argc > 2 ? atol(argv[2]) : 1;
	char name[NAME_MAX + 1];

	if (length > NAME_MAX)
		return 2;
	memset(name, 'x', length);
	name[length] = 0;
	for (long i = 0; i < levels; i++)
		if (mkdir(name, 0700) || chdir(name))
			return 1;
	close(open("end", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	unlink("end");
	for (long i = 0; i < levels; i++)
		if (chdir("..") || rmdir(name))
			return 1;
	return 0;
}
