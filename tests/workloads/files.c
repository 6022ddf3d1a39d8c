/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files DIR [chroot]: creates, opens, renames, links and removes files of DIR, by paths of every
 * kind, and says in a line for each what a tracer should see: type, result ("ok" for a descriptor,
 * else minus the errno), the whole path, and the second one if there are two. With "chroot" DIR is
 * its root then, and it does a little more.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static const char *dir;

static void say(const char *type, long ret, const char *path, const char *second)
{
	printf("%s ", type);
	if (ret > 0)
		printf("ok");
	else
		printf("%d", ret < 0 ? -errno : 0);
	printf(*path == '/' ? " %s" : " %2$s/%1$s", path, dir);
	if (second)
		printf(*second == '/' || !strcmp(type, "symlink") ? " %s" : " %2$s/%1$s", second,
		       dir);
	printf("\n");
}

/* A call by its number: what the C library makes of a call is its own affair. */
static long call(long nr, ...)
{
	va_list args;
	long a[5];

	va_start(args, nr);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return syscall(nr, a[0], a[1], a[2], a[3], a[4]);
}

static long open_at(long at, const char *path, long flags)
{
	return call(SYS_openat, at, path, flags, 0640L, 0L);
}

static void open_some(void)
{
	struct open_how how = {.flags = O_RDONLY};
	long fd;

	say("create", open_at(AT_FDCWD, "first", O_CREAT | O_WRONLY), "first", NULL);
	say("open", open_at(AT_FDCWD, "first", O_CREAT | O_WRONLY), "first", NULL);
	say("open", open_at(AT_FDCWD, "nothere", O_RDONLY), "nothere", NULL);
	say("open", open_at(AT_FDCWD, "./nothere/../x", O_RDONLY), "./nothere/../x", NULL);
	say("mkdir", call(SYS_mkdirat, (long)AT_FDCWD, "sub", 0750L, 0L, 0L), "sub", NULL);
	fd = open_at(AT_FDCWD, "sub", O_DIRECTORY);
	say("open", fd, "sub", NULL);
	say("create", open_at(fd, "second", O_CREAT | O_EXCL | O_RDWR), "sub/second", NULL);
	say("open", open_at(fd, "second", O_CREAT | O_EXCL), "sub/second", NULL);
	say("open", open_at(fd, "../first", O_RDONLY), "first", NULL);
	say("open", call(SYS_openat2, fd, ".//second", &how, sizeof(how), 0L), "sub/second", NULL);
	say("open", open_at(fd, "/dev/null", O_WRONLY), "/dev/null", NULL);
	say("symlink", call(SYS_symlinkat, "../first", fd, "link", 0L, 0L), "sub/link", "../first");
	say("open", open_at(fd, "link", O_RDONLY), "first", NULL);
	say("open", open_at(fd, "link", O_RDONLY | O_NOFOLLOW), "sub/link", NULL);
	say("create", call(SYS_mknodat, fd, "fifo", (long)S_IFIFO | 0600, 0L, 0L), "sub/fifo",
	    NULL);
	close(fd);
}

static void on_signal(int sig)
{
	(void)sig;
}

/* A fifo that nobody writes to, until a signal comes; the kernel has a number of its own for that.
 */
static void open_slowly(void)
{
	const struct itimerval soon = {.it_value.tv_usec = 10000, .it_interval.tv_usec = 10000};
	const struct itimerval never = {0};
	struct sigaction action = {.sa_handler = on_signal};

	say("create", call(SYS_mknodat, (long)AT_FDCWD, "slow", (long)S_IFIFO | 0600, 0L, 0L),
	    "slow", NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	if (open_at(AT_FDCWD, "slow", O_RDONLY) < 0 && errno == EINTR)
		printf("open -512 %s/slow\n", dir);
	setitimer(ITIMER_REAL, &never, NULL);
}

static void rename_some(void)
{
	long fd = open("sub", O_RDONLY | O_DIRECTORY);

	say("open", fd, "sub", NULL);
	say("rename", call(SYS_renameat2, (long)AT_FDCWD, "first", fd, "third", 1L), "first",
	    "sub/third"); /* RENAME_NOREPLACE */
	say("rename", call(SYS_renameat2, fd, "nothere", (long)AT_FDCWD, "x", 0L), "sub/nothere",
	    "x");
	say("link", call(SYS_linkat, fd, "third", (long)AT_FDCWD, "fourth", 0L), "sub/third",
	    "fourth");
	say("unlink", call(SYS_unlinkat, fd, "link", 0L, 0L, 0L), "sub/link", NULL);
	say("unlink", call(SYS_unlinkat, fd, "link", 0L, 0L, 0L), "sub/link", NULL);
	say("unlink", call(SYS_unlinkat, fd, "fifo", 0L, 0L, 0L), "sub/fifo", NULL);
	say("unlink", call(SYS_unlinkat, fd, "second", 0L, 0L, 0L), "sub/second", NULL);
	say("rmdir", call(SYS_unlinkat, (long)AT_FDCWD, "sub", (long)AT_REMOVEDIR, 0L, 0L), "sub",
	    NULL);
	close(fd);
}

/* What was deleted while it is open; a current directory that is gone. */
static void delete_some(void)
{
	long fd = open_at(AT_FDCWD, "fourth", O_RDONLY);
	char path[64];

	say("open", fd, "fourth", NULL);
	say("unlink", call(SYS_unlinkat, (long)AT_FDCWD, "fourth", 0L, 0L, 0L), "fourth", NULL);
	snprintf(path, sizeof(path), "/proc/self/fd/%ld", fd);
	say("open", open_at(AT_FDCWD, path, O_RDONLY), path, NULL);
	say("mkdir", call(SYS_mkdirat, (long)AT_FDCWD, "gone", 0700L, 0L, 0L), "gone", NULL);
	if (chdir("gone"))
		exit(1);
	say("rmdir", call(SYS_unlinkat, (long)AT_FDCWD, "../gone", (long)AT_REMOVEDIR, 0L, 0L),
	    "gone (deleted)/../gone", NULL);
	say("open", open_at(AT_FDCWD, "x", O_CREAT | O_RDWR), "gone (deleted)/x", NULL);
	printf("open %d x\n", (int)-(call(SYS_openat, 99L, "x", 0L, 0L, 0L) < 0 ? errno : 0));
}

int main(int argc, char **argv)
{
	static char whole[PATH_MAX];

	if (argc < 2 || chdir(argv[1]))
		return 1;
	dir = getcwd(whole, sizeof(whole));
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	if (argc > 2) {
		if (chroot("."))
			return 1;
		dir = "";
	}
	open_some();
	open_slowly();
	rename_some();
	delete_some();
	return 0;
}
