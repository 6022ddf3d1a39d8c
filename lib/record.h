/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a record kind is to the user side: its type name and its fields, each with type, role and
 * place in the packed body. The kinds of records.def are known at compile time; those of a stream's
 * schema lines are built by tr_kind_init().
 */
#ifndef TR_RECORD_H
#define TR_RECORD_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "layout.h"

enum {
	TR_MAX_LINE = 65536,     /* bytes of a line, with its newline */
	TR_MAX_FIELDS = 64,      /* of a kind */
	TR_MAX_NAME = 64,        /* bytes of a type's or field's name */
	TR_MAX_FIXED = 253,      /* bytes of a body's fixed part */
	TR_FIRST_YAML_KIND = 64, /* kinds from here need a schema line */
	TR_MAX_KIND = 65535,
};

#define TR_TYPE(name, c_type, bytes, class) TR_T_##name,
enum tr_type {
#include "types.def"
	TR_N_TYPES
};
#undef TR_TYPE

enum tr_class { TR_C_uint, TR_C_sint, TR_C_hex, TR_C_flag, TR_C_text, TR_C_code };

/* In the order in which a schema line names them. */
enum tr_role {
	TR_R_none,
	TR_R_key,
	TR_R_weight,
	TR_R_value,
	TR_R_sum,
	TR_R_max,
	TR_R_min,
	TR_R_errors,
	TR_R_lo,
	TR_R_hi,
	TR_N_ROLES
};

struct tr_type_info {
	const char *name; /* as schema lines spell it */
	uint8_t bytes;
	uint8_t class; /* enum tr_class */
};

/* Both are indexed by their enum. */
extern const struct tr_type_info tr_types[TR_N_TYPES];
extern const char *const tr_role_names[TR_N_ROLES];

struct tr_field {
	char name[TR_MAX_NAME + 1];
	uint8_t type;    /* enum tr_type */
	uint8_t role;    /* enum tr_role */
	uint8_t n;       /* elements; 1 unless the schema says T[n] */
	bool array;      /* T[n], also when n is 1: JSON shows an array */
	uint16_t offset; /* in the body */
};

struct tr_kind {
	uint32_t number;
	char type[TR_MAX_NAME + 1];
	const char *sentence; /* NULL for a schema's */
	uint16_t n_fields;
	uint16_t fixed_bytes;    /* of the body without what strings add */
	bool has_strings;        /* then the body goes on after the fixed part */
	int8_t role[TR_N_ROLES]; /* the field that has it, -1 where none has */
	struct tr_field *fields; /* n_fields of them */
	char *format;            /* the text form a YAML file gave, or NULL */
	const char *text;        /* of an event: how it reads, see event_text.h; NULL: it is none */
};

/* The kinds of records.def, indexed by number; those that do not exist have no fields. */
enum { TR_N_BUILTIN = 63 };
const struct tr_kind *tr_kind_builtin(uint32_t number); /* NULL when there is none */

/*
 * Fills KIND from its parts: the fields' names, types, roles, n and array are set, and this works
 * out offsets, sizes and roles. Takes FIELDS over (malloc'd) when it succeeds. Returns 0, or
 * -EINVAL when a limit above is broken, a name is not [A-Za-z0-9_.]+, is `type` or `why`, or stands
 * twice.
 */
int tr_kind_init(struct tr_kind *kind, uint32_t number, const char *type, struct tr_field *fields,
		 size_t n_fields);
void tr_kind_release(struct tr_kind *kind);
bool tr_kind_equal(const struct tr_kind *a, const struct tr_kind *b);

/* The field of that name, or NULL. */
const struct tr_field *tr_kind_field(const struct tr_kind *kind, const char *name, size_t len);
/* The number `ret`, or NULL. */
const struct tr_field *tr_kind_ret(const struct tr_kind *kind);
/* What the virtual field `errno` is worked out from, by tr_result_errno(); NULL: there is none. */
const struct tr_field *tr_kind_errno(const struct tr_kind *kind);

/* With which of a record's flags (enum tr_ring_flags) the field is null: ns, ret and an aggregate's
 * times with TR_NO_RESULT, ns alone with TR_NO_TIME, a bucket's upper bound with TR_NO_HI. */
unsigned tr_field_null_flags(const struct tr_field *field);

/* "u64", "pid", "u16[6]": sets type, n and array of FIELD. Returns 0 or -EINVAL. */
int tr_field_parse_type(struct tr_field *field, const char *text, size_t len);

/*
 * The value of an integer field's element I at BODY. Sign-extended for the signed types, so that
 * the bits of an unsigned one read as int64_t are its value modulo 2^64. Not for text.
 */
static inline int64_t tr_field_int(const struct tr_field *field, const unsigned char *body,
				   size_t i)
{
	const unsigned char *p = body + field->offset + i * tr_types[field->type].bytes;
	bool sign = tr_types[field->type].class == TR_C_sint;

	switch (tr_types[field->type].bytes) {
	case 8: {
		int64_t v;
		memcpy(&v, p, 8);
		return v;
	}
	case 4: {
		uint32_t v;
		memcpy(&v, p, 4);
		return sign ? (int32_t)v : (int64_t)v;
	}
	case 2: {
		uint16_t v;
		memcpy(&v, p, 2);
		return sign ? (int16_t)v : (int64_t)v;
	}
	default: return sign ? (int8_t)*p : (int64_t)*p;
	}
}

/*
 * The bytes of a text field (comm or str) in BODY, whose strings were checked by the reader; sets
 * LEN, and CUT when the string had been cut. A comm ends before its first zero byte.
 */
const char *tr_field_text(const struct tr_kind *kind, const struct tr_field *field,
			  const unsigned char *body, size_t *len, bool *cut);

/* The whole body's size when its fixed part says so and BYTES suffice, else 0. */
size_t tr_body_bytes(const struct tr_kind *kind, const unsigned char *body, size_t bytes);

#endif
