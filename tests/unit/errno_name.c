/* SPDX-License-Identifier: GPL-2.0-only */
/* Results and error numbers: which are errors, their names, and the way back. */
#include "errno_name.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>

#include "check.h"
#include "record.h"
#include "record_json.h"
#include "result.h"

static void check_results(void)
{
	static const struct {
		int64_t ret;
		int errno_value;
		bool restart;
	} rows[] = {
		{0, 0, false},         {1, 0, false},         {-1, 1, false},
		{-511, 511, false},    {-512, 0, true},       {-513, 0, true},
		{-514, 0, true},       {-515, 0, true},       {-516, 0, true},
		{-517, 517, false},    {-4095, 4095, false},  {-4096, 0, false},
		{INT64_MIN, 0, false}, {INT64_MAX, 0, false}, {-4294967298, 0, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_INT(tr_result_errno(rows[i].ret), rows[i].errno_value);
		CHECK_INT(tr_result_is_error(rows[i].ret), rows[i].errno_value != 0);
		CHECK_INT(tr_result_is_restart(rows[i].ret), rows[i].restart);
	}
}

static void check_names(void)
{
	static const struct {
		int number;
		const char *name;
	} rows[] = {
		{EPERM, "EPERM"},
		{ENOENT, "ENOENT"},
		{EAGAIN, "EAGAIN"},
		{EOPNOTSUPP, "EOPNOTSUPP"},
		{EHWPOISON, "EHWPOISON"},
		{524, "ENOTSUPP"},
		{600, "600"},
		{-1, "-1"},
	};
	char name[TR_ERRNO_NAME_MAX];
	size_t len;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		len = tr_errno_name(rows[i].number, name);
		CHECK_BYTES(name, len, rows[i].name, strlen(rows[i].name));
		CHECK_INT(strlen(name), len);
	}
	/* each has a name of its own */
	for (int number = 1; number <= TR_MAX_ERRNO; number++) {
		len = tr_errno_name(number, name);
		CHECK_INT(tr_errno_find(name, len), number);
	}
	CHECK_INT(tr_errno_find("EWOULDBLOCK", 11), EAGAIN);
	CHECK_INT(tr_errno_find("EDEADLOCK", 9), EDEADLK);
	CHECK_INT(tr_errno_find("ENOTSUP", 7), EOPNOTSUPP);
	CHECK_INT(tr_errno_find("ENOEN", 5), 0);
	CHECK_INT(tr_errno_find("ENOENTX", 7), 0);
	CHECK_INT(tr_errno_find("", 0), 0);
	CHECK_INT(tr_errno_find("0", 1), 0);
}

static int object_errno(const char *text)
{
	struct tr_json_object object = {0};
	int number;

	CHECK_INT(tr_json_parse(&object, text, strlen(text)), 0);
	number = tr_object_errno(&object);
	tr_json_release(&object);
	return number;
}

static void check_fields(void)
{
	const struct tr_kind *call = tr_kind_builtin(TR_KIND_syscall);
	const struct tr_kind *count = tr_kind_builtin(TR_KIND_count);
	struct tr_field *fields = calloc(2, sizeof(*fields));
	struct tr_kind own;

	CHECK(tr_kind_errno(call) && tr_kind_errno(call) == tr_kind_ret(call));
	CHECK(!strcmp(tr_kind_errno(call)->name, "ret"));
	CHECK(!tr_kind_errno(count));
	fields[0] = (struct tr_field){.name = "ret", .type = TR_T_i64, .n = 1};
	fields[1] = (struct tr_field){.name = "errno", .type = TR_T_errno, .n = 1};
	CHECK_INT(tr_kind_init(&own, 64, "own", fields, 2), 0);
	CHECK(tr_kind_ret(&own) == &fields[0]);
	CHECK(!tr_kind_errno(&own));
	tr_kind_release(&own);
	CHECK_INT(object_errno("{\"ret\":-2}"), 2);
	CHECK_INT(object_errno("{\"ret\":-512}"), 0);
	CHECK_INT(object_errno("{\"ret\":null}"), 0);
	CHECK_INT(object_errno("{\"ret\":-2.0}"), 0);
	CHECK_INT(object_errno("{}"), 0);
}

int main(void)
{
	check_results();
	check_names();
	check_fields();
	return check_status();
}
