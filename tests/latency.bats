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
	[ "$(records trace hist .ts | sort -u | wc -l)" -gt 3 ]
}

# exact OPTION...: all of the 211 calls are in buckets, in a summary, and in the stream.
exact() {
	tr-attach --latency --syscalls "$@" --command-stdout=3 -- "$(workload calls)" 211 3 3>said >trace
	tr-cat --format=json trace | awk '
		/"syscall":"getppid"/ {
			match($0, /"type":"[a-z]*/)
			type = substr($0, RSTART + 8, RLENGTH - 8)
			n[type] += match($0, /"n":[0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : 1
		}
		END { print n["hist"], n["summary"], n["syscall"] }' >got
	echo "$*: $(cat got)"
	[ "$(cat got)" = '211 211 211' ]
	[ "$(end_of trace lost)" = 0 ]
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

	for way in tp_btf raw_tp tracepoint; do
		exact --way=$way
		exact --way=$way --per-process --max-keys 200
	done
	exact --summary
	exact --latency=getppid
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
}

@test "--max-keys is for --latency, and has bounds" {
	run -2 --separate-stderr tr-attach --count --max-keys 3 --pid $$
	[[ $stderr == *"--max-keys is for --latency"* ]]
	for n in 0 1729 many; do
		run -2 --separate-stderr tr-attach --latency --max-keys $n --pid $$
		[[ $stderr == *"from 1 to 1728"* ]]
	done
}
