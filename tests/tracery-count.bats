# SPDX-License-Identifier: GPL-2.0-only
#
# tracery count with the real tools: what is in the report, where it goes, how it ends.

load helper

# count_calls N OPTION...: counts a workload's N calls of getppid, with the workload's own output in
# said and the report in report; sets status.
count_calls() {
	local n=$1

	shift
	status=0
	"$ROOT/tracery" count "$@" -- "$(workload calls)" -e 5 "$n" >said 2>report || status=$?
}

@test "the command keeps stdout, the report goes to stderr, the status is the command's" {
	need_bpf
	count_calls 1009 --output json
	[ "$status" = 5 ]
	# The workload says itself how many calls it made.
	grep -qx 'getppid 1009' said
	[ "$(jq 'select(.syscall == "getppid").count' report)" = 1009 ]
}

@test "with -o the report is in a file for its owner alone, and stderr is the command's" {
	need_bpf
	umask 022
	status=0
	"$ROOT/tracery" count -o file --output csv -- sh -c 'echo out; echo err >&2' >out 2>err || status=$?
	[ "$status" = 0 ]
	[ "$(cat out)" = out ]
	[ "$(cat err)" = err ]
	[ "$(stat -c %a file)" = 600 ]
	[ "$(awk -F, 'NR == 1 { print $1, $2 }' file)" = "syscall count" ]
	[ "$(awk -F, '$1 == "exit_group" { print $2 }' file)" = 1 ]
}

@test "--interval gives a table for each, and their sum is the whole" {
	need_bpf
	status=0
	"$ROOT/tracery" count --output json --interval 0.2 -- sh -c \
		'for i in 1 2 3 4 5 6 7; do "$1" 101; sleep 0.1; done' sh "$(workload calls)" >said 2>report || status=$?
	[ "$status" = 0 ]
	# The shell asks for its parent, too, once.
	[ "$(jq -s 'map(select(.syscall == "getppid").count) | add' report)" = 708 ]
	[ "$(jq -s 'map(select(.syscall == "getppid")) | length' report)" -ge 2 ]
}

@test "--per-process has a row for each process and call" {
	need_bpf
	"$ROOT/tracery" count --per-process --output json -- sh -c \
		'"$1" 103 & "$1" 211 & wait; "$1" 307' sh "$(workload calls)" >said 2>report
	[ "$(jq -s -c 'map(select(.comm == "calls" and .syscall == "getppid").count) | sort' report)" = "[103,211,307]" ]
	[ "$(jq -s 'map(select(.comm == "calls").pid) | unique | length' report)" = 3 ]
	# Other columns are those that one asks for.
	"$ROOT/tracery" count --per-process --by comm --output json -- "$(workload calls)" 103 >said 2>report
	[ "$(jq -s -c 'map(keys) | add | unique' report)" = '["comm","count"]' ]
}

@test "count --summary has times and errors beside the same counts" {
	need_bpf
	"$ROOT/tracery" count --summary --output json -- "$(workload calls)" 101 >said 2>report
	[ "$(jq -c 'select(.syscall == "getppid") | [.count, .errors]' report)" = "[101,0]" ]
	jq -es 'map(select(.syscall == "getppid"))[0] | .total_ns > 0 and .max_ns <= .total_ns' report
}

@test "a command that is killed, cannot be run or is not found has a shell's status" {
	need_bpf
	run -139 "$ROOT/tracery" count -- sh -c 'kill -SEGV $$'
	run -127 --separate-stderr "$ROOT/tracery" count -- nosuchcommand
	# shellcheck disable=SC2154
	[[ $stderr == *"tr-attach: cannot run nosuchcommand: not found"* ]]
	touch not-executable
	run -126 "$ROOT/tracery" count -- ./not-executable
	run -125 "$ROOT/tracery" count --tid 1 -- true
}

@test "SIGTERM to tracery alone is passed on to the command, whose end is that of all" {
	need_bpf
	start "$ROOT/tracery" count -- sh -c 'trap "echo told; exit 7" TERM; echo ready; while :; do read -r _; done' \
		<> <(:) >said 2>report
	wait_for grep -q ready said
	kill -TERM "$pid"
	run -7 finish "$pid"
	grep -qx told said
	grep -q SYSCALL report
}

@test "the tools behind each other are none of the whole machine" {
	need_bpf
	local filter

	start "$ROOT/tracery" count --all --per-process --duration 0.5 --output json >report
	wait_for pgrep -P "$pid" tr-table
	filter=$(pgrep -P "$pid" tr-table)
	run -0 finish "$pid"
	[ -s report ]
	[ "$(jq -s "map(select(.pid == $pid or .pid == $filter)) | length" report)" = 0 ]
}

@test "a target that is gone is one line at once, and no table" {
	need_bpf
	run --separate-stderr timeout 5 "$ROOT/tracery" count --pid 4194303
	[ "$status" = 1 ]
	[ -z "$output" ]
	[[ ${stderr_lines[0]} == "tr-attach: "*4194303* ]]
}
