# SPDX-License-Identifier: GPL-2.0-only
#
# Completion for fish: of tracery and the tools. The build puts the names of system calls and what
# tools/completion/fish.awk makes of the options in place of the lines that name them.

function __tracery_calls
	# Of !name the name.
	set -l bang (string match -r '^!' -- (string replace -r '.*[,=]' '' -- (commandline -ct)))
	printf "$bang%s\n" %file %net %process %memory %signal %ipc %desc '
@calls@
' | string match -rv '^!?$'
end

function __tracery_tids
	string replace -r '.*/' '' /proc/*/task/*
end

# The command line so far has a -- that ends the options.
function __tracery_after_dashes
	contains -- -- (commandline -opc)
end

@options.fish@
