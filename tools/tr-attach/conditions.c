/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads and users, and the words for them. */
#include "conditions.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"

enum { COMM_MAX = 15 }; /* bytes of a thread's name that the kernel keeps */

bool conditions_wanted(const struct settings *settings)
{
	return settings->comms.n || settings->uids.n;
}

static void add_comm(struct tr_conditions *config, const char *name)
{
	size_t len = strlen(name);

	if (len > COMM_MAX) {
		tr_note("--comm %s: names of threads have at most %d bytes: looking for %.*s", name,
			COMM_MAX, COMM_MAX, name);
		len = COMM_MAX;
	}
	memcpy(config->comms[config->n_comms++], name, len);
}

static int add_uid(struct tr_conditions *config, const char *name)
{
	struct passwd *user;
	int64_t uid;

	if (tr_number_parse(name, 0, UINT32_MAX - 1, &uid)) {
		user = getpwnam(name);
		if (!user) {
			tr_error("no such user: %s", name);
			return TR_FAILED;
		}
		uid = user->pw_uid;
	}
	config->uids[config->n_uids++] = uid;
	return 0;
}

int conditions_open(struct conditions *conditions, const struct settings *settings)
{
	struct tr_conditions *config = &conditions->config;
	int status = 0;

	config->any = conditions_wanted(settings);
	for (size_t i = 0; i < settings->comms.n; i++)
		add_comm(config, settings->comms.words[i]);
	for (size_t i = 0; i < settings->uids.n && !status; i++)
		status = add_uid(config, settings->uids.words[i]);
	return status;
}

void conditions_say(const struct conditions *conditions, const struct settings *settings)
{
	const struct tr_conditions *config = &conditions->config;

	for (size_t i = 0; i < config->n_comms; i++)
		tr_note("%s threads named %.*s", i ? "or" : "only", COMM_MAX,
			(const char *)config->comms[i]);
	for (size_t i = 0; i < config->n_uids; i++)
		tr_note("%s threads of user %s, id %" PRIu32, i ? "or" : "only",
			settings->uids.words[i], config->uids[i]);
}
