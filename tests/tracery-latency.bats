# SPDX-License-Identifier: GPL-2.0-only
#
# tracery latency with the real tools: whose times are in the histograms, and that they are right.

load helper

# What FILTER makes of the histogram of CALL in the report.
of() {
	jq -e -s --arg call "$1" "map(select(.syscall == \$call))[] | $2" report
}

@test "sleeps of known length are in the histogram, each in its bucket" {
	need_bpf
	"$ROOT/tracery" latency --syscall clock_nanosleep --output json -o report -- sh -c \
		'for i in 1 2 3; do sleep 0.01; sleep 0.04; done; sleep 0.09'
	[ "$(jq -s -c 'map(.syscall)' report)" = '["clock_nanosleep"]' ]
	[ "$(of clock_nanosleep .count)" = 7 ]
	# never shorter than asked for; a busy machine may make them longer
	of clock_nanosleep '.min >= 10e6 and .max >= 90e6 and .sum >= 240e6 and .p50 >= 40e6 * 31 / 32 and
		.min * 7 <= .sum and .sum <= .max * 7 and (.mean * 7 - .sum | fabs) < 1 and
		(.buckets | map(.[2]) | add) == 7 and .buckets[0][0] <= .min and .buckets[-1][1] > .max'
}

@test "all calls have a histogram each, of as many as were made, beside the command's own output" {
	need_bpf
	status=0
	"$ROOT/tracery" latency --output json -- "$(workload calls)" -e 5 1009 >said 2>report || status=$?
	[ "$status" = 5 ]
	# The workload says itself how many calls it made.
	grep -qx 'getppid 1009' said
	[ "$(of getppid .count)" = 1009 ]
	[ "$(of getppid '.buckets | map(.[2]) | add')" = 1009 ]
	of getppid '.min > 0 and .min <= .p50 and .p50 <= .p99 and .p99 <= .max and .sum >= .min * 1009'
	[ "$(jq -s 'map(.syscall) | length == (unique | length)' report)" = true ]
}

@test "--interval gives histograms for each, and their sum is the whole" {
	need_bpf
	"$ROOT/tracery" latency --syscall getppid --output json --interval 0.2 -o report -- sh -c \
		'for i in 1 2 3 4 5 6 7; do "$1" 101; sleep 0.1; done' sh "$(workload calls)" >said
	# The shell asks for its parent, too, once.
	[ "$(jq -s 'map(.count) | add' report)" = 708 ]
	[ "$(jq -s 'length' report)" -ge 2 ]
	[ "$(jq -s 'map(.buckets[][2]) | add' report)" = 708 ]
}

@test "--per-process has a histogram for each process and call" {
	need_bpf
	"$ROOT/tracery" latency --per-process --syscall getppid --output json -o report -- sh -c \
		'"$1" 103 & "$1" 211 & wait; "$1" 307' sh "$(workload calls)" >said
	[ "$(jq -s -c 'map(select(.comm == "calls").count) | sort' report)" = "[103,211,307]" ]
	[ "$(jq -s 'map(select(.comm == "calls").pid) | unique | length' report)" = 3 ]
}

@test "the text is a histogram for people, in a file for its owner alone" {
	need_bpf
	umask 022
	"$ROOT/tracery" latency --syscall getppid -o report -- "$(workload calls)" 1009 >said
	[ "$(stat -c %a report)" = 600 ]
	[ "$(head -n 1 report)" = syscall=getppid ]
	[ "$(sed -nE 's/^.*  ([0-9]+) \|.*/\1/p' report | awk "{ n += \$1 } END { print n }")" = 1009 ]
	grep -qE '^count 1009  total [0-9.]+ [mun]?s  mean [0-9.]+ [mun]?s  min [0-9.]+ ns  max ' report
	grep -qE '^p50 [0-9.]+ [mun]?s  p90 ' report
}
