/* SPDX-License-Identifier: GPL-2.0-only */
/* Users by name, from libc or, without libraries, from the files. */
#include "users.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef TR_STATIC

enum { MAX_GROUPS = 65536 }; /* what the kernel lets a process have */

const char users_place[] = " in /etc/passwd";

int user_find(const char *name, struct user *user)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry = NULL;

	while (file && (entry = fgetpwent(file)) && strcmp(entry->pw_name, name) != 0)
		;
	if (entry)
		*user = (struct user){.uid = entry->pw_uid, .gid = entry->pw_gid};
	if (file)
		fclose(file);
	return entry ? 0 : -ENOENT;
}

static bool has_member(const struct group *group, const char *name)
{
	for (char **member = group->gr_mem; *member; member++)
		if (!strcmp(*member, name))
			return true;
	return false;
}

static int take_groups(const char *name, gid_t first)
{
	static gid_t groups[MAX_GROUPS];
	FILE *file = fopen("/etc/group", "re");
	struct group *group;
	size_t n = 0;

	groups[n++] = first;
	while (file && n < MAX_GROUPS && (group = fgetgrent(file)))
		if (group->gr_gid != first && has_member(group, name))
			groups[n++] = group->gr_gid;
	if (file)
		fclose(file);
	return setgroups(n, groups);
}

#else

const char users_place[] = "";

int user_find(const char *name, struct user *user)
{
	struct passwd *entry = getpwnam(name);

	if (!entry)
		return -ENOENT;
	*user = (struct user){.uid = entry->pw_uid, .gid = entry->pw_gid};
	return 0;
}

static int take_groups(const char *name, gid_t first)
{
	return initgroups(name, first);
}

#endif

int user_become(const char *name, const struct user *user)
{
	if (take_groups(name, user->gid) || setgid(user->gid) || setuid(user->uid))
		return -errno;
	return 0;
}
