# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --stacks. The witnesses are the workload, whose functions call each other in one way only,
# and the tables of symbols as nm and /proc/kallsyms show them.

load helper
load tracing

# The frames of FILE's records of getppid, a line each, outermost first.
stacks() {
	records "$1" syscall 'select(.syscall == "getppid" and .comm != "sh") | .stack | join(" ")' | jq -r .
}

# Of each line the last N words.
inner() {
	awk -v n="$1" '{ for (i = NF - n + 1; i <= NF; i++) printf "%s%s", $i, i < NF ? " " : "\n" }'
}

# All the stacks of `trace`, N of them, end in the FRAMES.
all_end_in() {
	local n=$1 frames=$2

	[ "$(stacks trace | wc -l)" = "$n" ]
	[ "$(stacks trace | inner "$(wc -w <<<"$frames")" | sort -u)" = "$frames" ]
}

# stacked [ARG]... -- COMMAND...: traces a run of the workload `stack`; what it said is in `said`.
stacked() {
	tr-attach --command-stdout=3 --syscalls=getppid "$@" 3>said >trace
	[ "$(end_of trace lost)" = 0 ]
}

# The workload, compiled as the ARGs say.
build() {
	cc -O1 -o prog "$@" "$ROOT/tests/workloads/stack.c"
}

chain='main stack_a stack_b stack_c'

# bats test_tags=kernels
@test "a stack has the names of its functions, outermost first" {
	need_bpf
	stacked --stacks -- "$(workload stack)" 11
	all_end_in 11 "$chain"
}

@test "every way in and the programs for old kernels take the same stacks, with arguments as well" {
	need_bpf
	local way args

	for way in tp_btf raw_tp tracepoint; do
		for args in '' --args; do
			stacked --stacks --way="$way" $args -- "$(workload stack)" 11
			all_end_in 11 "$chain"
			TR_OLD_KERNEL=1 stacked --stacks --way="$way" $args -- "$(workload stack)" 11
			all_end_in 11 "$chain"
		done
	done
}

# bats test_tags=kernels
@test "a stack that is too deep has its inner frames and a mark" {
	need_bpf
	local limit

	limit=$(cat /proc/sys/kernel/perf_event_max_stack)
	stacked --stacks -- "$(workload stack)" 3 1009
	all_end_in 3 "stack_deep stack_deep stack_deep ${chain#main }"
	[ "$(stacks trace | wc -w)" = $((3 * limit)) ]
	[ "$(stacks trace | cut -d ' ' -f 1 | sort -u)" = '[cut]' ]
}

# Every word on stdin is a function of the kernel.
are_of_kernel() {
	tr ' ' '\n' | sort -u >names
	[ -s names ]
	awk '$2 ~ /[tTwW]/ { print $3 }' /proc/kallsyms | sort -u | comm -13 - names >others
	[ ! -s others ]
}

# bats test_tags=kernels
@test "the kernel's stack stands behind that of user space, without what our programs add to it" {
	need_bpf
	stacked --stacks=kernel -- "$(workload stack)" 11
	stacks trace | sort -u >kernel
	[ "$(wc -l <kernel)" = 1 ]
	are_of_kernel <kernel
	run ! grep bpf kernel
	stacked --stacks=both -- "$(workload stack)" 11
	all_end_in 11 "$chain $(cat kernel)"
}

is_sleep() {
	[ "$(cat "/proc/$1/comm")" = sleep ] && asleep "$1"
}

# bats test_tags=kernels
@test "of a call that is still running the kernel's stack is where it waits, that of user space unknown" {
	need_bpf
	ready sh -c 'echo "ready $$"; read -r _; exec sleep 1000'
	attach --stacks=both --pid "$target"
	go
	wait_for is_sleep "$target"
	detach
	records trace syscall 'select(.why) | .stack | join(" ")' | jq -r . >got
	[ "$(wc -l <got)" = 1 ]
	[ "$(cut -d ' ' -f 1 got)" = '[unknown]' ]
	grep -q nanosleep got
	cut -d ' ' -f 2- got | are_of_kernel
	# of all others it is there
	records trace syscall 'select(.why == null) | .stack[0]' >got
	[ -s got ]
	run ! grep unknown got
}

@test "programs of every make have names" {
	need_bpf
	local make

	for make in '-pie -fPIE' '-no-pie -fno-pie' '-static -no-pie' '-static-pie -fPIE' \
		'-pie -fPIE -rdynamic -s' '-fPIE -pie -Wl,-z,noseparate-code'; do
		echo "$make"
		# shellcheck disable=SC2086
		build $make
		stacked --stacks -- ./prog 5
		all_end_in 5 "$chain"
	done
}

# The function that nm shows at each address of words as "[prog+0x12]".
function_at() {
	local word

	for word; do
		nm --defined-only unstripped | awk -v at="$((${word//[^0-9a-fx]/}))" '
			function number(hex, i, n) {
				for (i = 1; i <= length(hex); i++)
					n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
				return n
			}
			$2 ~ /[tT]/ && number($1) < at && number($1) > best { best = number($1); name = $3 }
			END { print name }'
	done
}

@test "where there is no symbol a frame is the file and the address in it" {
	need_bpf
	local make name

	mkdir 'dir with space'
	for make in '-pie -fPIE' '-no-pie -fno-pie'; do
		# shellcheck disable=SC2086
		build $make
		mv prog unstripped
		strip -s -o 'dir with space/my prog' unstripped
		stacked --stacks -- './dir with space/my prog' 5
		[ "$(stacks trace | wc -l)" = 5 ]
		[ "$(stacks trace | sort -u | wc -l)" = 1 ]
		stacks trace | head -n 1 | grep -o '\[my prog+0x[0-9a-f]*\]' | sed 's/.*+//' >got
		# shellcheck disable=SC2046
		[ "$(function_at $(cat got) | tail -n 4 | tr '\n' ' ')" = "$chain " ]
	done
}

# bats test_tags=kernels
@test "code that is of no file is its address" {
	need_bpf
	stacked --stacks -- "$(workload stack)" -j 5
	all_end_in 5 "main stack_a stack_b $(cat said)"
}

@test "a program that is deleted or replaced while it runs keeps its names" {
	need_bpf
	local how

	for how in 'rm prog' 'cp /bin/true new && mv new prog' 'rm prog && mkfifo prog'; do
		echo "$how"
		cp "$(workload stack)" prog
		ready ./prog -w 5
		eval "$how"
		attach --stacks --syscalls=getppid --pid "$target"
		go
		run -0 finish "$attacher"
		all_end_in 5 "$chain"
		rm -f prog
	done
}

# A program that nobody outside sees: there another one has its name.
in_namespace() {
	exec unshare -m sh -c '
		mount -t tmpfs none hidden && cp "$1" hidden/prog && exec hidden/prog -w 5' sh "$(workload stack)"
}

@test "a program in another mount namespace has its names, not those of the file that we see there" {
	need_bpf
	need_root
	mkdir hidden
	cp /bin/true hidden/prog
	unshare -m true || skip "no mount namespaces here"
	ready in_namespace
	attach --stacks --syscalls=getppid --pid "$target"
	go
	run -0 finish "$attacher"
	all_end_in 5 "$chain"
}

# A program on an overlay that is gone, with all who saw it, before tr-attach comes to look; where it
# was, on an overlay that we see, another program has its name.
gone_overlay() {
	mkdir layers hidden
	mount -t tmpfs none layers || return 77
	mkdir layers/{ours,theirs,upper,work,upper2,work2}
	cp wrong layers/ours/prog
	cp prog layers/theirs/prog
	mount -t overlay -o lowerdir=layers/ours,upperdir=layers/upper,workdir=layers/work none hidden || return 77
	# shellcheck disable=SC2016
	stacked --stacks -- sh -c '
		kill -STOP $PPID
		unshare -m sh -c "
			mount -t overlay -o lowerdir=layers/theirs,upperdir=layers/upper2,workdir=layers/work2 none hidden &&
				exec hidden/prog 5"
		kill -CONT $PPID'
}

@test "what cannot be proven to be the program that has ended has addresses only, whatever is at its path" {
	need_bpf
	need_root
	local status=0

	build -Dstack_a=wrong_a -Dstack_b=wrong_b -Dstack_c=wrong_c
	mv prog wrong
	build
	export -f gone_overlay stacked end_of
	unshare -m bash -e -c gone_overlay || status=$?
	[ "$status" != 77 ] || skip "no overlays here"
	[ "$(stacks trace | wc -l)" = 5 ]
	stacks trace | inner 4 >got
	run ! grep wrong_ got
	[ "$(grep -cxE '0x[0-9a-f]{6,}( 0x[0-9a-f]{6,}){3}' got)" = 5 ]
}

# bats test_tags=kernels
@test "children that are gone have names, each those of its own program" {
	need_bpf
	# shellcheck disable=SC2016
	stacked --stacks -- sh -c 'i=0; while [ $i -lt 101 ]; do "$1" 1; i=$((i + 1)); done' sh "$(workload stack)"
	all_end_in 101 "$chain"
}

# Two libraries with a function at the same place, and a program that has now one and now the other
# at the same address, and calls it.
build_swap() {
	local name

	for name in first second; do
		cat >$name.c <<-END
			__attribute__((noinline)) long $name(void)
			{
				long ret;

				__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
				__asm__ volatile("syscall" : "=a"(ret) : "a"(110) : "rcx", "r11", "memory");
				return ret + 1;
			}
		END
		cc -O1 -fno-omit-frame-pointer -shared -nostdlib -fPIC -o $name $name.c
	done
	cat >swap.c <<-'END'
		#include <fcntl.h>
		#include <stdlib.h>
		#include <sys/mman.h>

		int main(int argc, char **argv)
		{
			long at = strtol(argv[1], NULL, 16), sum = 0;
			char *where = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			int files[] = {open("first", O_RDONLY), open("second", O_RDONLY)};

			for (int i = 0; i < 202; i++) {
				mmap(where, 1 << 13, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
				     files[i % 2], 0);
				sum += ((long (*)(void))(where + at))();
			}
			return argc > 2 || !sum;
		}
	END
	cc -O1 -fno-omit-frame-pointer -o swap swap.c
}

@test "a frame is named by what was mapped when the call was made" {
	need_bpf
	[ "$(uname -m)" = x86_64 ] || skip "the test's programs are for x86_64"
	local at

	build_swap
	at=$(nm first | awk '$3 == "first" { print $1 }')
	[ "$at" = "$(nm second | awk '$3 == "second" { print $1 }')" ]
	stacked --stacks -- ./swap "$at"
	stacks trace | inner 2 | uniq -c | awk '{ print $1, $2, $3 }' | sort | uniq -c >got
	[ "$(awk '{ print $1, $2, $3, $4 }' got)" = '101 1 main first
101 1 main second' ]
}

# mapper FILES MAPPINGS CHILDREN: maps so many files, one of them so often, then as many children
# stand around.
mapper() {
	mkdir -p files
	python3 -c '
import mmap, os, sys
files, mappings, children = map(int, sys.argv[1:])
def one(name, page):
    fd = os.open(name, os.O_RDWR | os.O_CREAT)
    os.truncate(fd, 8192)
    kept.append(mmap.mmap(fd, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC, offset=4096 * page))
    os.close(fd)
kept = []
for i in range(files):
    one("files/%d" % i, 0)
for i in range(mappings):
    one("files/0", i % 2)
print("ready", os.getpid(), flush=True)
sys.stdin.readline()
r, w = os.pipe()
for i in range(children):
    if not os.fork():
        os.close(w)
        os.read(r, 1)
        os._exit(0)
os.getppid()' "$@"
}

@test "what there is no room for is said" {
	need_bpf
	local what

	for what in '1 8100 70' '4200 0 0'; do
		# shellcheck disable=SC2086
		ready mapper $what
		attach --stacks --syscalls=getppid --pid "$target"
		go
		run -0 finish "$attacher"
		grep 'no room for [0-9]* mappings of files' err
	done
}

@test "a file that tells nonsense of itself gives no names, and no more" {
	need_bpf
	local at

	build -fPIE -pie
	# where its sections are, and how many
	for at in 40 60; do
		cp prog bad
		printf '\377\377' | dd of=bad bs=1 seek="$at" conv=notrunc status=none
		stacked --stacks -- ./bad 5
		[ "$(stacks trace | wc -l)" = 5 ]
		[ "$(stacks trace | grep -o '\[bad+0x[0-9a-f]*\]' | wc -l)" = 20 ]
	done
}

@test "the form makes no difference, and nothing is lost on the way through tr-cat" {
	need_bpf
	stacked --stacks --format=json -- "$(workload stack)" 11
	all_end_in 11 "$chain"
	tr-cat --format=packed trace | tr-cat --format=json | cmp trace -
	[ "$(tr-cat --format=json --fields=stack trace | jq -r '.stack | .[-4:] | join(" ")' | sort -u)" = "$chain" ]
}

@test "as text the frames stand beneath the record, innermost first" {
	need_bpf
	printf '    %s\n' stack_c stack_b stack_a main >want
	tr-attach --stacks --syscalls=getppid --format=text -- "$(workload stack)" 11 >text
	[ "$(grep -c '^[0-9.]* \[getppid\]' text)" = 11 ]
	sed -n 2,5p text | diff want -
	stacked --stacks -- "$(workload stack)" 11
	tr-cat --format=text trace >text
	[ "$(grep -c '^[0-9.]* \[getppid\]' text)" = 11 ]
	sed -n 2,5p text | diff want -
}

@test "what stands behind a record is not in the way of counting it" {
	need_bpf
	stacked --stacks -- "$(workload stack)" 1009
	[ "$(tr-table --output=csv trace | sed -n 2p | cut -d, -f 1,2)" = getppid,1009 ]
}

@test "--stacks without --syscalls is a usage error" {
	run -2 --separate-stderr tr-attach --stacks --count --all
	[[ $stderr == *'--stacks is for --syscalls'* ]]
	run -2 --separate-stderr tr-attach --stacks=all --all
	[[ $stderr == *'user, kernel'* ]]
}
