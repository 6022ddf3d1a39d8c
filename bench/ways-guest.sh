# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What each way in adds to a call, in instructions, in a guest whose clock goes by those (4 ns each):
#
#	make dist WITH=guest
#	tests/kernels/boot 6.12 "$(cat bench/ways-guest.sh)"
#
# The calls are getppid's. Asked for is either that one (of everybody, or of a process that makes none)
# or another.

PATH=build/bin:$PATH
calls=20000

# Nanoseconds that CALLS calls take.
took() {
	local begin=${EPOCHREALTIME/./}

	build/tests/workloads/flood "$1" >/dev/null
	echo $(((${EPOCHREALTIME/./} - begin) * 1000))
}

instructions() {
	echo $((($(took $calls) - $(took 1)) / 4 / calls))
}

# added LIST TARGET...: with that list, of those. Sets n.
added() {
	local list=$1 pid

	shift
	tr-attach -v "--way=$way" "$what=$list" "$@" >trace 2>err &
	pid=$!
	until grep -q 'capabilities kept' err; do
		kill -0 $pid 2>/dev/null || { n='' && return; }
		sleep 0.01
	done
	n=$(($(instructions) - untraced))
	kill -INT $pid
	wait $pid
}

sleep infinity &
sleeper=$!
untraced=$(instructions)
echo "untraced: $untraced instructions a call"
for what in --count --summary; do
	for way in fentry tp_btf raw_tp tracepoint; do
		added getppid --all && asked=$n
		added sethostname --all && other=$n
		added getppid --pid $sleeper && bystander=$n
		echo "--way=$way $what: asked for $asked, another call $other, a bystander $bystander"
	done
done
kill $sleeper
