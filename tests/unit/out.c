/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffered output: whole lines, slow readers, readers that leave, full disks. */
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "message.h"

enum { N_LINES = 300000 };

/* Reads the numbered lines to their end, slowly at first; exits with 0 when all are there. */
static void read_lines(int fd)
{
	FILE *in = fdopen(fd, "r");
	char line[64], wanted[64];

	usleep(50000);
	for (int i = 0; i < N_LINES; i++) {
		snprintf(wanted, sizeof(wanted), "line %d\n", i);
		if (!fgets(line, sizeof(line), in) || strcmp(line, wanted))
			_exit(1);
	}
	_exit(fgetc(in) == EOF ? 0 : 2);
}

static void check_slow_reader(bool non_blocking)
{
	int fds[2], status = -1;
	struct tr_out out;
	pid_t reader;

	CHECK_INT(pipe(fds), 0);
	reader = fork();
	if (!reader) {
		close(fds[1]);
		read_lines(fds[0]);
	}
	close(fds[0]);
	if (non_blocking)
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
	tr_out_init(&out, fds[1]);
	for (int i = 0; i < N_LINES; i++) {
		/* In pieces, so that the buffer fills up within lines. */
		tr_out_text(&out, "line ");
		tr_out_printf(&out, "%d", i);
		tr_out_bytes(&out, "\n", 1);
	}
	CHECK_INT(tr_out_close(&out), TR_DONE);
	waitpid(reader, &status, 0);
	CHECK_INT(status, 0);
}

/* What leaves before a flush ends with a line. */
static void check_whole_lines(void)
{
	static char got[2 << 20];
	struct tr_out out;
	ssize_t n;
	int fds[2];

	CHECK_INT(pipe(fds), 0);
	tr_out_init(&out, fds[1]);
	for (int i = 0; i < 25000; i++) {
		tr_out_text(&out, "eleven byte");
		if (i % 2)
			tr_out_text(&out, "\n");
	}
	n = read(fds[0], got, sizeof(got));
	CHECK(n > 0 && got[n - 1] == '\n');
	CHECK_INT(tr_out_flush(&out), 0);
	CHECK_INT(n + read(fds[0], got, sizeof(got)), 25000 * 11 + 12500);

	/* More than the buffer, at once and without a newline. */
	memset(got, 'x', 600000);
	tr_out_bytes(&out, got, 600000);
	CHECK_INT(tr_out_flush(&out), 0);
	CHECK_INT(read(fds[0], got, sizeof(got)), 600000);
	close(fds[0]);

	tr_out_text(&out, "to nobody\n");
	CHECK_INT(tr_out_flush(&out), -EPIPE);
	tr_out_text(&out, "still to nobody\n");
	CHECK_INT(tr_out_flush(&out), -EPIPE);
	CHECK_INT(out.error, EPIPE);
	CHECK_INT(tr_out_close(&out), TR_DONE);
}

static void check_printf(void)
{
	char wanted[4001], got[8192];
	struct tr_out out;
	int fds[2];

	CHECK_INT(pipe(fds), 0);
	tr_out_init(&out, fds[1]);
	for (int len = 250; len < 260; len++) {
		memset(wanted, 'y', len);
		wanted[len] = 0;
		tr_out_printf(&out, "%s", wanted);
		CHECK_INT(tr_out_flush(&out), 0);
		CHECK_BYTES(got, read(fds[0], got, sizeof(got)), wanted, len);
	}
	memset(wanted, 'z', 4000);
	wanted[4000] = 0;
	tr_out_printf(&out, "%d %s\n", 7, wanted);
	CHECK_INT(tr_out_flush(&out), 0);
	CHECK_INT(read(fds[0], got, sizeof(got)), 4003);
	tr_out_close(&out);
	tr_out_release(&out);
	close(fds[0]);
}

static void check_full_disk(void)
{
	int old_stderr = dup(STDERR_FILENO), messages[2];
	char said[256];
	struct tr_out out;
	ssize_t n;

	CHECK_INT(pipe(messages), 0);
	dup2(messages[1], STDERR_FILENO);
	tr_message_name("tr-test");
	tr_out_init(&out, open("/dev/full", O_WRONLY));
	tr_out_text(&out, "lost\n");
	CHECK_INT(tr_out_close(&out), TR_FAILED);
	tr_error("%s", "one\nline \x1b[31m");
	tr_message_quiet(true);
	tr_note("not this");
	tr_message_quiet(false);
	tr_note("%03000d", 1);
	dup2(old_stderr, STDERR_FILENO);
	close(messages[1]);

	n = read(messages[0], said, sizeof(said));
	CHECK(n == sizeof(said));
	CHECK_BYTES(said, 80,
		    "tr-test: cannot write: No space left on device\n"
		    "tr-test: one\\nline \\x1b[31m\n"
		    "tr-te",
		    80);
	close(messages[0]);
	close(old_stderr);
}

int main(void)
{
	check_slow_reader(false);
	check_slow_reader(true);
	check_whole_lines();
	check_printf();
	check_full_disk();
	return check_status();
}
