# SPDX-License-Identifier: GPL-2.0-only
#
# Makes docs/kernels.md of the TAP that tests/kernels/boot printed. TODAY is the date.

# Appends VALUE to the list NAMES of N, unless SEEN has it; the new N.
function once(names, n, seen, value) {
	if (!(value in seen)) {
		seen[value]
		names[++n] = value
	}
	return n
}

# member TEXT NAME: of a flat JSON object whose values are strings.
function member(text, name,    from) {
	from = index(text, "\"" name "\":\"")
	if (!from)
		return ""
	text = substr(text, from + length(name) + 4)
	match(text, /^([^\\"]|\\.)*/)
	text = substr(text, 1, RLENGTH)
	gsub(/\\"/, "\"", text)
	gsub(/\\\\/, "\\", text)
	gsub(/\|/, "\\|", text)
	return text
}

function row(first, cells,    i, line) {
	line = "| " first " |"
	for (i = 1; i <= kernels; i++)
		line = line " " ((kernel[i] SUBSEP first in cells) ? cells[kernel[i], first] : "") " |"
	print line
}

function ruler(    i, line) {
	line = "|---|"
	for (i = 1; i <= kernels; i++)
		line = line "---|"
	print line
}

FNR == 1 {
	name = FILENAME
	kernels = once(kernel, kernels, seen_kernel, name)
	cell[name, "kernel"] = name
	file = "fetching and starting"
}
/^# kernel / { cell[name, "release"] = $4; cell[name, "architecture"] = $5 }
/^# took / { cell[name, "seconds of a processor"] = $3 }
/^# file / { file = "`" $3 "`" }
/^(ok|not ok) / {
	files = once(tests, files, seen_file, file)
	total[name, file]++
	failed[name, file] += /^not/
	skipped[name, file] += / # skip/
}
/^# doctor / {
	item = member($0, "item")
	state = member($0, "state")
	items = once(asked, items, seen_item, item)
	answer[name, item] = state
	said = item ", " state ": " member($0, "text")
	if (state != "ok") {
		sayings = once(saying, sayings, seen_saying, said)
		who[said] = who[said] (who[said] == "" ? "" : ", ") name
	}
}

END {
	print "# Kernels\n"
	print "Written by `make check-kernels` on " today ": the tests with the tags that"
	print "tests/kernels/table has for a kernel, with the tools of `make dist`, in Debian's kernels on an"
	print "emulated processor. How many passed:\n"
	row("kernel", cell)
	ruler()
	row("release", cell)
	row("architecture", cell)
	for (i = 1; i <= files; i++)
		for (k = 1; k <= kernels; k++) {
			at = kernel[k] SUBSEP tests[i]
			if (!(at in total))
				continue
			result[at] = total[at] - failed[at] - skipped[at]
			if (failed[at])
				result[at] = result[at] ", **" failed[at] " failed**"
			if (skipped[at])
				result[at] = result[at] ", " skipped[at] " skipped"
		}
	for (i = 1; i <= files; i++)
		row(tests[i], result)
	row("seconds of a processor", cell)
	print "\nWhat `tracery doctor` says there:\n"
	row("kernel", cell)
	ruler()
	for (i = 1; i <= items; i++)
		row(asked[i], answer)
	print "\nIts words where it is not `ok`:\n"
	for (i = 1; i <= sayings; i++)
		print "- " saying[i] " (" who[saying[i]] ")"
}
