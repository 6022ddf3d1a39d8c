/* SPDX-License-Identifier: GPL-2.0-only */
/* What bpf/where.h makes of calls that never were: where.c says which, and looks at the result. */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "where.h"
#include "where_record.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WHERE_RECORDS);
	__type(key, __u32);
	__type(value, struct where_record);
} records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct where_texts);
} scratch SEC(".maps");

SEC("raw_tp")
int holds(__u64 *ctx)
{
	__u32 number = ctx[0], zero = 0;
	struct where_record *record = bpf_map_lookup_elem(&records, &number);
	struct where_texts *room = bpf_map_lookup_elem(&scratch, &zero);
	struct where_values values = {.texts = room};

	if (!record || !room)
		return -1;
	for (int i = 0; i < TR_WHERE_RESULTS; i++)
		values.v[i] = record->v[i];
	values.null[TR_WHERE_NS] = values.null[TR_WHERE_RET] = record->no_result;
	for (int i = 0; i < 2; i++) {
		__builtin_memcpy(room->paths[i], record->paths[i], TR_WHERE_TEXT_BYTES);
		room->cut[i] = record->cut[i];
	}
	return where_holds(&values);
}
