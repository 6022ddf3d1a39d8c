/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop of tr-attach, and how records move through it. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "addresses.h"
#include "notes.h"
#include "pipeline.h"

#define MS 1000000ULL
#define S  (1000 * MS)

enum {
	DRAIN_MAX = 16384, /* records of a ring, before other things are looked at */
	MAX_EVENTS = 16,
};

static const uint64_t WINDOW = 20 * MS;   /* within which records are put in order */
static const uint64_t SETTLED = 1 * MS;   /* nobody writes any more what is older */
static const uint64_t PAUSE_MIN = 1 * MS; /* between looks at the rings */
static const uint64_t PAUSE_MAX = 50 * MS;
static const uint64_t SEARCH_GAP_MAX = 60 * S; /* between searches for the pipeline */

/* What an event is about: one of these, or FIRST_TARGET + i. */
enum { ABOUT_RING, ABOUT_SIGNAL, ABOUT_STDOUT, FIRST_TARGET };

static int watch(struct run *run, int fd, uint32_t events, uint32_t about)
{
	struct epoll_event event = {.events = events, .data.u32 = about};

	if (fd < 0 || !epoll_ctl(run->epoll_fd, EPOLL_CTL_ADD, fd, &event) || errno == EPERM)
		return 0; /* EPERM: a regular file, which never makes one wait */
	return -errno;
}

static void taken_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

int run_init(struct run *run, struct tracer *tracer)
{
	sigset_t set;

	run->tracer = tracer;
	taken_signals(&set);
	/* SIGINT is ignored behind a shell's &, and would not even be pending. (SIGHUP is ignored
	 * behind nohup, and stays so.) */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	run->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	run->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (run->epoll_fd < 0 || run->signal_fd < 0)
		return -errno;
	return watch(run, run->signal_fd, EPOLLIN, ABOUT_SIGNAL);
}

void run_release(struct run *run)
{
	if (run->epoll_fd >= 0)
		close(run->epoll_fd);
	if (run->signal_fd >= 0)
		close(run->signal_fd);
	run->epoll_fd = run->signal_fd = -1;
}

void run_let_signals_kill(struct run *run)
{
	struct signalfd_siginfo info;
	sigset_t set;

	/* Those that came for the same reason as the end that has begun. */
	while (read(run->signal_fd, &info, sizeof(info)) > 0)
		;
	taken_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void stop(struct run *run, enum why why)
{
	if (!run->done)
		run->why = why;
	run->done = true;
}

/* With a command, SIGINT is for it: it has got its own from the terminal. */
static void on_signal(struct run *run)
{
	struct command *command = &run->tracer->command;
	struct signalfd_siginfo info;

	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (!command->pid)
			stop(run, WHY_SIGNAL);
		else if (info.ssi_signo != SIGINT)
			kill(command->pid, info.ssi_signo);
		else if (++run->interrupts > 1)
			stop(run, WHY_SIGNAL);
	}
}

static void on_event(struct run *run, const struct epoll_event *event)
{
	uint32_t about = event->data.u32;

	if (about == ABOUT_RING)
		run->pause_ns = PAUSE_MIN;
	else if (about == ABOUT_SIGNAL)
		on_signal(run);
	else if (about != ABOUT_STDOUT)
		targets_end(&run->tracer->targets, about - FIRST_TARGET);
	else if (event->events & (EPOLLERR | EPOLLHUP))
		stop(run, WHY_OUTPUT);
}

static void write_addresses(struct tracer *t, const struct order_record *record)
{
	uint16_t kind = record->header.kind;
	unsigned char body[ADDRESSES_MAX];
	size_t bytes = addresses_write(body, tr_kind_builtin(kind), record->body);

	emit_record(&t->emit, kind, record->header.flags & ~TR_HAS_ADDRESSES, body, bytes);
}

static void write_record(struct tracer *t, struct order_record *record)
{
	const struct tr_ring_header *header = &record->header;
	struct tr_stack stack;

	if (header->kind == TR_NOTE_IO_URING) {
		notes_tell(record->body);
		return;
	}
	if (header->flags & TR_HAS_ADDRESSES) {
		write_addresses(t, record);
		return;
	}
	if (!(header->flags & TR_HAS_STACK)) {
		emit_record(&t->emit, header->kind, header->flags, record->body, header->bytes);
		return;
	}
	stacks_take(&t->stacks, record, &stack);
	emit_record_with_stack(&t->emit, header->kind, header->flags, record->body, header->bytes,
			       &stack);
}

/* Lets go what is older than LIMIT, as far as there is room for it. Is there more? */
static bool release_records(struct tracer *t, uint64_t limit)
{
	struct order_record *record;
	uint64_t ts;

	while ((record = order_first(&t->order, &ts)) && ts <= limit) {
		if (!emit_has_room(&t->emit))
			return true;
		write_record(t, record);
		order_drop_first(&t->order);
	}
	return false;
}

void run_tell_lost(struct tracer *t, bool with_skipped)
{
	const char *why;
	uint64_t n;

	while ((n = lost_next(&t->lost, with_skipped, &why)))
		emit_lost(&t->emit, n, why);
}

/* What processes have mapped by now, so that stacks find it. */
static void look_at_maps(struct tracer *t, uint64_t now)
{
	uint64_t oldest = now - WINDOW, ts;

	if (order_first(&t->order, &ts) && ts < oldest)
		oldest = ts;
	stacks_look(&t->stacks, now - SETTLED, oldest);
}

/* From the rings into the window, from the window into the buffer, from there to stdout. */
static void move_records(struct run *run)
{
	struct tracer *t = run->tracer;
	uint64_t let_go, now = emit_clock(), limit = now - WINDOW;
	size_t n = rings_drain(&t->rings, &t->order, DRAIN_MAX, &let_go);
	bool more;

	/* The window's memory is bounded, so under a flood its time is shorter. */
	run->is_full = let_go;
	if (let_go > limit)
		limit = let_go;
	if (n)
		run->pause_ns = PAUSE_MIN;
	else if (run->pause_ns < PAUSE_MAX)
		run->pause_ns *= 2;
	look_at_maps(t, now);
	do {
		more = release_records(t, limit);
		run_tell_lost(t, false);
		emit_write(&t->emit);
	} while (more && !t->emit.blocked && !t->emit.out.error);
}

void run_drain(struct tracer *t)
{
	uint64_t let_go;
	size_t n;

	stacks_look(&t->stacks, UINT64_MAX, 0);
	/* First all of the rings, so that all is in order; where the window has no room for them,
	 * it makes some. */
	do {
		n = rings_drain(&t->rings, &t->order, SIZE_MAX, &let_go);
		while (release_records(t, let_go))
			if (tr_out_flush(&t->emit.out))
				return;
	} while (n || let_go);
	while (release_records(t, UINT64_MAX))
		if (tr_out_flush(&t->emit.out))
			return;
}

static void on_interval(struct run *run)
{
	/* Who does not read gets the counts of several intervals as one. */
	if (!run->tracer->emit.blocked)
		for (const struct source *const *s = run->sources; *s; s++)
			if ((*s)->interval)
				(*s)->interval(run->tracer);
	run_tell_lost(run->tracer, true);
}

static void search_pipeline(struct run *run, uint64_t now)
{
	uint32_t pids[PIPELINE_MAX];

	targets_exclude(&run->tracer->targets, pids, pipeline_find(pids));
	run->next_search = now + run->search_gap;
	if (run->search_gap < SEARCH_GAP_MAX)
		run->search_gap *= 4;
}

/* What is due by the clock. */
static void on_time(struct run *run)
{
	struct tracer *t = run->tracer;
	uint64_t now = emit_clock();

	if (now >= run->end)
		stop(run, WHY_TIME);
	if (now >= run->next_interval) {
		on_interval(run);
		run->next_interval += t->settings.interval_ns;
		if (run->next_interval < now)
			run->next_interval = now + t->settings.interval_ns;
	}
	if (now >= run->next_search)
		search_pipeline(run, now);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How long nothing needs to be done unless an event comes, in ms rounded up; -1: for ever. */
static int time_to_wait(struct run *run)
{
	struct tracer *t = run->tracer;
	uint64_t now = emit_clock(), due = earlier(run->end, run->next_interval), ts;

	due = earlier(due, run->next_search);
	if (targets_need_looking(&t->targets))
		due = earlier(due, now + PAUSE_MAX);
	/* A reader who takes nothing more tells by an event when he does; up to then the window
	 * takes what it can. */
	if (t->rings.n && !(t->emit.blocked && run->is_full))
		due = earlier(due, now + run->pause_ns);
	if (!t->emit.blocked && run->pause_ns > PAUSE_MIN && order_first(&t->order, &ts))
		due = earlier(due, ts + WINDOW);
	if (due == UINT64_MAX)
		return -1;
	return due <= now ? 0 : (due - now + MS - 1) / MS;
}

/* Asks to be told when stdout takes more, or no longer. */
static void ask_for_room(struct run *run)
{
	struct emit *emit = &run->tracer->emit;
	struct epoll_event event = {.events = emit->blocked ? EPOLLOUT : 0,
				    .data.u32 = ABOUT_STDOUT};

	if (emit->blocked == run->waits_for_room)
		return;
	epoll_ctl(run->epoll_fd, EPOLL_CTL_MOD, emit->out.fd, &event);
	run->waits_for_room = emit->blocked;
}

static void look_around(struct run *run)
{
	struct tracer *t = run->tracer;

	command_reap(&t->command);
	if (t->command.ended || targets_all_ended(&t->targets))
		stop(run, WHY_TARGETS);
	if (emit_is_full(&t->emit))
		stop(run, WHY_RECORDS);
	if (t->emit.out.error)
		stop(run, WHY_OUTPUT);
}

static int watch_all(struct run *run)
{
	struct tracer *t = run->tracer;
	int err = watch(run, t->emit.out.fd, 0, ABOUT_STDOUT);

	/* Edge-triggered: an event when a program wakes us, none because there is something. */
	for (size_t i = 0; i < t->rings.n && !err; i++)
		err = watch(run, rings_fd(&t->rings, i), EPOLLIN | EPOLLET, ABOUT_RING);
	for (size_t i = 0; i < t->targets.n && !err; i++)
		err = watch(run, t->targets.list[i].pidfd, EPOLLIN, FIRST_TARGET + i);
	return err;
}

static void set_clocks(struct run *run)
{
	const struct settings *settings = &run->tracer->settings;
	uint64_t now = emit_clock();

	run->pause_ns = PAUSE_MIN;
	run->end = settings->duration_ns ? now + settings->duration_ns : UINT64_MAX;
	run->next_interval = now + settings->interval_ns;
	run->next_search = run->tracer->targets.config.all ? now + PAUSE_MAX : UINT64_MAX;
	run->search_gap = 4 * PAUSE_MAX;
}

int run_loop(struct run *run, const struct source *const *sources)
{
	int err = watch_all(run);

	run->sources = sources;
	set_clocks(run);
	while (!run->done && !err) {
		struct epoll_event events[MAX_EVENTS];
		int n;

		ask_for_room(run);
		n = epoll_wait(run->epoll_fd, events, MAX_EVENTS, time_to_wait(run));
		if (n < 0 && errno != EINTR)
			err = -errno;
		for (int i = 0; i < n; i++)
			on_event(run, &events[i]);
		move_records(run);
		on_time(run);
		look_around(run);
	}
	return err;
}
