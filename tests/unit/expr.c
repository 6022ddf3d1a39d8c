/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions: a table of what each is for a known record, packed and as JSON; what is refused, and
 * where; and random expressions, written out and worked out here by other means, over random
 * records of both forms.
 */
#include "try_expr.h"

#include "check.h"
#include "errno_name.h"
#include "result.h"

static struct tr_part *part;
static struct tr_part_kind *kind;

/* A record as its JSON line: packed into BODY, parsed into OBJECT. */
static void take_record(const char *json, unsigned char *body, struct tr_json_object *object)
{
	CHECK(!tr_json_parse(object, json, strlen(json)));
	CHECK(tr_record_json_pack(tr_part_kind_json(kind), object, body) > 0);
}

static const char record[] =
	"{\"type\":\"odd\",\"g\":5000,\"a\":-7,\"b\":\"18446744073709551615\",\"z\":4096,"
	"\"e\":\"0xffffffff80000000\",\"c\":4294967295,\"i\":-1,\"d\":-128,\"f\":true,"
	"\"h\":[1,-2,3],\"call\":\"openat\",\"t\":\"a.b c\",\"s\":\"/usr/lib/\xc3\xa9\","
	"\"ret\":-2,\"u\":\"x\xe2\x80\xa6\"}";

static const struct {
	const char *text;
	enum verdict verdict;
} cases[] = {
	/* numbers and units */
	{"g == 5us", IS_TRUE},
	{"g == 5000ns && g == 5000 && g == 0x1388", IS_TRUE},
	{"1ms == 1000us && 1s == 1000ms && 1m == 60s && 1h == 60m", IS_TRUE},
	{"z == 4K && 1M == 1024K && 1G == 1024M && 1T == 1024G", IS_TRUE},
	{"c == 4294967295 && c > 0", IS_TRUE},
	{"d == -128 && i == -1 && a == - 7", IS_TRUE},
	{"-9223372036854775808 < 0", IS_TRUE},
	{"- 9223372036854775808 < 0", IS_TRUE},
	{"18446744073709551615 > 0", IS_TRUE},
	{"(-(1)) == -1", IS_TRUE},
	/* precedence, as in Go */
	{"5 & 4 == 4", IS_TRUE},
	{"3 & 1 == 0", IS_FALSE},
	{"1 + 2 * 3 == 7", IS_TRUE},
	{"1 | 2 * 4 == 9", IS_TRUE},
	{"1 + 2 << 3 == 17", IS_TRUE},
	{"6 ^ 2 & 3 == 4", IS_TRUE},
	{"10 - 4 - 3 == 3", IS_TRUE},
	{"100 / 10 / 5 == 2", IS_TRUE},
	{"7 % 4 * 2 == 6", IS_TRUE},
	{"true || false && false", IS_TRUE},
	{"(true || false) && false", IS_FALSE},
	{"!false && true", IS_TRUE},
	{"!(a == -7) || a == -7", IS_TRUE},
	{"!!f", IS_TRUE},
	{"-a == 7", IS_TRUE},
	{"- - a == -7", IS_TRUE},
	/* signed and unsigned */
	{"a < 0", IS_TRUE},
	{"b > 0", IS_TRUE},
	{"b == -1", IS_TRUE},
	{"a > b", IS_FALSE},
	{"-1 > z", IS_TRUE},
	{"-1 < g", IS_TRUE},
	{"e > 0 && e == 0xffffffff80000000", IS_TRUE},
	{"e > 0x7fffffffffffffff", IS_TRUE},
	{"b / 2 == 0x7fffffffffffffff", IS_TRUE},
	{"b % 10 == 5", IS_TRUE},
	{"(b - 1) / 2 == 0x7fffffffffffffff", IS_TRUE},
	{"-7 / 2 == -3 && -7 % 2 == -1", IS_TRUE},
	{"b >> 4 == -1", IS_TRUE},
	{"-16 >> 2 == -4", IS_TRUE},
	/* 64 bits that wrap */
	{"9223372036854775807 + 1 < 0", IS_TRUE},
	{"-9223372036854775808 / -1 == -9223372036854775808", IS_TRUE},
	{"-9223372036854775808 % -1 == 0", IS_TRUE},
	{"-(-9223372036854775808) < 0", IS_TRUE},
	{"4294967296 * 4294967296 == 0", IS_TRUE},
	{"1 << 64 == 1 && 1 << 65 == 2 && 1 << -1 < 0", IS_TRUE},
	{"-1 >> 64 == -1", IS_TRUE},
	/* null */
	{"1 / 0 == 1", IS_NULL},
	{"1 / 0 != 1", IS_NULL},
	{"b / (a + 7) > 0", IS_NULL},
	{"a % (a + 7)", IS_NULL},
	{"!(1 / 0 == 1)", IS_NULL},
	{"1 / 0 == 1 || true", IS_TRUE},
	{"1 / 0 == 1 || false", IS_FALSE},
	{"true && 1 / 0 == 1", IS_FALSE},
	{"!(true && 1 / 0 == 1)", IS_TRUE},
	{"nothing > 5", IS_NULL},
	{"!(nothing > 5)", IS_NULL},
	{"!(nothing && true)", IS_TRUE},
	{"nothing", IS_NULL},
	{"nothing == nothing", IS_NULL},
	{"nothing ~ \"*\"", IS_NULL},
	{"nothing == null && a != null && null == nothing && null != a", IS_TRUE},
	{"1 / 0 == null && a / 1 != null && (a > 5) != null", IS_TRUE},
	{"s != null && h != null && call != null && errno != null", IS_TRUE},
	{"null == null", IS_TRUE},
	{"null", IS_NULL},
	/* conditions */
	{"f", IS_TRUE},
	{"f == true && f != false && f == 1", IS_TRUE},
	{"(a == 1) == (a == 2)", IS_TRUE},
	{"(a == -7) == f", IS_TRUE},
	{"a", IS_TRUE},
	{"a + 7", IS_FALSE},
	{"c & 0x80", IS_TRUE},
	{"!c", IS_FALSE},
	/* text */
	{"t == \"a.b c\"", IS_TRUE},
	{"t == \"a.b\"", IS_FALSE},
	{"t != \"a.b\"", IS_TRUE},
	{"t == \"a.b c\\u0000\"", IS_FALSE},
	{"t == \"a.b c 0123456789\"", IS_FALSE},
	{"\"a.b c\" == t", IS_TRUE},
	{"t == s", IS_FALSE},
	{"s == s && t == t", IS_TRUE},
	{"s == \"/usr/lib/\\u00e9\"", IS_TRUE},
	{"s == \"\\/usr/lib/\\udcc3\\udca9\"", IS_TRUE},
	{"s ~ \"/usr/*\" && s ~ \"*\" && s ~ \"*/lib/??\"", IS_TRUE},
	{"s ~ \"/usr\"", IS_FALSE},
	{"s ~ \"usr*\"", IS_FALSE},
	{"s ~ \"*?*?*\"", IS_TRUE},
	{"\"abc\" ~ \"a*c\" && !(\"abc\" ~ \"a?\")", IS_TRUE},
	{"\"\" ~ \"*\" && \"\" ~ \"\" && !(\"\" ~ \"?\")", IS_TRUE},
	{"u == \"x\\u2026\" && u ~ \"*\\u2026\"", IS_TRUE}, /* a string that was cut */
	{"u == \"x\"", IS_FALSE},
	{"type == \"odd\" && type ~ \"o*\" && \"odd\" == type", IS_TRUE},
	{"type == \"syscall\"", IS_FALSE},
	/* system calls by name */
	{"call == \"openat\"", IS_TRUE},
	{"\"openat\" == call && call != \"open\"", IS_TRUE},
	{"call == \"i386:openat\"", IS_FALSE},
	{"call == \"syscall_257\"", IS_TRUE},
	{"call == \"no_such_call\"", IS_FALSE},
	{"call != \"no_such_call\"", IS_TRUE},
	{"call ~ \"*openat\" && !(call ~ \"i386:*\")", IS_TRUE},
	{"call == t || call == s", IS_FALSE},
	{"call == call", IS_TRUE},
	/* arrays, virtual fields, variables */
	{"h[0] == 1 && h[1] == -2 && h [2] == 3", IS_TRUE},
	{"errno == ENOENT && ret == -ENOENT", IS_TRUE},
	{"errno == \"ENOENT\" && errno != \"EAGAIN\" && \"EAGAIN\" != errno", IS_TRUE},
	{"errno == 2 && errno > 1", IS_TRUE},
	{"EWOULDBLOCK == EAGAIN", IS_TRUE},
	{"$TARGET_PID == 77", IS_TRUE},
	{" \t\n a\r==\n-7 ", IS_TRUE},
};

static void check_case(const char *text, enum verdict verdict, const unsigned char *body,
		       struct tr_json_object *object)
{
	char negated[512];
	struct tr_expr_error error;
	enum verdict packed, json;

	/* what is null is neither true nor false */
	snprintf(negated, sizeof(negated), "!(%s)", text);
	packed = expr_packed(kind, text, body, &error);
	if (packed == IS_FALSE && expr_packed(kind, negated, body, &error) != IS_TRUE)
		packed = IS_NULL;
	json = expr_object(part, kind->kind, text, object, &error);
	if (json == IS_FALSE && expr_object(part, kind->kind, negated, object, &error) != IS_TRUE)
		json = IS_NULL;
	if (packed == verdict && json == verdict)
		return;
	check_failures++;
	printf("%s: packed %d, JSON %d, wanted %d %s\n", text, packed, json, verdict,
	       packed == IS_ERROR ? error.what : "");
}

static void check_cases(void)
{
	static unsigned char body[TR_MAX_LINE];
	struct tr_json_object object = {0};

	take_record(record, body, &object);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(cases[i].text, cases[i].verdict, body, &object);
	tr_json_release(&object);
}

/* Members that no kind knows are what JSON says they are. */
static void check_objects(void)
{
	static const char json[] =
		"{\"x\":5,\"big\":\"9007199254740993\",\"neg\":\"-9007199254740993\","
		"\"hex\":\"0xff\",\"huge\":18446744073709551615,\"half\":2.9,"
		"\"text\":\"5\",\"no\":null,\"yes\":true,\"deep\":{\"a\":1},"
		"\"list\":[1,\"two\",null,[3]],\"errno\":13,\"why\":\"w\",\"1e3\":1e3,"
		"\"far\":1e300}";
	static const struct {
		const char *text;
		enum verdict verdict;
	} rows[] = {
		{"x == 5 && yes && half == 2", IS_TRUE},
		{"big == 9007199254740993 && neg < 0 && big > 0", IS_TRUE},
		{"hex == 255 && hex == \"0xff\" && hex + 1 == 0x100", IS_TRUE},
		{"huge > 0 && huge == -1", IS_TRUE},
		{"text == 5 && text == \"5\"", IS_TRUE},
		{"text == x", IS_TRUE},
		{"no == null && deep == null && far == null && missing == null", IS_TRUE},
		{"x == \"5\"", IS_NULL},
		{"x ~ \"5\"", IS_NULL},
		{"text < \"6\"", IS_NULL},
		{"why > 5", IS_NULL},
		{"why", IS_NULL},
		{"list", IS_NULL},
		{"list[0] == 1 && list[1] == \"two\" && list[2] == null && list[9] == null",
		 IS_TRUE},
		{"x[0] == 5", IS_NULL},
		{"errno == EACCES && errno == \"EACCES\"", IS_TRUE},
		{"why ~ \"w\" && why == \"w\"", IS_TRUE},
		{"hex - 255 == 0 && -hex < 0", IS_FALSE},
	};
	struct tr_json_object object = {0};
	struct tr_expr_error error;
	char negated[256];

	CHECK(!tr_json_parse(&object, json, strlen(json)));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum verdict got = expr_object(part, NULL, rows[i].text, &object, &error);

		snprintf(negated, sizeof(negated), "!(%s)", rows[i].text);
		if (got == IS_FALSE && expr_object(part, NULL, negated, &object, &error) != IS_TRUE)
			got = IS_NULL;
		if (got != rows[i].verdict)
			printf("%s:\n", rows[i].text);
		CHECK_INT(got, rows[i].verdict);
	}
	tr_json_release(&object);
}

static void check_refused(void)
{
	static const struct {
		const char *text;
		unsigned column;
		const char *says;
	} rows[] = {
		{"", 1, "ends where a field"},
		{"  ", 3, "ends where a field"},
		{"a ==", 5, "ends where a field"},
		{"a = 5", 3, "write == instead of ="},
		{"a =~ \"x\"", 3, "write ~ instead"},
		{"s !~ \"x\"", 3, "write !(a ~ \"b\")"},
		{"a and f", 3, "write && instead of and"},
		{"a android", 3, "unexpected android"},
		{"not f", 1, "write !"},
		{"a == 'x'", 6, "double quotes"},
		{"a 5", 3, "unexpected 5"},
		{"(a == 5", 1, "not closed"},
		{"(a == 5 6)", 9, "unexpected 6"},
		{"a == 5)", 7, "unexpected )"},
		{"s == \"abc", 6, "not closed"},
		{"s == \"\\q\"", 6, "escape"},
		{"a > 5 parsecs", 7, "unexpected parsecs"},
		{"a > 5parsecs", 6, "unknown unit parsecs"},
		{"a > 1.5ms", 5, "1500us"},
		{"a > 99999999999999999999", 5, "beyond 64 bits"},
		{"a > 16777217T", 5, "beyond 64 bits"},
		{"a > -9223372036854775809", 5, "beyond 64 bits"},
		{"a > 0x", 6, "unknown unit x"},
		{"h[x] == 1", 2, "by its number"},
		{"h[ == 1", 2, "by its number"},
		{"s ~ t", 3, "pattern in double quotes"},
		{"s ~ \"a\" + 1", 3, "pattern in double quotes"},
		{"$PID == 1", 1, "$TARGET_PID"},
		{"a @ 5", 3, "unexpected @"},
		/* types */
		{"s < 5", 1, "s is a string"},
		{"5 + s > 1", 5, "s is a string"},
		{"s == 5", 1, "s is a string"},
		{"5 == s", 6, "s is a string"},
		{"a == \"x\"", 6, "this is a string"},
		{"call == 59", 1, "call is a name"},
		{"call > \"a\"", 8, "this is a string"},
		{"a ~ \"x\"", 1, "a is a number"},
		{"s", 1, "s is a string"},
		{"s && f", 1, "s is a string"},
		{"f || s", 6, "s is a string"},
		{"!s", 2, "s is a string"},
		{"-s == 1", 2, "s is a string"},
		{"1 < a < 5", 3, "true or false"},
		{"a == 1 == 1", 3, "true or false"},
		{"f + 1 > 0", 1, "f is true or false"},
		{"h == 1", 1, "an array"},
		{"h[3] == 1", 1, "fewer elements"},
		{"a[0] == 1", 1, "no array"},
		{"type[0] == \"o\"", 1, "no array"},
		{"errno == \"ENOSUCH\"", 10, "no error is called so"},
	};
	static unsigned char body[TR_MAX_LINE];
	struct tr_expr_error error;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_INT(expr_packed(kind, rows[i].text, body, &error), IS_ERROR);
		if (error.column == rows[i].column && strstr(error.what, rows[i].says))
			continue;
		check_failures++;
		printf("%s: column %u: %s\n", rows[i].text, error.column, error.what);
	}
}

/* N times BEFORE, then MIDDLE, then N times AFTER. */
static char *repeat(size_t n, const char *before, const char *middle, const char *after)
{
	char *text = malloc(n * (strlen(before) + strlen(after)) + strlen(middle) + 1), *p = text;

	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, before);
	p = stpcpy(p, middle);
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, after);
	return text;
}

static void check_limits(void)
{
	static unsigned char body[TR_MAX_LINE];
	static const struct {
		const char *before, *middle, *after;
		size_t n;
		const char *says; /* "": it is allowed */
	} rows[] = {
		{"(", "f", ")", 60, ""},
		{"(", "f", ")", 64, "nested more"},
		{"(", "f", ")", 5000, "nested more"},
		{"!", "f", "", 64, "nested more"},
		{"-", "a", "", 5000, "nested more"},
		{"1+", "1", "", 400, ""},
		{"1+", "1", "", 600, "names and operators"},
		{"1+(", "1", ")", 30, ""},
		{"1+(", "1", ")", 40, "values wait"},
		{" ", "f", " ", 8000, ""},
		{" ", "f", " ", 9000, "longer than"},
	};
	struct tr_expr_error error;
	char fields[1024], *p = fields;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = repeat(rows[i].n, rows[i].before, rows[i].middle, rows[i].after);
		enum verdict got = expr_packed(kind, text, body, &error);

		if (!*rows[i].says)
			CHECK(got != IS_ERROR);
		else
			CHECK(got == IS_ERROR && strstr(error.what, rows[i].says));
		free(text);
	}
	for (int i = 0; i < 65; i++)
		p += sprintf(p, "%sf%d", i ? "||" : "", i);
	CHECK_INT(expr_packed(kind, fields, body, &error), IS_ERROR);
	CHECK(strstr(error.what, "more than 64 fields"));
}

/* Patterns that make naive matchers take for ever. */
static void check_globs(void)
{
	static char text[20001];
	char *pattern = repeat(200, "a*", "b", "");

	memset(text, 'a', sizeof(text) - 1);
	CHECK(!tr_glob_match(pattern, strlen(pattern), text, strlen(text)));
	text[sizeof(text) - 2] = 'b';
	CHECK(tr_glob_match(pattern, strlen(pattern), text, strlen(text)));
	free(pattern);
}

static void check_targets(void)
{
	static unsigned char body[TR_MAX_LINE];
	struct tr_expr_error error;

	part->n_targets = 0;
	CHECK_INT(expr_packed(kind, "a == $TARGET_PID", body, &error), IS_ERROR);
	CHECK_INT(error.column, 6);
	CHECK(strstr(error.what, "names no target process"));
	part->n_targets = 2;
	CHECK_INT(expr_packed(kind, "a == $TARGET_PID", body, &error), IS_ERROR);
	CHECK(strstr(error.what, "more than one"));
	part->n_targets = 1;
}

/* An expression as a tree, which is both written out and worked out. */
struct tree {
	enum { NUMBER, FIELD, TEXT, UNARY, BINARY } what;
	const char *op;
	int precedence;
	struct tree *left, *right;
	const struct member *member;
	int64_t value;
	bool is_unsigned;
	const char *text;
};

struct result {
	bool null, is_unsigned;
	int64_t v;
	const char *text;
};

/* The members of a random record that numbers and texts are taken from. */
enum member_kind { SIGNED, UNSIGNED, FLAG, NAME, CALL };
static const struct member {
	const char *name;
	enum member_kind kind;
	int bits;
} members[] = {
	{"g", SIGNED, 64},   {"a", SIGNED, 64},    {"b", UNSIGNED, 64},  {"z", UNSIGNED, 64},
	{"e", UNSIGNED, 64}, {"c", SIGNED, 32},    {"i", SIGNED, 32},    {"d", SIGNED, 8},
	{"f", FLAG, 1},      {"h[0]", SIGNED, 16}, {"h[1]", SIGNED, 16}, {"h[2]", SIGNED, 16},
	{"call", CALL, 0},   {"t", NAME, 0},       {"s", NAME, 0},       {"ret", SIGNED, 64},
	{"u", NAME, 0},
};
enum { N_MEMBERS = sizeof(members) / sizeof(members[0]) };
static struct result values[N_MEMBERS];

static const char *const words[] = {"", "a", "ab", "abc", "openat", "read", "x*y", "aXb"};
static const char *const calls[] = {"read", "openat", "i386:read", "syscall_999", "syscall_-1"};
static const char *const globs[] = {"*", "a*", "?", "*b", "a?b", "*e*", "open??", "*:*", ""};

static struct tree *new_tree(struct tree tree)
{
	struct tree *t = malloc(sizeof(*t));

	*t = tree;
	return t;
}

static void free_tree(struct tree *t)
{
	if (!t)
		return;
	free_tree(t->left);
	free_tree(t->right);
	free(t);
}

static const struct member *random_member(bool wants_text)
{
	for (;;) {
		const struct member *m = &members[check_random() % N_MEMBERS];

		if (m->kind != FLAG && (m->kind >= NAME) == wants_text)
			return m;
	}
}

static struct tree *random_number(int depth)
{
	static const struct {
		const char *op;
		int precedence;
	} ops[] = {{"+", 4}, {"-", 4}, {"*", 5}, {"/", 5},  {"%", 5},
		   {"&", 5}, {"|", 4}, {"^", 4}, {"<<", 5}, {">>", 5}};
	size_t i = check_random() % (sizeof(ops) / sizeof(ops[0]));

	if (depth && check_random() % 3)
		return new_tree((struct tree){.what = BINARY,
					      .op = ops[i].op,
					      .precedence = ops[i].precedence,
					      .left = random_number(depth - 1),
					      .right = random_number(depth - 1)});
	if (depth && check_random() % 4 == 0)
		return new_tree((struct tree){.what = UNARY,
					      .op = "-",
					      .precedence = 6,
					      .left = random_number(depth - 1)});
	if (check_random() % 2)
		return new_tree((struct tree){
			.what = FIELD, .precedence = 9, .member = random_member(false)});
	return new_tree((struct tree){.what = NUMBER,
				      .precedence = 9,
				      .value = check_random() % 8 ? check_random_sized() >> 1
								  : check_random() % 3});
}

static struct tree *random_text(bool literal)
{
	if (!literal)
		return new_tree((struct tree){
			.what = FIELD, .precedence = 9, .member = random_member(true)});
	return new_tree((struct tree){.what = TEXT,
				      .precedence = 9,
				      .text = check_random() % 2 ? words[check_random() % 8]
								 : calls[check_random() % 5]});
}

static struct tree *random_condition(int depth)
{
	static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
	struct tree t = {.what = BINARY, .precedence = 3};

	switch (check_random() % (depth ? 8 : 4)) {
	case 0:
		return new_tree(
			(struct tree){.what = FIELD, .precedence = 9, .member = &members[8]});
	case 1:
		t.op = comparisons[check_random() % 2];
		t.left = random_text(false);
		t.right = random_text(check_random() % 4);
		return new_tree(t);
	case 2:
		t.op = "~";
		t.left = random_text(false);
		t.right = new_tree((struct tree){
			.what = TEXT, .precedence = 9, .text = globs[check_random() % 9]});
		return new_tree(t);
	case 3:
		t.op = comparisons[check_random() % 6];
		t.left = random_number(depth / 2 + 1);
		t.right = random_number(depth / 2);
		return new_tree(t);
	case 4:
		return new_tree((struct tree){.what = UNARY,
					      .op = "!",
					      .precedence = 6,
					      .left = random_condition(depth - 1)});
	default:
		t.op = check_random() % 2 ? "&&" : "||";
		t.precedence = *t.op == '&' ? 2 : 1;
		t.left = random_condition(depth - 1);
		t.right = random_condition(depth - 1);
		return new_tree(t);
	}
}

/* With no more parentheses than needed, mostly. */
static char *write_tree(char *p, const struct tree *t, int around)
{
	bool group = t->precedence < around || check_random() % 16 == 0;
	const char *space = check_random() % 4 ? " " : "";

	if (group)
		*p++ = '(';
	switch (t->what) {
	case NUMBER:
		p += sprintf(p, check_random() % 2 ? "%llu" : "0x%llx",
			     (unsigned long long)t->value);
		break;
	case FIELD: p = stpcpy(p, t->member->name); break;
	case TEXT: p += sprintf(p, "\"%s\"", t->text); break;
	case UNARY:
		p = stpcpy(p, t->op);
		p = write_tree(p, t->left, 6);
		break;
	case BINARY:
		p = write_tree(p, t->left, t->precedence);
		p += sprintf(p, "%s%s%s", space, t->op, space);
		p = write_tree(p, t->right, t->precedence + 1);
		break;
	}
	if (group)
		*p++ = ')';
	*p = 0;
	return p;
}

/* By the definition of a glob. */
static bool glob(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return glob(pattern + 1, text) || (*text && glob(pattern, text + 1));
	if (!*pattern || !*text)
		return *pattern == *text;
	return (*pattern == '?' || *pattern == *text) && glob(pattern + 1, text + 1);
}

static int64_t calculate(const char *op, const struct result *l, const struct result *r, bool *null)
{
	bool is_unsigned = l->is_unsigned || r->is_unsigned;
	__int128 a = is_unsigned ? (__int128)(uint64_t)l->v : l->v;
	__int128 b = is_unsigned ? (__int128)(uint64_t)r->v : r->v;
	int count = r->v & 63;

	switch (*op) {
	case '+': return (int64_t)(a + b);
	case '-': return (int64_t)(a - b);
	case '*': return (int64_t)(uint64_t)((unsigned __int128)a * (unsigned __int128)b);
	case '/': *null |= !b; return b ? (int64_t)(a / b) : 0;
	case '%': *null |= !b; return b ? (int64_t)(a % b) : 0;
	case '&': return l->v & r->v;
	case '|': return l->v | r->v;
	case '^': return l->v ^ r->v;
	case '=': return a == b;
	case '!': return a != b;
	}
	if (op[0] == op[1])
		return *op == '<' ? (int64_t)((uint64_t)l->v << count) : l->v >> count;
	if (op[1])
		return *op == '<' ? a <= b : a >= b;
	return *op == '<' ? a < b : a > b;
}

static struct result work_out(const struct tree *t)
{
	struct result l = {0}, r = {0}, to = {0};

	if (t->left)
		l = work_out(t->left);
	if (t->right)
		r = work_out(t->right);
	switch (t->what) {
	case NUMBER: return (struct result){.v = t->value};
	case FIELD: return values[t->member - members];
	case TEXT: return (struct result){.text = t->text};
	case UNARY:
		to = l;
		to.v = *t->op == '!' ? !l.v : (int64_t) - (uint64_t)l.v;
		return to;
	case BINARY: break;
	}
	if (t->precedence < 3) {
		bool a = !l.null && l.v, b = !r.null && r.v;

		return (struct result){.v = t->precedence == 2 ? a && b : a || b};
	}
	to.null = l.null || r.null;
	if (to.null)
		return (struct result){.null = true, .is_unsigned = false};
	if (l.text) {
		to.v = *t->op == '~' ? glob(r.text, l.text) : strcmp(l.text, r.text) == 0;
		to.v ^= *t->op == '!';
		return to;
	}
	to.v = calculate(t->op, &l, &r, &to.null);
	to.is_unsigned = t->precedence > 3 &&
			 (l.is_unsigned || (r.is_unsigned && t->op[0] != '<' && t->op[0] != '>'));
	return to;
}

/* A random record, as JSON; with NULLS some members are null. */
static void random_record(char *json, bool nulls)
{
	char *p = stpcpy(json, "{\"type\":\"odd\"");

	for (int i = 0; i < N_MEMBERS; i++) {
		const struct member *m = &members[i];
		struct result *v = &values[i];
		bool element = strchr(m->name, '[');

		*v = (struct result){.is_unsigned = m->kind == UNSIGNED};
		if (m->kind >= NAME)
			v->text = m->kind == CALL ? calls[check_random() % 5]
						  : words[check_random() % 8];
		else if (check_random() % 4 == 0)
			v->v = check_random() % 3;
		else
			v->v = (int64_t)(check_random_sized() << (64 - m->bits)) >> (64 - m->bits);
		if (m->kind == FLAG)
			v->v &= 1;
		if (!strcmp(m->name, "c"))
			v->v &= UINT32_MAX;
		v->null = nulls && !element && check_random() % 4 == 0;
		if (!element)
			p += sprintf(p, ",\"%s\":", m->name);
		else
			p = stpcpy(p, m->name[2] == '0' ? ",\"h\":[" : ",");
		if (v->null)
			p = stpcpy(p, "null");
		else if (v->text)
			p += sprintf(p, "\"%s\"", v->text);
		else if (m->kind == FLAG)
			p = stpcpy(p, v->v ? "true" : "false");
		else if (*m->name == 'e')
			p += sprintf(p, "\"0x%llx\"", (unsigned long long)v->v);
		else if (m->kind == UNSIGNED || *m->name == 'g')
			p = tr_json_put_u64(p, v->v);
		else
			p = tr_json_put_i64(p, v->v);
		if (element && m->name[2] == '2')
			*p++ = ']';
	}
	strcpy(p, "}");
}

static void check_random_one(bool nulls)
{
	static unsigned char body[TR_MAX_LINE];
	static char text[1 << 20], json[4096];
	static struct tr_json_object object;
	struct tree *tree = random_condition(check_random() % 4);
	struct tr_expr_error error = {0};
	struct result wanted;
	enum verdict packed, as_object;

	random_record(json, nulls);
	write_tree(text, tree, 0);
	wanted = work_out(tree);
	CHECK(!tr_json_parse(&object, json, strlen(json)));
	if (!nulls)
		CHECK(tr_record_json_pack(tr_part_kind_json(kind), &object, body) > 0);
	as_object = expr_object(part, kind->kind, text, &object, &error);
	packed = nulls ? as_object : expr_packed(kind, text, body, &error);
	if (packed != (enum verdict)(!wanted.null && wanted.v) || as_object != packed) {
		check_failures++;
		printf("%s\nof %s: packed %d, JSON %d, wanted %d %s\n", text, json, packed,
		       as_object, !wanted.null && wanted.v, error.what);
	}
	free_tree(tree);
}

/* A batch gives each record what it gets alone. */
static void check_batch(void)
{
	static unsigned char bodies[TR_EXPR_BATCH][256];
	static const char text[] = "a / (c & 3) > d || t == \"ab\" && call ~ \"*a?\" || errno == 2";
	const unsigned char *list[TR_EXPR_BATCH];
	struct tr_expr_source sources[TR_EXPR_MAX_FIELDS];
	struct tr_expr_records records = {.kind = kind->kind, .calls = part->calls};
	struct tr_expr_program program;
	struct tr_json_object object = {0};
	struct tr_expr_error error;
	struct tr_expr *expr = tr_expr_parse(text, &error);
	bool got[TR_EXPR_BATCH];
	char json[4096];
	unsigned n_true = 0;

	for (size_t i = 0; i < TR_EXPR_BATCH; i++) {
		random_record(json, false);
		take_record(json, bodies[i], &object);
		list[i] = bodies[i];
	}
	for (size_t i = 0; i < expr->n_fields; i++)
		tr_expr_source_of_kind(&sources[i], &expr->fields[i], kind->kind);
	tr_expr_program_init(&program, expr);
	CHECK(!tr_expr_bind(&program, expr, sources, &records, &error));
	tr_expr_run(&program, list, TR_EXPR_BATCH, got);
	for (size_t i = 0; i < TR_EXPR_BATCH; i++) {
		CHECK_INT(got[i], expr_packed(kind, text, bodies[i], &error));
		n_true += got[i];
	}
	CHECK(n_true > 10 && n_true < 246);
	tr_expr_program_release(&program);
	tr_expr_free(expr);
	tr_json_release(&object);
}

int main(void)
{
	struct tr_string type = {"odd", 3};

	part = expr_part();
	kind = tr_part_next_kind(part, type, NULL);
	check_cases();
	check_objects();
	check_refused();
	check_limits();
	check_globs();
	check_targets();
	check_batch();
	for (int i = 0; i < 20000 && check_failures < 20; i++)
		check_random_one(i % 4 == 0);
	tr_part_free(part);
	return check_status();
}
