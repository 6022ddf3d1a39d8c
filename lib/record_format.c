/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats as YAML files give them, filled with a record's values. */
#include "record_format.h"

#include "number.h"
#include "record_text.h"
#include "record_value.h"
#include "text.h"

enum { MAX_WIDTH = 64 };

struct value {
	bool is_number, is_signed;
	int64_t number;
	char text[TR_CELL_MAX]; /* as a table shows it */
	size_t len;
};

struct directive {
	const char *field;
	size_t field_len;
	const char *before, *after; /* of a printf's text, what stands around the verb */
	size_t before_len, after_len;
	bool left, plus, alternate, zeroes;
	unsigned width;
	char verb;
};

static char *put_text(char *p, const char *text, size_t len)
{
	return tr_text_terminal(p, text, len, 1);
}

static void no_value(struct value *value)
{
	*value = (struct value){.len = 1};
	value->text[0] = '?';
}

static bool is_number_type(const struct tr_field *f)
{
	enum tr_class class = tr_types[f->type].class;

	return !f->array && class != TR_C_text && class != TR_C_code && class != TR_C_flag;
}

static void take_number(const struct tr_record_source *s, const struct tr_field *f,
			struct value *value)
{
	struct tr_record_value v;

	if (!f || !is_number_type(f))
		return;
	v = tr_record_value(s, f);
	value->is_number = v.known;
	value->is_signed = tr_types[f->type].class == TR_C_sint;
	value->number = v.number;
}

static void take_packed(const struct tr_record_source *s, const struct tr_field *f,
			struct value *value)
{
	if (!f || s->flags & tr_field_null_flags(f)) {
		no_value(value);
		return;
	}
	take_number(s, f, value);
	value->len = tr_field_cell(value->text, s->kind, f, s->calls, s->body) - value->text;
}

static void take_member(const struct tr_record_source *s, const struct tr_field *f,
			const char *name, struct value *value)
{
	const struct tr_json_value *v = tr_json_get(s->object, name);
	struct tr_string text;

	if (!v || v->type == TR_JSON_NULL) {
		no_value(value);
		return;
	}
	take_number(s, f, value);
	text = v->type == TR_JSON_STRING ? v->string : v->source;
	if (text.len > (TR_CELL_MAX - 8) / 4)
		text.len = (TR_CELL_MAX - 8) / 4;
	value->len = put_text(value->text, text.bytes, text.len) - value->text;
}

static void take_value(const struct tr_record_source *s, const struct directive *d,
		       struct value *value)
{
	char name[TR_MAX_NAME + 1];
	const struct tr_field *f;

	if (d->field_len > TR_MAX_NAME) {
		no_value(value);
		return;
	}
	memcpy(name, d->field, d->field_len);
	name[d->field_len] = 0;
	f = tr_kind_field(s->kind, name, d->field_len);
	value->is_number = false;
	if (s->body)
		take_packed(s, f, value);
	else
		take_member(s, f, name, value);
}

/* A number's digits by the verb, sign and prefix apart. */
static size_t put_digits(char *p, char verb, uint64_t magnitude)
{
	size_t n = 0;

	if (verb == 'd')
		return tr_u64_put(p, magnitude) - p;
	if (verb == 'o') {
		char octal[24];

		do
			octal[n++] = '0' + (magnitude & 7);
		while (magnitude >>= 3);
		for (size_t i = 0; i < n; i++)
			p[i] = octal[n - 1 - i];
		return n;
	}
	n = tr_hex_put(p, magnitude) - p;
	for (size_t i = 0; verb == 'X' && i < n; i++)
		p[i] -= p[i] >= 'a' ? 'a' - 'A' : 0;
	return n;
}

static char *put_padding(char *p, char with, size_t len, unsigned width)
{
	for (; len < width; len++)
		*p++ = with;
	return p;
}

static char *put_number(char *p, const struct directive *d, const struct value *value)
{
	bool negative = value->is_signed && value->number < 0;
	uint64_t magnitude = negative ? -(uint64_t)value->number : (uint64_t)value->number;
	char digits[32], sign[4] = "";
	size_t n = put_digits(digits, d->verb, magnitude), len;

	if (negative || d->plus)
		strcpy(sign, negative ? "-" : "+");
	if (d->alternate && d->verb != 'd')
		strcat(sign, d->verb == 'o' ? "0" : d->verb == 'x' ? "0x" : "0X");
	len = strlen(sign) + n;
	if (!d->left && !d->zeroes)
		p = put_padding(p, ' ', len, d->width);
	p = stpcpy(p, sign);
	if (!d->left && d->zeroes)
		p = put_padding(p, '0', len, d->width);
	memcpy(p, digits, n);
	p += n;
	return d->left ? put_padding(p, ' ', len, d->width) : p;
}

static char *put_string(char *p, const struct directive *d, const char *text, size_t len)
{
	bool quoted = d->verb == 'q';
	size_t width = tr_text_width(text, len) + 2 * quoted;

	if (!d->left)
		p = put_padding(p, ' ', width, d->width);
	if (quoted)
		*p++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (quoted && text[i] == '"')
			*p++ = '\\';
		*p++ = text[i];
	}
	if (quoted)
		*p++ = '"';
	return d->left ? put_padding(p, ' ', width, d->width) : p;
}

/* The character that a number stands for, if it is ASCII: anything else is its number. */
static char *put_value(char *p, const struct directive *d, const struct value *value)
{
	char c = (char)value->number;
	bool is_ascii = value->number >= 0 && value->number < 0x80;

	if (value->is_number && strchr("dxXo", d->verb))
		return put_number(p, d, value);
	if (value->is_number && d->verb == 'c' && is_ascii) {
		char text[8];

		return put_string(p, d, text, put_text(text, &c, 1) - text);
	}
	return put_string(p, d, value->text, value->len);
}

/* "%-08x" with text around it: one verb. */
static bool take_verb(struct directive *d, const char *text, size_t len)
{
	const char *end = text + len, *percent = memchr(text, '%', len), *p;

	if (!percent)
		return false;
	d->before = text;
	d->before_len = percent - text;
	for (p = percent + 1; p < end && *p && strchr("-+#0 ", *p); p++) {
		d->left |= *p == '-';
		d->plus |= *p == '+';
		d->alternate |= *p == '#';
		d->zeroes |= *p == '0';
	}
	for (; p < end && *p >= '0' && *p <= '9' && d->width <= MAX_WIDTH; p++)
		d->width = 10 * d->width + (*p - '0');
	if (p == end || !strchr("dxXocsqv", *p) || d->width > MAX_WIDTH)
		return false;
	d->verb = *p++;
	d->after = p;
	d->after_len = end - p;
	return !memchr(d->after, '%', d->after_len);
}

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t");
}

/* What stands between {{ and }}. Returns what follows, or NULL where it is no directive. */
static const char *take_directive(struct directive *d, const char *p)
{
	*d = (struct directive){.verb = 'v', .before = "", .after = ""};
	p = skip_space(p);
	if (!strncmp(p, "printf", 6)) {
		const char *quote;

		p = skip_space(p + 6);
		if (*p++ != '"')
			return NULL;
		quote = strchr(p, '"');
		if (!quote || !take_verb(d, p, quote - p))
			return NULL;
		p = skip_space(quote + 1);
	}
	if (*p++ != '.')
		return NULL;
	d->field = p;
	d->field_len = strcspn(p, " \t}{");
	p = skip_space(p + d->field_len);
	return d->field_len && !strncmp(p, "}}", 2) ? p + 2 : NULL;
}

size_t tr_record_format_max(const char *format)
{
	size_t max = 4 * strlen(format) + 64;
	struct directive d;

	/* a value's text, each byte escaped and the quotes, or a width of padding */
	for (const char *p = format; (p = strstr(p, "{{")); p++)
		if (take_directive(&d, p + 2))
			max += 2 * TR_CELL_MAX + 2 * MAX_WIDTH;
	return max;
}

static char *fill(char *p, const char *format, const struct tr_record_source *source)
{
	while (*format) {
		size_t len = strcspn(format, "{");
		struct value value;
		struct directive d;
		const char *after;

		p = put_text(p, format, len);
		format += len;
		if (!*format)
			break;
		after = format[1] == '{' ? take_directive(&d, format + 2) : NULL;
		if (!after) {
			*p++ = *format++;
			continue;
		}
		take_value(source, &d, &value);
		p = put_text(p, d.before, d.before_len);
		p = put_value(p, &d, &value);
		p = put_text(p, d.after, d.after_len);
		format = after;
	}
	return p;
}

char *tr_record_format_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const unsigned char *body, unsigned flags)
{
	const struct tr_record_source source = {
		.kind = kind, .calls = calls, .body = body, .flags = flags};

	return fill(p, kind->format, &source);
}

char *tr_object_format_write(char *p, const struct tr_kind *kind, const struct tr_syscalls *calls,
			     const struct tr_json_object *object)
{
	const struct tr_record_source source = {.kind = kind, .calls = calls, .object = object};

	return fill(p, kind->format, &source);
}
