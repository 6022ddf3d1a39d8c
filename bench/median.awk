# SPDX-License-Identifier: GPL-2.0-only
# Lines of a name and numbers, between tabs, to one line per name with the median of each number, or
# the least with -v least=1; names in the order in which they come.

BEGIN {
	FS = OFS = "\t"
}

!($1 in rounds) {
	order[++names] = $1
}

{
	round = ++rounds[$1]
	for (i = 2; i <= NF; i++) {
		for (at = round; at > 1 && value[$1, i, at - 1] > $i + 0; at--)
			value[$1, i, at] = value[$1, i, at - 1]
		value[$1, i, at] = $i + 0
	}
	columns[$1] = NF
}

END {
	for (n = 1; n <= names; n++) {
		name = order[n]
		middle = least ? 1 : int((rounds[name] + 1) / 2)
		other = least ? 1 : int(rounds[name] / 2 + 1)
		line = name
		for (i = 2; i <= columns[name]; i++)
			line = line OFS (value[name, i, middle] + value[name, i, other]) / 2
		print line
	}
}
