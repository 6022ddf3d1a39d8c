/* SPDX-License-Identifier: GPL-2.0-only */
/* capget and capset themselves: libcap would be one more dependency for two system calls. */
#include "caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Those that are ever kept or missed. */
static const struct {
	int cap;
	const char *name;
} names[] = {
	{CAP_BPF, "CAP_BPF"},
	{CAP_PERFMON, "CAP_PERFMON"},
	{CAP_SYS_PTRACE, "CAP_SYS_PTRACE"},
	{CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH"},
	{CAP_CHECKPOINT_RESTORE, "CAP_CHECKPOINT_RESTORE"},
	{CAP_SYSLOG, "CAP_SYSLOG"},
	{CAP_KILL, "CAP_KILL"},
};

enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

static uint64_t effective(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}};

	if (syscall(SYS_capget, &header, data))
		return 0;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

const char *caps_missing(char *text)
{
	uint64_t have = effective();
	bool bpf = have & (CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_ADMIN));
	bool perfmon = have & (CAP_BIT(CAP_PERFMON) | CAP_BIT(CAP_SYS_ADMIN));

	if (bpf && perfmon)
		return NULL;
	snprintf(text, 64, "%s%s%s", bpf ? "" : "CAP_BPF", bpf || perfmon ? "" : " and ",
		 perfmon ? "" : "CAP_PERFMON");
	return text;
}

int caps_drop(uint64_t keep)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}};

	keep &= effective();
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	data[0].effective = data[0].permitted = keep;
	data[1].effective = data[1].permitted = keep >> 32;
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

void caps_names(char *text, size_t size)
{
	uint64_t have = effective();
	size_t used = 0;

	snprintf(text, size, "none");
	for (int i = 0; i < N_NAMES; i++)
		if (have & CAP_BIT(names[i].cap) && used < size)
			used += snprintf(text + used, size - used, "%s%s", used ? ", " : "",
					 names[i].name);
}
