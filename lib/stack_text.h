/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record's stack: the names of its frames, outermost first. JSON lines have it as an array in
 * that order; for people each frame has a line of its own beneath the record's, innermost first.
 */
#ifndef TR_STACK_TEXT_H
#define TR_STACK_TEXT_H

#include "json.h"

struct tr_stack {
	const struct tr_string *frames;
	size_t n;
};

/* The outermost frame of a stack that had more. */
#define TR_STACK_CUT "[cut]"

/*
 * Writes `["main","f"]`, as many of the inner frames as fit ROOM bytes, which the mark of those
 * that are left out must fit. Returns the end.
 */
char *tr_stack_json_write(char *p, const struct tr_stack *stack, size_t room);

/* The most bytes that tr_stack_text_write() can take. */
size_t tr_stack_text_max(const struct tr_stack *stack);
/* Writes the lines. Returns the end. */
char *tr_stack_text_write(char *p, const struct tr_stack *stack);

/* The same from ARRAY, a member of OBJECT. At most 4 bytes for each of its source. */
char *tr_stack_text_write_array(char *p, struct tr_json_object *object,
				const struct tr_json_value *array);

#endif
