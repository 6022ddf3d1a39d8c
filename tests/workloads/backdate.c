/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * backdate TRACER PID SECONDS: has tr-attach TRACER believe that the call which thread PID waits in
 * began so many seconds earlier: changes what its programs have noted in their map `calls`, kept
 * with the thread or, where PID is the only one traced, under whatever key it has. Fails when they
 * have noted nothing.
 */
#include <dirent.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static union bpf_attr attr;

static long bpf(int command)
{
	return syscall(SYS_bpf, command, &attr, sizeof(attr));
}

/* Of the map that is open as FD of the tracer, our own descriptor; -1: it is none of that name. */
static int open_calls(const char *fdinfo, const char *fd, struct bpf_map_info *info)
{
	char path[512], line[128];
	unsigned id = 0;
	FILE *file;
	int map;

	snprintf(path, sizeof(path), "%s/%s", fdinfo, fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "map_id: %u", &id);
	if (file)
		fclose(file);
	memset(&attr, 0, sizeof(attr));
	attr.map_id = id;
	map = id ? bpf(BPF_MAP_GET_FD_BY_ID) : -1;
	if (map < 0)
		return -1;
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = map;
	attr.info.info_len = sizeof(*info);
	attr.info.info = (uintptr_t)info;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD) || strcmp(info->name, "calls")) {
		close(map);
		return -1;
	}
	return map;
}

/* The value begins with the time at which the call began. */
static int change(int map, const struct bpf_map_info *info, int pid, uint64_t ns)
{
	uint64_t key = 0, value[64];

	if (info->value_size > sizeof(value))
		return -1;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	if (info->type == BPF_MAP_TYPE_TASK_STORAGE) {
		key = syscall(SYS_pidfd_open, pid, 0);
	} else {
		attr.next_key = (uintptr_t)&key;
		if (bpf(BPF_MAP_GET_NEXT_KEY))
			return -1;
	}
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)value;
	if (bpf(BPF_MAP_LOOKUP_ELEM) || !value[0])
		return -1;
	value[0] -= ns;
	attr.flags = BPF_EXIST;
	return bpf(BPF_MAP_UPDATE_ELEM);
}

int main(int argc, char **argv)
{
	struct bpf_map_info info = {0};
	char fdinfo[64];
	struct dirent *entry;
	DIR *folder;
	int map;

	if (argc != 4)
		return 2;
	snprintf(fdinfo, sizeof(fdinfo), "/proc/%s/fdinfo", argv[1]);
	folder = opendir(fdinfo);
	while (folder && (entry = readdir(folder))) {
		map = open_calls(fdinfo, entry->d_name, &info);
		if (map >= 0)
			return change(map, &info, atoi(argv[2]), atoll(argv[3]) * 1000000000) != 0;
	}
	return 1;
}
