/* SPDX-License-Identifier: GPL-2.0-only */
/* Files mapped window by window, and pipes read into a buffer. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "record.h"

enum {
	PIPE_BYTES = 1 << 20,
	READ_BYTES = 256 << 10,
	WINDOW_BYTES = 8 << 20, /* bounds memory */
	PAGE_BYTES = 65536,     /* a multiple of every page size */
};

static struct tr_input *mapped; /* those that have a window */

/*
 * A mapped file that someone truncates ends the program with SIGBUS unless the missing pages are
 * put there; the zeroes in them then count as damage like any other.
 */
static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	const unsigned char *at = info->si_addr;

	(void)context;
	for (struct tr_input *in = mapped; in; in = in->next_mapped) {
		uintptr_t page = (uintptr_t)at & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);

		if (at < in->buffer || at >= in->end)
			continue;
		in->shrank = 1;
		if (mmap((void *)page, (uintptr_t)in->end - page, PROT_READ,
			 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
			return;
	}
	signal(sig, SIG_DFL);
}

static void catch_bus_errors(void)
{
	struct sigaction act = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, NULL);
}

int tr_input_open(struct tr_input *in, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	struct stat st;

	*in = (struct tr_input){.name = is_stdin ? "stdin" : name, .fd = -1};
	in->fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
			  : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->fd < 0 || fstat(in->fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode)) {
		tr_input_close(in);
		return -EISDIR;
	}
	/* files of /proc say that they are empty and can't be mapped */
	in->regular = S_ISREG(st.st_mode) && st.st_size > 0;
	if (in->regular) {
		off_t at = lseek(in->fd, 0, SEEK_CUR);

		in->offset = at < 0 ? 0 : at;
		catch_bus_errors();
	} else {
		fcntl(in->fd, F_SETPIPE_SZ, PIPE_BYTES);
	}
	return 0;
}

static void unmap(struct tr_input *in)
{
	struct tr_input **p = &mapped;

	while (*p && *p != in)
		p = &(*p)->next_mapped;
	if (*p)
		*p = in->next_mapped;
	if (in->mapped_bytes)
		munmap(in->buffer, in->mapped_bytes);
	in->mapped_bytes = 0;
	in->buffer = NULL;
}

/*
 * The next window, from the first unused byte's page on, with an anonymous page behind it that
 * makes reading past the end harmless. Falls back to reading where the file can't be mapped.
 */
static int map_more(struct tr_input *in)
{
	uint64_t at = in->offset + (in->at - in->buffer), known = in->offset, start;
	size_t bytes;
	struct stat st;
	unsigned char *region;

	known += in->end - in->buffer;
	if (fstat(in->fd, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size <= known)
		return 0;
	start = at & ~(uint64_t)(PAGE_BYTES - 1);
	bytes = (uint64_t)st.st_size - start < WINDOW_BYTES ? (size_t)(st.st_size - start)
							    : WINDOW_BYTES;
	unmap(in);
	region = mmap(NULL, bytes + 2 * PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region == MAP_FAILED)
		return -errno;
	in->buffer = region;
	in->mapped_bytes = bytes + 2 * PAGE_BYTES;
	if (mmap(region, bytes, PROT_READ, MAP_FIXED | MAP_SHARED | MAP_POPULATE, in->fd, start) ==
	    MAP_FAILED) {
		int error = errno;

		unmap(in);
		return -error;
	}
	in->next_mapped = mapped;
	mapped = in;
	in->offset = start;
	in->at = region + (at - start);
	in->end = region + bytes;
	return 1;
}

static int read_more(struct tr_input *in)
{
	size_t kept = in->end - in->at;
	ssize_t n;

	if (!in->buffer) {
		in->buffer = tr_xmalloc(TR_MAX_LINE + READ_BYTES + TR_INPUT_SLACK);
		memset(in->buffer, 0, TR_MAX_LINE + READ_BYTES + TR_INPUT_SLACK);
	}
	if (kept > TR_MAX_LINE)
		return -ENOBUFS;
	if (kept)
		memmove(in->buffer, in->at, kept);
	in->at = in->buffer;
	in->end = in->buffer + kept;
	do
		n = read(in->fd, in->buffer + kept, READ_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	in->end += n;
	return n > 0;
}

int tr_input_more(struct tr_input *in)
{
	int got;

	if (!in->regular)
		return read_more(in);
	got = map_more(in);
	if (got >= 0 || in->buffer)
		return got;
	/* this file system can't map: go on by reading from where we are */
	in->regular = false;
	in->at = in->end = NULL;
	return lseek(in->fd, in->offset, SEEK_SET) < 0 ? -errno : read_more(in);
}

void tr_input_close(struct tr_input *in)
{
	if (in->mapped_bytes)
		unmap(in);
	free(in->buffer);
	in->buffer = NULL;
	in->at = in->end = NULL;
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
}
