/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffered writing of whole lines to a descriptor that may be slow, full, or have lost its
 * reader. */
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

enum { BUFFER_BYTES = 256 << 10, PIPE_BYTES = 1 << 20, FIRST_GUESS = 256 };

void tr_out_init(struct tr_out *out, int fd)
{
	*out = (struct tr_out){.fd = fd, .size = BUFFER_BYTES};
	out->buffer = tr_xmalloc(out->size);
	/* A reader that leaves is a write that fails, not a death. */
	signal(SIGPIPE, SIG_IGN);
	/* No pipe, or not allowed: it works all the same. */
	fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

void tr_out_release(struct tr_out *out)
{
	free(out->buffer);
	*out = (struct tr_out){.fd = -1};
}

/* Writes the first BYTES of the buffer, however slowly, and moves the rest to its start. */
static void write_out(struct tr_out *out, size_t bytes)
{
	size_t done = 0;

	while (done < bytes && !out->error) {
		ssize_t n = write(out->fd, out->buffer + done, bytes - done);
		struct pollfd slow = {.fd = out->fd, .events = POLLOUT};

		if (n > 0)
			done += n;
		else if (n < 0 && errno == EAGAIN)
			poll(&slow, 1, -1);
		else if (n < 0 && errno != EINTR)
			out->error = errno;
	}
	if (out->error)
		bytes = out->used;
	memmove(out->buffer, out->buffer + bytes, out->used - bytes);
	out->used -= bytes;
}

char *tr_out_reserve(struct tr_out *out, size_t bytes)
{
	if (out->size - out->used < bytes) {
		const char *newline = memrchr(out->buffer, '\n', out->used);

		/* The beginning of a line stays, unless it fills the buffer by itself. */
		write_out(out, newline ? (size_t)(newline + 1 - out->buffer) : out->used);
	}
	if (out->size - out->used < bytes) {
		out->size = out->used + bytes;
		out->buffer = tr_xrealloc(out->buffer, out->size);
	}
	return out->buffer + out->used;
}

void tr_out_bytes(struct tr_out *out, const void *bytes, size_t len)
{
	char *p = tr_out_reserve(out, len);

	memcpy(p, bytes, len);
	tr_out_commit(out, p + len);
}

void tr_out_text(struct tr_out *out, const char *text)
{
	tr_out_bytes(out, text, strlen(text));
}

/* Adds what is printed when it fits ROOM bytes with its zero byte; returns how many it takes. */
static int print(struct tr_out *out, size_t room, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
static int print(struct tr_out *out, size_t room, const char *format, va_list args)
{
	char *p = tr_out_reserve(out, room);
	int n = vsnprintf(p, room, format, args);

	if (n > 0 && (size_t)n < room)
		tr_out_commit(out, p + n);
	return n;
}

void tr_out_printf(struct tr_out *out, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = print(out, FIRST_GUESS, format, args);
	va_end(args);
	if (n < FIRST_GUESS)
		return;
	va_start(args, format);
	print(out, n + 1, format, args);
	va_end(args);
}

int tr_out_flush(struct tr_out *out)
{
	write_out(out, out->used);
	return -out->error;
}

int tr_out_close(struct tr_out *out)
{
	int error = -tr_out_flush(out);

	if (close(out->fd) && !error)
		error = errno;
	tr_out_release(out);
	if (!error || error == EPIPE)
		return TR_DONE;
	tr_error("cannot write: %s", strerror(error));
	return TR_FAILED;
}
