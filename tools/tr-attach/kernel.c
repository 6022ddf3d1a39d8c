/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects: the maps they share, loading, attaching, and words for what goes wrong. */
#include "kernel.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "caps.h"
#include "message.h"

#define TRACEFS "/sys/kernel/tracing"

static bool chatty;

static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[1024];

	if (!chatty || level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\n")] = 0;
	tr_note("%s", line);
	return 0;
}

unsigned kernel_version(void)
{
	unsigned major = 0, minor = 0;
	struct utsname host;

	uname(&host);
	sscanf(host.release, "%u.%u", &major, &minor);
	return major << 8 | (minor < 256 ? minor : 255);
}

bool kernel_preempts_programs(void)
{
	return getenv("TR_PREEMPTS") || kernel_version() > (6 << 8 | 18);
}

bool kernel_allocates_safely(void)
{
	return kernel_version() >= (6 << 8 | 1);
}

bool kernel_is_old(void)
{
	return getenv("TR_OLD_KERNEL") || !kernel_has_task_storage();
}

int kernel_check(bool verbose)
{
	char missing[64];

	chatty = verbose;
	libbpf_set_print(print);
	if (caps_missing(missing)) {
		tr_error("not permitted: %s missing; run it as root, or give it them: setcap "
			 "cap_bpf,cap_perfmon+ep tr-attach",
			 missing);
		return TR_CANNOT;
	}
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		tr_error("this kernel does not describe itself (no /sys/kernel/btf/vmlinux): one "
			 "built with CONFIG_DEBUG_INFO_BTF is needed, and a mounted /sys");
		return TR_CANNOT;
	}
	/* Kernels before 5.11 charge maps to RLIMIT_MEMLOCK; libbpf tries to raise it there. */
	return TR_DONE;
}

void *kernel_constant(struct bpf_object *object, const char *name, size_t *bytes)
{
	const struct btf *btf = bpf_object__btf(object);
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".rodata");
	int id = btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC);
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, id) : NULL;
	unsigned char *data =
		map ? (unsigned char *)bpf_map__initial_value(map, &(size_t){0}) : NULL;

	for (int i = 0; data && section && i < btf_vlen(section); i++) {
		const struct btf_var_secinfo *place = &btf_var_secinfos(section)[i];
		const struct btf_type *variable = btf__type_by_id(btf, place->type);

		if (strcmp(btf__name_by_offset(btf, variable->name_off), name))
			continue;
		*bytes = place->size;
		return data + place->offset;
	}
	return NULL;
}

int kernel_set(struct bpf_object *object, const char *name, const void *value, size_t bytes)
{
	size_t room;
	void *constant = kernel_constant(object, name, &room);

	if (!constant || room != bytes)
		return -ENOENT;
	memcpy(constant, value, bytes);
	return 0;
}

void kernel_want_none(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, object)
		bpf_program__set_autoload(program, false);
}

void kernel_want(struct bpf_program *program)
{
	bpf_program__set_autoload(program, true);
}

static struct bpf_program *program_named(struct bpf_object *object, const char *name)
{
	return bpf_object__find_program_by_name(object, name);
}

/* A map that exists is handed over; one that does not is asked for by no live code. */
static int share(struct bpf_object *object, const char *name, int fd)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);

	if (!map)
		return 0;
	return fd >= 0 ? bpf_map__reuse_fd(map, fd) : bpf_map__set_autocreate(map, false);
}

int kernel_load(struct tracer *t, struct bpf_object *object)
{
	struct bpf_program *program;
	int err;

	if ((err = share(object, "ids", t->targets.map_fd)) ||
	    (err = share(object, "cgroups", t->targets.conditions.map_fd)) ||
	    (err = share(object, "lost", t->lost.map_fd)) ||
	    (err = share(object, "events", t->rings.n == 1 ? rings_fd(&t->rings, 0) : -1)) ||
	    (err = share(object, "rings", t->rings.outer_fd)))
		return err;
	if (t->targets.config.follow && !t->following) {
		kernel_want(program_named(object, "on_fork"));
		kernel_want(program_named(object, "on_end"));
		if (t->targets.config.by_tid)
			kernel_want(program_named(object, "on_exec"));
		if (t->targets.config.opened)
			kernel_want(program_named(object, "on_newborn"));
	}
	err = bpf_object__load(object);
	if (err)
		return err;
	bpf_object__for_each_program (program, object)
		if (bpf_program__autoload(program))
			lost_watch(&t->lost, bpf_program__fd(program));
	return 0;
}

/* Such a kernel does not know the helpers that would read its memory. */
static bool is_locked_down(void)
{
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	char state[64] = "";

	if (!file)
		return false;
	if (!fgets(state, sizeof(state), file))
		state[0] = 0;
	fclose(file);
	return strstr(state, "[confidentiality]");
}

/* Maps count to what a process may lock, of which it may not have more. */
static bool maps_are_locked(void)
{
	struct rlimit limit;

	return kernel_version() < (5 << 8 | 11) && !getrlimit(RLIMIT_MEMLOCK, &limit) &&
	       limit.rlim_cur != RLIM_INFINITY;
}

int kernel_explain(int err, const char *what)
{
	if (err == -EPERM && maps_are_locked())
		tr_error(
			"%s: too little memory may be locked, to which BPF maps count before Linux "
			"5.11: ulimit -l unlimited",
			what);
	else if (err == -EPERM || err == -EACCES || (err == -EINVAL && is_locked_down()))
		tr_error("%s: the kernel does not permit it (in a container, or locked down?); -v "
			 "says more",
			 what);
	else if (err == -ENODEV)
		tr_error("%s: classic tracepoints need tracefs, and leave to read it: mount -t "
			 "tracefs "
			 "tracefs " TRACEFS,
			 what);
	else if (err == -ENOMEM)
		tr_error("%s: out of memory; a smaller --buffer-size or --max-keys may help", what);
	else
		tr_error("%s: %s; -v says more", what, strerror(-err));
	return err == -ENOMEM ? TR_FAILED : TR_CANNOT;
}

void links_add(struct links *links, struct bpf_link *link)
{
	links->links = tr_xrealloc(links->links, (links->n + 1) * sizeof(*links->links));
	links->links[links->n++] = link;
}

int kernel_attach(struct links *links, struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach(program);

	if (!link)
		return kernel_explain(-errno, bpf_program__section_name(program));
	links_add(links, link);
	return TR_DONE;
}

int kernel_open_iterator(struct links *links, struct bpf_program *program, int *fd)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);

	if (!link)
		return kernel_explain(-errno, "iter/task");
	links_add(links, link);
	*fd = bpf_iter_create(bpf_link__fd(link));
	return *fd >= 0 ? TR_DONE : kernel_explain(-errno, "iter/task");
}

void kernel_run_iterator(int fd)
{
	char nothing[64];
	ssize_t n;

	/* The program prints nothing, so that this is the end. EAGAIN: it rests on the way. */
	do
		n = read(fd, nothing, sizeof(nothing));
	while (n > 0 || (n < 0 && errno == EAGAIN));
}

/* The targets' children that are there already. Twice: where numbers have begun anew, some may come
 * before their parents. */
static int follow_newborn(struct links *links, struct bpf_program *program)
{
	int status = TR_DONE, fd;

	for (int i = 0; i < 2 && !status; i++) {
		fd = -1;
		status = kernel_open_iterator(links, program, &fd);
		if (fd < 0)
			continue;
		kernel_run_iterator(fd);
		close(fd);
	}
	return status;
}

int kernel_attach_follow(struct tracer *t, struct links *links, struct bpf_object *object)
{
	const struct tr_target_config *c = &t->targets.config;
	int status = TR_DONE;

	if (!c->follow || t->following)
		return TR_DONE;
	t->following = true;
	if (c->by_tid)
		status = kernel_attach(links, program_named(object, "on_exec"));
	if (!status)
		status = kernel_attach(links, program_named(object, "on_end"));
	if (!status)
		status = kernel_attach(links, program_named(object, "on_fork"));
	if (!status && c->opened)
		status = follow_newborn(links, program_named(object, "on_newborn"));
	return status;
}

void kernel_detach(struct links *links)
{
	while (links->n)
		bpf_link__destroy(links->links[--links->n]);
	free(links->links);
	links->links = NULL;
}

/* A map of maps, and a map of which it can have its entry replaced. */
static int outer_fd = -1, inner_fd = -1;

void kernel_prepare_to_wait(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);

	inner_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "inner", 4, 4, 1, NULL);
	opts.inner_map_fd = inner_fd;
	if (inner_fd >= 0)
		outer_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "outer", 4, 4, 1, &opts);
}

/*
 * When an entry of a map of maps is replaced the kernel waits for all programs that may still use
 * the former one. membarrier(2) would do less on one CPU, and nothing where CPUs have no ticks.
 */
void kernel_wait_for_programs(void)
{
	uint32_t zero = 0;

	if (outer_fd < 0 || bpf_map_update_elem(outer_fd, &zero, &inner_fd, BPF_ANY))
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* Where they can be read, and not just listed, as where the kernel is locked down. */
static bool has_tracepoints(const char *tracefs)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/events/raw_syscalls/sys_enter/id", tracefs);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool kernel_mount(const char *type, const char *folder)
{
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) &&
	       !mount(type, folder, type, 0, NULL);
}

bool kernel_find_tracefs(void)
{
	return has_tracepoints(TRACEFS) || has_tracepoints("/sys/kernel/debug/tracing") ||
	       (kernel_mount("tracefs", TRACEFS) && has_tracepoints(TRACEFS));
}
