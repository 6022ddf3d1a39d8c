/* SPDX-License-Identifier: GPL-2.0-only */
/* Records and control lines into stdout's buffer, and from there on. */
#include "emit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "colour.h"
#include "json.h"
#include "message.h"
#include "packed.h"
#include "part.h"
#include "record_json.h"
#include "record_text.h"
#include "ring.h"

enum {
	HEADER_EVERY = 4096, /* lines */
	LINE_ROOM = 4096,    /* for most records */
	ID_BYTES = 16,
	READABLE = 64,
};

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* In a time namespace our monotonic clock is the kernel's plus this. */
static int64_t namespace_offset(void)
{
	static int64_t offset = INT64_MIN;
	FILE *file;
	long long s, ns;

	if (offset != INT64_MIN)
		return offset;
	offset = 0;
	file = fopen("/proc/self/timens_offsets", "re");
	if (file && fscanf(file, "monotonic %lld %lld", &s, &ns) == 2)
		offset = s * 1000000000 + ns;
	if (file)
		fclose(file);
	return offset;
}

uint64_t emit_clock(void)
{
	return clock_ns(CLOCK_MONOTONIC) - namespace_offset();
}

/* Both clocks at one moment: the tightest of a few tries, should we be interrupted in between. */
static void read_clocks(struct emit *emit)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = emit_clock(), wall = clock_ns(CLOCK_REALTIME);
		uint64_t after = emit_clock();

		if (after - before >= best)
			continue;
		best = after - before;
		emit->start = before;
		emit->start_wall = wall - best / 2;
	}
}

/* {"tracery":{...}}: who wrote this, where, when. */
static char *put_tracery(struct emit *emit, char *p, const struct settings *settings,
			 const uint32_t *pids, size_t n_pids)
{
	unsigned char id[ID_BYTES];
	struct utsname host;
	char start[40];

	if (getrandom(id, sizeof(id), 0) != sizeof(id))
		memcpy(id, &emit->start_wall, sizeof(emit->start_wall));
	uname(&host);
	tr_iso_time_format(start, emit->start_wall);
	p = stpcpy(p, "{\"tracery\":{\"version\":1,\"id\":\"");
	for (int i = 0; i < ID_BYTES; i++)
		p += sprintf(p, "%02x", id[i]);
	p = stpcpy(p, "\",\"host\":");
	p = tr_json_put_string(p, (struct tr_string){host.nodename, strlen(host.nodename)});
	p += sprintf(p, ",\"arch\":\"%s\",\"kernel\":", host.machine);
	p = tr_json_put_string(p, (struct tr_string){host.release, strlen(host.release)});
	p += sprintf(p, ",\"start\":\"%s\",\"clock\":\"monotonic\",\"pid\":[", start);
	for (size_t i = 0; i < n_pids; i++)
		p += sprintf(p, "%s%" PRIu32, i ? "," : "", pids[i]);
	p = stpcpy(p, "],\"argv\":[");
	for (int i = 0; i < settings->argc; i++) {
		if (i)
			*p++ = ',';
		p = tr_json_put_string(
			p, (struct tr_string){settings->argv[i], strlen(settings->argv[i])});
	}
	return stpcpy(p, "]}}\n");
}

static void make_header(struct emit *emit, const struct settings *settings, const uint32_t *pids,
			size_t n_pids)
{
	struct settings shown = *settings;
	size_t room = 4096 + n_pids * 11, args = 0;
	char *p;

	/* A line holds so much and no more; the last arguments may be left out. */
	for (shown.argc = 0; shown.argc < settings->argc; shown.argc++) {
		args += 6 * strlen(settings->argv[shown.argc]) + 3;
		if (args + room > TR_MAX_LINE)
			break;
	}
	emit->header = p = tr_xmalloc(room + TR_MAX_LINE + TR_N_BUILTIN * TR_SCHEMA_MAX);
	p = put_tracery(emit, p, &shown, pids, n_pids);
	for (uint32_t kind = 0; kind < TR_N_BUILTIN; kind++)
		if (emit->kinds & 1ULL << kind)
			p = tr_schema_write(p, tr_kind_builtin(kind));
	emit->header_bytes = p - emit->header;
	emit->header = tr_xrealloc(emit->header, emit->header_bytes);
}

/*
 * Stdout without waiting, for us alone: O_NONBLOCK belongs to the open file, which others share, so
 * a pipe or terminal is opened anew. Where that is refused, writes may wait.
 */
static void reopen_stdout(void)
{
	struct stat file;
	int fd;

	if (fstat(STDOUT_FILENO, &file) || (!S_ISFIFO(file.st_mode) && !isatty(STDOUT_FILENO)))
		return;
	fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0) {
		dup2(fd, STDOUT_FILENO);
		close(fd);
	}
}

static void put_header(struct emit *emit)
{
	if (emit->format != FORMAT_TEXT)
		tr_out_bytes(&emit->out, emit->header, emit->header_bytes);
	emit->lines = 0;
}

void emit_open(struct emit *emit, const struct settings *settings, uint64_t kinds,
	       const uint32_t *pids, size_t n_pids)
{
	bool terminal = isatty(STDOUT_FILENO);

	*emit = (struct emit){.format = settings->format, .kinds = kinds};
	if (emit->format == FORMAT_BY_OUTPUT)
		emit->format = terminal ? FORMAT_TEXT : FORMAT_PACKED;
	if (terminal && emit->format == FORMAT_PACKED)
		emit->format = FORMAT_TEXT;
	tr_colour_for(STDOUT_FILENO);
	emit->max_records = settings->max_records ? settings->max_records : UINT64_MAX;
	emit->line_room =
		settings->stacks.user || settings->stacks.kernel ? TR_MAX_LINE : LINE_ROOM;
	read_clocks(emit);
	reopen_stdout();
	tr_out_init(&emit->out, STDOUT_FILENO);
	make_header(emit, settings, pids, n_pids);
	put_header(emit);
}

void emit_release(struct emit *emit)
{
	free(emit->header);
	for (int i = 0; i < TR_N_BUILTIN; i++)
		tr_record_json_free(emit->json[i]);
	if (emit->out.buffer)
		tr_out_release(&emit->out);
	*emit = (struct emit){0};
}

bool emit_has_room(const struct emit *emit)
{
	return emit->out.size - emit->out.used >= emit->line_room + emit->header_bytes;
}

bool emit_is_full(const struct emit *emit)
{
	return emit->records >= emit->max_records;
}

static void count_line(struct emit *emit)
{
	if (++emit->lines >= HEADER_EVERY)
		put_header(emit);
}

/* The line at P up to END, which closes an object, gets a further member. */
static char *add_stack(char *p, char *end, const struct tr_stack *stack)
{
	static const char name[] = ",\"stack\":";

	end = stpcpy(end - strlen("}\n"), name);
	end = tr_stack_json_write(end, stack, TR_MAX_LINE - (end - p) - strlen("}\n"));
	return stpcpy(end, "}\n");
}

static char *put_json(struct emit *emit, const struct tr_kind *kind, unsigned flags,
		      const unsigned char *body, const struct tr_stack *stack)
{
	struct tr_record_json **plan = &emit->json[kind->number];
	char *p, *end;

	if (!*plan)
		*plan = tr_record_json_new(kind, tr_syscalls_native());
	p = tr_out_reserve(&emit->out, tr_record_json_max(*plan, body) + (stack ? TR_MAX_LINE : 0));
	end = tr_record_json_write(*plan, p, body, flags);
	return stack ? add_stack(p, end, stack) : end;
}

static char *put_text(struct emit *emit, const struct tr_kind *kind, unsigned flags,
		      const unsigned char *body, const struct tr_stack *stack)
{
	size_t max = tr_record_text_max(kind, body) + (stack ? tr_stack_text_max(stack) : 0);
	char *p = tr_out_reserve(&emit->out, max);

	p = tr_record_text_write(p, kind, tr_syscalls_native(), body, flags);
	return stack ? tr_stack_text_write(p, stack) : p;
}

/* STACK may be NULL: it has none. */
static void write_record(struct emit *emit, uint16_t number, unsigned flags, unsigned char *body,
			 size_t bytes, const struct tr_stack *stack)
{
	char *p;
	uint64_t ts;

	if (emit_is_full(emit))
		return;
	memcpy(&ts, body, sizeof(ts));
	ts -= emit->start;
	memcpy(body, &ts, sizeof(ts));
	if (emit->format == FORMAT_PACKED && !flags && !stack) {
		p = tr_out_reserve(&emit->out, tr_packed_max(bytes) + READABLE);
		p += tr_packed_encode((unsigned char *)p, number, body, bytes);
	} else if (emit->format == FORMAT_TEXT) {
		p = put_text(emit, tr_kind_builtin(number), flags, body, stack);
	} else {
		p = put_json(emit, tr_kind_builtin(number), flags, body, stack);
	}
	tr_out_commit(&emit->out, p);
	emit->records++;
	count_line(emit);
}

void emit_record(struct emit *emit, uint16_t kind, unsigned flags, unsigned char *body,
		 size_t bytes)
{
	write_record(emit, kind, flags, body, bytes, NULL);
}

void emit_record_with_stack(struct emit *emit, uint16_t kind, unsigned flags, unsigned char *body,
			    size_t bytes, const struct tr_stack *stack)
{
	write_record(emit, kind, flags, body, bytes, stack);
}

void emit_lost(struct emit *emit, uint64_t n, const char *why)
{
	emit->lost += n;
	if (emit->format == FORMAT_TEXT) {
		tr_out_printf(&emit->out, "-- lost %" PRIu64 ": %s\n", n, why);
		return;
	}
	tr_out_printf(&emit->out,
		      "{\"lost\":{\"ts\":%" PRIu64 ",\"n\":%" PRIu64 ",\"why\":\"%s\"}}\n",
		      emit_clock() - emit->start, n, why);
	count_line(emit);
}

void emit_end(struct emit *emit, int status)
{
	if (emit->format == FORMAT_TEXT)
		return;
	tr_out_printf(&emit->out,
		      "{\"end\":{\"ts\":%" PRIu64 ",\"records\":%" PRIu64 ",\"lost\":%" PRIu64
		      ",\"status\":%d}}\n",
		      emit_clock() - emit->start, emit->records, emit->lost, status);
}

void emit_write(struct emit *emit)
{
	struct tr_out *out = &emit->out;
	size_t done = 0;

	emit->blocked = false;
	while (done < out->used && !out->error && !emit->blocked) {
		ssize_t n = write(out->fd, out->buffer + done, out->used - done);

		if (n > 0)
			done += n;
		else if (n < 0 && errno == EAGAIN)
			emit->blocked = true;
		else if (n < 0 && errno != EINTR)
			out->error = errno;
	}
	memmove(out->buffer, out->buffer + done, out->used - done);
	out->used -= done;
}

int emit_close(struct emit *emit)
{
	int status = tr_out_close(&emit->out);

	emit->out.buffer = NULL;
	return status;
}
