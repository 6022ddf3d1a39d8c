/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers and schema lines, taken apart and written. */
#include "part.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "message.h"
#include "number.h"
#include "packed.h"
#include "record_json.h"

enum { MAX_FORMAT = 4096 }; /* bytes of a schema's text form */

int tr_iso_time_parse(struct tr_string text, int64_t *ns)
{
	char buffer[40], *rest;
	struct tm tm = {0};
	int64_t fraction = 0, unit = 1000000000;
	time_t seconds;

	if (text.len >= sizeof(buffer))
		return -EINVAL;
	memcpy(buffer, text.bytes, text.len);
	buffer[text.len] = 0;
	rest = strptime(buffer, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest)
		return -EINVAL;
	if (*rest == '.')
		for (rest++; *rest >= '0' && *rest <= '9' && unit > 1; rest++) {
			unit /= 10;
			fraction += (*rest - '0') * unit;
		}
	seconds = timegm(&tm);
	/* beyond year 2262 nanoseconds do not fit */
	if (strcmp(rest, "Z") || seconds < 0 || seconds >= INT64_MAX / 1000000000)
		return -EINVAL;
	*ns = (int64_t)seconds * 1000000000 + fraction;
	return 0;
}

void tr_iso_time_format(char *text, int64_t ns)
{
	time_t seconds = ns / 1000000000;
	char digits[16];
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &tm);
	tr_u64_put(digits, 1000000000 + ns % 1000000000);
	text[n] = '.';
	memcpy(text + n + 1, digits + 1, 9);
	strcpy(text + n + 10, "Z");
}

/* A member's text: "" when there is none, NULL when it is no string or holds a zero byte. */
static char *member_text(struct tr_json_object *object, const char *key)
{
	const struct tr_json_value *v = object ? tr_json_get(object, key) : NULL;

	if (!v)
		return tr_xstrdup("");
	if (v->type != TR_JSON_STRING || memchr(v->string.bytes, 0, v->string.len))
		return NULL;
	return tr_xstrndup(v->string.bytes, v->string.len);
}

static struct tr_part_kind *kind_new(struct tr_part *part, const struct tr_kind *kind)
{
	struct tr_part_kind *k = tr_xcalloc(1, sizeof(*k));
	size_t bytes = kind->fixed_bytes + 3;

	k->part = part;
	k->kind = kind;
	k->first = 0x80 | (kind->number < TR_PACKED_ESCAPE ? kind->number : TR_PACKED_ESCAPE);
	if (kind->number >= TR_PACKED_ESCAPE)
		bytes += 2;
	k->line_bytes = kind->has_strings || bytes > 64 ? 0 : bytes;
	return k;
}

static void kind_free(struct tr_part_kind *k)
{
	if (!k)
		return;
	if (k->plan)
		k->plan_free(k->plan);
	if (k->selection)
		k->selection_free(k->selection);
	tr_record_json_free(k->json);
	tr_kind_release(&k->own);
	free(k);
}

/* "pid":[1234] */
static void take_targets(struct tr_part *part, struct tr_json_object *header)
{
	const struct tr_json_value *list = header ? tr_json_get(header, "pid") : NULL;
	struct tr_json_value pid;
	struct tr_string rest;

	if (!list || list->type != TR_JSON_ARRAY)
		return;
	for (rest = list->source; tr_json_array_next(header, &rest, &pid) == 1;)
		if (pid.type == TR_JSON_INT && !part->n_targets++)
			part->target_pid = pid.i;
}

struct tr_part *tr_part_new(struct tr_json_object *header)
{
	const struct tr_json_value *start = header ? tr_json_get(header, "start") : NULL;
	struct tr_part *part = tr_xcalloc(1, sizeof(*part));
	struct utsname uts;

	part->headless = !header;
	part->id = member_text(header, "id");
	part->host = member_text(header, "host");
	part->arch = member_text(header, "arch");
	part->kernel = member_text(header, "kernel");
	if (!part->id || !part->host || !part->arch || !part->kernel)
		goto bad;
	if (start && (start->type != TR_JSON_STRING ||
		      tr_iso_time_parse(start->string, &part->start_ns) < 0))
		goto bad;
	if (!*part->arch && !uname(&uts)) {
		free(part->arch);
		part->arch = tr_xstrdup(uts.machine);
	}
	part->calls = tr_syscalls_of(part->arch);
	take_targets(part, header);
	for (uint32_t i = 0; i < TR_N_BUILTIN; i++)
		if (tr_kind_builtin(i))
			part->low[i] = kind_new(part, tr_kind_builtin(i));
	return part;
bad:
	tr_part_free(part);
	return NULL;
}

void tr_part_free(struct tr_part *part)
{
	if (!part)
		return;
	for (size_t i = 0; i < TR_FIRST_YAML_KIND; i++)
		kind_free(part->low[i]);
	for (size_t i = 0; i < part->n_high; i++)
		kind_free(part->high[i]);
	for (size_t i = 0; i < part->n_lines; i++)
		free(part->lines[i].bytes);
	free(part->high);
	free(part->id);
	free(part->host);
	free(part->arch);
	free(part->kernel);
	free(part);
}

/* Where NUMBER stands in `high`, or would. */
static size_t high_index(const struct tr_part *part, uint32_t number)
{
	size_t lo = 0, hi = part->n_high;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (part->high[mid]->kind->number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct tr_part_kind *tr_part_find_kind(struct tr_part *part, uint32_t number)
{
	size_t i;

	if (number < TR_FIRST_YAML_KIND)
		return part->low[number];
	i = high_index(part, number);
	return i < part->n_high && part->high[i]->kind->number == number ? part->high[i] : NULL;
}

struct tr_part_kind *tr_part_next_kind(struct tr_part *part, struct tr_string type,
				       const struct tr_part_kind *after)
{
	for (uint32_t i = after ? after->kind->number + 1 : 0; i < TR_FIRST_YAML_KIND; i++)
		if (part->low[i] && tr_string_is(type, part->low[i]->kind->type))
			return part->low[i];
	for (size_t i = after ? high_index(part, after->kind->number + 1) : 0; i < part->n_high;
	     i++)
		if (tr_string_is(type, part->high[i]->kind->type))
			return part->high[i];
	return NULL;
}

struct tr_record_json *tr_part_kind_json(struct tr_part_kind *k)
{
	if (!k->json)
		k->json = tr_record_json_new(k->kind, k->part->calls);
	return k->json;
}

/* A string of the schema into a zero-ended name; -EINVAL when it can't be one. */
static int take_name(char *name, const struct tr_json_value *v)
{
	if (!v || v->type != TR_JSON_STRING || v->string.len > TR_MAX_NAME ||
	    memchr(v->string.bytes, 0, v->string.len))
		return -EINVAL;
	memcpy(name, v->string.bytes, v->string.len);
	name[v->string.len] = 0;
	return 0;
}

/* ["ts","time"] */
static int take_field(struct tr_field *field, struct tr_json_object *object,
		      struct tr_json_value *pair)
{
	struct tr_string rest = pair->source;
	struct tr_json_value name, type, more;

	*field = (struct tr_field){0};
	if (pair->type != TR_JSON_ARRAY || tr_json_array_next(object, &rest, &name) != 1 ||
	    take_name(field->name, &name) < 0 || tr_json_array_next(object, &rest, &type) != 1 ||
	    type.type != TR_JSON_STRING || tr_json_array_next(object, &rest, &more) != 0)
		return -EINVAL;
	return tr_field_parse_type(field, type.string.bytes, type.string.len);
}

static int take_roles(struct tr_json_object *schema, struct tr_field *fields, size_t n)
{
	for (int role = TR_R_key; role < TR_N_ROLES; role++) {
		const struct tr_json_value *v = tr_json_get(schema, tr_role_names[role]);
		size_t i;

		if (!v)
			continue;
		for (i = 0; i < n; i++)
			if (v->type == TR_JSON_STRING && tr_string_is(v->string, fields[i].name))
				break;
		if (i == n || fields[i].role != TR_R_none)
			return -EINVAL;
		fields[i].role = role;
	}
	return 0;
}

static int parse_schema(struct tr_kind *kind, struct tr_json_object *schema)
{
	const struct tr_json_value *number = tr_json_get(schema, "kind");
	const struct tr_json_value *list = tr_json_get(schema, "fields");
	const struct tr_json_value *format = tr_json_get(schema, "format");
	struct tr_field *fields = NULL;
	struct tr_json_value element;
	struct tr_string rest;
	char type[TR_MAX_NAME + 1], *text = NULL;
	size_t n = 0;

	if (take_name(type, tr_json_get(schema, "type")) < 0 || !number ||
	    number->type != TR_JSON_INT || number->i < 0 || number->i > TR_MAX_KIND ||
	    number->i == TR_PACKED_ESCAPE || !list || list->type != TR_JSON_ARRAY)
		return -EINVAL;
	if (format) {
		if (format->type != TR_JSON_STRING || format->string.len > MAX_FORMAT ||
		    memchr(format->string.bytes, 0, format->string.len))
			return -EINVAL;
		text = tr_xstrndup(format->string.bytes, format->string.len);
	}
	fields = tr_xcalloc(TR_MAX_FIELDS, sizeof(*fields));
	for (rest = list->source; tr_json_array_next(schema, &rest, &element) == 1; n++)
		if (n == TR_MAX_FIELDS || take_field(&fields[n], schema, &element) < 0)
			goto bad;
	if (take_roles(schema, fields, n) < 0 || tr_kind_init(kind, number->i, type, fields, n) < 0)
		goto bad;
	kind->format = text;
	return 0;
bad:
	free(fields);
	free(text);
	return -EINVAL;
}

int tr_part_add_schema(struct tr_part *part, struct tr_json_object *schema)
{
	struct tr_part_kind *k;
	struct tr_kind kind;
	size_t i;

	if (parse_schema(&kind, schema) < 0)
		return -EINVAL;
	k = tr_part_find_kind(part, kind.number);
	if (k) {
		bool same = tr_kind_equal(k->kind, &kind);

		tr_kind_release(&kind);
		return same ? 0 : -EINVAL;
	}
	if (part->n_high == TR_MAX_KINDS) {
		tr_kind_release(&kind);
		return -EINVAL;
	}
	k = kind_new(part, &kind);
	k->own = kind;
	k->kind = &k->own;
	if (kind.number < TR_FIRST_YAML_KIND) {
		part->low[kind.number] = k;
		return 1;
	}
	i = high_index(part, kind.number);
	part->high = tr_xrealloc(part->high, (part->n_high + 1) * sizeof(*part->high));
	memmove(part->high + i + 1, part->high + i, (part->n_high - i) * sizeof(*part->high));
	part->high[i] = k;
	part->n_high++;
	return 1;
}

static char *put(char *p, const char *text)
{
	return stpcpy(p, text);
}

char *tr_schema_write(char *p, const struct tr_kind *kind)
{
	char digits[TR_NUMBER_MAX];

	tr_u64_format(digits, kind->number);
	p = put(put(put(p, "{\"schema\":{\"kind\":"), digits), ",\"type\":\"");
	p = put(put(p, kind->type), "\"");
	for (int role = TR_R_key; role < TR_N_ROLES; role++)
		if (kind->role[role] >= 0) {
			p = put(put(put(p, ",\""), tr_role_names[role]), "\":\"");
			p = put(put(p, kind->fields[kind->role[role]].name), "\"");
		}
	p = put(p, ",\"fields\":[");
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];

		p = put(put(put(p, i ? ",[\"" : "[\""), f->name), "\",\"");
		p = put(p, tr_types[f->type].name);
		if (f->array) {
			tr_u64_format(digits, f->n);
			p = put(put(put(p, "["), digits), "]");
		}
		p = put(p, "\"]");
	}
	p = put(p, "]");
	if (kind->format) {
		p = put(p, ",\"format\":");
		p = tr_json_put_string(p, (struct tr_string){kind->format, strlen(kind->format)});
	}
	return put(p, "}}\n");
}
