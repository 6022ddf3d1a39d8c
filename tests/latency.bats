# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --latency. The witnesses are the workloads, which know what they did, and the same calls
# in the stream, put into buckets by awk.

load helper
load tracing

# "KEY... LO HI N" of each bucket, sorted, from the times of --syscalls in trace FILE; KEY is a list
# of members. (No call here takes a minute.)
buckets_from_stream() {
	records "$1" syscall 'select(.ns)' | jq -r --argjson key "$2" '[.[$key[]], .ns] | @tsv' |
		awk -F '\t' -v OFS='\t' '{
			for (width = 1; $NF >= 32 * width; width *= 2) {}
			$(NF + 1) = sprintf("%.0f", $NF - $NF % width + width)
			$(NF - 1) = sprintf("%.0f", $NF - width)
			n[$0]++
		}
		END { for (bucket in n) print bucket, n[bucket] }' | sort
}

# The same from the records of --latency.
buckets() {
	records "$1" hist | jq -r --argjson key "$2" '[.[$key[]], .lo, .hi, .n] | @tsv' |
		awk -F '\t' -v OFS='\t' '{
			last = $NF
			sub(/\t[^\t]*$/, "")
			n[$0] += last
		}
		END { for (bucket in n) print bucket, n[bucket] }' | sort
}

# agrees KEY OPTION...
agrees() {
	local key=$1

	shift
	trace_mixture --latency "$@"
	from_stream trace "$key" >stream
	from_summary trace "$key" | diff stream -
	buckets_from_stream trace "$key" >expected
	buckets trace "$key" | diff expected -
	[ "$(records trace hist .ts | sort -u | wc -l)" -gt 1 ]
}

# exact THREADS --latency... [OPTION]...: all of their 211 calls are in buckets, in a summary, and in
# the stream.
exact() {
	local threads=$1

	shift
	tr-attach --syscalls "$@" --command-stdout=3 -- "$(workload calls)" 211 "$threads" 3>said >trace
	tr-cat --format=json trace | awk '
		/"syscall":"getppid"/ {
			match($0, /"type":"[a-z]*/)
			type = substr($0, RSTART + 8, RLENGTH - 8)
			n[type] += match($0, /"n":[0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : 1
		}
		END { print n["hist"], n["summary"], n["syscall"] }' >got
	echo "$*: $(cat got)"
	[ "$(cat got)" = '211 211 211' ]
	# by a way that is not the kernel's best others' calls may be skipped
	[ "$(end_of trace lost)" = 0 ] || { [[ $* == *--way=* ]] && may_lose; }
}

@test "histograms are those of the stream's times, bucket by bucket, for every call" {
	need_bpf
	agrees '["syscall"]'
	grep -q '^syscall_-1	' expected
	grep -q '^i386:getpid	' expected || ! "$(workload i386)"
	run ! grep -q '^exit_group	' expected
}

@test "with --per-process they are so for each process" {
	need_bpf
	agrees '["pid", "syscall"]' --per-process --max-keys 1000
}

@test "the programs for kernels before 5.12 make the same histograms" {
	need_bpf
	export TR_OLD_KERNEL=1

	agrees '["syscall"]'
	agrees '["pid", "syscall"]' --per-process --max-keys 1000
}

# bats test_tags=kernels
@test "each call is once in a histogram and once in a summary, on every way" {
	need_bpf
	local way

	# With several threads a kernel that preempts programs loses calls on some of them.
	for way in tp_btf raw_tp tracepoint; do
		exact 1 --latency --way=$way --per-process --max-keys 200
	done
	exact 3 --latency=getppid,syscall_999
}

@test "all calls, or one, of all processes or of each: each call is once in a histogram" {
	need_bpf
	local way

	for way in tp_btf raw_tp tracepoint; do
		exact 1 --latency --way=$way
	done
	exact 3 --latency --summary
	exact 3 --latency=getppid --max-keys 1
}

@test "a call that comes again just when its histogram is taken away is in one" {
	need_bpf
	[ "$(nproc)" -gt 1 ] || skip "one CPU"
	local old

	for old in '' 1; do
		# the shell's kill keeps intervals busy, without which nothing is taken away
		env ${old:+TR_OLD_KERNEL=1} tr-attach --latency=getppid,kill --per-process --interval 2ms -- \
			sh -c '"$0" 801 4000 & while kill -0 $!; do :; done' "$(workload moves)" 2>/dev/null >trace
		records trace hist 'select(.syscall == "getppid" and .comm == "moves") | .n' | jq -s add >n
		echo "${old:-0}: $(cat n)"
		[ "$(cat n)" = 801 ]
		[ "$(end_of trace lost)" = 0 ]
	done
}

@test "threads that take the last histogram at the same moment all get it" {
	need_bpf
	local i

	for i in {1..30}; do
		exact 3 --latency=getppid --max-keys 1
	done
}

# bats test_tags=kernels
@test "keys beyond those that there are histograms for are lost, counted and said" {
	need_bpf
	local summed bucketed lost

	tr-attach --latency --max-keys 3 --command-stdout=3 -- "$(workload calls)" 211 3>said >trace 2>err
	summed=$(records trace summary 'select(.ns_total) | .n' | jq -s add)
	bucketed=$(records trace hist .n | jq -s add)
	lost=$(end_of trace lost)
	echo "$summed, $bucketed, $lost"
	[ "$lost" -ge 422 ]
	[ $((bucketed + lost)) = "$summed" ]
	[ "$(records trace hist .syscall | sort -u | wc -l)" = 3 ]
	grep -a -q '"why":"no histogram left for them, see --max-keys"' trace
	grep -q "$lost lost, to the histograms only; a larger --max-keys" err
}

# The summaries of N processes.
written() {
	[ "$(grep '"type":"summary"' trace | grep -o '"comm":"calls","pid":[0-9]*' | sort -u | wc -l)" = "$1" ]
}

@test "processes that have ended leave their histograms to others" {
	need_bpf
	local i n

	mkfifo commands
	exec 9<>commands
	start bash <&9 >said
	target=$pid
	asleep "$target"
	attach --latency=getppid --per-process --max-keys 8 --interval 10ms --format=json --follow \
		--pid "$target"
	for i in {1..23}; do
		echo "$(workload calls) 7" >&9
		wait_for written "$i"
	done
	detach
	n=$(records trace hist 'select(.comm == "calls") | .n' | jq -s add)
	[ "$n" = $((23 * 7)) ]
	[ "$(end_of trace lost)" = 0 ]
}

# One thread waits in one call after the other: the Nth of a name took what the Nth line that names it
# says, in trace FILE and in the lines of file SAID.
within_bounds() {
	local name

	for name in nanosleep readv; do
		grep "^$name " "$2" | cut -d ' ' -f 2,3 >bounds
		records "$1" syscall "select(.syscall == \"$name\") | .ns" | paste -d ' ' - bounds >each
		cat each
		awk 'NF != 3 || $1 < $2 || $1 > $3 { exit 1 }' each
		# a bucket may begin below the least and end above the most
		sort -n bounds >least
		sort -n -k 2 bounds >most
		records "$1" hist "select(.syscall == \"$name\") | [.lo, .hi, .n]" | tr -d '[]' | sort -n |
			awk -F , '{ for (i = 0; i < $3; i++) print $1, $2 }' | paste -d ' ' - least most >each
		cat each
		awk 'NF != 6 || $2 <= $3 || $1 > $6 { exit 1 }' each
		# of the sums each is within those of the bounds
		records "$1" summary "select(.syscall == \"$name\") | [.n, .ns_total, .ns_min, .ns_max]" |
			tr -d '[]' >sums
		cat sums
		[ "$(wc -l <sums)" = 1 ]
		awk -F '[ ,]' 'NR == FNR { n = $1; total = $2; min = $3; max = $4; next }
			{
				lines++
				least += $1
				most += $2
				if (FNR == 1 || $1 < least_min) least_min = $1
				if (FNR == 1 || $2 < most_min) most_min = $2
				if ($1 > least_max) least_max = $1
				if ($2 > most_max) most_max = $2
			}
			END {
				exit n != lines || total < least || total > most ||
					min < least_min || min > most_min || max < least_max || max > most_max
			}' sums bounds
	done
}

# bats test_tags=kernels
@test "times are those of sleeps and of a pipe with a late writer" {
	need_bpf
	tr-attach --latency=nanosleep,readv --syscalls=nanosleep,readv --interval 1h --command-stdout=3 -- \
		"$(workload waits)" 3 3>said >trace
	[ "$(wc -l <said)" = 15 ]
	within_bounds trace said
}

@test "times are those that strace -T sees from without, of the same calls" {
	need_bpf
	tr-attach --latency=nanosleep,readv --syscalls=nanosleep,readv --interval 1h --command-stdout=3 -- \
		strace -f -T -e trace=nanosleep,readv -o seen "$(workload waits)" 3 3>said >trace
	# "PID nanosleep({tv_sec=0, tv_nsec=10000000}, NULL) = 0 <0.010123>", in microseconds
	sed -nE 's/^[0-9]+ +([a-z]+)\(.* <([0-9]+)\.([0-9]+)>$/\1 \2\3/p' seen >taken
	[ "$(wc -l <taken)" = 15 ]
	paste -d ' ' said taken | awk '{ print $1, $2, ($5 + 1) * 1000 }' >bounds_said
	within_bounds trace bounds_said
}

# A call that began so long ago, as the programs believe, that its bucket has no end.
endless() {
	mkfifo lines
	exec 9<>lines
	start cat <&9 >said
	target=$pid
	asleep "$target"
	attach --latency=read --syscalls=read --pid "$target"
	echo one >&9
	wait_for "$(workload backdate)" "$attacher" "$target" 100
	echo two >&9
	wait_for grep -q two said
	detach
	records trace hist '[.lo, .hi, .n]' >got
	[ "$(cat got)" = '[68719476736,null,1]' ]
	records trace syscall 'select(.ns) | .ns >= 100e9' >got
	[ "$(cat got)" = true ]
	[ "$(records trace summary 'select(.ns_total) | [.n, .ns_min >= 100e9]')" = '[1,true]' ]
	rm lines
}

# bats test_tags=kernels
@test "the bucket of times from 68.7 s on has no upper bound" {
	need_bpf
	need_root
	endless
}

@test "nor has it with the programs for kernels before 5.12" {
	need_bpf
	need_root
	TR_OLD_KERNEL=1 endless
}

@test "--max-keys is for --latency, and has bounds" {
	run -2 --separate-stderr tr-attach --count --max-keys 3 --pid $$
	[[ $stderr == *"--max-keys is for --latency"* ]]
	for n in 0 1729 many; do
		run -2 --separate-stderr tr-attach --latency --max-keys $n --pid $$
		[[ $stderr == *"from 1 to 1728"* ]]
	done
}
