/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of records of either form. */
#include "record_value.h"

#include "record_json.h"

static void take_packed(const struct tr_record_source *s, const struct tr_field *f,
			struct tr_record_value *v)
{
	v->known = !(s->flags & tr_field_null_flags(f));
	if (v->is_text)
		v->text = tr_field_text(s->kind, f, s->body, &v->len, &v->cut);
	else
		v->number = tr_field_int(f, s->body, 0);
}

static void take_member(const struct tr_record_source *s, const struct tr_field *f,
			struct tr_record_value *v)
{
	const struct tr_json_value *member = tr_json_get(s->object, f->name);
	struct tr_field alone = *f;
	unsigned char bytes[8];

	if (!member)
		return;
	if (v->is_text) {
		v->known = member->type == TR_JSON_STRING;
		v->text = member->string.bytes;
		v->len = v->known ? member->string.len : 0;
	} else if (!f->array && !tr_field_pack(f, s->calls, member, bytes)) {
		alone.offset = 0;
		v->known = true;
		v->number = tr_field_int(&alone, bytes, 0);
	}
}

struct tr_record_value tr_record_value(const struct tr_record_source *source,
				       const struct tr_field *field)
{
	struct tr_record_value v = {0};

	if (!field)
		return v;
	v.is_text = tr_types[field->type].class == TR_C_text;
	if (source->body)
		take_packed(source, field, &v);
	else
		take_member(source, field, &v);
	return v;
}
