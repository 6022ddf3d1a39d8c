# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# For bench/run: the sections about what reads traces, and about memory.

# make_traces: what the filters read, with as many million records as their names say, or thousands.
make_traces() {
	[ ! -e plain20M ] || return 0
	# On a disk, in the page cache, where traces are read from; mapping a tmpfs costs more.
	disk=$(mktemp -d "${TMPDIR:-/var/tmp}/bench.XXXXXX")
	ln -s "$disk"/{plain,newline,schema}20M "$disk/json10M" .
	gen plain $((20 * million)) >plain20M
	gen newline $((20 * million)) >newline20M
	gen schema $((20 * million)) >schema20M
	gen plain $((10 * million)) | tr-cat --format=json >json10M
	gen plain $((million / 5)) >plain200K
	gen plain $((million / 10)) | tr-cat --format=json >json100K
	gen plain $((million / 5)) | tr-cat --format=json | grep '^{"type"' >json200K
}

# timing COMMAND: of one filter, its output thrown away; what stands before a pipe gets another CPU.
# Prints seconds and MiB at the peak.
timing() {
	local filter="nice -n -20 taskset -c $cpus timed times"

	rm -f times
	case $1 in
	*' | '*) eval "nice -n -20 taskset -c $target_cpu ${1%% | *} | $filter ${1#* | }" ;;
	*) eval "$filter $1" ;;
	esac >/dev/null
	awk '{ printf "%s\t%s\n", $1, $2 / 1024 }' times
}

filters() {
	local lines line goal records command r

	printf '\n## Filters on one CPU\n\n'
	make_traces
	mapfile -t lines <<-END
		80 20 tr-table plain20M
		80 20 tr-table newline20M
		30 20 cat plain20M | tr-table
		25 20 tr-table --by comm --agg 'sum(ns)' plain20M
		25 20 tr-table schema20M
		8 10 tr-table json10M
		0 20 tr-table --agg 'p99(ns)' plain20M
		0 20 tr-hist plain20M
		0 20 cat plain20M | tr-hist
		0 20 tr-hist --by comm,syscall plain20M
		0 20 tr-hist --linear 10us plain20M
		0 20 tr-hist --heatmap plain20M
		0 10 tr-hist json10M
		12 20 tr-cat --format=json plain20M
		0 20 tr-cat plain20M
		0 10 tr-cat --format=packed json10M
		0 20 wc -l plain20M
		0 10 wc -l json10M
		0 .2 mawk -F'"' '{ n[\$(NF - 1)]++ } END { for (s in n) print n[s], s }' json200K
		0 .2 gawk -F'"' '{ n[\$(NF - 1)]++ } END { for (s in n) print n[s], s }' json200K
		0 .2 mawk -F'[,:]' '{ for (b = 1; b < \$6; b *= 2) ; n[\$NF, b]++ } END { for (s in n) print n[s], s }' json200K
		0 .2 jq -n 'reduce inputs as \$r ({}; .[\$r.syscall] += 1)' json200K
		0 .2 jq -n 'reduce inputs as \$r ({}; .[\$r.syscall][(\$r.ns|logb|tostring)] += 1)' json200K
		0 .2 mlr --ijsonl --opprint count -g syscall json200K
	END
	for ((r = 0; r < rounds / 3; r++)); do
		for line in "${lines[@]}"; do
			read -r goal records command <<<"$line"
			installed "$command" || continue
			printf '%s\t%s\t%s\t%s\n' "$command" "$(timing "$command")" "$records" "$goal"
		done
	done >results
	head_of filter 'million/s' goal 'ns each' 'MiB at peak'
	awk -f "$top/bench/median.awk" -v least=1 results |
		awk -F '\t' -v million="$million" '{
			n = $4 * million
			printf "%s\t%s\t%s\t%s\t%s\n", $1, n / $2 / 1e6, $5 ? $5 : "", $2 / n * 1e9, $3
		}' | rows '| %.2f | %s | %.1f | %.1f'
	tell_absent
}

memory() {
	local command

	printf '\n## Memory at the peak of a run, and of one a hundred times longer\n\n'
	make_traces
	head_of program MiB '100 times longer'
	begin_target
	for command in 'tr-attach --syscalls --pid PID' 'tr-attach --count --pid PID'; do
		start "$command"
		round $((calls / 20)) >/dev/null
		printf '%s\t%s\t' "$command" "$(resident "$command" | cut -f1)"
		round $((5 * calls)) >/dev/null
		resident "$command" | cut -f1
		stop
	done >results
	end_target
	while read -r small large command; do
		printf '%s\t%s\t%s\n' "$command" "$(timing "${command/FILE/$small}" | cut -f2)" \
			"$(timing "${command/FILE/$large}" | cut -f2)"
	done <<-END >>results
		plain200K plain20M tr-table FILE
		plain200K plain20M cat FILE | tr-table
		plain200K plain20M tr-cat --format=json FILE
		json100K json10M tr-table FILE
		json100K json10M tr-cat --format=packed FILE
	END
	rows '| %.2f | %.2f' <results
}
