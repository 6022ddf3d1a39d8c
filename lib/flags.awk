# SPDX-License-Identifier: GPL-2.0-only
#
# Reads lib/flags.def for the sets of one group (-v group=...). Alone, it prints C that includes the
# group's headers. With what `cc -E -dD` makes of that as second file, it prints a table in C of the
# group's sets, whose values are for the compiler to find out.

FNR == 1 {
	file++
}

file == 1 && $1 == "from" {
	ours = $2 == group
	next
}

file == 1 && ours && $1 == "use" {
	for (i = 2; i <= NF; i++)
		includes = includes "#if __has_include(<" $i ">)\n#include <" $i ">\n#endif\n"
}

file == 1 && ours && NF && !/^#/ && $1 != "use" {
	if (/^[A-Z]/)
		begin_set()
	for (i = /^[A-Z]/ ? 3 : 1; i <= NF; i++)
		if ($i ~ /^!/)
			unwanted[n_sets] = unwanted[n_sets] "|" substr($i, 2)
		else
			wanted[n_sets] = wanted[n_sets] "|" $i
}

# #define NAME VALUE, and the constants of enums, a line each.
file == 2 && /^#define [A-Z_][A-Za-z0-9_]* ./ {
	add($2)
}

file == 2 && /^[ \t]*[A-Z_][A-Z0-9_]*[ \t]*(=.*|,.*)?$/ {
	name = $1
	sub(/[,=].*/, "", name)
	add(name)
}

function begin_set(  i, n, how, kind) {
	n_sets++
	set[n_sets] = $1
	n = split($2, how, ",")
	split(how[1], kind, "/")
	any[n_sets] = kind[1] == "any"
	rest[n_sets] = kind[2] == "oct" ? "TR_REST_OCT" : kind[2] == "dec" ? "TR_REST_DEC" : "TR_REST_HEX"
	masks[n_sets] = ""
	for (i = 2; i <= n; i++)
		masks[n_sets] = masks[n_sets] "(uint32_t)(" how[i] "), "
	wanted[n_sets] = unwanted[n_sets] = "NONE"
}

# Whether all of the name matches the pattern.
function matches(name, pattern) {
	return name ~ "^(" pattern ")$"
}

function add(name) {
	if (!(name in known)) {
		known[name] = 1
		names[++n_names] = name
	}
}

function print_set(s,  i) {
	printf "static const struct tr_flag set_%s[] = {\n", set[s]
	for (i = 1; i <= n_names; i++)
		if (matches(names[i], wanted[s]) && !matches(names[i], unwanted[s]))
			printf "\t{\"%s\", (uint32_t)(%s)},\n", names[i], names[i]
	print "\t{NULL, 0},\n};\n"
}

END {
	if (file < 2) {
		printf "%s", includes
		exit
	}
	print "/* Made by lib/flags.awk. */\n#include \"flags.h\"\n\n" includes
	for (s = 1; s <= n_sets; s++)
		print_set(s)
	printf "const struct tr_flag_set tr_flags_%s[] = {\n", group
	for (s = 1; s <= n_sets; s++)
		printf "\t{\"%s\", set_%s, %s, %s, {%s}},\n", set[s], set[s],
			any[s] ? "true" : "false", rest[s], masks[s] ? masks[s] : "0"
	print "\t{NULL},\n};"
}
