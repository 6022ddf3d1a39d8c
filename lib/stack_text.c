/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks as arrays and as lines. */
#include "stack_text.h"

#include <string.h>

#include "text.h"

static const char indent[] = "    ";

/* At most as many bytes of a JSON line, with quotes and comma. */
static size_t json_max(struct tr_string frame)
{
	const char *end = frame.bytes + frame.len;
	bool plain = tr_json_skip_plain(frame.bytes, end) == end;

	return (plain ? frame.len : 6 * frame.len) + 3;
}

/* The outermost frame that fits, from the innermost on. */
static size_t first_that_fits(const struct tr_stack *stack, size_t room)
{
	size_t used = sizeof("[\"" TR_STACK_CUT "\",]"), first = stack->n;

	while (first && used + json_max(stack->frames[first - 1]) <= room)
		used += json_max(stack->frames[--first]);
	return first;
}

char *tr_stack_json_write(char *p, const struct tr_stack *stack, size_t room)
{
	size_t first = first_that_fits(stack, room);

	*p++ = '[';
	if (first)
		p = stpcpy(p, "\"" TR_STACK_CUT "\",");
	for (size_t i = first; i < stack->n; i++) {
		p = tr_json_put_string(p, stack->frames[i]);
		*p++ = ',';
	}
	p[-1 + !stack->n] = ']';
	return p + !stack->n;
}

size_t tr_stack_text_max(const struct tr_stack *stack)
{
	size_t max = 0;

	for (size_t i = 0; i < stack->n; i++)
		max += strlen(indent) + 4 * stack->frames[i].len + 1;
	return max;
}

static char *put_line(char *p, struct tr_string frame)
{
	p = tr_text_terminal(stpcpy(p, indent), frame.bytes, frame.len, 1);
	*p++ = '\n';
	return p;
}

char *tr_stack_text_write(char *p, const struct tr_stack *stack)
{
	for (size_t i = stack->n; i-- > 0;)
		p = put_line(p, stack->frames[i]);
	return p;
}

static void reverse(char *from, char *to)
{
	while (from < to) {
		char byte = *from;

		*from++ = *--to;
		*to = byte;
	}
}

/* Of lines turned round as a whole, then each, the last comes first. */
static void reverse_lines(char *from, char *to)
{
	reverse(from, to);
	while (from < to) {
		char *next = memchr(from + 1, '\n', to - from - 1);

		if (!next)
			next = to;
		reverse(from, next);
		from = next;
	}
}

char *tr_stack_text_write_array(char *p, struct tr_json_object *object,
				const struct tr_json_value *array)
{
	struct tr_string rest = array->source;
	struct tr_json_value v;
	char *lines = p;

	while (tr_json_array_next(object, &rest, &v) > 0)
		p = put_line(p, v.type == TR_JSON_STRING ? v.string : v.source);
	reverse_lines(lines, p);
	return p;
}
