/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions mean the same in the kernel as here: random ones over random calls, by bpf/where.h
 * and by lib/expr_run.c; and those that a random one hardly ever is. Exits 77 where no BPF program
 * may be loaded.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../tools/tr-attach/where.h"
#include "check.h"
#include "message.h"
#include "syscalls.h"
#include "where_record.h"

/* Has types from where_record.h. */
#include "where.skel.h"

enum { EXPRESSIONS = 700, SKIPPED = 77, CUT = 0x8000 };

/* A call in both forms. */
static struct where_record calls[WHERE_RECORDS];
static unsigned char bodies[WHERE_RECORDS][1024];
static struct tr_json_object objects[WHERE_RECORDS];
static char texts[WHERE_RECORDS][4096]; /* of the objects */
static int records_fd, scratch_fd;

static const char *const names[] = {"read",           "openat",     "i386:read",
				    "syscall_999",    "syscall_-1", "i386:syscall_7654321",
				    "syscall_100000", "getppid",    "syscall_out_of_range",
				    "x32:read",       "syscall_600"};
static const char *const words[] = {
	"", "a", "ab", "abc", "bash", "read", "x*y", "aXb", "ab/ab/abc.conf", "fifteen letters"};
static const char *const globs[] = {
	"*",     "a*",     "?",     "*b",   "a?b", "*e*",        "open??",     "*:*",           "",
	"*a*b*", "*.conf", "*_9*9", "*_*0", "*-1", "ab*ab*abc*", "*?????????", "syscall_?????*"};
#define PICK(array) (array)[check_random() % (sizeof(array) / sizeof((array)[0]))]

/* An expression is written from the outside in; each operator costs. */
static char text[1 << 16], *end;
static int budget, strings, patterns;

static void put(const char *format, const char *word)
{
	end += sprintf(end, format, word);
}

static void put_number(int depth)
{
	static const char *const ops[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
	static const char *const fields[] = {"ns",      "ret",     "pid",     "tid",   "args[0]",
					     "args[1]", "args[2]", "args[5]", "errno", "ENOENT"};

	if (depth && budget-- > 0) {
		bool unary = check_random() % 6 == 0;

		put(unary ? "(-" : "(%s", "");
		put_number(depth - 1);
		if (!unary) {
			put(" %s ", PICK(ops));
			put_number(depth - 1);
		}
		put(")%s", "");
	} else if (check_random() % 3) {
		put("%s", PICK(fields));
	} else {
		uint64_t n = check_random() % 2 ? check_random_sized() : check_random() % 4;

		end += sprintf(end, "%llu", (unsigned long long)n);
	}
}

static void put_text_condition(void)
{
	static const char *const fields[] = {"comm", "path", "path2"};

	switch (check_random() % 5) {
	case 0:
		put("syscall %s ", check_random() % 2 ? "==" : "!=");
		put("\"%s\"", PICK(names));
		return;
	case 1:
		put("syscall ~ \"%s\"", PICK(globs));
		patterns++;
		return;
	case 2:
		put("%s ~ ", PICK(fields));
		put("\"%s\"", PICK(globs));
		patterns++;
		return;
	case 3:
		put("%s == ", PICK(fields));
		put("%s", PICK(fields));
		return;
	default:
		put("%s ", PICK(fields));
		put("%s ", check_random() % 2 ? "==" : "!=");
		put("\"%s\"", PICK(words));
		strings++;
	}
}

static void put_condition(int depth)
{
	static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
	static const char *const nullable[] = {"ns", "ret", "errno", "args[0] / args[1]"};

	budget--;
	if (depth && budget > 0) {
		bool unary = check_random() % 4 == 0;

		put(unary ? "!(" : "(%s", "");
		put_condition(depth - 1);
		if (!unary) {
			put(" %s ", check_random() % 2 ? "&&" : "||");
			put_condition(depth - 1);
		}
		put(")%s", "");
	} else if (check_random() % 3 == 0 && strings < TR_WHERE_MAX_TEXTS &&
		   patterns < TR_WHERE_MAX_PATTERNS) {
		put_text_condition();
	} else if (check_random() % 8 == 0) {
		put("%s ", PICK(nullable));
		put("%s null", check_random() % 2 ? "==" : "!=");
	} else {
		put_number(check_random() % 3);
		if (check_random() % 8 == 0)
			return;
		put(" %s ", PICK(comparisons));
		put_number(check_random() % 3);
	}
}

static const char *random_expression(void)
{
	end = text;
	budget = 24;
	strings = patterns = 0;
	put_condition(check_random() % 4);
	return text;
}

static uint64_t random_value(void)
{
	return check_random() % 3 ? check_random() % 4 : check_random_sized();
}

/* Body I, and its JSON where something is null, as call I. */
static void random_call(size_t i)
{
	struct where_record *call = &calls[i];
	struct tr_syscall_args body = {0};
	const char *path[2] = {PICK(words), PICK(words)}, *comm = PICK(words), *name = PICK(names);
	char *json = texts[i], *p = json;
	uint32_t code;

	CHECK(!tr_syscall_find(tr_syscalls_native(), name, strlen(name), &code));
	*call = (struct where_record){.no_result = check_random() % 4 == 0};
	for (int f = 0; f < TR_WHERE_RESULTS; f++)
		call->v[f] = random_value();
	call->v[TR_WHERE_PID] &= INT32_MAX;
	call->v[TR_WHERE_TID] &= INT32_MAX;
	call->v[TR_WHERE_NS] &= INT64_MAX;
	if (check_random() % 2)
		call->v[TR_WHERE_RET] =
			-(check_random() % 2 ? check_random() % 4 : 510 + check_random() % 9);
	call->v[TR_WHERE_SYSCALL] = code;
	call->v[TR_WHERE_COMM] = call->v[TR_WHERE_COMM + 1] = 0;
	memcpy(&call->v[TR_WHERE_COMM], comm, strlen(comm));
	for (int k = 0; k < 2; k++) {
		strcpy(call->paths[k], path[k]);
		call->cut[k] = call->no_result && check_random() % 2;
	}

	body.ns = call->v[TR_WHERE_NS];
	body.ret = call->v[TR_WHERE_RET];
	body.pid = call->v[TR_WHERE_PID];
	body.tid = call->v[TR_WHERE_TID];
	body.syscall = code;
	memcpy(&body.comm, &call->v[TR_WHERE_COMM], sizeof(body.comm));
	memcpy(body.args, &call->v[TR_WHERE_ARGS], sizeof(body.args));
	body.path = strlen(path[0]);
	body.path2 = strlen(path[1]);
	memcpy(bodies[i], &body, TR_BYTES_syscall_args);
	strcpy((char *)bodies[i] + TR_BYTES_syscall_args, path[0]);
	strcpy((char *)bodies[i] + TR_BYTES_syscall_args + body.path, path[1]);

	p += sprintf(p,
		     "{\"type\":\"syscall\",\"ns\":null,\"ret\":null,\"comm\":\"%s\",\"pid\":%u,"
		     "\"tid\":%u,\"syscall\":\"%s\"",
		     comm, body.pid, body.tid, name);
	for (int k = 0; k < 2; k++)
		p += call->cut[k] ? sprintf(p, ",\"path%s\":null", k ? "2" : "")
				  : sprintf(p, ",\"path%s\":\"%s\"", k ? "2" : "", path[k]);
	p += sprintf(p, ",\"args\":[");
	for (int k = 0; k < 6; k++)
		p += sprintf(p, "%s\"0x%llx\"", k ? "," : "", (unsigned long long)body.args[k]);
	strcpy(p, "]}");
	CHECK(!tr_json_parse(&objects[i], json, strlen(json)));
}

static void random_calls(void)
{
	for (uint32_t i = 0; i < WHERE_RECORDS; i++) {
		random_call(i);
		CHECK(!bpf_map_update_elem(records_fd, &i, &calls[i], BPF_ANY));
	}
}

/* What lib/ makes of EXPR for each call. */
static void run_here(const struct tr_expr *expr, bool *verdicts)
{
	const struct tr_kind *kind = tr_kind_builtin(TR_KIND_syscall_args);
	struct tr_expr_records records = {.kind = kind, .calls = tr_syscalls_native()};
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	struct tr_expr_program packed, object;
	struct tr_expr_error error;
	const unsigned char *list[WHERE_RECORDS];

	for (size_t i = 0; i < WHERE_RECORDS; i++)
		list[i] = bodies[i];
	for (size_t f = 0; f < expr->n_fields; f++)
		tr_expr_source_of_kind(&sources[f], &expr->fields[f], kind);
	tr_expr_program_init(&packed, expr);
	tr_expr_program_init(&object, expr);
	CHECK(!tr_expr_bind(&packed, expr, sources, &records, &error));
	tr_expr_run(&packed, list, WHERE_RECORDS, verdicts);
	records.kind = NULL;
	records.lenient = true;
	for (size_t i = 0; i < WHERE_RECORDS; i++) {
		if (!calls[i].no_result)
			continue;
		for (size_t f = 0; f < expr->n_fields; f++) {
			const char *name = expr->fields[f].name;

			tr_expr_source_of_object(&sources[f], &expr->fields[f], &objects[i],
						 tr_kind_field(kind, name, strlen(name)),
						 records.calls);
		}
		CHECK(!tr_expr_bind(&object, expr, sources, &records, &error));
		tr_expr_run(&object, NULL, 1, &verdicts[i]);
	}
	tr_expr_program_release(&packed);
	tr_expr_program_release(&object);
}

/* An object with the expression for a constant, loaded. */
static struct where_bpf *load(const struct tr_where_config *config)
{
	struct where_bpf *skel = where_bpf__open();
	struct bpf_map *map;

	if (!skel)
		return NULL;
	skel->rodata->cfg_where = *config;
	bpf_object__for_each_map(map, skel->obj) bpf_map__set_autocreate(
		map,
		map == skel->maps.records || map == skel->maps.scratch || map == skel->maps.rodata);
	if (records_fd)
		bpf_map__reuse_fd(skel->maps.records, records_fd);
	if (scratch_fd)
		bpf_map__reuse_fd(skel->maps.scratch, scratch_fd);
	if (!where_bpf__load(skel))
		return skel;
	where_bpf__destroy(skel);
	return NULL;
}

static void compare(const char *expression)
{
	static struct tr_where_config config;
	struct where where = {.texts = &expression, .n = 1};
	struct where_use use = {0};
	struct tr_expr_error error;
	struct tr_expr *expr = tr_expr_parse(expression, &error);
	bool wanted[WHERE_RECORDS];
	struct where_bpf *skel = NULL;

	CHECK(expr);
	if (!where_compile(&where, &use, &config)) {
		config.first_path = TR_WHERE_MAX_STEPS; /* they are there already */
		skel = load(&config);
	}
	CHECK(skel);
	if (!skel || !expr) {
		printf("%s\n", expression);
		return;
	}
	run_here(expr, wanted);
	for (uint64_t i = 0; i < WHERE_RECORDS; i++) {
		__u64 ctx[1] = {i};
		LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));

		CHECK(!bpf_prog_test_run_opts(bpf_program__fd(skel->progs.holds), &run));
		if (run.retval == wanted[i])
			continue;
		check_failures++;
		printf("%s\nof call %u: %u in the kernel, %d here\n", expression, (unsigned)i,
		       run.retval, wanted[i]);
	}
	where_bpf__destroy(skel);
	tr_expr_free(expr);
}

static void open_maps(void)
{
	static struct tr_where_config config;
	struct where_bpf *skel = load(&config);

	if (!skel) {
		printf("no BPF program may be loaded here: %s\n", strerror(errno));
		exit(SKIPPED);
	}
	records_fd = dup(bpf_map__fd(skel->maps.records));
	scratch_fd = dup(bpf_map__fd(skel->maps.scratch));
	where_bpf__destroy(skel);
}

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

int main(void)
{
	tr_message_name("where");
	libbpf_set_print(silent);
	open_maps();
	for (int i = 0; i < EXPRESSIONS && check_failures < 20; i++) {
		if (i % 16 == 0)
			random_calls();
		compare(random_expression());
	}
	return check_status();
}
