/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON: parsing one line into its members. What a string holds is decoded in json_string.c. */
#include "json.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	MAX_DEPTH = 64,
	MANY_MEMBERS = 24, /* more are sorted to find equal keys */
};

struct parser {
	struct tr_json_object *object;
	const char *p, *end;
};

static void skip_space(struct parser *parser)
{
	while (parser->p < parser->end && (*parser->p == ' ' || *parser->p == '\t' ||
					   *parser->p == '\r' || *parser->p == '\n'))
		parser->p++;
}

/* Takes the character C after white space, or does not. */
static bool take(struct parser *parser, char c)
{
	skip_space(parser);
	if (parser->p == parser->end || *parser->p != c)
		return false;
	parser->p++;
	return true;
}

/* The place of a text's source in the arena, where it has room to be decoded. */
static char *arena_at(const struct parser *parser, const char *source)
{
	return parser->object->arena + (source - parser->object->text);
}

static int parse_string(struct parser *parser, struct tr_string *string)
{
	const char *start, *p;

	if (!take(parser, '"'))
		return -EINVAL;
	start = parser->p;
	p = tr_json_skip_plain(start, parser->end);
	if (p < parser->end && *p == '"') {
		*string = (struct tr_string){start, p - start};
		parser->p = p + 1;
		return 0;
	}
	string->bytes = arena_at(parser, start);
	p = tr_json_take_string(start, parser->end, arena_at(parser, start), parser->end - start,
				&string->len);
	if (!p)
		return -EINVAL;
	parser->p = p;
	return 0;
}

/* In the C locale, whatever the program's is. */
static double nearest_double(const char *text)
{
	static locale_t c_locale;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", NULL);
	return strtod_l(text, NULL, c_locale);
}

/* Skips digits, at least one; false when there is none. */
static bool skip_digits(struct parser *parser)
{
	const char *start = parser->p;

	while (parser->p < parser->end && *parser->p >= '0' && *parser->p <= '9')
		parser->p++;
	return parser->p > start;
}

/* A number's fraction and exponent, where it has them: 1 when it does, 0, or -EINVAL. */
static int skip_fraction(struct parser *parser)
{
	int found = 0;

	if (parser->p < parser->end && *parser->p == '.') {
		parser->p++;
		if (!skip_digits(parser))
			return -EINVAL;
		found = 1;
	}
	if (parser->p < parser->end && (*parser->p | 0x20) == 'e') {
		parser->p++;
		if (parser->p < parser->end && (*parser->p == '+' || *parser->p == '-'))
			parser->p++;
		if (!skip_digits(parser))
			return -EINVAL;
		found = 1;
	}
	return found;
}

static int parse_double(const struct parser *parser, const char *start, struct tr_json_value *value)
{
	char *copy = arena_at(parser, start);

	memcpy(copy, start, parser->p - start);
	copy[parser->p - start] = 0;
	value->type = TR_JSON_DOUBLE;
	value->d = nearest_double(copy);
	return isinf(value->d) ? -EINVAL : 0;
}

static int parse_number(struct parser *parser, struct tr_json_value *value)
{
	const char *start = parser->p, *digits;
	bool negative = *start == '-', over = false;
	uint64_t v = 0;
	int fraction;

	parser->p += negative;
	digits = parser->p;
	if (!skip_digits(parser) || (*digits == '0' && parser->p - digits > 1))
		return -EINVAL;
	for (const char *p = digits; p < parser->p; p++) {
		if (p - digits >= 19) /* the first nineteen always fit */
			over |= __builtin_mul_overflow(v, 10, &v) ||
				__builtin_add_overflow(v, *p - '0', &v);
		else
			v = v * 10 + (*p - '0');
	}
	fraction = skip_fraction(parser);
	if (fraction < 0)
		return fraction;
	if (fraction || over || (negative && v > 1ULL << 63))
		return parse_double(parser, start, value);
	value->type = !negative && v > INT64_MAX ? TR_JSON_UINT : TR_JSON_INT;
	value->u = negative ? -v : v;
	return 0;
}

static int parse_word(struct parser *parser, const char *word, struct tr_json_value *value)
{
	size_t len = strlen(word);

	if ((size_t)(parser->end - parser->p) < len || memcmp(parser->p, word, len))
		return -EINVAL;
	parser->p += len;
	value->type = *word == 'n' ? TR_JSON_NULL : TR_JSON_BOOL;
	value->boolean = *word == 't';
	return 0;
}

static int parse_object(struct parser *parser, int depth);
static int parse_array(struct parser *parser, int depth);

/* A value; one that contains others, which are checked, may nest DEPTH more levels. */
static int parse_value(struct parser *parser, int depth, struct tr_json_value *value)
{
	const char *start;
	int err;

	skip_space(parser);
	if (parser->p == parser->end)
		return -EINVAL;
	start = parser->p;
	switch (*start) {
	case '"':
		value->type = TR_JSON_STRING;
		err = parse_string(parser, &value->string);
		break;
	case '{':
		value->type = TR_JSON_OBJECT;
		err = parse_object(parser, depth);
		break;
	case '[':
		value->type = TR_JSON_ARRAY;
		err = parse_array(parser, depth);
		break;
	case 't': err = parse_word(parser, "true", value); break;
	case 'f': err = parse_word(parser, "false", value); break;
	case 'n': err = parse_word(parser, "null", value); break;
	default: err = parse_number(parser, value); break;
	}
	value->source = (struct tr_string){start, parser->p - start};
	return err;
}

static int parse_array(struct parser *parser, int depth)
{
	struct tr_json_value value;

	parser->p++;
	if (!depth)
		return -EINVAL;
	if (take(parser, ']'))
		return 0;
	do {
		if (parse_value(parser, depth - 1, &value))
			return -EINVAL;
	} while (take(parser, ','));
	return take(parser, ']') ? 0 : -EINVAL;
}

static int by_bytes(const void *a, const void *b)
{
	const struct tr_string *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->len);
}

static bool has_equal_keys(const struct tr_json_member *members, size_t n)
{
	struct tr_string *keys = tr_xcalloc(n, sizeof(*keys));
	bool equal = false;

	for (size_t i = 0; i < n; i++)
		keys[i] = members[i].key;
	qsort(keys, n, sizeof(*keys), by_bytes);
	for (size_t i = 1; i < n && !equal; i++)
		equal = !by_bytes(&keys[i - 1], &keys[i]);
	free(keys);
	return equal;
}

static bool has_key(const struct tr_json_object *object, size_t base, struct tr_string key)
{
	for (size_t i = base; i < object->n; i++)
		if (!by_bytes(&object->members[i].key, &key))
			return true;
	return false;
}

static void add_member(struct tr_json_object *object, const struct tr_json_member *member)
{
	if (object->n == object->n_max) {
		object->n_max = object->n_max ? 2 * object->n_max : 32;
		object->members =
			tr_xrealloc(object->members, object->n_max * sizeof(*object->members));
	}
	object->members[object->n++] = *member;
}

/* One of 64 bits; equal keys have equal ones. */
static uint64_t key_bit(struct tr_string key)
{
	unsigned char first = key.len ? key.bytes[0] : 0,
		      last = key.len ? key.bytes[key.len - 1] : 0;

	return 1ULL << ((first + 5 * last + 11 * key.len) & 63);
}

/* The members are left behind those that were there before. */
static int parse_members(struct parser *parser, int depth)
{
	struct tr_json_object *object = parser->object;
	size_t base = object->n;
	struct tr_json_member member;
	uint64_t bits = 0, bit;

	parser->p++;
	if (!depth)
		return -EINVAL;
	if (take(parser, '}'))
		return 0;
	do {
		if (parse_string(parser, &member.key) || !take(parser, ':') ||
		    parse_value(parser, depth - 1, &member.value))
			return -EINVAL;
		bit = key_bit(member.key);
		if (bits & bit && object->n - base < MANY_MEMBERS &&
		    has_key(object, base, member.key))
			return -EINVAL;
		bits |= bit;
		add_member(object, &member);
	} while (take(parser, ','));
	if (!take(parser, '}'))
		return -EINVAL;
	if (object->n - base > MANY_MEMBERS &&
	    has_equal_keys(object->members + base, object->n - base))
		return -EINVAL;
	return 0;
}

/* An object inside: its members are there only while it is checked. */
static int parse_object(struct parser *parser, int depth)
{
	size_t base = parser->object->n;
	int err = parse_members(parser, depth);

	parser->object->n = base;
	return err;
}

int tr_json_parse(struct tr_json_object *object, const char *text, size_t len)
{
	struct parser parser = {.object = object, .p = text, .end = text + len};

	object->n = 0;
	object->text = text;
	if (object->arena_max < len + 1) {
		object->arena_max = len + 1 < 4096 ? 4096 : len + 1;
		object->arena = tr_xrealloc(object->arena, object->arena_max);
	}
	skip_space(&parser);
	if (parser.p < parser.end && *parser.p == '{' && !parse_members(&parser, MAX_DEPTH)) {
		skip_space(&parser);
		if (parser.p == parser.end)
			return 0;
	}
	object->n = 0;
	return -EINVAL;
}

void tr_json_release(struct tr_json_object *object)
{
	free(object->members);
	free(object->arena);
	*object = (struct tr_json_object){0};
}

const struct tr_json_value *tr_json_get(const struct tr_json_object *object, const char *key)
{
	for (size_t i = 0; i < object->n; i++)
		if (tr_string_is(object->members[i].key, key))
			return &object->members[i].value;
	return NULL;
}

/* Skips an array or object that is known to be valid. */
static void skip_nested(struct parser *parser)
{
	int depth = 0;

	do {
		char c = *parser->p++;

		if (c == '[' || c == '{')
			depth++;
		else if (c == ']' || c == '}')
			depth--;
		else if (c == '"')
			for (; *parser->p++ != '"';)
				parser->p += parser->p[-1] == '\\';
	} while (depth);
}

int tr_json_array_next(struct tr_json_object *object, struct tr_string *rest,
		       struct tr_json_value *value)
{
	const char *end = rest->bytes + rest->len;
	struct parser parser = {.object = object, .p = rest->bytes, .end = end};

	/* REST begins with the bracket or comma before the next element, or is the last bracket. */
	if (take(&parser, ']'))
		return 0;
	parser.p++;
	if (take(&parser, ']'))
		return 0;
	skip_space(&parser);
	if (*parser.p == '[' || *parser.p == '{') {
		const char *start = parser.p;

		value->type = *start == '[' ? TR_JSON_ARRAY : TR_JSON_OBJECT;
		skip_nested(&parser);
		value->source = (struct tr_string){start, parser.p - start};
	} else if (parse_value(&parser, 0, value)) {
		return 0;
	}
	skip_space(&parser);
	*rest = (struct tr_string){parser.p, end - parser.p};
	return 1;
}
