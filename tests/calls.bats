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

@test "every call of this kernel is known, with its arguments as the kernel names them" {
	need_root
	[[ $(uname -r) == 6.18.* ]] || skip "the names are those of Linux 6.18"
	checked() {
		unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec "$0" "$1"' \
			"$TR_TESTS/unit/calls" /sys/kernel/tracing/events/syscalls
	}
	unshare -m mount -t tracefs nodev /sys/kernel/tracing || skip "no tracefs here"
	run -0 checked
	[ -z "$output" ]
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
