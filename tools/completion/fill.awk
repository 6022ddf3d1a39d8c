# SPDX-License-Identifier: GPL-2.0-only
# Puts the file FOLDER/name in place of a line that is only @name@.

/^@[a-z.]+@$/ {
	file = folder "/" substr($0, 2, length($0) - 2)
	while ((getline line < file) > 0)
		print line
	next
}

{ print }
