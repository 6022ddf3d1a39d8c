/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Users by name. A program that is linked with no library (TR_STATIC) reads /etc/passwd and
 * /etc/group alone: what else this machine asks for users (nsswitch.conf) are libraries, which fit
 * only the libc that they came with.
 */
#ifndef USERS_H
#define USERS_H

#include <sys/types.h>

/* Where users are looked for, for messages: " in /etc/passwd" or "". */
extern const char users_place[];

struct user {
	uid_t uid;
	gid_t gid;
};

/* The user called NAME. Returns 0 or -ENOENT. */
int user_find(const char *name, struct user *user);

/* Makes this process one of USER, who is called NAME, with all groups of theirs. Returns 0 or
 * -errno; then it may have the groups already. */
int user_become(const char *name, const struct user *user);

#endif
