/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads, users and cgroups, and the words for them. */
#include "conditions.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroups.h"
#include "containers.h"
#include "message.h"
#include "number.h"
#include "users.h"

enum { COMM_MAX = 15 }; /* bytes of a thread's name that the kernel keeps */

bool conditions_wanted(const struct settings *settings)
{
	return settings->comms.n || settings->uids.n || settings->cgroups.n ||
	       settings->containers.n;
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
	struct user user;
	int64_t uid;

	if (tr_number_parse(name, 0, UINT32_MAX - 1, &uid)) {
		if (user_find(name, &user)) {
			tr_error("no such user%s: %s", users_place, name);
			return TR_FAILED;
		}
		uid = user.uid;
	}
	config->uids[config->n_uids++] = uid;
	return 0;
}

/* One of version 2 goes into the map. Returns 0 or -errno. */
static int add_to_map(struct conditions *conditions, uint32_t index, const struct cgroup *cgroup)
{
	if (conditions->map_fd < 0)
		conditions->map_fd =
			bpf_map_create(BPF_MAP_TYPE_CGROUP_ARRAY, "cgroups", sizeof(index),
				       sizeof(uint32_t), TR_N_CGROUP_KINDS * TR_MAX_CGROUPS, NULL);
	if (conditions->map_fd < 0 ||
	    bpf_map_update_elem(conditions->map_fd, &index, &cgroup->fd, BPF_ANY))
		return -errno;
	return 0;
}

static int add_cgroup(struct conditions *conditions, enum tr_cgroup_kind kind,
		      const struct cgroup *cgroup)
{
	struct tr_conditions *config = &conditions->config;
	uint32_t i = config->n_cgroups[kind]++;

	config->cgroups[kind][i] =
		(struct tr_cgroup){.id = cgroup->id, .hierarchy = cgroup->hierarchy};
	if (!cgroup->hierarchy)
		return add_to_map(conditions, kind * TR_MAX_CGROUPS + i, cgroup);
	conditions->version1 = true;
	return 0;
}

/* FOUND is what NAME stands for; closes it. */
static int take_cgroup(struct conditions *conditions, enum tr_cgroup_kind kind, const char *name,
		       struct cgroup *found)
{
	int err;

	if (!found->populated)
		tr_note("%s: no process is in this cgroup of %s yet", name, found->folder);
	err = add_cgroup(conditions, kind, found);
	close(found->fd);
	if (!err)
		return 0;
	tr_error("%s: cannot trace this cgroup: %s", name, strerror(-err));
	return TR_FAILED;
}

static int open_cgroup(struct conditions *conditions, const struct hierarchies *hierarchies,
		       const char *path)
{
	struct cgroup found;
	int err = cgroup_find(hierarchies, path, &found);

	if (!err)
		return take_cgroup(conditions, TR_BY_CGROUP, path, &found);
	if (err == -ENOENT || err == -ENOTDIR)
		tr_error("%s: %s; systemd-cgls and /proc/PID/cgroup show those that there are",
			 path, err == -ENOENT ? "there is no such cgroup" : "not a cgroup");
	else
		tr_error("%s: cannot trace this cgroup: %s", path, strerror(-err));
	return TR_FAILED;
}

/* The I-th of the containers stands there before, too, in another hierarchy. */
static bool is_repeated(const struct containers *containers, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(containers->list[k].name, containers->list[i].name))
			return true;
	return false;
}

/* NAME means several containers. */
static int ambiguous(const struct containers *containers, const char *name)
{
	enum { MAX_SHOWN = 8 };
	char text[MAX_SHOWN * (CONTAINER_ID + 2) + 1] = "";
	size_t shown = 0, used = 0;

	for (size_t i = 0; i < containers->n && shown < MAX_SHOWN; i++)
		if (!is_repeated(containers, i))
			used += snprintf(text + used, sizeof(text) - used, "%s%.*s",
					 shown++ ? ", " : "", CONTAINER_ID,
					 containers->list[i].name);
	tr_error("--container %s: which one? %s", name, text);
	return TR_FAILED;
}

/* The one whose hierarchy has its processes, else the first. */
static int take_container(struct conditions *conditions, const struct hierarchies *hierarchies,
			  const char *name, const struct containers *containers)
{
	struct cgroup found = {.fd = -1}, other;
	char **path = &conditions->containers[conditions->config.n_cgroups[TR_BY_CONTAINER]];

	for (size_t i = 0; i < containers->n && !found.populated; i++) {
		if (cgroup_find(hierarchies, containers->list[i].path, &other))
			continue;
		if (found.fd >= 0 && !other.populated) {
			close(other.fd);
			continue;
		}
		if (found.fd >= 0)
			close(found.fd);
		found = other;
		free(*path);
		*path = tr_xstrdup(containers->list[i].path);
	}
	if (found.fd >= 0)
		return take_cgroup(conditions, TR_BY_CONTAINER, name, &found);
	tr_error("--container %s: it has just ended", name);
	return TR_FAILED;
}

static int open_container(struct conditions *conditions, const struct hierarchies *hierarchies,
			  const char *name)
{
	struct containers containers = {0}, named = {0};
	int status = TR_FAILED;

	containers_find(&containers, hierarchies, name);
	if (!containers.n)
		containers_named(&named, name);
	if (named.n && !containers_differ(&named))
		containers_find(&containers, hierarchies, named.list[0].name);
	if (containers_differ(&named))
		status = ambiguous(&named, name);
	else if (containers_differ(&containers))
		status = ambiguous(&containers, name);
	else if (containers.n)
		status = take_container(conditions, hierarchies, name, &containers);
	else if (named.n)
		tr_error("--container %s: %s does not run: it has no cgroup", name,
			 named.list[0].name);
	else
		tr_error("--container %s: no cgroup has an id that begins so (with at least %d "
			 "digits), and docker, podman, cri-o and nerdctl have written down no such "
			 "name in /var/lib; give its id, or its --cgroup",
			 name, CONTAINER_PREFIX_MIN);
	containers_release(&containers);
	containers_release(&named);
	return status;
}

static int open_cgroups(struct conditions *conditions, const struct settings *settings)
{
	struct hierarchies hierarchies = {0};
	int err = 0, status = 0;

	if (!settings->cgroups.n && !settings->containers.n)
		return 0;
	err = hierarchies_read(&hierarchies);
	if (err) {
		tr_error("cannot find cgroups: /proc/self/mountinfo: %s", strerror(-err));
		status = TR_FAILED;
	}
	for (size_t i = 0; i < settings->cgroups.n && !status; i++)
		status = open_cgroup(conditions, &hierarchies, settings->cgroups.words[i]);
	for (size_t i = 0; i < settings->containers.n && !status; i++)
		status = open_container(conditions, &hierarchies, settings->containers.words[i]);
	hierarchies_release(&hierarchies);
	return status;
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
	return status ? status : open_cgroups(conditions, settings);
}

static void place(struct tr_cgroup *cgroup, const struct tr_cgroup_places *places)
{
	for (uint32_t i = 0; i < TR_MAX_CONTROLLERS && i < places->n_controllers; i++)
		if (cgroup->hierarchy && places->hierarchies[i] == cgroup->hierarchy)
			cgroup->state_at = places->states_at + i * sizeof(void *);
}

void conditions_place(struct conditions *conditions)
{
	struct tr_conditions *config = &conditions->config;

	for (int kind = 0; kind < TR_N_CGROUP_KINDS; kind++)
		for (uint32_t i = 0; i < config->n_cgroups[kind]; i++)
			place(&config->cgroups[kind][i], &config->places);
}

void conditions_release(struct conditions *conditions)
{
	for (size_t i = 0; i < TR_MAX_CGROUPS; i++)
		free(conditions->containers[i]);
	if (conditions->map_fd >= 0)
		close(conditions->map_fd);
	*conditions = (struct conditions){.map_fd = -1};
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
	for (size_t i = 0; i < config->n_cgroups[TR_BY_CGROUP]; i++)
		tr_note("%s threads in cgroup %s", i ? "or" : "only", settings->cgroups.words[i]);
	for (size_t i = 0; i < config->n_cgroups[TR_BY_CONTAINER]; i++)
		tr_note("%s threads in container %s, cgroup %s", i ? "or" : "only",
			settings->containers.words[i], conditions->containers[i]);
}
