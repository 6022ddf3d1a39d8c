# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --events=mem: mappings and page faults, against the workload's own totals and the
# kernel's counters.

load helper
load tracing

# jq: an address as a number. (What user space has fits.)
from_hex='def from_hex: explode[2:] | reduce .[] as $c (0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end)); '

# The records of trace FILE between the two brk(2) that ask where the heap ends, all of them JSON.
between_marks() {
	tr-cat --format=json "$1" | jq -c 'select(.type)' |
		awk '/"type":"brk".*"addr":"0x0"/ { inside = !inside; next } inside'
}

# traced [OPTION]...: maps 7 times 131 pages and a file of 61, traced from before its first map to
# its end; trace and said.
traced() {
	head -c $((61 * 4096)) /dev/urandom >file
	sync file
	ready "$(workload maps)" 7 131 file
	attach "$@" --pid "$target"
	go
	run -0 finish "$attacher"
	[ "$(end_of trace lost)" = 0 ]
}

# bats test_tags=kernels
@test "what is mapped, protected, advised and unmapped adds up, each call once" {
	need_bpf
	traced --events=mem
	between_marks trace | jq -c 'select(.type != "fault")' >calls
	[ "$(jq -s 'map(select(.type == "mmap" and .len == 131 * 4096 and .ret > 0)) | length' calls)" = 7 ]
	[ "$(jq -s 'map(select(.type == "munmap" and .len == 131 * 4096 and .ret == 0)) | length' calls)" = 7 ]
	[ "$(jq -s 'map(select(.type == "mprotect" and .prot == 1)) | length' calls)" = 7 ]
	[ "$(jq -s 'map(select(.type == "madvise") | .advice) | sort' -c calls)" = "[1$(printf ',4%.0s' {1..7})$(printf ',15%.0s' {1..7})]" ]
	# as much as was mapped was unmapped again, counting what grew
	jq -s -e '
		(map(select(.type == "mmap" and .ret > 0).len) | add) +
		(map(select(.type == "mremap").new_len - select(.type == "mremap").len) | add) ==
		(map(select(.type == "munmap").len) | add)' calls
	# and each munmap is of what a mapping gave
	jq -s -e "$from_hex"'
		(map(select(.type == "mmap" and .ret > 0).ret) + map(select(.type == "mremap").ret)) as $given |
		map(select(.type == "munmap").addr | from_hex) | length == 10 and all(. as $addr | any($given[]; . == $addr))' calls
	[ "$(jq -c 'select(.type == "mmap" and .len == 0) | [.ret, .prot, .flags, .fd]' calls)" = '[-22,1,34,-1]' ]
	# the file behind a mapping, by its whole name
	[ "$(jq -r 'select(.type == "mmap" and .fd != -1) | .path' calls)" = "$(pwd -P)/file
memfd:nowhere" ]
	[ "$(jq -s 'map(select(.type == "mmap" and .fd == -1) | .path) | unique' -c calls)" = '[""]' ]
}

# bats test_tags=kernels
@test "every fault is there once, as the kernel counts them" {
	need_bpf
	traced --events=mem
	eval "$(tail -n 1 said)"
	between_marks trace | jq -c 'select(.type == "fault")' >faults
	[ "$(jq -c 'select(.kind == "minor")' faults | wc -l)" = "$minor" ]
	[ "$(jq -c 'select(.kind == "major")' faults | wc -l)" = "$major" ]
	# of what was mapped: each page once for writing, half of them again for reading
	between_marks trace | jq -s -c "$from_hex"'
		(map(select(.type == "mmap" and .len == 131 * 4096) | {at: .ts, ret})) as $maps |
		(map(select(.type == "mmap" and .fd != -1)) | first.ts) as $last |
		[.[] | select(.type == "fault") | . as $f |
			($f.addr | from_hex) as $addr |
			select($f.ts < $last and any($maps[]; .at < $f.ts and .ret <= $addr and $addr < .ret + 131 * 4096)) |
			.access] | group_by(.) | map([.[0], length])' >accesses
	if [ "$(uname -m)" = x86_64 ]; then
		[ "$(cat accesses)" = "[[\"read\",$((7 * 65))],[\"write\",$((7 * 131))]]" ]
	else
		[ "$(cat accesses)" = "[[\"unknown\",$((7 * 65 + 7 * 131))]]" ]
	fi
	[ "$(jq -s 'map(.origin) | unique' -c faults)" = '["user"]' ]
}

@test "faults are as many as perf counts at the same time" {
	need_bpf
	need perf
	head -c 4096 /dev/zero >file
	ready "$(workload maps)" 11 53 file
	attach --events=fault --pid "$target"
	mkfifo control answers
	exec 8<>control 7<>answers
	start perf stat -x , -e minor-faults,major-faults -p "$target" --delay=-1 \
		--control fifo:control,answers -o counted
	counter=$pid
	echo enable >&8
	read -r answer <&7
	[ "$answer" = ack ]
	go
	run -0 finish "$attacher"
	run -0 finish "$counter"
	[ "$(sed -n 's/,,minor-faults.*//p' counted)" = "$(records trace fault 'select(.kind == "minor")' | wc -l)" ]
	[ "$(sed -n 's/,,major-faults.*//p' counted)" = "$(records trace fault 'select(.kind == "major")' | wc -l)" ]
}

@test "a page that is not in memory is a major fault, its file's" {
	need_bpf
	traced --events=mem
	eval "$(tail -n 1 said)"
	[ "$major" -gt 0 ] || skip "this file system keeps its files in memory"
	between_marks trace | jq -s -e "$from_hex"'
		(map(select(.type == "mmap" and .fd != -1 and (.path | endswith("/file")))) | first) as $file |
		map(select(.type == "fault" and .kind == "major").addr | from_hex) |
		length > 0 and all(. >= $file.ret and . < $file.ret + $file.len)'
}

@test "what the kernel touches for a call is a fault by the kernel" {
	need_bpf
	tr-attach --events=fault -- cat /etc/passwd >trace
	records trace fault 'select(.origin == "kernel" and .access == "write") | .ip' | grep -q '^"0xffff'
}

# bats test_tags=kernels
@test "an address that a 32-bit call gives is no error" {
	need_bpf
	"$(workload i386)" || skip "no 32-bit calls here"
	tr-attach --events=mem --syscalls=i386:mmap2 --command-stdout=3 -- "$(workload i386)" map 3>said >trace
	[ "$(cat said)" -gt 2147483648 ]
	[ "$(records trace syscall .ret)" = "$(cat said)" ]
	[ "$(records trace mmap 'select(.len == 4096 and .prot == 1 and .ret < 4294967296) | .ret')" = "$(cat said)" ]
}

# bats test_tags=kernels
@test "memory events read at a glance" {
	need_bpf
	traced --events=mem
	tr-cat --format=text trace >text
	grep -E '^[0-9]+\.[0-9]{9} MMAP +maps [0-9]+ +len=524 KiB prot=rw- flags=private,anonymous -> 0x[0-9a-f]+$' text
	grep -E " MMAP .* len=244 KiB prot=r-- flags=shared $(pwd -P)/file -> 0x" text
	grep -E ' MMAP .* len=0 B prot=r-- flags=private,anonymous -> EINVAL$' text
	grep -E ' MPROTECT +maps [0-9]+ +0x[0-9a-f]+ len=524 KiB prot=r-- -> 0$' text
	grep -E ' MADVISE .* advice=dontneed -> 0$' text
	grep -E ' MREMAP .* len=4 KiB, now 12 KiB flags=maymove -> 0x' text
	tr-cat --format=json trace | tr-cat --format=text | diff text -
}
