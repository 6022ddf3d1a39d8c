# SPDX-License-Identifier: GPL-2.0-only
# From --help of the tools and of tracery, one after the other, what there is to say on a command
# line: rows of fields between tabs, - for an empty one.
#
#	option	OWNER	-p	--pid	PID,...	trace these processes
#	operand	OWNER	FILE
#	subcommand	count	count tracery tr-attach tr-table	-	system calls by name
#
# OWNER is a program or a subcommand of tracery, whose third field says whose options it takes and
# the fourth what words may follow.

BEGIN { OFS = "\t" }

function option(owner, letter, name, argument, sentence) {
	print "option", owner, letter ? letter : "-", name ? name : "-", argument ? argument : "-", sentence
}

/^Usage: / {
	tool = $2
	seen++
	if (/ -- COMMAND/ || /\[-- COMMAND/)
		print "operand", tool, "COMMAND"
	else if (/ \[?FILE\]?/)
		print "operand", tool, "FILE"
}

/^(Options|Subcommands):$/ { part = $1; next }
/^$/ { part = "" }

part == "Options:" {
	letter = name = argument = ""
	rest = $0
	sub(/^ +/, "", rest)
	if (match(rest, /^-[A-Za-z](, |  | )/)) {
		letter = substr(rest, 1, 2)
		rest = substr(rest, RLENGTH + 1)
	}
	if (match(rest, /^--[a-z-]+/)) {
		name = substr(rest, 1, RLENGTH)
		rest = substr(rest, RLENGTH + 1)
	}
	if (!letter && !name)
		next
	if (match(rest, /^ ?[^ ]+/) && rest !~ /^  /) {
		argument = substr(rest, 1, RLENGTH)
		sub(/^ /, "", argument)
		rest = substr(rest, RLENGTH + 1)
	}
	sub(/^ +/, "", rest)
	# "count, record: ..." is for these subcommands alone.
	if (tool == "tracery" && match(rest, /^[a-z]+(, [a-z]+)*: /)) {
		n = split(substr(rest, 1, RLENGTH - 2), owners, ", ")
		rest = substr(rest, RLENGTH + 1)
		for (i = 1; i <= n; i++)
			option(owners[i], letter, name, argument, rest)
		next
	}
	option(tool, letter, name, argument, rest)
}

function subcommand() {
	if (sub_name)
		print "subcommand", sub_name, sub_owners, sub_words ? sub_words : "-", sub_sentence
	sub_name = ""
}

part == "Subcommands:" && /^  [a-z]/ {
	subcommand()
	sub_name = $1
	sub_owners = / tr-/ ? $1 " tracery" : $1
	sub_words = ""
	# [--output table|json] is an option, [a|b|c ...] are words.
	rest = $0
	while (match(rest, /\[[^]]*\]/)) {
		inside = substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH)
		split(inside, words, " ")
		if (inside ~ /^--/)
			option(sub_name, "", words[1], words[2], "")
		else if (inside ~ /\|/)
			sub_words = words[1]
	}
	sub_sentence = $0
	sub(/^  [a-z]+( \[[^]]*\])* */, "", sub_sentence)
	for (i = 2; i <= NF; i++)
		if ($i ~ /^tr-[a-z]+$/)
			sub_owners = sub_owners " " $i
	sub(/: tr-.*/, "", sub_sentence)
	next
}

part == "Subcommands:" && /^   / {
	sub(/^ +/, "")
	sub_sentence = sub_sentence $0
}

part != "Subcommands:" { subcommand() }

END {
	exit seen != programs # one of them said nothing
}
