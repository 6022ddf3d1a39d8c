/* SPDX-License-Identifier: GPL-2.0-only */
/* counters: counts the instructions of a loop with a hardware counter; fails when it cannot. */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 10007 };

int main(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t n = 0;

	if (fd < 0) {
		perror("perf_event_open");
		return 1;
	}
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (volatile int i = 0; i < ROUNDS; i++)
		;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &n, sizeof(n)) != sizeof(n))
		perror("counters");
	printf("%llu instructions\n", (unsigned long long)n);
	return n < ROUNDS;
}
