/* SPDX-License-Identifier: GPL-2.0-only */
/* What every object of BPF programs needs, around libbpf. */
#ifndef KERNEL_H
#define KERNEL_H

#include <bpf/libbpf.h>

#include "tracer.h"

/* The links of an object, in the order in which they were made. */
struct links {
	struct bpf_link **links;
	size_t n;
};
void links_add(struct links *links, struct bpf_link *link);

/*
 * What must be so for anything to work: capabilities, BTF. Also quietens libbpf unless VERBOSE.
 * Returns 0 or TR_CANNOT after saying what is missing.
 */
int kernel_check(bool verbose);

/* major << 8 | minor */
unsigned kernel_version(void);
/* Another thread may run amid a program at a tracepoint: for that thread, and for all others on
 * that CPU, the kernel skips the program meanwhile. Those of classic tracepoints run with
 * preemption off. Or so it is to be taken: TR_PREEMPTS is in the environment, which is not for
 * users. */
bool kernel_preempts_programs(void);

/* Fills in all but the number of our PID namespace, which is not the initial one. 0 or -errno. */
int kernel_find_namespace(struct tr_namespace *ns);
/* Fills in where tasks have their cgroups of version 1. 0 or -errno. */
int kernel_find_cgroups(struct tr_cgroup_places *places);
/* This kernel has task storage, and memory for it. */
bool kernel_has_task_storage(void);
/* It needs the programs that do without; or they are to be tried: TR_OLD_KERNEL is in the
 * environment, which is not for users, hence in no manual. */
bool kernel_is_old(void);
/* From this version on programs get memory for a new key of a hash safely wherever they run. */
bool kernel_allocates_safely(void);

/* The constant NAME of programs that are not loaded yet, to be read and changed, BYTES long; NULL:
 * there is none. */
void *kernel_constant(struct bpf_object *object, const char *name, size_t *bytes);
/* Sets the constant NAME, BYTES long, of programs that are not loaded yet. Returns 0, or -ENOENT
 * when there is none of that size. */
int kernel_set(struct bpf_object *object, const char *name, const void *value, size_t bytes);
#define KERNEL_SET(object, name, value) kernel_set(object, #name, &(value), sizeof(value))

/* Turns all programs off; then load those that are wanted with kernel_want(). */
void kernel_want_none(struct bpf_object *object);
void kernel_want(struct bpf_program *program);

/* Gives the object the maps that are shared, takes the programs of --follow in if nobody has yet,
 * loads, and watches for skipped runs. Returns 0 or -errno. */
int kernel_load(struct tracer *tracer, struct bpf_object *object);
/* Says why that failed, -ENODEV being no tracefs. Returns TR_CANNOT or TR_FAILED. */
int kernel_explain(int err, const char *what);

/* Attaches. Returns 0, or a status after saying why not. */
int kernel_attach(struct links *links, struct bpf_program *program);
/* An iterator over all threads, and its run. */
int kernel_open_iterator(struct links *links, struct bpf_program *program, int *fd);
void kernel_run_iterator(int fd);
/* --follow, where this object took it on. */
int kernel_attach_follow(struct tracer *tracer, struct links *links, struct bpf_object *object);
void kernel_detach(struct links *links);

/* While there are capabilities: so that kernel_wait_for_programs() works without. */
void kernel_prepare_to_wait(void);
/* Programs that ran when this was called have ended when it returns. */
void kernel_wait_for_programs(void);

/* Mounts a file system of the kernel's, in a mount namespace of our own, where nobody else sees it.
 */
bool kernel_mount(const char *type, const char *folder);
/* Classic tracepoints need tracefs: mounts it, for us alone, where it is not. */
bool kernel_find_tracefs(void);

#endif
