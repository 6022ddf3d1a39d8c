# SPDX-License-Identifier: GPL-2.0-only
#
# --where of tr-attach: what the kernel selects is what tr-cat selects of the same calls, and what
# the workload says it did. (That each operator means the same is tests/unit/where.c's.)

load helper
load tracing

# The fields that two tracers see alike.
alike() {
	tr-cat --format=json "$1" | jq -c 'select(.type) | [.syscall, .ret, .args, .comm, .pid, .tid, .path, .path2]' | sort
}

# selects EXPRESSION...: each in a tr-attach of its own beside one without, all of the same target,
# a shell that awaits a line and then runs what is in `script`.
selects() {
	local attachers=() expression i=0 want got

	ready sh -c 'echo ready $$; read -r _; . ./script'
	for expression in '' "$@"; do
		start tr-attach -v --args --follow --pid "$target" ${expression:+--where "$expression"} \
			>"trace.$i" 2>"err.$i"
		attachers+=("$pid")
		i=$((i + 1))
	done
	while [ "$((i -= 1))" -ge 0 ]; do
		wait_for grep -q 'capabilities kept' "err.$i"
	done
	go
	for i in "${!attachers[@]}"; do
		run -0 finish "${attachers[i]}"
		[ "$(end_of "trace.$i" lost)" = 0 ]
	done
	i=0
	for expression; do
		i=$((i + 1))
		tr-cat --where "$expression" trace.0 2>err >want
		got=$(alike "trace.$i")
		want=$(alike want)
		[ -n "$want" ] || {
			echo "selects nothing: $expression"
			return 1
		}
		diff <(echo "$want") <(echo "$got") || {
			echo "differs: $expression"
			return 1
		}
	done
}

@test "the kernel selects what tr-cat selects of the same calls" {
	need_bpf
	cat >script <<-'END'
		cat /etc/hostname /etc/no-such.conf
		ls -l /etc/passwd nowhere
		ln -s a b
		mv b c
		"$TR_TESTS/workloads/calls" 53 4
	END
	selects 'ret < 0' 'syscall == "openat" && ret == -2' 'errno == "ENOENT" || errno == EBADF' \
		'!(errno == 2) && errno != null' 'comm == "cat"' 'comm ~ "?a*" && comm != "mv"' \
		'path ~ "*.conf"' 'path ~ "/etc/*s*" || path2 == "c"' 'path == "/etc/hostname"'
	selects 'args[0] == 12345' 'syscall ~ "*at*" && args[0] == 0xffffff9c' 'ret == null' \
		'(args[2] & 0x80000 != 0 || ret > 1K) && path != ""' 'tid != pid && ret % 2 == 0' \
		'syscall != "openat" && ns >= 0' 'pid != $TARGET_PID' 'pid == $TARGET_PID' \
		'syscall ~ "*link*" || !(comm ~ "*s")'
}

# sums FILTER OPTION...: of the workload calls, 211 each, FILTER of what is counted or added up.
sums() {
	local filter=$1

	shift
	tr-attach "$@" --command-stdout=3 -- "$(workload calls)" 211 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
	tr-cat --format=json trace | jq -sc "map(select(.n)) | $filter"
}

@test "what is counted and added up is selected first" {
	need_bpf
	[ "$(sums '[.[0].syscall, (map(.n) | add)]' --count --where 'syscall == "getppid"')" = '["getppid",211]' ]
	[ "$(sums '[.[0].syscall, (map(.n) | add)]' --count --where 'args[0] == 12345 && comm == "calls"')" = '["close",211]' ]
	[ "$(sums 'map(.n) | add' --count --where 'syscall ~ "get*pid" && tid == pid && comm ~ "c*s"')" = 211 ]
	[ "$(sums '[.[0].syscall, (map(.n) | add), (map(.errors) | add)]' --summary --where 'errno == EBADF')" = '["close",211,211]' ]
	[ "$(sums '[.[0].syscall, (map(.n) | add), .[0].comm]' --summary --per-process --where 'args[0] == 12345')" = '["close",211,"calls"]' ]
}

# bats test_tags=kernels
@test "histograms are of what is selected" {
	need_bpf
	tr-attach --latency --where 'args[0] == 12345' --command-stdout=3 -- "$(workload calls)" 211 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
	for type in hist summary; do
		[ "$(records trace "$type" '[.syscall, .n]' | jq -sc '[.[0][0], (map(.[1]) | add)]')" = '["close",211]' ]
		[ "$(records trace "$type" .syscall | sort -u)" = '"close"' ]
	done
}

# by WAY: both kinds of calls, and nothing else, are selected.
by() {
	echo "$1 ${TR_OLD_KERNEL-}"
	tr-attach --way="$1" --args --where 'ret < 0 && args[0] == 12345 || path ~ "/*/where-*"' \
		--command-stdout=3 -- sh -c '"$0" 211; cat /proc/where-are-you' "$(workload calls)" \
		3>said >trace 2>err || true
	[ "$(end_of trace lost)" = 0 ]
	[ "$(records trace syscall '[.syscall, .ret, .path]' | sort | uniq -c | sed 's/^ *//')" = \
		'211 ["close",-9,""]
1 ["openat",-2,"/proc/where-are-you"]' ]
	tr-attach --way="$1" --count --where 'args[0] == 12345' -- "$(workload calls)" 211 >trace 2>err
	[ "$(records trace count '[.syscall, .n]' | jq -sc '[.[0][0], (map(.[1]) | add)]')" = '["close",211]' ]
}

# bats test_tags=kernels
@test "the programs for kernels before 5.12 select the same calls" {
	need_bpf
	by tracepoint
	TR_OLD_KERNEL=1 by tracepoint
}

@test "on every way in, old programs and new, what is selected is all there" {
	need_bpf
	for way in tp_btf raw_tp tracepoint; do
		by "$way"
		TR_OLD_KERNEL=1 by "$way"
	done
}

# bats test_tags=kernels
@test "calls are selected by how long they took" {
	need_bpf
	tr-attach --where 'ns >= 20ms && syscall ~ "*nanosleep"' -- \
		sh -c 'for i in 1 2 3 4 5 6 7; do sleep 0.02; done' >trace
	[ "$(records trace syscall '.comm' | sort | uniq -c | sed 's/^ *//')" = '7 "sleep"' ]
	tr-attach --where 'ns > 1h' -- sh -c 'sleep 0' >trace
	[ "$(end_of trace records) $(end_of trace lost)" = '0 0' ]
	tr-attach --where 'ns == null && ret == null' -- sh -c 'sleep 0; exit 0' >trace
	[ "$(records trace syscall '[.syscall, .ns]' | sort | uniq -c | sed 's/^ *//')" = '2 ["exit_group",null]' ]
}

@test "names are those that a thread has when its call ends" {
	need_bpf
	tr-attach --where 'comm == "cat" && syscall == "execve"' -- sh -c 'exec cat /dev/null' >trace
	[ "$(records trace syscall '[.ret, .comm]')" = '[0,"cat"]' ]
	tr-attach --args --where 'path ~ "*/cat" && ret == 0' -- sh -c 'exec cat /dev/null' >trace
	[ "$(records trace syscall 'select(.syscall == "execve") | .comm')" = '"cat"' ]
}

@test "of a path the kernel sees 255 bytes: beyond it is null, as is one that can't be read" {
	need_bpf
	for expression in 'path ~ "/bcd*"' '!(path ~ "/nobody*")' 'path == path2' 'path ~ "*" || path2 ~ "*"'; do
		tr-attach --args --where "(comm == \"args\" && syscall == \"openat\") && ($expression)" \
			--command-stdout=3 -- "$(workload args)" 3>said >trace
		n=$(records trace syscall .path | grep -c '^"/bcd' || true)
		[ "$(end_of trace lost)" = 0 ]
		short=$(awk '$1 == "openat" && $2 ~ /^2f626364/ && length($2) <= 2 * 255' said | wc -l)
		long=$(awk '$1 == "openat" && $2 ~ /^2f626364/ && length($2) > 2 * 255' said | wc -l)
		echo "$expression: $n of $short and $long"
		[ "$short" -gt 5 ] && [ "$long" -gt 3 ]
		case $expression in
		'path == path2') [ "$n" = 0 ] ;;
		*path2\ ~*) [ "$n" = $((short + long)) ] ;; # there is no second path, which is ""
		*) [ "$n" = "$short" ] ;;
		esac
	done
	records trace syscall 'select(.path == "…") | .ret' | grep -qx -e -14
}

@test "calls that no table knows, and those of 32 bits, go by their names" {
	need_bpf
	tr-attach --where 'syscall ~ "syscall_1000?[37]"' -- "$(workload numbers)" 100 >trace
	[ "$(end_of trace records)" = 0 ]
	tr-attach --where 'syscall ~ "syscall_1000?7" || syscall == "syscall_100042"' -- "$(workload numbers)" 100 >trace
	[ "$(records trace syscall .syscall | sort -u | wc -l)" = 11 ]
	"$(workload i386)" >said || skip "no 32-bit calls here"
	tr-attach --where 'syscall ~ "i386:*pid"' -- "$(workload i386)" >trace 2>err
	[ "$(end_of trace records)" = 1009 ]
	[ "$(calls trace i386:getpid)" = 1009 ]
	tr-attach --count --where 'syscall == "i386:access" && args[0] == 0' -- "$(workload i386)" >trace 2>err
	[ "$(records trace count '[.syscall, .n]' | jq -sc '[.[0][0], (map(.[1]) | add)]')" = '["i386:access",211]' ]
}

@test "given more than once, all must be true" {
	need_bpf
	tr-attach --where 'syscall ~ "close"' --where 'ret == -9' --where true -- "$(workload calls)" 211 >trace 2>err
	[ "$(end_of trace records) $(calls trace close)" = '211 211' ]
	tr-attach --where false --where 'ret == -9' -- "$(workload calls)" 211 >trace 2>err
	[ "$(end_of trace records)" = 0 ]
}

@test "tracery hands it to tr-attach" {
	need_bpf
	"$ROOT/tracery" count --where 'syscall == "getppid"' --output json -o report -- "$(workload calls)" 211
	[ "$(jq -c . report)" = '{"syscall":"getppid","count":211}' ]
	run -0 "$ROOT/tracery" --show count --where 'syscall == "read"' --pid 1
	[[ $output == *"tr-attach --count --where 'syscall == \"read\"' --pid 1 | "*tr-table ]]
}

# says LINE OPTION...: that is the error, with status 2, before anything starts.
says() {
	local line=$1

	shift
	run -2 --separate-stderr tr-attach --pid 1 "$@"
	[ "$stderr" = "tr-attach: --where: $line; see tracery-expressions(7)" ] || {
		echo "got: $stderr"
		return 1
	}
}

@test "an expression that can't be is one line with its column, and status 2" {
	says 'column 8: unexpected parsecs where an operator is due' --where 'ns > 5 parsecs'
	says 'column 1: comm is a string: < <= > >= compare numbers' --where 'comm > 5'
	says 'column 12: a system call has no nanos; there are syscall, comm, pid, tid, args[0] to args[5], ns, ret, errno, path, path2' \
		--where 'ret < 0 && nanos > 5'
	says 'column 1: ts is given to records when they are written, and not known in the kernel; tr-cat --where selects by it' \
		--where 'ts > 5'
	says 'there is no system call "opennat"; did you mean openat?' --where 'syscall == "opennat"'
	says 'column 8: $TARGET_PID: the trace names more than one target process' --pid 2 --where 'pid == $TARGET_PID'
	says 'column 1: ns is not known yet when --count counts a call, which is when it begins; --summary counts calls that ended' \
		--count --where 'ns > 5'
	says 'the kernel compares a system call'\''s name with constants only; tr-cat --where compares it with fields as well' \
		--where 'syscall == comm'
	says 'too much for the kernel, which takes at most 4 patterns; tr-cat --where takes more' \
		--where 'path ~ "1*" || path ~ "2*" || path ~ "3*" || path ~ "4*" || path ~ "5*"'
	says 'too much for the kernel, which takes at most 64 operators; tr-cat --where takes more' \
		--where "$(printf 'ret %% 7 == %d || ' {1..50}) false"
	says 'too much for the kernel, which takes at most 63 bytes of a pattern beside its stars; tr-cat --where takes more' \
		--where "path ~ \"*$(printf %064d 0)\""
	run -125 --separate-stderr tr-attach --where 'ret <' -- touch begun
	[ "$stderr" = 'tr-attach: --where: column 6: the expression ends where a field, a number or a string is due; see tracery-expressions(7)' ]
	[ ! -e begun ]
}

@test "the largest expression that is taken can be loaded" {
	need_bpf
	many=$(printf 'ret %% 7 == %d || ' {1..21})
	tr-attach --where "$many path ~ \"*$(printf %060d 0)*a\"" -- true >trace
	[ "$(end_of trace lost)" = 0 ]
	some=$(printf 'path ~ "*%d*a*?b" || path == "/%0250d" || path2 == "%0255d" || ' 1 1 1 2 2 2 3 3 3 4 4 4)
	tr-attach --where "$some false" --dry-run -- true 2>err
}
