/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our JSON parser against jansson: the same texts must be taken, with the same values. Where we
 * mean to differ (RFC 8259 allows either) the texts are left to tables of their own: numbers beyond
 * 64 bits, lone surrogates, \u0000 in keys, and how deep a text may nest.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

static bool oracle_same(struct tr_json_object *object, const struct tr_json_value *value,
			const json_t *theirs);

static inline bool oracle_same_array(struct tr_json_object *object,
				     const struct tr_json_value *value, const json_t *theirs)
{
	struct tr_string rest = value->source;
	struct tr_json_value element;
	size_t n = 0;

	for (; tr_json_array_next(object, &rest, &element); n++)
		if (n == json_array_size(theirs) ||
		    !oracle_same(object, &element, json_array_get(theirs, n)))
			return false;
	return n == json_array_size(theirs) && !tr_json_array_next(object, &rest, &element);
}

static inline bool oracle_same_members(struct tr_json_object *object, const json_t *theirs)
{
	if (object->n != json_object_size(theirs))
		return false;
	for (size_t i = 0; i < object->n; i++) {
		char *key = strndup(object->members[i].key.bytes, object->members[i].key.len);
		bool same = oracle_same(object, &object->members[i].value,
					json_object_get(theirs, key)) &&
			    tr_json_get(object, key) == &object->members[i].value;

		free(key);
		if (!same)
			return false;
	}
	return true;
}

static inline bool oracle_same_object(const struct tr_json_value *value, const json_t *theirs)
{
	struct tr_json_object inner = {0};
	bool same = !tr_json_parse(&inner, value->source.bytes, value->source.len) &&
		    oracle_same_members(&inner, theirs);

	tr_json_release(&inner);
	return same;
}

static inline bool oracle_same(struct tr_json_object *object, const struct tr_json_value *value,
			       const json_t *theirs)
{
	switch (value->type) {
	case TR_JSON_NULL: return json_is_null(theirs);
	case TR_JSON_BOOL: return json_is_boolean(theirs) && value->boolean == json_is_true(theirs);
	case TR_JSON_INT: return json_is_integer(theirs) && value->i == json_integer_value(theirs);
	case TR_JSON_UINT: return false; /* jansson refuses these */
	case TR_JSON_DOUBLE: return json_is_real(theirs) && value->d == json_real_value(theirs);
	case TR_JSON_STRING:
		return json_is_string(theirs) && value->string.len == json_string_length(theirs) &&
		       !memcmp(value->string.bytes, json_string_value(theirs), value->string.len);
	case TR_JSON_ARRAY:
		return json_is_array(theirs) && oracle_same_array(object, value, theirs);
	case TR_JSON_OBJECT: return json_is_object(theirs) && oracle_same_object(value, theirs);
	}
	return false;
}

/* Whether brackets may nest deeper than we take them; those in strings are counted as well. */
static inline bool oracle_is_deep(const char *text, size_t len)
{
	int depth = 0;

	for (size_t i = 0; i < len; i++)
		if (text[i] == '[' || text[i] == '{')
			depth++;
	return depth > 64;
}

/* Whether both take TEXT, and understand the same by it, or both refuse it. */
static inline bool oracle_agrees(struct tr_json_object *object, const char *text, size_t len)
{
	bool ours = !tr_json_parse(object, text, len), same;
	json_error_t error;
	json_t *theirs;

	/* A zero byte is nowhere allowed; jansson drops one that follows a number. */
	if (memchr(text, 0, len))
		return !ours;
	theirs = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	if (!theirs)
		return !ours || json_error_code(&error) == json_error_numeric_overflow ||
		       json_error_code(&error) == json_error_null_byte_in_key ||
		       strstr(error.text, "invalid Unicode");
	if (!ours)
		same = !json_is_object(theirs) || oracle_is_deep(text, len);
	else
		same = json_is_object(theirs) && oracle_same_members(object, theirs);
	json_decref(theirs);
	return same;
}

#endif
