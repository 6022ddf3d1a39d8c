# SPDX-License-Identifier: GPL-2.0-only
#
# What is known of each system call: its classes, with strace as the witness; its arguments, which
# the kernel's own tracepoints name; lists of calls that name classes.

load helper

# What the build found out of this machine's calls.
known=$TR_BIN/../share/tracery/syscalls

# made [ABI]: the calls that strace names when all are made; with -e trace=CLASS those of a class.
# Ones that begin or end the program are there as well: all that strace says was refused counts.
made() {
	strace -o log ${2:+-e "trace=$2"} "$(workload every)" ${1:+"$1"} || return
	sed -n '/ENOSYS/s/(.*//p' log | grep -v '^syscall_0x' | sort -u
}

# of_class CLASS [ABI]: those that are in a class here, without prefix, of those in `made`.
of_class() {
	awk -F '\t' -v class="$1" -v abi="${2:+$2:}" 'index("," $3 ",", "," class ",") &&
		(abi ? sub("^" abi, "", $2) : $2 !~ /:/) { print $2 }' "$known" | sort | comm -12 - made
}

# Where strace says something else, with the reason.
differences() {
	case $1 in
	# A socket is a descriptor; strace has these calls in %network alone, and close_range nowhere.
	desc) made "$2" %network && echo close_range ;;
	# Any call of the network, if in an old way; strace looks which one it is.
	net) [ -z "$2" ] || echo socketcall ;;
	esac
}

same_classes() {
	local class theirs

	made "$1" >made
	[ "$(wc -l <made)" -gt 300 ]
	for class in file net process memory signal ipc desc; do
		theirs=$class
		[ $class != net ] || theirs=network
		{ made "$1" "%$theirs" && differences $class "$1"; } | sort -u >theirs
		echo "$class:"
		[ "$(wc -l <theirs)" -gt 10 ]
		of_class $class "$1" | diff theirs -
	done
}

@test "the classes of calls are strace's" {
	need strace
	"$(workload every)" || skip "no seccomp here"
	same_classes ""
}

@test "the classes of 32-bit calls are strace's" {
	need strace
	"$(workload every)" i386 || skip "no 32-bit calls here"
	same_classes i386
}

# knows UNIT: that unit test, with the kernel's tracepoints of system calls.
knows() {
	need_root
	[[ $(uname -r) == 6.18.* ]] || skip "the names are those of Linux 6.18"
	checked() {
		unshare -m sh -c '[ -d "$2/events/syscalls" ] || mount -t tracefs nodev "$2" || exit 77
			exec "$1" "$2/events/syscalls"' sh "$TR_TESTS/unit/$1" /sys/kernel/tracing
	}
	run checked "$1"
	[ $status != 77 ] || skip "no tracefs here"
	[[ $status = 0 && -z $output ]]
}

@test "every call of this kernel is known, with its arguments as the kernel names them" {
	knows calls
}

@test "the functions of this kernel that only calls have are known to be theirs" {
	knows call_function
}

# "NAME NUMBER" of each system call, sorted: of a trace, and of `strace -c` output.
table() {
	tr-table --output json "$@" | jq -r '"\(.syscall) \(.count)"' | sort
}

strace_table() {
	awk '$4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4 }' "$1" | sort
}

@test "a list may name classes, and leave out of them" {
	need_bpf
	need strace
	local -a ls=(ls -lR "$ROOT/lib")

	strace -f -c -o sum -e trace=%file "${ls[@]}" >said
	strace_table sum >files
	grep -q '^openat ' files
	grep -q '^execve ' files
	tr-attach --count=%file -- "${ls[@]}" 2>err >trace
	table trace | diff files -
	tr-attach --count=%file,!openat -- "${ls[@]}" 2>err >trace
	table trace | diff <(grep -v '^openat ' files) -
	tr-attach --count='%file,!%process,getuid' -- "${ls[@]}" 2>err >trace
	table trace | diff <(grep -v '^execve ' files) -
	strace -f -c -o sum -e 'trace=!%file' "${ls[@]}" >said
	tr-attach --syscalls='!%file' -- "${ls[@]}" 2>err >trace
	table trace | grep -v '^exit_group' | diff <(strace_table sum) -
}

@test "a class is of every ABI" {
	need_bpf
	"$(workload i386)" >said || skip "no 32-bit calls here"
	tr-attach --count=%file -- "$(workload i386)" 2>err >trace
	table trace | grep -qx 'i386:access 211'
	table trace | grep -q '^openat '
	run ! grep getpid <(table trace)
	tr-attach --syscalls='%file,!i386:access,i386:getpid' -- "$(workload i386)" 2>err >trace
	table trace | grep -qx 'i386:getpid 1009'
	run ! grep i386:access <(table trace)
	tr-attach --count='!%file' -- "$(workload i386)" 2>err >trace
	table trace | grep -qx 'i386:getpid 1009'
	run ! grep -E 'access|openat' <(table trace)
}

@test "a class that there is not is an error that says which there are" {
	run -2 tr-attach --count=read,%fiel --all
	[[ ${#lines[@]} = 1 && $output == *"%fiel"*"%file %net %process %memory %signal %ipc %desc"* ]]
	run -2 tr-attach --syscalls='!%' --all
	[[ ${#lines[@]} = 1 && $output == *"%file %net"* ]]
	# strace's word for one
	run -0 tr-attach --dry-run --count=%network --all
}

# The members of a call's record that come before its arguments, and after them.
before='"type":"syscall","ts":3417123,"ns":1205,"ret"'
after='"comm":"cat","pid":7,"tid":8,"syscall"'
who='0.003417123 [openat] comm=cat pid=7 tid=8 latency=1205ns'

# header [ARCH]: of a trace of this machine, or another.
header() {
	printf '{"tracery":{"version":1,"id":"1","arch":"%s","start":"2026-11-29T15:04:05Z"}}\n' \
		"${1:-$(uname -m)}"
}

# text RET ARGS MEMBERS: the text of an openat() record, as it stands and packed.
text() {
	{
		header
		printf '{%s:%s,"args":[%s],%s:"openat",%s}\n' "$before" "$1" "$2" "$after" "$3"
	} >line 2>err
	tr-cat --format=text line >text 2>err
	tr-cat --format=packed line 2>err | tr-cat --format=text 2>err | cmp text -
	cat text
}

@test "text has arguments by name, paths in place of their pointers" {
	local args='"0xffffff9c","0x7f5000001000","0x80241","0x1a4","0x0","0x0"'
	local as='retval=3 dfd=AT_FDCWD filename="/etc/pass\"wd"'

	run -0 text 3 "$args" '"path":"/etc/pass\"wd","path2":""'
	case $(uname -m) in
	x86_64 | aarch64) [ "$output" = "$who $as flags=O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC mode=0644" ] ;;
	esac
	[[ $output == "$who $as flags=O_WRONLY|"*" mode=0644" ]]
	run -0 text -2 "$args" '"path":"/etc/pass…","path2":""'
	[[ $output == *' retval=-2 (ENOENT) dfd=AT_FDCWD filename="/etc/pass"… flags='* ]]
	run -0 text -14 "$args" '"path":"…","path2":""'
	[[ $output == *' retval=-14 (EFAULT) dfd=AT_FDCWD filename=0x7f5000001000(unreadable) '* ]]
	run -0 text null "$args" '"path":"\u001b[2J\udcff","path2":"","why":"still running"'
	[[ $output == *' retval=? dfd=AT_FDCWD filename="\x1b[2J\xff" flags='* ]]
	[[ $output == *' why=still running' ]]
}

# What strace and we call constants in the same way, a line each with the names in order.
names_in_strace() {
	awk -F ', ' '
		function put(name, text) {
			sub(/(\)| <unfinished).*/, "", text)
			n = split(text, part, "|")
			for (i = 1; i <= n; i++)
				print name, part[i]
		}
		{ gsub(/"[^"]*"/, "path"); name = $0; sub(/^[0-9]+ +/, "", name); sub(/\(.*/, "", name) }
		name == "openat" { put("openat.flags", $3) }
		name == "mmap" { put("mmap.prot", $3); put("mmap.flags", $4) }
		name == "mprotect" { put("mprotect.prot", $3) }
		name == "access" || name == "faccessat2" { put(name ".mode", $(name == "access" ? 2 : 3)) }
		name == "lseek" { put("lseek.whence", $3) }
		name == "fcntl" { put("fcntl.cmd", $2) }
		name == "fadvise64" { put("fadvise64.advice", $4) }
		name == "prlimit64" { put("prlimit64.resource", $2) }
		name == "rt_sigaction" { sub(/.*\(/, "", $1); put("rt_sigaction.sig", $1) }
		name == "rt_sigprocmask" { sub(/.*\(/, "", $1); put("rt_sigprocmask.how", $1) }
		name == "dup2" { put("dup2.newfd", $2) }
	' "$1" | sort | uniq -c
}

names_in_text() {
	tr-cat --format=text "$1" | awk '
		{
			gsub(/"[^"]*"/, "path")
			gsub(/[][]/, "", $2)
			for (f = 3; f <= NF; f++)
				if (match($f, /^[a-z]+=/) && index(wanted, " " $2 "." substr($f, 1, RLENGTH - 1) " ")) {
					n = split(substr($f, RLENGTH + 1), part, "|")
					for (i = 1; i <= n; i++)
						print $2 "." substr($f, 1, RLENGTH - 1), part[i]
				}
		}
	' wanted=" openat.flags mmap.prot mmap.flags mprotect.prot access.mode faccessat2.mode \
lseek.whence fcntl.cmd fadvise64.advice prlimit64.resource rt_sigaction.sig rt_sigprocmask.how \
dup2.newfd " - | sort | uniq -c
}

@test "constants have the names that strace gives them" {
	need_bpf
	need strace
	local program='ls / | sort | tail -n 1 >x; head -n 3 /etc/passwd | tac >>x; [ -x x ] || cat x x'

	program="$program"'; mktemp -u; wc -c <x; (exit 3) || sed -n p x; du -s . & wait'
	rm -f x
	strace -f -o straced bash -c "$program" >said
	names_in_strace straced >expected
	rm x
	tr-attach --args --command-stdout=3 -- bash -c "$program" 3>said >trace
	names_in_text trace | diff expected -
	[ "$(wc -l <expected)" -gt 40 ]
}

@test "text of a call that is not known has its six numbers" {
	local args='"0x1","0x2","0x3","0x4","0x5","0x6"'

	{
		header
		printf '{%s:-38,"args":[%s],%s:"syscall_999","path":"","path2":""}\n' \
			"$before" "$args" "$after"
	} >line
	run -0 --separate-stderr tr-cat --format=text line
	[[ $output == *'retval=-38 (ENOSYS) args=0x1,0x2,0x3,0x4,0x5,0x6 path= path2=' ]]
	# and of one that says something else of its arguments
	run -0 text 3 "$args,\"0x7\"" '"path":"a"'
	[[ $output == *'args=['*'"0x7"]'* ]]
	run -0 text 3 '"0x1","0x2","x","0x4","0x5","0x6"' '"path":"a"'
	[[ $output == *'args=['*'"x"'* ]]
}

@test "names of constants are those of the machine that was traced, or there are none" {
	local args='"0xffffff9c","0x1000","0x241","0x1a4","0x0","0x0"'

	{
		header s390x
		printf '{%s:3,"args":[%s],%s:"openat","path":"x","path2":""}\n' "$before" "$args" "$after"
	} >line
	run -0 --separate-stderr tr-cat --format=text line
	[[ $output == *' dfd=AT_FDCWD filename="x" flags=0x241 mode=0644' ]]
}

@test "an address that a call gives is hexadecimal, in every form" {
	{
		header
		printf '{%s:%s,%s:"%s"}\n' "$before" 139637976727552 "$after" mmap \
			"$before" 3 "$after" read "$before" -12 "$after" mmap "$before" 18 "$after" umask
	} >lines
	run -0 --separate-stderr tr-cat --format=text lines
	[[ ${lines[0]} == *' retval=0x7f0000000000' && ${lines[1]} == *' retval=3' ]]
	[[ ${lines[2]} == *' retval=-12 (ENOMEM)' && ${lines[3]} == *' retval=022' ]]
	# raw elsewhere
	pipe 'tr-cat --format=packed lines 2>err | tr-cat --format=json 2>err | grep :139637976727552,'
}
