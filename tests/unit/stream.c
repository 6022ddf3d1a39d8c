/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader on damaged streams: a byte flipped, put in, left out, or the end cut off, at every
 * place of a trace, costs no record but those it touches, and what is missing is reported. A last
 * line that is cut gives the same message whatever its length and wherever it comes from.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "packed.h"
#include "record_json.h"
#include "stream.h"

enum { N_RECORDS = 24, MAX_TRACE = 1 << 18, MAX_SEEN = 4096 };

/* What came out of a stream: the time stamps of its records, which tell them apart. */
struct seen {
	size_t n;
	int64_t ts[MAX_SEEN];
	size_t headers;
	enum tr_status status;
	char said[2048]; /* on stderr */
};

static struct tr_record_json *plan;

static size_t put_record(unsigned char *out, size_t i)
{
	struct tr_syscall record = {.ts = 0x0a00 + 0x101 * i,
				    .ns = i * 0x0a0a,
				    .ret = -(int64_t)i,
				    .pid = 0x0a0a0a0a,
				    .tid = i,
				    .syscall = i % 5};
	unsigned char body[128] = {0};

	memcpy(&record.comm, "a\nb", 3);
	memcpy(body, &record, TR_BYTES_syscall);
	if (i % 3 == 2)
		return (unsigned char *)tr_record_json_write(plan, (char *)out, body, 0) - out;
	return tr_packed_encode(out, TR_KIND_syscall, body, TR_BYTES_syscall);
}

static size_t make_trace(unsigned char *out)
{
	unsigned char *p = out;

	p += sprintf((char *)p, "{\"tracery\":{\"version\":1,\"id\":\"7\",\"arch\":\"x86_64\"}}\n");
	for (size_t i = 0; i < N_RECORDS; i++)
		p += put_record(p, i);
	p += sprintf((char *)p, "{\"end\":{\"ts\":1,\"records\":%d,\"lost\":0}}\n", N_RECORDS);
	return p - out;
}

static int64_t object_ts(const struct tr_json_object *object)
{
	const struct tr_json_value *ts = tr_json_get(object, "ts");

	return ts && ts->type == TR_JSON_INT ? ts->i : -1;
}

static void walk(struct tr_stream *stream, struct seen *seen)
{
	struct tr_event event;

	seen->n = seen->headers = 0;
	for (;;) {
		tr_stream_next(stream, &event);
		if (event.type == TR_EVENT_END)
			return;
		if (event.type == TR_EVENT_CONTROL && event.control == TR_CONTROL_TRACERY)
			seen->headers++;
		if (event.type == TR_EVENT_OBJECT && seen->n < MAX_SEEN)
			seen->ts[seen->n++] = object_ts(event.object);
		for (size_t i = 0; event.type == TR_EVENT_RECORDS && i < event.n; i++) {
			const struct tr_field *ts = tr_kind_field(event.kind->kind, "ts", 2);

			if (seen->n < MAX_SEEN)
				seen->ts[seen->n++] = tr_field_int(ts, event.bodies[i], 0);
		}
	}
}

/* Reads from FD, under a name that is always the same; stderr is caught. */
static void read_fd(int fd, struct seen *seen)
{
	int saved = dup(STDERR_FILENO), caught = memfd_create("stderr", 0);
	char name[] = "/proc/self/fd/100", *names[] = {name};
	struct tr_stream *stream;
	ssize_t n;

	dup2(fd, 100);
	close(fd);
	fflush(stderr);
	dup2(caught, STDERR_FILENO);
	stream = tr_stream_new(names, 1);
	walk(stream, seen);
	seen->status = tr_stream_finish(stream);
	tr_stream_free(stream);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(100);
	n = pread(caught, seen->said, sizeof(seen->said) - 1, 0);
	seen->said[n > 0 ? n : 0] = 0;
	close(caught);
}

static void read_file(const unsigned char *bytes, size_t n, struct seen *seen)
{
	int fd = memfd_create("trace", 0);

	CHECK_INT(write(fd, bytes, n), n);
	read_fd(fd, seen);
}

static void read_pipe(const unsigned char *bytes, size_t n, struct seen *seen)
{
	int ends[2];

	CHECK(!pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, MAX_TRACE) >= (int)n);
	CHECK_INT(write(ends[1], bytes, n), n);
	close(ends[1]);
	read_fd(ends[0], seen);
}

/* All of WHOLE but at most TOUCHED records in a row is in GOT, with at most TOUCHED others there.
 */
static void check_rest(const struct seen *whole, const struct seen *got, size_t touched,
		       const char *what, size_t at)
{
	size_t head = 0, tail = 0;

	while (head < whole->n && head < got->n && whole->ts[head] == got->ts[head])
		head++;
	while (tail < whole->n - head && tail < got->n - head &&
	       whole->ts[whole->n - 1 - tail] == got->ts[got->n - 1 - tail])
		tail++;
	if (head + tail + touched < whole->n || head + tail + touched < got->n) {
		check_failures++;
		printf("%s at %zu: %zu records, %zu + %zu of %zu unharmed\n", what, at, got->n,
		       head, tail, whole->n);
	}
	if (got->n < whole->n && got->status != TR_FAILED) {
		check_failures++;
		printf("%s at %zu: nothing is said of %zu missing\n", what, at, whole->n - got->n);
	}
}

static void check_damage(void)
{
	static const unsigned char flips[] = {0x01, 0x0a, 0x80, 0xff};
	static unsigned char trace[MAX_TRACE], bad[MAX_TRACE];
	size_t n = make_trace(trace);
	struct seen whole, got;

	read_file(trace, n, &whole);
	CHECK_INT(whole.n, N_RECORDS);
	CHECK_INT(whole.status, TR_DONE);
	CHECK_TEXT(whole.said, "");
	for (size_t at = 0; at < n; at++) {
		for (size_t i = 0; i < sizeof(flips); i++) {
			memcpy(bad, trace, n);
			bad[at] ^= flips[i];
			read_file(bad, n, &got);
			/* a newline that goes makes one line of two */
			check_rest(&whole, &got, trace[at] == '\n' ? 2 : 1, "flipped", at);
		}
		memcpy(bad, trace, at);
		memcpy(bad + at, trace + at + 1, n - at - 1);
		read_file(bad, n - 1, &got);
		check_rest(&whole, &got, trace[at] == '\n' ? 2 : 1, "left out", at);
		for (int byte = '\n'; byte; byte = byte == '\n' ? 'x' : 0) {
			memcpy(bad, trace, at);
			bad[at] = byte;
			memcpy(bad + at + 1, trace + at, n - at);
			read_file(bad, n + 1, &got);
			check_rest(&whole, &got, 1, "put in", at);
		}
	}
}

/* Cut anywhere: all lines before are there; then another trace behind it costs nothing more. */
static void check_cuts(void)
{
	static unsigned char trace[MAX_TRACE], both[MAX_TRACE];
	size_t n = make_trace(trace), lines = 0, line_at = 0;
	struct seen got, joined;

	for (size_t at = 1; at < n; at++) {
		if (trace[at - 1] == '\n') {
			lines++;
			line_at = at;
		}
		read_file(trace, at, &got);
		CHECK_INT(got.n, lines > N_RECORDS ? N_RECORDS : lines ? lines - 1 : 0);
		CHECK_INT(got.status, line_at == at ? TR_DONE : TR_FAILED);
		memcpy(both, trace, at);
		memcpy(both + at, trace, n);
		read_file(both, at + n, &joined);
		CHECK_INT(joined.n, got.n + N_RECORDS);
		CHECK_INT(joined.headers, got.headers + 1);
		CHECK_INT(joined.status, got.status);
	}
}

static void check_cut_lengths(void)
{
	static const size_t lengths[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 8192, 65534, 65535,
					 65536, 65537, 70000, 131072, 262144,
					 /* with the lines before it the whole is so long */
					 65536 - 56, 4096 - 56};
	static unsigned char trace[2 * MAX_TRACE];
	size_t n = sprintf((char *)trace, "{\"tracery\":{\"id\":\"7\"}}\n"
					  "{\"end\":{\"records\":0}}\n");
	struct seen first, got;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t len = lengths[i];

		if (n + len > MAX_TRACE)
			len = MAX_TRACE - n;
		memset(trace + n, 'x', len);
		memcpy(trace + n, "{\"a\":\"", len < 6 ? len : 6);
		read_file(trace, n + len, i ? &got : &first);
		if (i) {
			CHECK_TEXT(got.said, first.said);
			CHECK_INT(got.status, first.status);
		}
		read_pipe(trace, n + len, &got);
		CHECK_TEXT(got.said, first.said);
		CHECK_INT(got.status, first.status);
	}
	CHECK(strstr(first.said, ":3: cut short"));
}

/* A line of 65,536 bytes is read, a longer one skipped, and what comes after it is read. */
static void check_long_lines(void)
{
	static unsigned char trace[2 * MAX_TRACE];
	struct seen got;

	for (size_t len = TR_MAX_LINE - 1; len <= TR_MAX_LINE + 1; len++) {
		unsigned char *p = trace;
		int end = sprintf((char *)p, "{\"ts\":1,\"a\":\"");

		memset(p + end, 'x', len);
		memcpy(p + len - 3, "\"}\n", 3);
		p += len;
		p += sprintf((char *)p, "{\"ts\":2,\"a\":\"\"}\n");
		for (int piped = 0; piped < 2; piped++) {
			(piped ? read_pipe : read_file)(trace, p - trace, &got);
			CHECK_INT(got.n, len <= TR_MAX_LINE ? 2 : 1);
			CHECK_INT(got.status, len <= TR_MAX_LINE ? TR_DONE : TR_FAILED);
		}
	}
}

int main(void)
{
	plan = tr_record_json_new(tr_kind_builtin(TR_KIND_syscall), tr_syscalls_of("x86_64"));
	tr_message_name("stream");
	check_damage();
	check_cuts();
	check_cut_lengths();
	check_long_lines();
	tr_record_json_free(plan);
	return check_status();
}
