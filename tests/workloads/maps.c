/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps N PAGES FILE: says "ready PID", waits for a line, and then N times: maps PAGES pages, writes
 *to each, takes their leave to be written to, gives them back with madvise(2), which drops them,
 *reads half of them, and unmaps them. After that it maps FILE, of which nothing is in memory as far
 *as that can be brought about, reads a byte of each of its pages, makes an anonymous mapping
 *larger, and fails to map 0 bytes. Says
 *
 *	minor=1010 major=6 file_pages=64
 *
 * the faults that it had meanwhile, as the kernel counted them, between two brk(2) that ask where
 *the heap ends.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long page;

static void *map(size_t bytes, int protection, int flags, int fd)
{
	void *p = mmap(NULL, bytes, protection, flags, fd, 0);

	if (p == MAP_FAILED)
		exit(1);
	return p;
}

static void use_memory(long pages)
{
	volatile char *p =
		map(pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	madvise((void *)p, pages * page, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		p[i * page + 1] = 1;
	mprotect((void *)p, pages * page, PROT_READ);
	madvise((void *)p, pages * page, MADV_DONTNEED);
	for (long i = 0; i < pages / 2; i++)
		(void)p[i * page + 2];
	munmap((void *)p, pages * page);
}

static long use_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	volatile char *p;
	struct stat file;

	if (fd < 0 || fstat(fd, &file))
		exit(1);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	p = map(file.st_size, PROT_READ, MAP_SHARED, fd);
	madvise((void *)p, file.st_size, MADV_RANDOM);
	for (long i = 0; i < file.st_size / page; i++)
		(void)p[i * page];
	munmap((void *)p, file.st_size);
	close(fd);
	return file.st_size / page;
}

/* What has a name, and no path. */
static void use_memory_file(void)
{
	int fd = memfd_create("nowhere", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, page))
		exit(1);
	munmap(map(page, PROT_READ, MAP_SHARED, fd), page);
	close(fd);
}

static void move(void)
{
	void *p = map(page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	p = mremap(p, page, 3 * page, MREMAP_MAYMOVE);
	munmap(p, 3 * page);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, pages = argc > 2 ? atol(argv[2]) : 1, file_pages;
	struct rusage before, after;
	void *volatile nothing;

	page = sysconf(_SC_PAGESIZE);
	printf("ready %d\n", getpid());
	fflush(stdout);
	getchar();
	getrusage(RUSAGE_SELF, &before);
	syscall(SYS_brk, NULL);
	for (long i = 0; i < n; i++)
		use_memory(pages);
	file_pages = use_file(argv[3]);
	use_memory_file();
	move();
	nothing = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	(void)nothing;
	syscall(SYS_brk, NULL);
	getrusage(RUSAGE_SELF, &after);
	printf("minor=%ld major=%ld file_pages=%ld\n", after.ru_minflt - before.ru_minflt,
	       after.ru_majflt - before.ru_majflt, file_pages);
	return 0;
}
