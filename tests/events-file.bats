# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --events=file: files by their whole paths, against what the workload knows of them.

load helper
load tracing

# What workload files says, from JSON lines: not of what its loader opens, and its own program.
files_seen() {
	jq -r 'select(.path | startswith("/usr/lib") or startswith("/lib") or startswith("/etc") | not) |
		"\(.type) \(if .ret > 0 then "ok" else .ret end) \(.path)" +
		(if .new_path then " \(.new_path)" elif .target then " \(.target)" else "" end)' "$1" |
		grep -v "^open ok $(workload files)$"
}

whole_paths() {
	mkdir dir
	tr-attach -v --events=file --command-stdout=3 -- "$(workload files)" dir 3>said >trace 2>err
	[ "$(wc -l <said)" = 33 ]
	tr-cat --format=json trace | jq -c 'select(.type)' >all.json
	files_seen all.json | diff said -
	# a path that leads to what was opened is not as given, all others are
	jq -s -e 'map(select(.type == "open" or (.type == "create" and .flags != 0))) |
		all(.as_given == (.ret < 0 or (.path | startswith("/proc/self/fd/"))))' all.json
	tr-cat --format=text trace | grep -E " OPEN +files [0-9]+ +$PWD/dir/slow \(as given\) flags=rdonly -> restarted$"
	[ "$(end_of trace lost)" = 0 ]
}

# bats test_tags=kernels
@test "each file is there by its whole path, however it was named" {
	need_bpf
	whole_paths
}

@test "so it is where programs may be preempted, by way of a classic tracepoint" {
	need_bpf
	[ -d /sys/kernel/tracing/events ] || need_root # to mount it
	TR_PREEMPTS=1 whole_paths
	grep -qx 'tr-attach: file: on_return_tp by way of tp' err
}

@test "so it is with the programs for old kernels" {
	need_bpf
	TR_OLD_KERNEL=1 whole_paths
}

# bats test_tags=kernels
@test "in a root of its own a thread's paths are those that it sees" {
	need_bpf
	need_root
	mkdir dir
	tr-attach --events=file --command-stdout=3 -- "$(workload files)" dir chroot 3>said >trace
	grep -qx 'create ok /first' said
	[ "$(records trace create 'select(.path == "/first")' | wc -l)" = 1 ]
	[ "$(records trace rename 'select(.path == "/first" and .new_path == "/sub/third")' | wc -l)" = 1 ]
	[ "$(records trace unlink 'select(.path == "/sub/link")' | wc -l)" = 2 ]
}

# bats test_tags=kernels
@test "a path goes on above a mount, in another mount namespace as well" {
	need_bpf
	need_namespaces
	mkdir mnt
	cat >mounts.sh <<-'END'
		mount -t tmpfs none mnt
		mkdir mnt/deep
		cd mnt/deep
		echo >file
		while read -r line; do :; done <file
	END
	tr-attach --events=open,create -- unshare --mount sh mounts.sh >trace
	[ "$(records trace create "select(.path == \"$PWD/mnt/deep/file\" and .as_given == false)" | wc -l)" = 1 ]
	[ "$(records trace open "select(.path == \"$PWD/mnt/deep/file\" and .ret >= 0)" | wc -l)" = 1 ]
}

# bats test_tags=kernels
@test "odd names are whole: newlines, quotes, bytes that are no UTF-8" {
	need_bpf
	local odd

	odd=$(printf 'a"b\\\nc\xff\xc3;d')
	tr-attach --events=file -- sh -c 'echo >"$1"; mv "$1" "$1$1"; rm "$1$1"' sh "$odd" >trace
	tr-cat --format=json trace | grep -F "\"path\":\"$PWD/a\\\"b\\\\\\nc\\udcff\\udcc3;d\"" | grep -q '"type":"create"'
	tr-cat --format=json trace | grep '"type":"rename"' | grep -qF "\"new_path\":\"$PWD/a\\\"b\\\\\\nc\\udcff\\udcc3;da\\\"b"
	[ "$(records trace unlink 'select(.ret == 0)' | wc -l)" = 1 ]
	# and back from JSON, on a terminal one line
	tr-cat --format=json trace | tr-cat --format=packed | tr-cat --format=text | diff <(tr-cat --format=text trace) -
	tr-cat --format=text trace | grep -F "$PWD/a\"b\\\\nc\\xff\\xc3;d flags=wronly,creat,trunc mode=0666 -> "
}

# bats test_tags=kernels
@test "the beginning of a path that is too long is marked as missing" {
	need_bpf
	local long

	long=$(printf '%*s' 240 '' | tr ' ' x)
	tr-attach --events=create,mkdir -- "$(workload deep)" 20 240 >trace
	[ "$(end_of trace lost)" = 0 ]
	records trace create 'select(.path | startswith("…") and endswith("/\($long)/end")) | .path | utf8bytelength' \
		--arg long "$long" >length
	[ "$(cat length)" -gt 3800 ]
	[ "$(cat length)" -le 4096 ]
	# those that fit are whole
	[ "$(records trace mkdir "select(.path | startswith(\"$PWD/x\"))" | wc -l)" -gt 12 ]
	# as many names as are looked at, and not one more
	tr-attach --events=create -- "$(workload deep)" 80 1 >trace
	[ "$(records trace create 'select(.path | endswith("/end")) | .path')" = "\"…$(printf '/x%.0s' {1..63})/end\"" ]
}

@test "as many files are opened, created and removed as strace sees" {
	need_bpf
	need strace
	cat >build.sh <<-'END'
		mkdir tree
		for i in 1 2 3 4 5 6 7; do
			mkdir tree/$i
			for j in 1 2 3 4 5 6 7 8 9; do echo $i$j >tree/$i/$j; done
		done
		cp -r tree copy
		mv copy/3 copy/33
		cat copy/*/* >/dev/null
		rm -r tree copy
	END
	strace -f -c -o sum sh build.sh
	tr-attach --events=file -- sh build.sh >trace
	[ "$(end_of trace lost)" = 0 ]
	awk '$4 ~ /^[0-9]+$/ { print $NF, $4 }' sum | grep -E '^(open|openat|creat|rename|renameat2|mkdir|mkdirat|rmdir|unlink|unlinkat) ' >expected
	{
		echo "opens $(tr-cat --format=json trace | jq -c 'select(.type == "open" or .type == "create")' | wc -l)"
		echo "mkdirs $(records trace mkdir | wc -l)"
		echo "removals $(tr-cat --format=json trace | jq -c 'select(.type == "unlink" or .type == "rmdir")' | wc -l)"
		echo "renames $(records trace rename | wc -l)"
	} >got
	awk '
		/^(open|openat|creat) / { n["opens"] += $2 }
		/^mkdir/ { n["mkdirs"] += $2 }
		/^(rmdir|unlink|unlinkat) / { n["removals"] += $2 }
		/^rename/ { n["renames"] += $2 }
		END { print "opens", n["opens"]; print "mkdirs", n["mkdirs"]; print "removals", n["removals"]; print "renames", n["renames"] }' expected |
		diff - got
	# what was created is what there was
	[ "$(records trace create 'select(.path | contains("/tree/"))' | wc -l)" = 63 ]
	[ "$(records trace create 'select(.path | contains("/copy/"))' | wc -l)" = 63 ]
}

# bats test_tags=kernels
@test "what is read and written of each file adds up, and takes time" {
	need_bpf
	head -c 700001 /dev/urandom >in
	tr-attach --events=file:io -- sh -c 'dd if=in of=out bs=4093 2>/dev/null; cat out | cat >/dev/null' >trace
	[ "$(end_of trace lost)" = 0 ]
	tr-table --by path,op --agg 'count,sum(bytes),sum(ns)' --output json trace >table
	jq -s -e --arg path "$PWD/in" 'any(.[]; .path == $path and .op == "read" and .count == 173 and .sum_bytes == 700001 and .sum_ns > 0)' table
	jq -s -e --arg path "$PWD/out" 'any(.[]; .path == $path and .op == "write" and .count == 172 and .sum_bytes == 700001)' table
	jq -s -e --arg path "$PWD/out" 'any(.[]; .path == $path and .op == "read" and .sum_bytes == 700001)' table
	tr-cat --format=text trace | grep -E " IO +dd [0-9]+ +read $PWD/in in [0-9.]+ (ns|us|ms) -> 4093$"
	# a copy within the kernel is of two files; one that was removed has a name all the same
	tr-attach --events=io -- sh -c 'exec 3<in; rm in; cp out copy; cat <&3 >/dev/null' >trace
	tr-table --by path,op --agg 'sum(bytes)' --output json trace >table
	jq -s -e --arg path "$PWD/out" 'any(.[]; .path == $path and .op == "read" and .sum_bytes == 700001)' table
	jq -s -e --arg path "$PWD/copy" 'any(.[]; .path == $path and .op == "write" and .sum_bytes == 700001)' table
	jq -s -e --arg path "$PWD/in (deleted)" 'any(.[]; .path == $path and .op == "read" and .sum_bytes == 700001)' table
	# pipes have no path
	[ "$(records trace io 'select(.path | startswith("/") | not)' | wc -l)" = 0 ]
	[ "$(records trace open | wc -l)" = 0 ]
}

@test "a name that has to be asked for is not in its class, nor in all" {
	need_bpf
	tr-attach --events=all -- cat /dev/null >trace
	[ "$(records trace io | wc -l)" = 0 ]
	[ "$(records trace open | wc -l)" -gt 0 ]
	tr-attach --events=file,io -- cat /dev/null >trace
	[ "$(records trace io | wc -l)" -gt 0 ]
	[ "$(records trace open | wc -l)" -gt 0 ]
	run -2 --separate-stderr tr-attach --events=mem:io --pid 1
	[[ $stderr == *"no such events"* ]]
}

@test "opens that find no room in the ring are counted" {
	need_bpf
	local n lost

	read_late open opens 100003
	n=$(records trace open 'select(.path == "/dev/null")' | wc -l)
	lost=$(end_of trace lost)
	echo "$n $lost"
	[ "$lost" -gt 0 ]
	# besides: what the shell and the loader opened
	[ $((n + lost)) -ge 100003 ]
	[ $((n + lost)) -le 100023 ]
}

# bats test_tags=kernels
@test "a process that uses io_uring is pointed out, once" {
	need_bpf
	"$(workload uring)" 1 || skip "no io_uring here"
	tr-attach --events=file,net --command-stdout=3 -- sh -c '"$0" 7; "$0" 3' "$(workload uring)" 3>said >trace 2>err
	sed -E 's/pid ([0-9]+)/tr-attach: process \1 (uring) uses io_uring: what it does by that is not seen/' said | diff - err
	# also where nobody needs to enter it
	tr-attach --events=file -- "$(workload uring)" 0 >trace 2>err
	grep -q ' (uring) uses io_uring: ' err
	tr-attach -q --events=file -- "$(workload uring)" 7 >trace 2>err
	[ "$(grep -v '^pid ' err)" = "" ]
	[ "$(end_of trace records)" = "$(tr-cat --format=json trace | jq -c 'select(.type)' | wc -l)" ]
}
