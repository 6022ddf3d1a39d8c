/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of system calls: that each row of calls.def is about a call that exists and says
 * what it means to. With a folder of the kernel's tracepoints as argument (events/syscalls of
 * tracefs), also that this kernel's calls have these arguments.
 */
#include "calls.h"

#include <dirent.h>
#include <seccomp.h>
#include <stdlib.h>

#include "check.h"

/* The list again, as rows. */
enum { FILE_NAME, NET, PROCESS, MEMORY, SIGNAL, IPC, DESC };
static const struct {
	const char *name;
	unsigned classes;
	const char *args;
} rows[] = {
#include "calls.def"
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char *const arches[] = {"x86_64", "x86",  "x32",   "aarch64", "arm",
				     "s390x",  "s390", "ppc64", "riscv64"};

/* Calls that are younger than libseccomp 2.5.4. */
static const char *const young[] = {
	"file_getattr",   "file_setattr",      "getxattrat",       "listmount",         "listns",
	"listxattrat",    "lsm_get_self_attr", "lsm_list_modules", "lsm_set_self_attr", "mseal",
	"open_tree_attr", "removexattrat",     "rseq_slice_yield", "setxattrat",        "statmount",
	"uprobe",         "uretprobe",
};

static bool is_young(const char *name)
{
	for (size_t i = 0; i < sizeof(young) / sizeof(young[0]); i++)
		if (!strcmp(name, young[i]))
			return true;
	return false;
}

/* Whether the architecture, or any one, has a call of that name. */
static bool exists(const char *arch, size_t arch_len, const char *name)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(arches[0]); i++) {
		const char *own = strcmp(arches[i], "x86") ? arches[i] : "i386";
		int nr;

		if (arch_len && (strlen(own) != arch_len || memcmp(own, arch, arch_len)))
			continue;
		nr = seccomp_syscall_resolve_name_arch(seccomp_arch_resolve_name(arches[i]), name);
		if (nr >= 0)
			return true;
	}
	return false;
}

static void check_rows(void)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		const char *colon = strchr(rows[i].name, ':');
		const char *name = colon ? colon + 1 : rows[i].name;

		if (i && strcmp(rows[i - 1].name, rows[i].name) >= 0) {
			CHECK(!"rows in order");
			CHECK_TEXT(rows[i].name, "");
		}
		if (!exists(rows[i].name, colon ? colon - rows[i].name : 0, name) &&
		    !is_young(name)) {
			CHECK(!"a call that exists");
			CHECK_TEXT(rows[i].name, "");
		}
	}
}

static const struct tr_call *find(const char *arch, const char *name)
{
	const struct tr_syscalls *calls = tr_syscalls_of(arch);
	uint32_t code = 0;

	if (tr_syscall_find(calls, name, strlen(name), &code))
		CHECK_TEXT(name, "a known name");
	return tr_call_find(calls, code);
}

/* NAMES as text has them: "dfd filename". */
static void check_call(const char *arch, const char *name, unsigned classes, const char *names,
		       int path, int path_2)
{
	const struct tr_call *call = find(arch, name);
	char text[200] = "";

	CHECK(call);
	if (!call)
		return;
	CHECK_INT(call->classes, classes);
	CHECK_INT(call->path[0], path);
	CHECK_INT(call->path[1], path_2);
	for (size_t i = 0; i < call->n_args; i++) {
		if (i)
			strcat(text, " ");
		strncat(text, call->args[i].name, call->args[i].len);
	}
	CHECK_TEXT(text, names);
	CHECK(find(arch, name) == call);
}

static void check_known(void)
{
	enum { FILE_DESC = TR_CLASS_FILE | TR_CLASS_DESC };

	check_call("x86_64", "openat", FILE_DESC, "dfd filename flags mode", 1, -1);
	check_call("x86_64", "i386:openat", FILE_DESC, "dfd filename flags mode", 1, -1);
	check_call("aarch64", "renameat2", FILE_DESC, "olddfd oldname newdfd newname flags", 1, 3);
	check_call("x86_64", "symlink", TR_CLASS_FILE, "oldname newname", 0, 1);
	check_call("x86_64", "getpid", 0, "", -1, -1);
	check_call("x86_64", "inotify_init", TR_CLASS_DESC, "", -1, -1);
	check_call("x86_64", "getcwd", TR_CLASS_FILE, "buf size", -1, -1);
	check_call("x86_64", "mmap", TR_CLASS_MEMORY | TR_CLASS_DESC, "addr len prot flags fd off",
		   -1, -1);
	check_call("x86_64", "i386:mmap", TR_CLASS_MEMORY | TR_CLASS_DESC, "arg", -1, -1);
	check_call("i686", "mmap", TR_CLASS_MEMORY | TR_CLASS_DESC, "arg", -1, -1);
	check_call("x86_64", "clone", TR_CLASS_PROCESS,
		   "clone_flags newsp parent_tidptr child_tidptr tls", -1, -1);
	check_call("aarch64", "clone", TR_CLASS_PROCESS,
		   "clone_flags newsp parent_tidptr tls child_tidptr", -1, -1);
	check_call("x86_64", "fanotify_mark", FILE_DESC, "fanotify_fd flags mask dfd pathname", 4,
		   -1);
	check_call("x86_64", "i386:fanotify_mark", FILE_DESC,
		   "fanotify_fd flags mask_low mask_high dfd pathname", 5, -1);
	check_call("aarch64", "arm:set_tls", 0, "val", -1, -1);
	CHECK_INT(find("x86_64", "mmap")->ret, TR_ARG_ADDRESS);
	CHECK_INT(find("x86_64", "inotify_init")->ret, TR_ARG_FD);
	CHECK_INT(find("x86_64", "read")->ret, TR_ARG_POINTER);
	CHECK(!find("x86_64", "syscall_999"));
	CHECK(!find("x86_64", "syscall_-1"));
	CHECK(!find("pdp11", "syscall_1"));
	CHECK(!find("x86_64", "abi7:syscall_1"));
}

/* Every set of names that a row speaks of is there, and no other. */
static void check_sets(const struct tr_flag_set *sets)
{
	for (; sets->name; sets++) {
		char word[64];
		bool used = false;

		snprintf(word, sizeof(word), ":%s ", sets->name);
		for (size_t i = 0; i < N_ROWS && !used; i++) {
			char args[200];

			snprintf(args, sizeof(args), "%s ", rows[i].args);
			used = strstr(args, word);
		}
		if (!used)
			CHECK_TEXT(sets->name, "a set that a row names");
	}
}

static void check_args(const struct tr_call *call)
{
	for (size_t i = 0; call && i < call->n_args; i++)
		if (call->args[i].kind == TR_ARG_FLAGS && !call->args[i].set)
			CHECK_TEXT(call->args[i].name, "an argument whose names are known");
}

/* Every call of these machines has a row, and every class calls. */
static void check_tables(const char *arch)
{
	const struct tr_syscalls *calls = tr_syscalls_of(arch);
	unsigned n[TR_N_CLASSES] = {0};

	for (uint32_t i = 0; i < 2 * 1024; i++) {
		uint32_t code = tr_syscall_code(i / 1024, i % 1024);
		const struct tr_call *call = tr_call_find(calls, code);
		char name[TR_SYSCALL_NAME_MAX];

		tr_syscall_name(calls, code, name);
		if (!strstr(name, "syscall_") && !call)
			CHECK_TEXT(name, "a name with a row");
		check_args(call);
		for (size_t class = 0; call && class < TR_N_CLASSES; class ++)
			n[class] += call->classes >> class & 1;
	}
	for (size_t class = 0; class < TR_N_CLASSES; class ++)
		CHECK(n[class] > 10);
}

static void check_classes(void)
{
	char list[100] = "";

	for (size_t i = 0; i < TR_N_CLASSES; i++) {
		CHECK_INT(tr_class_find(tr_class_names[i], strlen(tr_class_names[i])), 1 << i);
		strcat(strcat(strcat(list, i ? " " : ""), "%"), tr_class_names[i]);
	}
	CHECK_TEXT(tr_class_list, list);
	CHECK_INT(tr_class_find("network", 7), TR_CLASS_NET);
	CHECK_INT(tr_class_find("", 0), 0);
	CHECK_INT(tr_class_find("fil", 3), 0);
	CHECK_INT(tr_class_find("files", 5), 0);
}

/* What tracefs calls the kernel's functions, where that is not what the call is. */
static const char *call_name(const char *function)
{
	static const char *const names[][2] = {
		{"newfstat", "fstat"}, {"newlstat", "lstat"}, {"newstat", "stat"},
		{"newuname", "uname"}, {"umount", "umount2"}, {"sendfile64", "sendfile"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(function, names[i][0]))
			return names[i][1];
	return function;
}

/* That of this machine, else the one that is the same everywhere, else NULL. */
static const char *args_of(const char *name)
{
	const char *args = NULL;
	char own[100];

	snprintf(own, sizeof(own), "%s:%s", tr_syscall_abi(tr_syscalls_native(), 0), name);
	for (size_t i = 0; i < N_ROWS; i++)
		if (!strcmp(rows[i].name, own))
			return rows[i].args;
		else if (!strcmp(rows[i].name, name))
			args = rows[i].args;
	return args;
}

/* Compares with a tracepoint's lines "field:TYPE NAME; ...": names, and what is a pointer. */
static void check_format(const char *name, FILE *format)
{
	const char *args = args_of(name);
	char line[512], type[256], arg[64], kind[64];
	int n;

	if (!args) {
		CHECK_TEXT(name, "a call with a row");
		return;
	}
	while (fgets(line, sizeof(line), format)) {
		char *end = strchr(line, ';'), *last;

		if (!end || sscanf(line, " field:%255[^;]", type) != 1 ||
		    !strncmp(end - 11, "__syscall_nr", 11) || strstr(line, "common_") ||
		    strstr(line, "__syscall_nr"))
			continue;
		last = strrchr(type, ' ') + 1;
		kind[0] = 0;
		n = 0;
		if (sscanf(args, " %63[^: =]%n", arg, &n) < 1 || strcmp(arg, last)) {
			CHECK_TEXT(name, "a call with these arguments");
			CHECK_TEXT(args, last);
			return;
		}
		args += n;
		if (*args == ':' && sscanf(args, ":%63[^ ]%n", kind, &n) == 1)
			args += n;
		if (strchr(type, '*') && *kind && strcmp(kind, "path"))
			CHECK_TEXT(line, "a pointer");
	}
	args += strspn(args, " ");
	if (*args && *args != '=')
		CHECK_TEXT(name, "a call with fewer arguments");
}

static void check_tracepoints(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	CHECK(dir);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const char *function = entry->d_name + strlen("sys_enter_");
		char path[1024];
		FILE *format;

		if (strncmp(entry->d_name, "sys_enter_", strlen("sys_enter_")))
			continue;
		snprintf(path, sizeof(path), "%s/%s/format", folder, entry->d_name);
		format = fopen(path, "r");
		CHECK(format);
		if (!format)
			continue;
		check_format(call_name(function), format);
		fclose(format);
		n++;
	}
	CHECK(n > 200);
	if (dir)
		closedir(dir);
}

int main(int argc, char **argv)
{
	check_rows();
	check_known();
	check_tables("x86_64");
	check_tables("aarch64");
	check_classes();
	check_sets(tr_flags_kernel);
	check_sets(tr_flags_libc);
	if (argc > 1)
		check_tracepoints(argv[1]);
	return check_status();
}
