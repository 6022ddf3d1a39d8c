/* SPDX-License-Identifier: GPL-2.0-only */
/* What is found out by running a small program once, here and now. */
#include <bpf/bpf.h>
#include <errno.h>

#include "kernel.h"

/* These have types from kernel.h in them. */
#include "cgroups.skel.h"
#include "namespace.skel.h"
#include "storage.skel.h"

/* Returns 0, and what PROGRAM returned in RESULT, or -errno. */
static int run_once(const struct bpf_program *program, __u32 *result)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);

	*result = opts.retval;
	return err;
}

int kernel_find_namespace(struct tr_namespace *ns)
{
	struct namespace_bpf *skel = namespace_bpf__open_and_load();
	__u32 inum = ns->inum, result;
	int err;

	if (!skel)
		return -errno;
	err = run_once(skel->progs.look, &result);
	if (!err) {
		*ns = skel->bss->found;
		ns->inum = inum;
	}
	namespace_bpf__destroy(skel);
	return err;
}

int kernel_find_cgroups(struct tr_cgroup_places *places)
{
	struct cgroups_bpf *skel = cgroups_bpf__open_and_load();
	__u32 result;
	int err;

	if (!skel)
		return -errno;
	err = run_once(skel->progs.look, &result);
	if (!err)
		*places = skel->bss->found;
	cgroups_bpf__destroy(skel);
	return err;
}

bool kernel_has_task_storage(void)
{
	static enum { UNKNOWN, YES, NO } known;
	libbpf_print_fn_t print;
	struct storage_bpf *skel;
	__u32 result;

	if (known != UNKNOWN)
		return known == YES;
	/* That it may be refused is why it is tried. */
	print = libbpf_set_print(NULL);
	skel = storage_bpf__open_and_load();
	known = skel && !run_once(skel->progs.keep, &result) && result ? YES : NO;
	storage_bpf__destroy(skel);
	libbpf_set_print(print);
	return known == YES;
}
