/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf event on each CPU, with a program for every time. */
#include "software.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "message.h"
#include "options.h"

/* Returns 0 or -errno; -ENODEV: that CPU does not run. */
static int attach_on(struct links *links, struct bpf_program *program, unsigned event, unsigned cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = event,
		.sample_period = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	struct bpf_link *link;
	int err;

	if (fd < 0)
		return -errno;
	link = bpf_program__attach_perf_event(program, fd);
	err = link ? 0 : -errno;
	if (err) {
		close(fd);
		return err;
	}
	links_add(links, link);
	return 0;
}

int software_attach(struct links *links, struct bpf_program *program, unsigned event, unsigned cpus)
{
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		int err = attach_on(links, program, event, cpu);

		if (err && err != -ENODEV)
			return kernel_explain(err, "cannot trace perf's software events");
	}
	return TR_DONE;
}
