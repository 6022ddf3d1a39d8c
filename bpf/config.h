/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tr-attach tells the programs before they are loaded, and the numbers that both sides share.
 * Each structure is one constant of a program: the verifier drops what it does not ask for.
 */
#ifndef TR_CONFIG_H
#define TR_CONFIG_H

#include "layout.h"

/*
 * tr-attach's PID namespace, and where the kernel keeps a task's number in it. Found by
 * namespace.bpf.c, because each kernel type that a program names costs its loading 2 ms of
 * searching in the kernel's BTF, and hardly anybody needs these.
 */
struct tr_namespace {
	__u32 level;     /* how deep it is nested, 0: the initial one, and the rest is not used */
	__u32 inum;      /* its number */
	__u32 level_at;  /* in struct pid: its own level */
	__u32 number_at; /* in struct pid: its number at our level */
	__u32 ns_at;     /* in struct pid: its namespace there, a pointer */
	__u32 inum_at;   /* in a namespace: its number */
};

/* Who is traced; see target.h. */
struct tr_target_config {
	__u32 pid;      /* the only process, 0: see below */
	__u32 tid;      /* the only thread, 0: see below */
	__u32 n_ids;    /* ids of the map `ids`: one byte for each process, ... */
	__u32 tid_base; /* ... from here on one for each thread */
	__u32 cleared;  /* entry of the map that counts how many bytes were cleared */
	__u64 opened;   /* when the targets were looked up, by the monotonic clock; 0: no matter */
	struct tr_namespace ns;
	__u8 follow;   /* programs set and clear the bytes as threads come and go */
	__u8 only_pid; /* PID says it all, and the namespace is the initial one */
	__u8 all;      /* all but the processes whose byte is set */
	__u8 by_pid;   /* those of the processes whose byte is set ... */
	__u8 by_tid;   /* ... and of the threads; with `all`: those besides */
	__u8 fickle;   /* a thread may be traced when a call begins and not when it ends: with
			* threads, whose ids change when they call execve, and with conditions */
};

enum {
	TR_MAX_COMMS = 64,
	TR_MAX_UIDS = 64,
	TR_MAX_CGROUPS = 64, /* of each option */
	TR_MAX_CONTROLLERS = 32,
};

/*
 * Where the kernel keeps a task's cgroups of version 1, found by cgroups.bpf.c. (For version 2
 * there is a helper.)
 */
struct tr_cgroup_places {
	__u32 states_at;     /* in a css_set: a pointer to the state of each controller */
	__u32 links_at;      /* in a css_set: the list of its links to cgroups */
	__s32 linked_at;     /* from a link's place in that list: its cgroup, a pointer */
	__u32 cgroup_at;     /* in a state: its cgroup, a pointer */
	__u32 parent_at;     /* in a cgroup: the state of the one above, a pointer */
	__u32 node_at;       /* in a cgroup: its node in the file system, a pointer */
	__u32 node_id_at;    /* in a node: its number */
	__u32 root_at;       /* in a cgroup: its hierarchy, a pointer */
	__u32 root_id_at;    /* in a hierarchy: its number, 0 for version 2 */
	__u32 n_controllers; /* that this kernel knows, and the hierarchy that each is in: */
	__u32 hierarchies[TR_MAX_CONTROLLERS];
};

struct tr_cgroup {
	__u64 id;        /* not unique without the hierarchy */
	__u32 hierarchy; /* 0: of version 2, it stands in the map `cgroups` */
	__u32 state_at;  /* in a css_set: the state of a controller of its; 0: it has none */
};

/* The options that name cgroups. */
enum tr_cgroup_kind { TR_BY_CGROUP, TR_BY_CONTAINER, TR_N_CGROUP_KINDS };

/* What a thread must meet besides at each event, all of it; see conditions.h. */
struct tr_conditions {
	__u8 any;
	__u32 n_comms;                      /* its name is one of these, 0: any */
	__u32 n_uids;                       /* its real user id is one of these, 0: any */
	__u32 n_cgroups[TR_N_CGROUP_KINDS]; /* it is in or below one of these, 0: any */
	__u64 comms[TR_MAX_COMMS][2];
	__u32 uids[TR_MAX_UIDS];
	struct tr_cgroup cgroups[TR_N_CGROUP_KINDS][TR_MAX_CGROUPS];
	struct tr_cgroup_places places;
};

/* How records get out; see ring.h. */
struct tr_ring_config {
	__u32 rings;
	__u32 cpus_per_ring;
	__u32 wake_bytes; /* wake tr-attach when a ring holds more than this */
};

/* Why something was lost; tr-attach has the words. */
enum tr_lost {
	TR_LOST_RING,       /* no room in the ring buffer */
	TR_LOST_COUNTS,     /* no room for one more key in the map `keyed` */
	TR_LOST_STATE,      /* no memory to note a thread's call */
	TR_LOST_HISTOGRAMS, /* no histogram for one more key: the call is in the sums alone */
	TR_LOST_MESSAGES,   /* datagrams of one call beyond those that are looked at */
	TR_N_LOST = 8,      /* a cache line's worth of counters per CPU */
};

/*
 * System calls have rows: those of the native ABI with numbers below TR_ROWS_PER_ABI (no table is
 * longer; x32 has calls of its own up to 547), then as many of the 32-bit ABI and of x32. Numbers
 * that no table has are odd calls, which go by their code.
 */
enum {
	TR_ROWS_PER_ABI = 576,
	TR_N_ROWS = 3 * TR_ROWS_PER_ABI,
	TR_NO_ROW = TR_N_ROWS,
	TR_MAX_ODD = 16,         /* in a list */
	TR_MAX_ODD_CALLS = 1024, /* that are counted */
	TR_MAX_KEYS = 65536,     /* processes' calls that are counted in an interval */
	/* On kernels before 5.12. There each CPU has its own sums under a key. */
	TR_MAX_KEYS_OLD = 8192,
	TR_MAX_CALLS_UNDER_WAY = 65536,
};

/* A program of an object that sends events. */
struct tr_event_program {
	char name[16];
	__u64 kinds;           /* bit N: it is needed for records of kind N */
	__u64 with_conditions; /* and for these when targets must meet conditions */
	__u64 on_request;      /* of the kinds those that their class's name does not mean */
	__u8 before_follow;    /* it must see a process end before --follow forgets it */
	__u8 software;         /* it belongs to this event of perf's, not to a tracepoint */
	__u8 iterator;         /* it runs once, when all others are attached */
};

/* A system call that an object makes events of. Its place in the object's list, counted from 1, is
 * what the programs know it by. */
struct tr_event_call {
	char name[24]; /* without an ABI's: of every ABI that none before it names */
	__u64 kinds;   /* of which it may make records */
};

struct tr_event_config {
	__u64 kinds; /* bit N: records of kind N are wanted */
	__u32 page_bytes;
};

enum {
	TR_MAX_THREADS = 65536, /* whose time on and off a CPU is known */
	TR_MAX_ENDING = 4096,   /* processes, at the same time */
	TR_MAX_FAULTS = 8192,   /* likewise */
	TR_MAX_SOCKETS = 65536, /* TCP's, that belong to targets */
	TR_MAX_ATTEMPTS = 8192, /* connections that failed, which a program may ask about */
	TR_MAX_NOTED = 1024,    /* processes that use io_uring */
	TR_MAX_STRING = 4096,   /* bytes of a path, and of a program's arguments */
};

/* The system calls that are wanted. */
enum tr_call_choice { TR_CALLS_NONE, TR_CALLS_ALL, TR_CALLS_LISTED };

struct tr_call_list {
	__u8 choice;      /* enum tr_call_choice; what follows is for TR_CALLS_LISTED */
	__u8 odd_default; /* odd calls are wanted, but for those in odd[]; or the reverse */
	__u32 n_odd;
	__u32 odd[TR_MAX_ODD];
	__u64 rows[TR_N_ROWS / 64];
};

/* How calls are counted; see tally.h. */
struct tr_tally_config {
	__u32 cpus;       /* rows of an epoch are those of so many */
	__u32 histograms; /* that each CPU has */
	__u8 per_process; /* by key, not in rows */
	__u8 preemptible; /* the kernel may run a program for another thread amid one here */
};

/* What is known of a call's times in an interval; all zeroes before the first. */
struct tr_times {
	__u64 n; /* of calls that returned; what follows is theirs */
	__u64 errors;
	__u64 ns_total;
	__u64 ns_max;
	__u64 not_ns_min; /* the complement of the shortest time: this, too, only grows */
	__u64 never_returned;
};

/* The call CODE of process PID, or, as pid 0, of all of them. */
struct tr_keyed_key {
	__u32 pid;
	__u32 code;
	__u32 epoch;
};

struct tr_keyed {
	__u64 entered;
	struct tr_times times;
	struct tr_comm comm; /* of the process, when it got this key */
	__u64 histogram;     /* its number, from 1 up; 0: none yet */
};

/* Histograms; see latency.h. */
enum {
	TR_DEFAULT_HISTOGRAMS = 64,
	TR_MAX_HISTOGRAMS = TR_N_ROWS,
	TR_NONE_LEFT = TR_N_ROWS,
};

/* As in struct tr_keyed_key. */
struct tr_histogram_key {
	__u32 pid;
	__u32 code;
};

/*
 * Which arguments of a call are paths: their place from 1 up, TR_PATH_SHIFT bits each, 0 when there
 * is none. A call that replaces the program has its path elsewhere by the time it returns.
 */
enum { TR_PATH_SHIFT = 3, TR_PATH_MASK = 7, TR_PATH_EXEC = 1 << 6 };

struct tr_args_config {
	__u8 noted;  /* when a call is entered */
	__u8 wanted; /* in records */
	__u8 paths[TR_N_ROWS];
};

/*
 * Which stacks a record brings; see stacks.h. As many frames as the kernel gives at most, unless
 * its sysctl kernel.perf_event_max_stack is set to something else.
 */
enum {
	TR_MAX_FRAMES = 127,
	TR_DRAFTS =
		4, /* for each CPU: so many programs can be amid one, each interrupting another */
};

struct tr_stacks_config {
	__u8 user;
	__u8 kernel;
};

/* How many frames stand before this; 0: a stack could not be taken, or was not asked for. */
struct tr_stack_end {
	__u16 user;
	__u16 kernel;
	__u32 unused;
};

#endif
