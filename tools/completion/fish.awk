# SPDX-License-Identifier: GPL-2.0-only
# Completion for fish, from the rows of tools/tracery/options.awk: a line for each option of each tool
# and of each subcommand of tracery.

BEGIN {
	FS = "\t"
	print "# SPDX-License-Identifier: GPL-2.0-only"
	print "# Made from the tools' --help by tools/completion/fish.awk.\n"
}

function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

# The fish command that lists what an argument may be; empty: anything.
function values(argument, words) {
	if (argument ~ /\|/) {
		words = argument
		gsub(/[][|=]/, " ", words)
		return words
	}
	if (argument ~ /^CALL,|^\[=LIST/)
		return "(__fish_complete_list , __tracery_calls)"
	if (argument ~ /^PID,/)
		return "(__fish_complete_list , __fish_complete_pids)"
	if (argument ~ /^PID/)
		return "(__fish_complete_pids)"
	if (argument ~ /^TID/)
		return "(__fish_complete_list , __tracery_tids)"
	if (argument ~ /^USER/)
		return "(__fish_complete_list , __fish_complete_users)"
	if (argument ~ /^PATH/)
		return "(__fish_complete_directories)"
	return ""
}

# An option for a program, in these subcommands or always.
function option(program, condition, letter, name, argument, sentence, line) {
	line = "complete -c " program condition
	if (letter != "-")
		line = line " -s " substr(letter, 2)
	if (name != "-")
		line = line " -l " substr(name, 3)
	# -x: an argument that is no file; -r: one that may be.
	if (argument ~ /^\[/)
		line = line " -f -a " quote(values(argument))
	else if (argument ~ /^FILE/)
		line = line " -r -F"
	else if (argument != "-")
		line = line " -x" (values(argument) ? " -a " quote(values(argument)) : "")
	print line (sentence ? " -d " quote(sentence) : "")
}

$1 == "subcommand" {
	n = split($3, owners, " ")
	for (i = 1; i <= n; i++)
		subcommands[owners[i]] = subcommands[owners[i]] " " $2
	names[++n_names] = $2
	words[$2] = $4
	sentences[$2] = $5
}

$1 == "operand" {
	programs[++n_programs] = $2
	operands[$2] = $3
}

$1 == "option" { rows[++n_rows] = $0 }

END {
	for (i = 1; i <= n_programs; i++) {
		program = programs[i]
		print "complete -c " program " -e"
		# Files where the program reads files, nothing where it does not.
		print "complete -c " program (operands[program] == "FILE" ? " -F" : " -f")
	}
	for (i = 1; i <= n_names; i++) {
		name = names[i]
		print "complete -c tracery -n __fish_use_subcommand -a " name " -d " quote(sentences[name])
		if (words[name] != "-") {
			gsub(/[|]/, " ", words[name])
			seen = " -n '__fish_seen_subcommand_from " name
			print "complete -c tracery" seen "; and not __fish_seen_subcommand_from " words[name] \
				"' -a " quote(words[name])
			print "complete -c tracery" seen "; and __fish_seen_subcommand_from symbols' -F"
			print "complete -c tracery" seen "; and __fish_seen_subcommand_from syscalls' -a '(__tracery_calls)'"
		}
	}
	for (i = 1; i <= n_rows; i++) {
		split(rows[i], f)
		if (f[2] ~ /^tr-/)
			option(f[2], "", f[3], f[4], f[5], f[6])
		if (f[2] == "tracery")
			option("tracery", " -n '__fish_use_subcommand; or __fish_seen_subcommand_from" \
				subcommands["tracery"] "'", f[3], f[4], f[5], f[6])
		else if (f[2] in subcommands)
			option("tracery", " -n '__fish_seen_subcommand_from" subcommands[f[2]] "'", f[3], f[4], f[5],
				f[6])
	}
	# A file that is replayed, a command behind --.
	for (i = 1; i <= n_programs; i++)
		if (operands[programs[i]] == "FILE" && programs[i] in subcommands)
			print "complete -c tracery -n '__fish_seen_subcommand_from" subcommands[programs[i]] \
				"; and not __fish_seen_subcommand_from count' -F"
	for (i = 1; i <= n_programs; i++)
		if (operands[programs[i]] == "COMMAND")
			print "complete -c " programs[i] " -n __tracery_after_dashes -a" \
				" '(__fish_complete_command)'"
}
