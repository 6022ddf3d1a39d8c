/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes: who creates whom, who runs which program with what arguments, how a process ends and
 * what it took, who sends whom a signal.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "event.h"
#include "follow.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct tr_event_program event_programs[] = {
	{.name = "on_creation", .kinds = KIND(fork)},
	{.name = "on_program", .kinds = KIND(exec)},
	{.name = "on_process_end", .kinds = KIND(exit), .before_follow = true},
	{.name = "on_last_switch", .kinds = KIND(exit)},
	{.name = "on_signal", .kinds = KIND(signal)},
};

SEC("tp_btf/sched_process_fork")
int on_creation(__u64 *ctx)
{
	struct task_struct *creator = (struct task_struct *)ctx[0];
	struct task_struct *child = (struct task_struct *)ctx[1];
	struct tr_fork *record;
	void *ring;
	__u64 now;

	if (!traced(creator))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = EVENT_BEGIN(fork, ring, 0);
	if (!record)
		return 0;
	record->ts = now;
	PUT_WHO(record, creator);
	record->child_pid = process_id(child);
	record->child_tid = thread_id(child);
	event_send(ring, record, now);
	return 0;
}

/* The program's path, from the kernel, behind the record. Returns the length as records have it. */
static __always_inline __u16 put_path(unsigned char *to, const char *path)
{
	char last = 0;
	long n = bpf_probe_read_kernel_str(to, TR_MAX_STRING, path);

	if (n < 0)
		return STR_CUT;
	if (n < TR_MAX_STRING)
		return n ? n - 1 : 0;
	bpf_probe_read_kernel(&last, 1, path + TR_MAX_STRING - 1);
	return (TR_MAX_STRING - 1) | (last ? STR_CUT : 0);
}

/* As /proc/PID/cmdline has them, a zero byte between two. */
static __always_inline __u16 put_arguments(unsigned char *to, struct task_struct *task)
{
	unsigned long from = READ(task, mm, arg_start), end = READ(task, mm, arg_end);
	unsigned long n = end - from;
	bool cut = n > TR_MAX_STRING;

	if (cut)
		n = TR_MAX_STRING;
	if (!n || bpf_probe_read_user(to, n, (const void *)from))
		return n ? STR_CUT : 0;
	return cut ? n | STR_CUT : n - 1;
}

SEC("tp_btf/sched_process_exec")
int on_program(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct linux_binprm *program = (struct linux_binprm *)ctx[2];
	struct {
		struct tr_ring_header header;
		struct tr_exec record;
		unsigned char strings[2 * TR_MAX_STRING];
	} * event;
	unsigned char *strings;
	void *ring;
	__u64 now;
	__u32 n;

	if (!traced(task))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	event = (void *)ring_reserve(ring, sizeof(*event), TR_KIND_exec, 0, TR_BYTES_exec);
	if (!event)
		return 0;
	event->record.ts = now;
	PUT_WHO(&event->record, task);
	strings = (unsigned char *)&event->record + TR_BYTES_exec;
	event->record.path = put_path(strings, BPF_CORE_READ(program, filename));
	n = event->record.path & ~STR_CUT;
	if (n > TR_MAX_STRING)
		n = TR_MAX_STRING; /* for the verifier */
	event->record.argv = put_arguments(strings + n, task);
	event->header.bytes += n + (event->record.argv & ~STR_CUT);
	ring_submit(ring, &event->header, now);
	return 0;
}

/*
 * Processes that have ended, by their last thread, until that leaves its CPU for good: only then
 * does the scheduler know how long it ran.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TR_MAX_ENDING);
	__type(key, __u32);
	__type(value, struct tr_exit);
} endings SEC(".maps");

/* Two threads that end at the same moment may both be the last one: which was the first to say so.
 * Old entries make room for new ones. */
struct end_key {
	__u64 created;
	__u64 pid;
};
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TR_MAX_ENDING);
	__type(key, struct end_key);
	__type(value, __u8);
} ended SEC(".maps");

static __always_inline bool is_first_to_say(struct task_struct *task)
{
	struct end_key key = {READ(task, group_leader, start_time), READ(task, tgid)};
	__u8 one = 1;
	long err = bpf_map_update_elem(&ended, &key, &one, BPF_NOEXIST);

	if (err && err != -EEXIST)
		count_lost(TR_LOST_STATE);
	return !err;
}

/* As wait(2) tells it. */
static __always_inline __u32 exit_code(struct task_struct *task)
{
	if (READ(task, signal, flags) & SIGNAL_GROUP_EXIT)
		return READ(task, signal, group_exit_code);
	return READ(task, group_leader, exit_code);
}

SEC("tp_btf/sched_process_exit")
int on_process_end(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct tr_exit record = {0};
	__u32 id = READ(task, pid), code;

	if (READ(task, signal, live.counter) || !traced(task) || !is_first_to_say(task))
		return 0;
	PUT_WHO(&record, task);
	code = exit_code(task);
	record.status = code >> 8 & 0xff;
	record.signal = code & 0x7f;
	record.ns = READ(task, group_leader, start_time); /* who may be gone later */
	if (bpf_map_update_elem(&endings, &id, &record, BPF_ANY))
		count_lost(TR_LOST_STATE);
	return 0;
}

enum { TRIES = 4, MAX_LEFT = 64 };

/*
 * The time that all of a process's threads have had: the sum of those that are gone, and each that
 * is not. While one goes it may be in both or in neither, so the number of threads must agree.
 * False: it did not.
 */
static __always_inline bool cpu_time(struct task_struct *task, __u64 *ns)
{
	struct signal_struct *process = READ(task, signal);
	struct list_head *head = (void *)process + bpf_core_field_offset(process->thread_head);

	for (int try = 0; try < TRIES; try++) {
		__u64 gone = BPF_CORE_READ(process, sum_sched_runtime), left = 0;
		int threads = BPF_CORE_READ(process, nr_threads), n;
		struct list_head *node = BPF_CORE_READ(head, next);

		for (n = 0; n < MAX_LEFT && node != head; n++) {
			struct task_struct *thread =
				(void *)node -
				bpf_core_field_offset(struct task_struct, thread_node);

			left += BPF_CORE_READ(thread, se.sum_exec_runtime);
			node = BPF_CORE_READ(node, next);
		}
		*ns = gone + left;
		if (n == threads && node == head &&
		    gone == BPF_CORE_READ(process, sum_sched_runtime))
			return true;
	}
	return false;
}

static __always_inline void send_exit(struct task_struct *task, const struct tr_exit *ending)
{
	__u64 now = bpf_ktime_get_ns(), cpu_ns;
	bool known = cpu_time(task, &cpu_ns);
	void *ring = ring_here();
	struct tr_exit *record = EVENT_BEGIN(exit, ring, known ? 0 : TR_NO_SECOND);

	if (!record)
		return;
	*record = *ending;
	record->ts = now;
	record->ns = now - ending->ns;
	record->cpu_ns = cpu_ns;
	record->peak = READ(task, signal, maxrss) * cfg_event.page_bytes;
	event_send(ring, record, now);
}

SEC("tp_btf/sched_switch")
int on_last_switch(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[1];
	struct tr_exit *ending;
	__u32 id;

	if (!(READ(task, flags) & PF_EXITING) || !(task_state(task) & TASK_DEAD))
		return 0;
	id = READ(task, pid);
	ending = bpf_map_lookup_elem(&endings, &id);
	if (!ending)
		return 0;
	send_exit(task, ending);
	bpf_map_delete_elem(&endings, &id);
	return 0;
}

/* Of several threads that a target has, any may get it: what counts is whom it was meant for. */
static __always_inline bool concerns_target(struct task_struct *from, struct task_struct *to)
{
	return traced(from) || (!cfg_conditions.any && traced(to));
}

static __always_inline void put_result(struct tr_comm *to, int result)
{
	switch (result) {
	case 0: PUT_WORD(to, "delivered"); break;
	case 1: PUT_WORD(to, "ignored"); break;
	case 2: PUT_WORD(to, "pending already"); break;
	case 3: PUT_WORD(to, "queue full"); break;
	default: PUT_WORD(to, "details lost"); break;
	}
}

/* Kernel signals have no details, but one of these in their place. */
enum { SEND_SIG_NOINFO = 0, SEND_SIG_PRIV = 1, SI_KERNEL = 0x80 };

static __always_inline int signal_code(struct kernel_siginfo *details)
{
	if ((__u64)details > SEND_SIG_PRIV)
		return BPF_CORE_READ(details, si_code);
	return (__u64)details == SEND_SIG_PRIV ? SI_KERNEL : 0;
}

SEC("tp_btf/signal_generate")
int on_signal(__u64 *ctx)
{
	struct task_struct *from = current_task(), *to = (struct task_struct *)ctx[2];
	struct tr_signal *record;
	void *ring;
	__u64 now;

	if (!concerns_target(from, to))
		return 0;
	now = bpf_ktime_get_ns();
	ring = ring_here();
	record = EVENT_BEGIN(signal, ring, 0);
	if (!record)
		return 0;
	record->ts = now;
	PUT_WHO(record, from);
	put_comm(&record->to_comm, to);
	put_result(&record->result, ctx[4]);
	record->to_pid = process_id(to);
	record->to_tid = thread_id(to);
	record->signal = ctx[0];
	record->code = signal_code((void *)ctx[1]);
	record->group = ctx[3];
	event_send(ring, record, now);
	return 0;
}
