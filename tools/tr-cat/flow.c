/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events on their way. One stream takes the plain road. --sort reads all first: what is not a trace
 * again, or paced, is a second pass over what was sorted.
 */
#include "flow.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "signals.h"
#include "spill.h"

static int flush(void *out)
{
	tr_out_flush(out);
	return -1;
}

static bool needs_second_pass(const struct flow *flow)
{
	return flow->sorted && (flow->paced || !writer_keeps_trace(&flow->writer));
}

static int open_temporary(void)
{
	int fd = spill_open();

	if (fd < 0)
		tr_error("--sort: cannot make a temporary file: %s; TMPDIR can name another folder",
			 strerror(-fd));
	return fd;
}

/* The second pass reads as standard input what is not there yet. */
static int open_second(struct flow *flow)
{
	flow->second_fd = open_temporary();
	if (flow->second_fd < 0 || dup2(flow->second_fd, STDIN_FILENO) < 0)
		return -EINVAL;
	flow->second = tr_stream_new(NULL, 0);
	tr_stream_on_idle(flow->second, flush, flow->writer.out, flow->writer.out->fd);
	return 0;
}

static int open_sorter(struct flow *flow)
{
	enum format format = flow->writer.format == FORMAT_JSON && !needs_second_pass(flow)
				     ? FORMAT_JSON
				     : FORMAT_PACKED;
	int fd = open_temporary();

	if (fd < 0)
		return -EINVAL;
	flow->sorter = sorter_new(fd, format, flow->where.n > 0);
	return needs_second_pass(flow) ? open_second(flow) : 0;
}

int flow_open(struct flow *flow, char **names, size_t n)
{
	struct tr_out *out = flow->writer.out;

	flow->pace.out = out;
	flow->pace.one_line = flow->writer.stamp.one_line = flow->merged || flow->sorted;
	flow->writer.selects = flow->where.n > 0 && !flow->sorted;
	flow->second_fd = -1;
	if (flow->merged && !flow->sorted) {
		flow->merge = merge_new(names, n, &flow->where);
		merge_on_idle(flow->merge, flush, out, out->fd);
	} else {
		flow->stream = tr_stream_new(names, n);
		tr_stream_on_idle(flow->stream, flush, out, out->fd);
	}
	return flow->sorted ? open_sorter(flow) : 0;
}

static void write_event(struct flow *flow, const struct tr_event *event)
{
	if (flow->turns.n && writer_keeps_trace(&flow->writer))
		turns_enter(&flow->turns, flow->writer.out, event->part->slot,
			    event->type == TR_EVENT_RECORDS ? event->n : 1);
	writer_event(&flow->writer, event);
}

/* The event, each of its records when it is due. False when nobody waits for more. */
static bool write_paced(struct flow *flow, bool live, struct tr_event event, bool first)
{
	const struct tr_field *f =
		event.type == TR_EVENT_RECORDS ? moment_field(event.kind->kind) : NULL;
	size_t n = event.n;
	uint64_t ts;

	if (!f) {
		if (event.type != TR_EVENT_OTHER && moment_ts(event.object, &ts) &&
		    !pace_wait(&flow->pace, live, event.part, ts,
			       first && event.type == TR_EVENT_OBJECT))
			return false;
		write_event(flow, &event);
		return true;
	}
	for (event.n = 1; n--; event.bodies++, first = false) {
		ts = tr_field_int(f, *event.bodies, 0);
		if (!pace_wait(&flow->pace, live, event.part, ts, first))
			return false;
		write_event(flow, &event);
	}
	return true;
}

/* What is sorted is kept, all else goes out. False when nobody waits for more. */
static bool pass_on(struct flow *flow, const struct tr_event *event, bool live)
{
	bool first = !event->part->passed;

	if (event->type == TR_EVENT_RECORDS)
		event->part->passed += event->n;
	else
		event->part->passed += event->type == TR_EVENT_OBJECT;
	if (flow->sorter)
		return sorter_add(flow->sorter, event);
	if (flow->merge && writer_keeps_trace(&flow->writer)) {
		if (!turns_see(&flow->turns, event))
			return false;
		if (turns_keeps(event))
			return true;
	}
	if (flow->paced)
		return write_paced(flow, live, *event, first);
	write_event(flow, event);
	return true;
}

static void first_pass(struct flow *flow)
{
	const struct tr_out *out = flow->writer.out;
	struct tr_event event;
	bool live = false;

	do {
		if (flow->merge)
			merge_next(flow->merge, &event);
		else
			tr_where_next(&flow->where, flow->stream, &event);
		if (flow->paced)
			live = flow->merge ? merge_is_live(flow->merge)
					   : tr_stream_is_live(flow->stream);
	} while (event.type != TR_EVENT_END && !out->error && pass_on(flow, &event, live));
}

/* What was sorted, in the form that was asked for. */
static void second_pass(struct flow *flow)
{
	const struct tr_out *out = flow->writer.out;
	struct tr_event event;

	flow->pace.over = tr_interrupted();
	do
		tr_stream_next(flow->second, &event);
	while (event.type != TR_EVENT_END && !out->error && pass_on(flow, &event, false));
}

/* The sorted trace, to the file that the second pass reads. */
static enum tr_status write_temporary(struct flow *flow)
{
	struct tr_out temporary;
	enum tr_status status;

	tr_out_init(&temporary, flow->second_fd);
	status = sorter_write(flow->sorter, &temporary);
	if (tr_out_flush(&temporary) < 0 || lseek(flow->second_fd, 0, SEEK_SET) < 0) {
		tr_error(
			"--sort: cannot write a temporary file: %s; TMPDIR can name another folder",
			strerror(temporary.error));
		status = TR_FAILED;
	}
	tr_out_release(&temporary);
	return status;
}

enum tr_status flow_run(struct flow *flow)
{
	enum tr_status status = TR_DONE;

	first_pass(flow);
	if (flow->sorter && flow->second)
		status = write_temporary(flow);
	else if (flow->sorter)
		status = sorter_write(flow->sorter, flow->writer.out);
	sorter_free(flow->sorter);
	flow->sorter = NULL;
	if (flow->second && status == TR_DONE)
		second_pass(flow);
	writer_finish(&flow->writer);
	return status;
}

enum tr_status flow_finish(struct flow *flow)
{
	enum tr_status status =
		flow->merge ? merge_finish(flow->merge) : tr_stream_finish(flow->stream);

	return tr_where_finish(&flow->where) != TR_DONE ? TR_USAGE : status;
}

void flow_release(struct flow *flow)
{
	sorter_free(flow->sorter);
	merge_free(flow->merge);
	tr_stream_free(flow->stream);
	tr_stream_free(flow->second);
	if (flow->second_fd >= 0)
		close(flow->second_fd);
	turns_release(&flow->turns);
	writer_release(&flow->writer);
	tr_where_release(&flow->where);
}
