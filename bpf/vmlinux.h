/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types, those that are used and of them the members that are used: CO-RE finds where
 * a member really is when a program is loaded. Kept by hand; what is wanted can be looked up in the
 * output of "bpftool btf dump file /sys/kernel/btf/vmlinux format c".
 */
#ifndef TR_VMLINUX_H
#define TR_VMLINUX_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u16 __sum16;
typedef __u32 __wsum;
typedef _Bool bool;
typedef int pid_t;

enum { false, true };

/* Numbers of the bpf system call, which never change. */
enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_QUEUE = 22,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum {
	BPF_F_NO_PREALLOC = 1U << 0,
	BPF_F_MMAPABLE = 1U << 10,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
};

enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };

/* Of a task: it has begun to end; it waits for nothing more. */
enum { PF_EXITING = 4 };
enum { TASK_DEAD = 0x80 };

/* Of a process: all of its threads end, for one reason. */
enum { SIGNAL_GROUP_EXIT = 4 };

/* As results, negative. */
enum {
	E2BIG = 7,
	EEXIST = 17,
	EISCONN = 106,
	EALREADY = 114,
	EINPROGRESS = 115,
};

enum {
	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
};

enum { BPF_RB_AVAIL_DATA = 0 };

enum { BPF_F_USER_STACK = 1 << 8 };

/* Only whether the kernel has them matters. */
enum bpf_func_id {
	BPF_FUNC_task_pt_regs = 175,
};

/* Of the system call. */
enum {
#if defined(__TARGET_ARCH_x86)
	SCHED_YIELD = 24,
#else
	SCHED_YIELD = 124,
#endif
	SCHED_YIELD_32 = 158,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[0];
};

typedef struct {
	int counter;
} atomic_t;

struct list_head {
	struct list_head *next;
};

struct signal_struct {
	atomic_t live;
	struct list_head thread_head;
	int group_exit_code;
	unsigned int flags;
	unsigned long long sum_sched_runtime;
	unsigned long maxrss;
	int nr_threads;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct list_head cgrp_link;
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct list_head cgrp_links;
};

struct thread_info {
	unsigned long flags;
	__u32 status; /* x86 only */
	__u32 cpu;    /* x86 before 5.16 has it in the task */
};

/* Files, and where they are. */
struct qstr {
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node *next;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	void *mnt_ns;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct inode {
	__u16 i_mode;
};

struct file {
	unsigned int f_mode;
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path root;
	struct path pwd;
};

/* Sockets. */
struct net {
	struct ns_common ns;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct in6_addr {
	__u8 bytes[16];
};

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	unsigned short skc_family;
	volatile unsigned char skc_state;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
	unsigned long skc_flags;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
	__u16 sk_type;
	int sk_err;
	struct socket *sk_socket;
};

typedef enum { SS_FREE, SS_UNCONNECTED } socket_state;

struct socket {
	socket_state state;
	struct sock *sk;
};

struct trace_event_raw_inet_sock_set_state {
	const void *skaddr;
	int oldstate;
	int newstate;
};

/* Kernels that have an error call this tracepoint also when nothing was sent. */
struct trace_event_raw_tcp_retransmit_skb {
	const void *skbaddr;
	const void *skaddr;
	int err;
};

struct inet_sock {
	__be16 inet_sport;
};

struct tcp_sock {
	__u64 bytes_received;
	__u64 bytes_sent;
	__u64 bytes_retrans;
	__u32 total_retrans;
};

struct sk_buff {
	char cb[48];
};

struct tcp_skb_cb {
	__u16 tcp_gso_segs;
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
	unsigned long env_end;
};

struct sched_entity {
	__u64 sum_exec_runtime;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	struct mm_struct *mm;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	__u64 start_time;
	struct pid *thread_pid;
	struct css_set *cgroups;
	char comm[16];
	struct signal_struct *signal;
	unsigned int __state;
	int exit_code;
	struct sched_entity se;
	struct list_head thread_node;
	struct fs_struct *fs;
	struct files_struct *files;
};

/* As it was before 5.14, and before 5.16. */
struct task_struct___former {
	volatile long state;
	unsigned int cpu;
};

struct kernel_siginfo {
	int si_code;
};

/* What a thread runs next. */
struct linux_binprm {
	const char *filename;
};

/* Of a system call: its number. */
struct pt_regs {
	unsigned long orig_ax; /* on x86 */
	int syscallno;         /* on arm64, as the next */
	__u64 orig_x0;
};

struct trace_event_raw_sys_enter {
	long id;
	unsigned long args[6];
};

struct trace_event_raw_sys_exit {
	long ret;
};

#pragma clang attribute pop

/* What programs of perf's events are called with, and iterators, laid out for good. */
struct perf_event_context {
#if defined(__TARGET_ARCH_x86)
	__u64 registers[16], ip, cs, eflags, sp, ss;
#define IN_USER_MODE(context) ((context)->cs & 3)
#elif defined(__TARGET_ARCH_arm64)
	__u64 registers[31], sp, ip, pstate;
#define IN_USER_MODE(context) (!((context)->pstate & 15))
#endif
	__u64 sample_period, addr;
};

struct bpf_iter__task {
	void *meta;
	struct task_struct *task;
};

struct bpf_iter__task_file {
	void *meta;
	struct task_struct *task;
	__u64 fd;
	struct file *file;
};

#endif
