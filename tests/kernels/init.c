/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first process of a guest: mounts what a tracer needs, runs the script of tests on the serial
 * port and ends the machine. Its last line, "status N", says that the guest came to its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static const struct {
	const char *type, *folder;
} mounts[] = {
	{"devtmpfs", "/dev"},
	{"devpts", "/dev/pts"},
	{"tmpfs", "/dev/shm"},
	{"proc", "/proc"},
	{"sysfs", "/sys"},
	{"tmpfs", "/tmp"},
	{"tmpfs", "/run"},
	{"cgroup2", "/sys/fs/cgroup"},
	{"bpf", "/sys/fs/bpf"},
	{"securityfs", "/sys/kernel/security"},
	{"tracefs", "/sys/kernel/tracing"},
};

static void mount_all(void)
{
	for (unsigned i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		const char *folder = mounts[i].folder, *type = mounts[i].type;

		mkdir(folder, 0755);
		if (mount(type, folder, type, 0, NULL))
			printf("init: %s on %s: %s\n", type, folder, strerror(errno));
	}
	chmod("/tmp", 01777);
	chmod("/dev/shm", 01777);
	if (symlink("/proc/self/fd", "/dev/fd") && errno != EEXIST)
		perror("init: /dev/fd");
}

/* From here on the kernel speaks only when it dies: tests write to the same port. */
static void quiet(void)
{
	FILE *file = fopen("/proc/sys/kernel/printk", "w");

	if (!file)
		return;
	fputs("1", file);
	fclose(file);
}

/* What a program writes is what comes out. */
static void make_raw(void)
{
	struct termios t;

	if (tcgetattr(STDOUT_FILENO, &t))
		return;
	cfmakeraw(&t);
	cfsetspeed(&t, B115200);
	tcsetattr(STDOUT_FILENO, TCSANOW, &t);
}

static int run(const char *path)
{
	static const char *const environment[] = {"PATH=/usr/bin:/usr/sbin", "HOME=/root",
						  "TERM=dumb", NULL};
	struct rlimit files = {1 << 16, 1 << 16};
	pid_t child = fork();
	int status = 0;

	if (!child) {
		setsid();
		setrlimit(RLIMIT_NOFILE, &files);
		execle(path, path, (char *)NULL, environment);
		perror(path);
		_exit(127);
	}
	/* Orphans as well. */
	while (child > 0 && wait(&status) != child)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void)
{
	int status;

	setvbuf(stdout, NULL, _IONBF, 0);
	mount_all();
	quiet();
	make_raw();
	status = run("/run-tests");
	printf("status %d\n", status);
	tcdrain(STDOUT_FILENO);
	reboot(RB_AUTOBOOT);
	return 0;
}
