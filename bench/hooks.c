/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hooks WAY CALL [enter]: programs that do nothing, at the entry and the exit of calls, or at the
 * entry alone, until SIGINT. WAY is tp_btf, raw_tp or tracepoint, which are for every call; own,
 * the classic tracepoints of CALL; fentry, at its function. Says on stderr what
 * attaching and detaching took.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hooks.skel.h"

static const char *way, *call;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* "enter" or "exit". */
static const char *side_of(const struct bpf_program *program)
{
	return strncmp(bpf_program__name(program), "enter", strlen("enter")) ? "exit" : "enter";
}

/* Calls without arguments have a function of another name. */
static int aim(struct bpf_program *program)
{
	char name[64];

	snprintf(name, sizeof(name), "__x64_sys_%s", call);
	if (!bpf_program__set_attach_target(program, 0, name))
		return 0;
	snprintf(name, sizeof(name), "__do_sys_%s", call);
	return bpf_program__set_attach_target(program, 0, name);
}

static struct bpf_link *attach(const struct bpf_program *program)
{
	const char *side = side_of(program);
	char name[64];

	if (!strcmp(way, "own")) {
		snprintf(name, sizeof(name), "sys_%s_%s", side, call);
		return bpf_program__attach_tracepoint(program, "syscalls", name);
	}
	return bpf_program__attach(program);
}

/* Those of the way, and of no exit when there is to be none. */
static int choose(struct bpf_object *object, int both)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, object) {
		const char *side = side_of(program), *name = bpf_program__name(program);
		int wanted =
			!strcmp(name + strlen(side) + 1, way) && (both || !strcmp(side, "enter"));

		bpf_program__set_autoload(program, wanted);
		if (wanted && !strcmp(way, "fentry") && aim(program))
			return 1;
	}
	return 0;
}

static int run(struct bpf_object *object)
{
	struct bpf_link *links[2] = {NULL};
	struct bpf_program *program;
	double begin = now_ms(), attached;
	sigset_t signals;
	int n = 0, signal;

	bpf_object__for_each_program (program, object) {
		if (!bpf_program__autoload(program))
			continue;
		links[n] = attach(program);
		if (!links[n++]) {
			fprintf(stderr, "hooks: %s of %s: %s\n", way, call, strerror(errno));
			return 1;
		}
	}
	attached = now_ms() - begin;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	puts("ready");
	fflush(stdout);
	sigwait(&signals, &signal);
	begin = now_ms();
	while (n)
		bpf_link__destroy(links[--n]);
	fprintf(stderr, "attached in %.0f ms, detached in %.0f ms\n", attached, now_ms() - begin);
	return 0;
}

int main(int argc, char **argv)
{
	struct hooks_bpf *skel;
	int status = 1;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: hooks tp_btf|raw_tp|tracepoint|own|fentry CALL [enter]\n");
		return 2;
	}
	way = argv[1];
	call = argv[2];
	skel = hooks_bpf__open();
	if (skel && !choose(skel->obj, argc == 3) && !hooks_bpf__load(skel))
		status = run(skel->obj);
	hooks_bpf__destroy(skel);
	return status;
}
