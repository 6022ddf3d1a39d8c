# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every test file loads: where the programs are, how to wait, how to run things beside a test.
#
#	load helper
#
#	@test "Ctrl-C prints the table once" {
#		need_bpf
#		counting() { tr-attach --count -- "$(workload calls)" 7 | tr-table; }
#		start counting >out 2>err	# in a process group of its own: $pid
#		wait_for grep -q attached err
#		ctrl_c "$pid"
#		finish "$pid"			# waits; its status, 124 when it does not end
#	}
#
# A test starts in an empty folder of its own. The tools are first in PATH. What start() left
# running is killed when the test ends; a file with a teardown of its own calls stop_started in it.

bats_require_minimum_version 1.5.0

ROOT=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
# built VARIABLE DEFAULT: makes the folder that it names, or the default, absolute.
built() {
	local folder=${!1:-$ROOT/$2}

	if [ ! -d "$folder" ]; then
		echo "there is no $folder: run make all tests first" >&2
		exit 1
	fi
	printf -v "$1" %s "$(cd "$folder" && pwd -P)"
}
built TR_BIN build/bin
# Workloads and other helpers of the tests are the same ones whichever build is tested.
built TR_TESTS build/tests
DATA=$ROOT/tests/data
PATH=$TR_BIN:$PATH
export ROOT TR_BIN TR_TESTS DATA PATH
export LC_ALL=C.UTF-8 TZ=UTC NO_COLOR=1
unset COLUMNS LINES MAKEFLAGS MAKELEVEL MFLAGS
exec </dev/null # whoever runs bats, a test's stdin is empty until it is redirected
cd -P "$BATS_TEST_TMPDIR" 2>/dev/null || true # there is none while bats only lists the tests

# The path of a program of tests/workloads/.
workload() {
	printf '%s\n' "$TR_TESTS/workloads/$1"
}

# wait_for CONDITION [ARG]...: until that command succeeds; fails after WAIT_SECONDS (10).
wait_for() {
	local end=$((${EPOCHREALTIME/[.,]/} + ${WAIT_SECONDS:-10} * 1000000))

	until "$@" >/dev/null 2>&1; do
		if ((${EPOCHREALTIME/[.,]/} > end)); then
			echo "waited ${WAIT_SECONDS:-10} s in vain for: $*" >&2
			return 1
		fi
		sleep 0.01
	done
}

# start COMMAND [ARG]...: runs a program or function of the test beside it, as the leader of a
# process group, with SIGINT as a terminal would leave it and without bats' descriptors. Sets pid.
start() {
	set -m
	"$@" 3>&- 4>&- &
	pid=$!
	set +m
	started+=("$pid")
}

# What the terminal does to all of a pipeline at once.
ctrl_c() {
	kill -INT -- "-$1"
}

# finish PID: waits for what was started; its exit status, or 124 when it runs on for WAIT_SECONDS.
finish() {
	wait_for gone "$1" || return 124
	wait "$1"
}

# bats runs what is after run in a subshell, which can't wait for the test's children: so that run
# finish PID gets the status, the wait for PID comes first.
eval "$(declare -f run | sed '1s/^run/bats_run/')"
run() {
	[[ " $* " != *" finish "* ]] || wait_for gone "${!#}" || true
	bats_run "$@"
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

stop_started() {
	local p

	for p in "${started[@]}"; do
		kill -KILL -- "-$p" 2>/dev/null || true
		wait "$p" 2>/dev/null || true
	done
	started=()
}
started=()

teardown() {
	stop_started
}

# pipe 'A | B': with the test's variables and functions; fails when any part does (run a | b would
# run only a).
pipe() (
	set -o pipefail
	eval "$1"
)

# Milliseconds, for differences.
now_ms() {
	printf '%s\n' $((${EPOCHREALTIME/[.,]/} / 1000))
}

# soon BEFORE: no time has passed since then that is worth speaking of. A machine with nothing else to
# do takes a tenth of a second; the bound is there to tell at once from never.
soon() {
	(($(now_ms) - $1 < 5000))
}

# takes_signals PID NAME: it runs the program NAME, which has set itself up and waits.
takes_signals() {
	[ "$(cat "/proc/$1/comm")" = "$2" ] && grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status" &&
		grep -q '^State:.S' "/proc/$1/status"
}

# The bytes of the JSON string on stdin, quotes and all, in hexadecimal. A decoder of its own: most
# have no way to say that \udc80 to \udcff stand for the bytes 80 to ff.
json_string_bytes() {
	local text

	text=$(sed 's/^"\(.*\)"$/\1/; s/\\\\/\\x5c/g; s/\\"/\\x22/g; s/\\u00\([0-7].\)/\\x\1/g
		s/\\u00\([89a-f].\)/\\u00\1/g; s/\\udc\([89a-f].\)/\\x\1/g')
	printf '%b' "$text" | od -A n -t x1 -v | tr -d ' \n'
}

need() {
	command -v "$1" >/dev/null || skip "there is no $1 here"
}

need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# Network and mount namespaces of one's own.
need_namespaces() {
	unshare --net --mount true 2>/dev/null || skip "needs leave to make namespaces"
}

# COMMAND as an ordinary user.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# What is built, where every user may read it: sets open; close_checkout takes it away.
open_checkout() {
	open=$(mktemp -d)
	chmod 755 "$open"
	mkdir "$open/build"
	cp "$ROOT/tracery" "$open/"
	cp -r "$TR_BIN" "$ROOT/build/share" "$open/build/"
}

close_checkout() {
	[ -z "${open-}" ] || rm -r "$open"
}

# Skips where nobody could trace: found out without the programs under test, so that a fault of
# theirs is never taken for a machine's.
need_bpf() {
	local caps

	caps=$(sed -n 's/^CapEff:[[:space:]]*/0x/p' /proc/self/status)
	# CAP_PERFMON 38 and CAP_BPF 39
	(((caps >> 38 & 3) == 3)) || skip "needs root, or CAP_BPF and CAP_PERFMON"
	[ -r /sys/kernel/btf/vmlinux ] || skip "this kernel has no BTF"
}
