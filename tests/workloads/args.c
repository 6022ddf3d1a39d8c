/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args: calls with six arguments and with paths of all kinds. Prints of each call with a path, in
 * order, "NAME PATH [PATH2]", each path as its bytes in hexadecimal, "-" for none, "?" for one that
 * nobody can read, with "+" behind it where it is longer than paths may be and so to be cut. All of
 * them fail. First of all comes "copy_file_range" with its six arguments in hexadecimal.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static void print_path(const char *path)
{
	size_t n;

	if (!path) {
		printf(" -");
		return;
	}
	n = strlen(path);
	putchar(' ');
	for (size_t i = 0; i < n && i < PATH_BYTES; i++)
		printf("%02x", (unsigned char)path[i]);
	if (!n)
		putchar('-');
	if (n > PATH_BYTES)
		putchar('+');
}

/* A directory of that name can't be opened for writing, nor does any other exist. */
static void try_open(const char *path)
{
	printf("openat");
	syscall(SYS_openat, AT_FDCWD, path, O_WRONLY, 0);
	print_path(path);
	putchar('\n');
}

static void try_rename(const char *from, const char *to)
{
	printf("renameat2");
	syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	print_path(from);
	print_path(to);
	putchar('\n');
}

/* A path of N bytes that does not exist. */
static char *long_path(size_t n)
{
	char *path = malloc(n + 1);

	for (size_t i = 0; i < n; i++)
		path[i] = i % 50 ? 'a' + i % 26 : '/';
	path[n] = 0;
	return path;
}

/* The last bytes of a page that nobody has touched, in a file; the next page is not there. */
static char *untouched(const char *text)
{
	size_t page = sysconf(_SC_PAGESIZE), len = strlen(text) + 1;
	FILE *file = tmpfile();
	char *p;

	if (!file || fseek(file, page - len, SEEK_SET) || fwrite(text, len, 1, file) != 1 ||
	    fflush(file))
		abort();
	p = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fileno(file), 0);
	if (p == MAP_FAILED || munmap(p + page, page))
		abort();
	return p + page - len;
}

int main(void)
{
	static const size_t lengths[] = {1,   94,  95,  96,   97,   98,   191,  192, 255,
					 256, 193, 300, 4094, 4095, 4096, 4097, 9000};
	static const char odd[] = "/no\n\"such\\\x01\xff\xc3;\xe2\x80\xa6";
	char *page = untouched("/nobody/has/touched/this"), *none;
	uint64_t six = 0x1122334455667788;

	printf("copy_file_range %lx %lx %lx %lx %lx %lx\n", -1UL, six, -2UL, six + 1, six + 2,
	       0xffffffff00000001);
	syscall(SYS_copy_file_range, -1L, six, -2L, six + 1, six + 2, 0xffffffff00000001);
	printf("openat");
	syscall(SYS_openat, AT_FDCWD, page, O_WRONLY, 0);
	print_path(page);
	putchar('\n');
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		try_open(long_path(lengths[i]));
		try_rename(long_path(lengths[i]), "/b");
		try_rename("/nobody", long_path(lengths[i]));
	}
	try_rename(long_path(4095), long_path(4095));
	try_open("");
	try_open(NULL);
	try_open(odd);
	none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("openat ?\n");
	syscall(SYS_openat, AT_FDCWD, none, O_WRONLY, 0);
	printf("execve");
	syscall(SYS_execve, "/no/such/program", NULL, NULL);
	print_path("/no/such/program");
	putchar('\n');
	fflush(stdout);
	return 0;
}
