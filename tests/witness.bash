# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What tests of filters load besides helper: exact percentiles to compare with, and a terminal.

# Exact percentiles of the lines KEY VALUE of a file: for each key a line KEY P VALUE for each P given.
exact() {
	LC_ALL=C sort -k 1,1 -k 2,2g "$1" | awk -v list="${*:2}" '
		function flush(  i, p, parts, rank) {
			for (i = 1; i <= split(list, parts, " "); i++) {
				rank = n * parts[i] / 100
				rank = rank == int(rank) ? rank : int(rank) + 1
				print key, parts[i], values[rank]
			}
		}
		$1 != key { if (n) flush(); key = $1; n = 0 }
		{ values[++n] = $2 }
		END { flush() }'
}

# Whether each line KEY P VALUE of the first file is in the second with a value within 1/32 of it.
all_near() {
	[ "$(wc -l <"$1")" = "$(wc -l <"$2")" ]
	join -j 1 <(sed 's/ /@/' "$1" | sort) <(sed 's/ /@/' "$2" | sort) | awk '
		function size(x) { return x < 0 ? -x : x }
		{ n++ }
		size($3 - $2) * 32 > size($2) * 1.000001 { print "off:", $0; bad = 1 }
		END { exit bad || n != '"$(wc -l <"$1")"' }'
}

# What a terminal of $1 lines and $2 columns shows after the bytes of stdin, of the few controls that
# filters use; "wrapped" where a line was too long. It keeps what scrolls off.
screen() {
	gawk -v RS='^$' -v lines="$1" -v columns="$2" '{
		row = top = 1
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\n") {
				row++
				column = 0
				top = row - top >= lines ? row - lines + 1 : top
				if (row > last) last = row
			} else if (c == "\033") {
				match(substr($0, i), /^\033\[[0-9]*[A-Za-z]/)
				n = substr($0, i + 2, RLENGTH - 3)
				c = substr($0, i + RLENGTH - 1, 1)
				i += RLENGTH - 1
				if (c == "A") { row -= n; if (row < top) { print "beyond the top"; row = top } }
				else if (c == "J") { for (r = row; r <= last; r++) delete text[r]; last = row }
				else print "unknown control"
			} else {
				text[row] = text[row] c
				if (++column > columns) print "wrapped"
			}
		}
		for (r = 1; r <= last; r++) print text[r]
	}'
}
