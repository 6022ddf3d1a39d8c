/* SPDX-License-Identifier: GPL-2.0-only */
/* Files: which are opened, created, renamed, linked and removed, by their whole paths; and, when
 * asked for by name, how much is read and written, and how long that takes. */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "event_call.h"
#include "follow.h"
#include "io_uring.h"
#include "joined.h"
#include "state.h"

char LICENSE[] SEC("license") = "GPL";

enum calls {
	OPEN = 1,
	OPENAT,
	OPENAT2,
	CREAT,
	MKNOD,
	MKNODAT,
	RENAME,
	RENAMEAT,
	RENAMEAT2,
	LINK,
	LINKAT,
	SYMLINK,
	SYMLINKAT,
	UNLINK,
	UNLINKAT,
	RMDIR,
	MKDIR,
	MKDIRAT,
	FIRST_READ,
	FIRST_WRITE = FIRST_READ + 5,
	FIRST_COPY = FIRST_WRITE + 5,
	FIRST_BACKWARD = FIRST_COPY + 2,
	LAST_IO = FIRST_BACKWARD + 1,
	IO_URING,
	IO_URING_SETUP,
};

#define OPENS (KIND(open) | KIND(create))
#define NAMES                                                                                      \
	(OPENS | KIND(rename) | KIND(link) | KIND(symlink) | KIND(unlink) | KIND(rmdir) |          \
	 KIND(mkdir))

const volatile struct tr_event_call event_calls[] = {
	[OPEN - 1] = {"open", OPENS},
	[OPENAT - 1] = {"openat", OPENS},
	[OPENAT2 - 1] = {"openat2", OPENS},
	[CREAT - 1] = {"creat", OPENS},
	[MKNOD - 1] = {"mknod", KIND(create)},
	[MKNODAT - 1] = {"mknodat", KIND(create)},
	[RENAME - 1] = {"rename", KIND(rename)},
	[RENAMEAT - 1] = {"renameat", KIND(rename)},
	[RENAMEAT2 - 1] = {"renameat2", KIND(rename)},
	[LINK - 1] = {"link", KIND(link)},
	[LINKAT - 1] = {"linkat", KIND(link)},
	[SYMLINK - 1] = {"symlink", KIND(symlink)},
	[SYMLINKAT - 1] = {"symlinkat", KIND(symlink)},
	[UNLINK - 1] = {"unlink", KIND(unlink)},
	[UNLINKAT - 1] = {"unlinkat", KIND(unlink) | KIND(rmdir)},
	[RMDIR - 1] = {"rmdir", KIND(rmdir)},
	[MKDIR - 1] = {"mkdir", KIND(mkdir)},
	[MKDIRAT - 1] = {"mkdirat", KIND(mkdir)},
	[FIRST_READ - 1] = {"read", KIND(io)},
	{"pread64", KIND(io)},
	{"readv", KIND(io)},
	{"preadv", KIND(io)},
	{"preadv2", KIND(io)},
	[FIRST_WRITE - 1] = {"write", KIND(io)},
	{"pwrite64", KIND(io)},
	{"writev", KIND(io)},
	{"pwritev", KIND(io)},
	{"pwritev2", KIND(io)},
	[FIRST_COPY - 1] = {"copy_file_range", KIND(io)},
	{"splice", KIND(io)},
	[FIRST_BACKWARD - 1] = {"sendfile", KIND(io)},
	{"sendfile64", KIND(io)},
	[IO_URING - 1] = {"io_uring_enter", NAMES | KIND(io)},
	[IO_URING_SETUP - 1] = {"io_uring_setup", NAMES | KIND(io)},
};

const volatile struct tr_event_program event_programs[] = {
	{.name = "on_return", .kinds = NAMES | KIND(io), .on_request = KIND(io)},
	{.name = "on_io", .kinds = KIND(io), .on_request = KIND(io)},
};

/* Of a file: it was created when it was opened. */
enum { FMODE_CREATED = 1 << 20 };
enum { O_WRONLY = 1, O_CREAT = 0100, O_TRUNC = 01000, O_TMPFILE = 020000000, AT_REMOVEDIR = 0x200 };

/* What a call asks for, wherever its arguments have it. */
struct request {
	struct given path, second;
	__u32 flags, mode;
};

/* The path that leads to the file that was opened, else the one that was given. */
static __always_inline __u32 put_opened(struct path_room *room, struct returned *r,
					const struct given *given, struct file *file,
					bool *as_given)
{
	int end = file ? walk_from(place_of(file)) : INTERNAL;

	*as_given = end == INTERNAL || end & DELETED;
	return *as_given ? put_joined(room, r->task, given, TR_BYTES_open)
			 : put_walked(room, TR_BYTES_open);
}

/* A record of kind NAME with what all have, in ROOM. */
#define FILE_BEGIN(name, room, r)                                                                  \
	({                                                                                         \
		struct tr_##name *begun = ROOM_BEGIN(name, room);                                  \
		begun->ts = (r)->now;                                                              \
		begun->ret = (r)->ret;                                                             \
		PUT_WHO(begun, (r)->task);                                                         \
		begun;                                                                             \
	})

/* The bytes of a string whose length in a record is LEN. */
static __always_inline __u32 bytes_of(__u32 len)
{
	len &= ~STR_CUT;
	return len > TR_MAX_STRING ? TR_MAX_STRING : len;
}

static __always_inline void send_open(struct path_room *room, struct returned *r,
				      const struct request *request, bool opens)
{
	struct file *file = opens ? file_of(r->task, r->ret) : NULL;
	bool created = !opens || (file && BPF_CORE_READ(file, f_mode) & FMODE_CREATED), as_given;
	struct tr_open *record;

	if (!wants(created ? KIND(create) : KIND(open)))
		return;
	record = FILE_BEGIN(open, room, r);
	if (created)
		room->header.kind = TR_KIND_create;
	record->flags = request->flags;
	record->mode = request->mode;
	record->path = put_opened(room, r, &request->path, file, &as_given);
	record->as_given = as_given;
	room_send(room, TR_BYTES_open, bytes_of(record->path), r->now);
}

static __always_inline void send_rename(struct path_room *room, struct returned *r,
					const struct request *request, __u16 kind)
{
	struct tr_rename *record = FILE_BEGIN(rename, room, r);
	__u32 n;

	room->header.kind = kind;
	record->flags = request->flags;
	record->path = put_joined(room, r->task, &request->path, TR_BYTES_rename);
	n = bytes_of(record->path);
	record->new_path = put_joined(room, r->task, &request->second, TR_BYTES_rename + n);
	room_send(room, TR_BYTES_rename, n + bytes_of(record->new_path), r->now);
}

static __always_inline void send_symlink(struct path_room *room, struct returned *r,
					 const struct request *request)
{
	struct tr_symlink *record = FILE_BEGIN(symlink, room, r);
	__u32 n;

	record->path = put_joined(room, r->task, &request->path, TR_BYTES_symlink);
	n = bytes_of(record->path);
	record->target = put_given(room->record + TR_BYTES_symlink + n, 0, request->second.name);
	room_send(room, TR_BYTES_symlink, n + bytes_of(record->target), r->now);
}

static __always_inline void send_unlink(struct path_room *room, struct returned *r,
					const struct request *request, __u16 kind)
{
	struct tr_unlink *record = FILE_BEGIN(unlink, room, r);

	if (!wants(1ULL << kind))
		return;
	room->header.kind = kind;
	record->path = put_joined(room, r->task, &request->path, TR_BYTES_unlink);
	room_send(room, TR_BYTES_unlink, bytes_of(record->path), r->now);
}

static __always_inline void send_mkdir(struct path_room *room, struct returned *r,
				       const struct request *request)
{
	struct tr_mkdir *record = FILE_BEGIN(mkdir, room, r);

	record->mode = request->mode;
	record->path = put_joined(room, r->task, &request->path, TR_BYTES_mkdir);
	room_send(room, TR_BYTES_mkdir, bytes_of(record->path), r->now);
}

static __always_inline struct given given(__u64 dir, __u64 name)
{
	return (struct given){dir, (const void *)name};
}

/* struct open_how of openat2(2). */
static __always_inline void read_how(struct request *request, __u64 from)
{
	__u64 how[2] = {0};

	bpf_probe_read_user(how, sizeof(how), (const void *)from);
	request->flags = how[0];
	request->mode = how[1];
}

static __always_inline struct request open_request(const __u64 *args, __u32 which)
{
	struct request request = {.path = given(AT_FDCWD, args[0])};

	switch (which) {
	case OPEN:
		request.flags = args[1];
		request.mode = args[2];
		break;
	case CREAT:
		request.flags = O_CREAT | O_WRONLY | O_TRUNC;
		request.mode = args[1];
		break;
	case OPENAT:
		request.path = given(args[0], args[1]);
		request.flags = args[2];
		request.mode = args[3];
		break;
	default: request.path = given(args[0], args[1]); read_how(&request, args[2]);
	}
	if (!(request.flags & (O_CREAT | O_TMPFILE)))
		request.mode = 0; /* whatever the register had */
	return request;
}

static __always_inline void made_open(struct path_room *room, struct returned *r, __u32 which)
{
	struct request request = open_request(r->args, which);

	send_open(room, r, &request, true);
}

static __always_inline void made_node(struct path_room *room, struct returned *r, bool at)
{
	const __u64 *a = r->args;
	struct request request = {.path = at ? given(a[0], a[1]) : given(AT_FDCWD, a[0]),
				  .mode = at ? a[2] : a[1]};

	send_open(room, r, &request, false);
}

static __always_inline void made_rename(struct path_room *room, struct returned *r, __u32 which)
{
	const __u64 *a = r->args;
	bool at = which != RENAME && which != LINK;
	struct request request = {
		.path = at ? given(a[0], a[1]) : given(AT_FDCWD, a[0]),
		.second = at ? given(a[2], a[3]) : given(AT_FDCWD, a[1]),
		.flags = which == RENAMEAT2 || which == LINKAT ? a[4] : 0,
	};

	send_rename(room, r, &request,
		    which == LINK || which == LINKAT ? TR_KIND_link : TR_KIND_rename);
}

static __always_inline void made_symlink(struct path_room *room, struct returned *r, bool at)
{
	const __u64 *a = r->args;
	struct request request = {.path = at ? given(a[1], a[2]) : given(AT_FDCWD, a[1]),
				  .second = given(0, a[0])};

	send_symlink(room, r, &request);
}

static __always_inline void made_unlink(struct path_room *room, struct returned *r, __u32 which)
{
	const __u64 *a = r->args;
	struct request request = {.path = which == UNLINKAT ? given(a[0], a[1])
							    : given(AT_FDCWD, a[0])};
	bool dir = which == RMDIR || (which == UNLINKAT && a[2] & AT_REMOVEDIR);

	send_unlink(room, r, &request, dir ? TR_KIND_rmdir : TR_KIND_unlink);
}

static __always_inline void made_mkdir(struct path_room *room, struct returned *r, bool at)
{
	const __u64 *a = r->args;
	struct request request = {.path = at ? given(a[0], a[1]) : given(AT_FDCWD, a[0]),
				  .mode = at ? a[2] : a[1]};

	send_mkdir(room, r, &request);
}

static __always_inline int enters(long id)
{
	struct task_struct *task = current_task();
	struct call *call;
	__u32 row;

	if (!traced(task))
		return 0;
	row = call_row(call_code(task, id));
	if (row >= TR_N_ROWS || cfg_event_calls[row] < FIRST_READ || cfg_event_calls[row] > LAST_IO)
		return 0;
	call = call_begin(task);
	if (call)
		call->start = bpf_ktime_get_ns();
	else
		count_lost(TR_LOST_STATE);
	return 0;
}

SEC("tp_btf/sys_enter")
int on_io(__u64 *ctx)
{
	return enters(ctx[1]);
}

#ifndef TR_OLD_KERNEL

SEC("tp/raw_syscalls/sys_enter")
int on_io_tp(struct trace_event_raw_sys_enter *ctx)
{
	return enters(ctx->id);
}

#endif

static __always_inline void send_io(struct path_room *room, struct returned *r, __s32 fd, __u64 ns,
				    bool writes)
{
	struct file *file = file_of(r->task, fd);
	struct tr_io *record;
	__u32 n;

	if (!file || (walk_from(place_of(file)) & ~DELETED) == INTERNAL)
		return;
	record = FILE_BEGIN(io, room, r);
	n = put_walked(room, TR_BYTES_io);
	record->ns = ns;
	record->bytes = r->ret > 0 ? r->ret : 0;
	record->fd = fd;
	if (writes)
		PUT_WORD(&record->op, "write");
	else
		PUT_WORD(&record->op, "read");
	record->path = n;
	room_send(room, TR_BYTES_io, n, r->now);
}

/* Of one that was under way when tracing began nobody knows how long it took: it is not sent. */
static __always_inline void made_io(struct path_room *room, struct returned *r, __u32 which)
{
	struct call of_old_kernels;
	__u64 start;

	if (!call_end(r->task, &of_old_kernels, &start))
		return;
	if (which < FIRST_COPY) {
		send_io(room, r, r->args[0], r->now - start, which >= FIRST_WRITE);
	} else {
		bool back = which >= FIRST_BACKWARD; /* to what, from what */

		send_io(room, r, back ? r->args[1] : r->args[0], r->now - start, false);
		send_io(room, r, back ? r->args[0] : r->args[2], r->now - start, true);
	}
}

static __always_inline void made_call(struct returned *r, __u32 which)
{
	struct path_room *room = path_room();

	if (!room)
		return;
	if (which <= CREAT)
		made_open(room, r, which);
	else if (which <= MKNODAT)
		made_node(room, r, which == MKNODAT);
	else if (which <= LINKAT)
		made_rename(room, r, which);
	else if (which <= SYMLINKAT)
		made_symlink(room, r, which == SYMLINKAT);
	else if (which <= RMDIR)
		made_unlink(room, r, which);
	else if (which <= MKDIRAT)
		made_mkdir(room, r, which == MKDIRAT);
	else if (which <= LAST_IO)
		made_io(room, r, which);
	else
		note_io_uring(r);
}
