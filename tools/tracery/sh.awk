# SPDX-License-Identifier: GPL-2.0-only
# From the rows of options.awk what tracery has to know of the tools' options, as sh:
#
#	tr_table=' by= b= interval= i= reverse r top= ... '
#
# with = after an option that takes an argument and ? after one that may.

BEGIN { FS = "\t" }

$1 == "option" && $2 ~ /^tr-/ {
	if (!($2 in options))
		tools[++n] = $2
	mark = $5 == "-" ? "" : $5 ~ /^\[/ ? "?" : "="
	for (i = 3; i <= 4; i++) {
		name = $i
		sub(/^-+/, "", name)
		if (name != "")
			options[$2] = options[$2] " " name mark
	}
}

END {
	for (i = 1; i <= n; i++) {
		name = tools[i]
		gsub(/-/, "_", name)
		printf "%s='%s '\n", name, options[tools[i]]
	}
}
