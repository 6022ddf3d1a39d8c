/* SPDX-License-Identifier: GPL-2.0-only */
/* Which way in is taken. */
#include "ways.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "message.h"

/* How the kernel preempts itself, as it was told when it started: "none (voluntary) full". */
static bool read_preemption(char *text, size_t bytes)
{
	FILE *file = fopen("/sys/kernel/debug/sched/preempt", "re");
	bool read = file && fgets(text, bytes, file);

	if (file)
		fclose(file);
	return read;
}

/* The kernel may run another thread amid what it does for one, whenever it likes. Where it does not
 * tell, it may. */
static bool is_preemptible(void)
{
	struct utsname host;
	char text[64];

	uname(&host);
	if (!strstr(host.version, "PREEMPT"))
		return false;
	if (!strstr(host.version, "PREEMPT_DYNAMIC") ||
	    (!read_preemption(text, sizeof(text)) &&
	     !(kernel_mount("debugfs", "/sys/kernel/debug") &&
	       read_preemption(text, sizeof(text)))))
		return true;
	return !strstr(text, "(none)") && !strstr(text, "(voluntary)");
}

enum way way_nth(int n)
{
	static const enum way fastest[] = {WAY_FENTRY, WAY_TP_BTF, WAY_RAW_TP, WAY_TRACEPOINT};
	static const enum way surest[] = {WAY_FENTRY, WAY_TRACEPOINT, WAY_TP_BTF, WAY_RAW_TP};

	return kernel_preempts_programs() ? surest[n] : fastest[n];
}

bool way_is_fit(struct way_in *in, const struct settings *settings, bool old)
{
	bool chosen = settings->way == WAY_FENTRY;
	const char *why = in->functions.why;

	if (old)
		why = "it takes a kernel that has task storage";
	else if (functions_find(&in->functions, settings, !chosen)) {
		if (chosen || !is_preemptible())
			return true;
		why = "this kernel may run other threads amid a program, and skip it for them";
	}
	if (chosen)
		tr_error("--way fentry: %s", why);
	else if (settings->verbose)
		tr_note("system calls: not by way of fentry: %s", why);
	return false;
}

void way_say(const struct way_in *in, bool old)
{
	tr_note("system calls: by way of %s%s", way_names[in->way],
		old ? ", with the programs for kernels without task storage" : "");
	for (size_t i = 0; in->way == WAY_FENTRY && i < in->functions.n; i++)
		tr_note("system calls: at %s", in->functions.list[i].name);
}

/* That a kernel has no fentry shows only here, on arm64 before 6.4. */
int way_attach(struct way_in *in, const struct settings *settings, struct links *links,
	       struct bpf_program *program, enum function_side side)
{
	int err;

	if (in->way != WAY_FENTRY)
		return kernel_attach(links, program);
	err = functions_attach(&in->functions, side);
	if (err && settings->way == WAY_FENTRY)
		return kernel_explain(err, "--way fentry");
	if (err && settings->verbose)
		tr_note("system calls: not by way of fentry after all: %s", strerror(-err));
	return err ? NEXT_WAY : TR_DONE;
}
