/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting, holding and burying the command. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "targets.h"
#include "users.h"

extern char **environ;

enum { SIGNALLED = 128, AWAIT_MS = 2000, BLIND_MS = 20 };

static bool is_program(const char *path)
{
	struct stat file;

	return !stat(path, &file) && S_ISREG(file.st_mode) && !access(path, X_OK);
}

/*
 * The file that the shell would run for NAME, for free(). It is looked up beforehand because each
 * try of execvp would be traced. NULL with errno when there is none.
 */
static char *find(const char *name)
{
	const char *path = getenv("PATH");
	char *folders, *rest, *folder, *file = NULL;
	int err = ENOENT;

	if (strchr(name, '/'))
		return tr_xstrdup(name);
	folders = rest = tr_xstrdup(path && *path ? path : "/bin:/usr/bin");
	while ((folder = strsep(&rest, ":"))) {
		if (asprintf(&file, "%s/%s", *folder ? folder : ".", name) < 0)
			file = NULL;
		if (file && is_program(file))
			break;
		if (file && !access(file, F_OK))
			err = EACCES;
		free(file);
		file = NULL;
	}
	free(folders);
	errno = err;
	return file;
}

/* The user that the command is to run as. Returns 0 or a status. */
static int become(const char *name)
{
	struct user user;
	int err = user_find(name, &user);

	if (err) {
		tr_error("--run-as %s: no such user%s", name, users_place);
		return COMMAND_FAILED;
	}
	err = user_become(name, &user);
	if (!err)
		return 0;
	tr_error("--run-as %s: %s", name, strerror(-err));
	return COMMAND_FAILED;
}

static void cannot_run(const char *name)
{
	int err = errno;

	tr_error("cannot run %s: %s", name, strerror(err));
	_exit(err == ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN);
}

/* What the child does. Nothing but execve may follow once it has been let go. */
__attribute__((noreturn)) static void run(const struct settings *settings, const char *file,
					  int hold_fd)
{
	int out = settings->command_stdout >= 0 ? settings->command_stdout : STDERR_FILENO;
	char go = 0;

	/* What our caller gave us to trace with is not for the command. */
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (settings->run_as && become(settings->run_as))
		_exit(COMMAND_FAILED);
	if (out != STDOUT_FILENO && dup2(out, STDOUT_FILENO) < 0) {
		tr_error("--command-stdout %d: %s", out, strerror(errno));
		_exit(COMMAND_FAILED);
	}
	if (out > STDERR_FILENO)
		close(out);
	while (read(hold_fd, &go, 1) < 0 && errno == EINTR)
		;
	if (!go)
		_exit(COMMAND_FAILED);
	execve(file, settings->command, environ);
	if (errno == ENOEXEC) { /* a script without #! */
		size_t n = 0;
		char **argv;

		while (settings->command[n])
			n++;
		argv = tr_xcalloc(n + 2, sizeof(*argv));
		argv[0] = (char *)"sh";
		argv[1] = (char *)file;
		memcpy(argv + 2, settings->command + 1, n * sizeof(*argv));
		execve("/bin/sh", argv, environ);
	}
	cannot_run(settings->command[0]);
	_exit(COMMAND_FAILED);
}

int command_start(struct command *command, const struct settings *settings)
{
	char *file = NULL;
	int ends[2], status = COMMAND_FAILED;

	if (!settings->command)
		return 0;
	file = find(settings->command[0]);
	if (!file || access(file, F_OK)) {
		tr_error("cannot run %s: %s", settings->command[0],
			 errno == ENOENT ? "not found" : strerror(errno));
		free(file);
		return errno == ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		tr_error("cannot make a pipe: %s", strerror(errno));
		goto out;
	}
	command->pid = fork();
	if (!command->pid) {
		close(ends[1]);
		run(settings, file, ends[0]);
	}
	close(ends[0]);
	command->hold_fd = ends[1];
	if (command->pid > 0)
		status = 0;
	else
		tr_error("cannot start %s: %s", settings->command[0], strerror(errno));
out:
	free(file);
	return status;
}

/* The letter in /proc/PID/stat: R runs, S sleeps; 0 when it can't be read. */
static char state_of(pid_t pid)
{
	char path[40], text[512], *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

void command_await(const struct command *command)
{
	struct timespec tick = {.tv_nsec = 1000000};
	/* Where /proc shows other processes, time enough will have to do. */
	bool visible = targets_proc_is_ours();
	int max_ms = visible ? AWAIT_MS : BLIND_MS;

	for (int ms = 0; command->pid && ms < max_ms; ms++) {
		char state = visible ? state_of(command->pid) : 'R';

		if (state == 'S' || state == 'Z' || !state)
			return;
		nanosleep(&tick, NULL);
	}
}

void command_let_go(struct command *command)
{
	if (command->hold_fd < 0)
		return;
	/* If it is dead, there is nobody to tell. */
	if (write(command->hold_fd, "g", 1) < 0)
		errno = 0;
	close(command->hold_fd);
	command->hold_fd = -1;
}

void command_reap(struct command *command)
{
	int status;

	if (!command->pid || command->ended || waitpid(command->pid, &status, WNOHANG) <= 0)
		return;
	command->ended = true;
	command->status = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

void command_release(struct command *command)
{
	if (command->hold_fd >= 0)
		close(command->hold_fd);
	*command = (struct command){.hold_fd = -1};
}
