# SPDX-License-Identifier: GPL-2.0-only
# From the tools' --help, one after the other, what tracery has to know of their options, as sh:
#
#	tr_table=' by= i= interval= reverse top= ... '
#
# with = after an option that takes an argument and ? after one that may.

/^Usage: / { tool = $2; gsub(/-/, "_", tool); order[++n] = tool }
/^Options:$/ { listed = 1; next }
/^$/ { listed = 0 }

listed && match($0, /--[a-z-]+/) {
	name = substr($0, RSTART + 2, RLENGTH - 2)
	after = substr($0, RSTART + RLENGTH, 2)
	mark = after ~ /^\[/ ? "?" : after ~ /^ [^ ]/ ? "=" : ""
	options[tool] = options[tool] " " name mark
	if (match($0, /^  -[A-Za-z],/))
		options[tool] = options[tool] " " substr($0, 4, 1) mark
}

END {
	for (i = 1; i <= n; i++)
		printf "%s='%s '\n", order[i], options[order[i]]
	exit n != tools # one of them said nothing
}
