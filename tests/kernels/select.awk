# SPDX-License-Identifier: GPL-2.0-only
# A bats file without the tests that have none of the tags, as in "kernels fentry": bats takes a guest
# seconds to find that out. Lines keep their numbers.

BEGIN {
	n = split(tags, tag, " ")
	kept = 1
}

function is_tagged(list,    i, j, m, names) {
	m = split(list, names, /[=, ]+/)
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			if (names[j] == tag[i])
				return 1
	return 0
}

/^# bats file_tags=/ { all = is_tagged($0) }
/^# bats test_tags=/ { next_one = is_tagged($0) }
/^@test / { kept = all || next_one; next_one = 0 }
{ print kept ? $0 : "" }
/^}$/ { kept = 1 }
