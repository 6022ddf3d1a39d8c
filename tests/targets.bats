# SPDX-License-Identifier: GPL-2.0-only
#
# Whom tr-attach traces: every kind of target and what they mean together. The witness is each
# workload's own number of getppid calls, a prime, or a sum of primes that no other sum makes.

load helper
load tracing

# How many calls of getppid trace FILE counted.
counted() {
	records "$1" count 'select(.syscall == "getppid") | .n' | jq -s 'add // 0'
}

# Both the records and the counts of trace FILE are of so many calls of getppid.
holds() {
	[ "$(calls "$1" getppid)" = "$2" ]
	[ "$(counted "$1")" = "$2" ]
}

# A folder that every user can reach, with the workloads in it. Sets open.
open_folder() {
	open=$(mktemp -d)
	chmod 755 "$open"
	cp "$TR_TESTS"/workloads/* "$open"
}

# named NAME: a program of that name that does as the workload calls.
named() {
	cp "$(workload calls)" "$1"
}

teardown() {
	stop_started
	exec 9>&-
	[ -z "${open-}" ] || rm -rf "$open"
}

@test "--comm takes a thread's calls while it has that name, however it got it" {
	need_bpf
	local n

	ln -s "$(workload rename)" afterwards
	for n in early,101 late,103 later,107 afterwards,109 early,afterwards,210 late,none,early,204; do
		ready "$(workload rename)" "$PWD/afterwards"
		attach --syscalls --count --comm "${n%,*}"
		go
		run -0 finish "$target"
		detach
		holds trace "${n##*,}"
	done
	[ "$(records trace syscall .tid | sort -u)" = "$tids" ]
}

@test "a call belongs to the name that its thread has when it begins, in records and in counts" {
	need_bpf
	ln -s "$(workload rename)" afterwards
	ready "$(workload rename)" "$PWD/afterwards"
	attach --syscalls --count --comm late,later
	go
	run -0 finish "$target"
	detach
	# the call that ends a name is its last one
	[ "$(records trace syscall 'select(.syscall == "prctl") | .comm')" = '"later"' ]
	[ "$(records trace syscall 'select(.syscall == "execve") | .comm')" = '"afterwards"' ]
	[ "$(calls trace exit_group)" = 0 ]
	records trace count '"\(.syscall) \(.n)"' | jq -r . |
		awk '{ n[$1] += $2 } END { for (name in n) print name, n[name] }' | sort >counted
	records trace syscall .syscall | jq -r . | sort | uniq -c | awk '{ print $2, $1 }' >streamed
	diff counted streamed
}

@test "a name of more than 15 bytes means what the kernel keeps of it, and that is said" {
	need_bpf
	local name=a-name-that-is-long

	named $name
	start tr-attach -v --syscalls --count --comm $name,other >trace 2>err
	attacher=$pid
	wait_for grep -q 'capabilities kept' err
	./$name 101 >said
	./a-name-that-is-long 103 >said
	named a-name-that-is-short
	./a-name-that-is-short 107 >said
	named a-name-that-is
	./a-name-that-is 109 >said
	detach
	holds trace 311
	[ "$(grep -c 'at most 15 bytes' err)" = 1 ]
	grep -q "$name.*looking for a-name-that-is-\$" err
	# exactly 15 are no reason to speak
	run -0 --separate-stderr tr-attach --dry-run --comm 123456789abcdef
	[[ $stderr != *bytes* ]]
}

@test "any bytes can be a name" {
	need_bpf
	tr-attach --syscalls=getppid --count=getppid --comm $'\xff\xc3;d,[ET_NET 0],cut utf-8 here\xe2' \
		-- "$(workload names)" >trace 2>said
	holds trace 9
	tr-attach --syscalls=getppid --count=getppid --comm $'a"b\\c\n\x01' -- "$(workload names)" >trace 2>said
	holds trace 3
}

@test "--uid takes the threads of these users, by their real ids, numbers or names" {
	need_bpf
	need_root
	need setpriv
	local who

	open_folder
	for who in nobody,101 65534,101 12345,103 12345,nobody,204; do
		attach --syscalls --count --uid "${who%,*}"
		setpriv --reuid 65534 --regid 65534 --clear-groups "$open/calls" 101 >said
		setpriv --reuid 12345 --regid 65534 --clear-groups "$open/calls" 103 3 >said
		setpriv --euid 12345 "$open/calls" 107 >said
		"$open/calls" 109 >said
		detach
		holds trace "${who##*,}"
	done
	run -1 --separate-stderr tr-attach --count --uid no-such-user
	[ "$stderr" = "tr-attach: no such user: no-such-user" ]
}

@test "kinds must be met together, one of the values of each" {
	need_bpf
	need_root
	need setpriv
	local n

	open_folder
	for n in one two three; do cp "$open/calls" "$open/$n"; done
	as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	attach --syscalls --count --comm one,two --uid nobody,12345
	as_nobody "$open/one" 101 >said
	as_nobody "$open/two" 103 3 >said
	as_nobody "$open/three" 107 >said
	"$open/one" 109 >said
	setpriv --reuid 12345 --clear-groups "$open/one" 113 >said
	detach
	holds trace 317
	# with a process, its threads of that name
	ready "$open/calls" -w 1009 8
	attach --syscalls --count --pid "$target" --comm calls --uid root
	go
	run -0 finish "$attacher"
	holds trace 1009
	ready "$open/calls" -w 1009 8
	attach --syscalls --count --pid "$target" --comm other
	go
	run -0 finish "$attacher"
	holds trace 0
	# and --all adds nothing
	attach --syscalls --count --all --comm one,two
	"$open/one" 101 >said
	"$open/three" 103 >said
	detach
	holds trace 101
}

@test "with a command or --follow they choose among all that was created, at each moment" {
	need_bpf
	local work='./one 101; sh -c "./two 103 3; ./three 107; exec ./one 109"; exit 5'

	named one
	named two
	named three
	run -5 --separate-stderr tr-attach --syscalls --count --comm one,three -- sh -c "$work" >trace
	tr-attach --syscalls --count --comm one,three -- sh -c "$work" >trace 2>said || [ $? = 5 ]
	holds trace 317
	parent() { sh -c 'echo ready $$; read -r line; eval "$1"' sh "$work"; }
	start ./two 100003 >/dev/null # a bystander
	ready parent
	attach --syscalls --count --follow --pid "$target" --comm two
	go
	run -0 finish "$attacher"
	holds trace 103
}

@test "with --follow and no process, who meets the conditions is a root of all that it creates" {
	need_bpf
	local sh

	sh=$(command -v dash || command -v bash)
	cp "$sh" root-shell
	named one
	attach --syscalls --count --follow --comm root-shell
	./one 101 >said
	./root-shell -c './one 103; sh -c "./one 107 3; exec ./one 109"; ./one 113 3; exit' >said
	sh -c './one 127' >said
	# a root that takes another name goes on by what it has created only
	./root-shell -c './one 131 & wait; exec ./one 137' >said
	detach
	# shells call it as well
	[ "$(calls trace getppid one)" = 563 ]
	[ "$(counted trace)" = "$(calls trace getppid)" ]
	# A thread is no root for its process.
	ln -s "$(workload rename)" afterwards
	ready "$(workload rename)" "$PWD/afterwards"
	attach --syscalls --follow --comm rename
	go
	run -0 finish "$target"
	detach
	[ "$(calls trace getppid)" = 0 ]
	[ "$(records trace syscall .tid | sort -u)" = "$target" ]
}

@test "conditions leave out the tracer's own pipeline" {
	need_bpf
	own() {
		tr-attach -v --comm own-cat --syscalls 2>err | tr-cat --format=json | ./own-cat >trace
	}
	cp "$(command -v cat)" own-cat
	start own
	wait_for grep -q 'capabilities kept' err
	./own-cat "$DATA/records.awk" >copy
	./own-cat "$DATA/records.awk" >copy
	wait_for grep -q exit_group trace
	pkill -INT -g "$pid" -x tr-attach
	run -0 finish "$pid"
	[ "$(records trace syscall 'select(.syscall == "exit_group") | .comm')" = $'"own-cat"\n"own-cat"' ]
	[ "$(records trace syscall .pid | sort -u | wc -l)" = 2 ]
}

@test "in a PID namespace they see who is visible there" {
	need_bpf
	need_root
	inside() {
		tr-attach -v --count --syscalls --follow --comm root-shell --uid root >trace 2>err &
		attacher=$!
		wait_for grep -q "capabilities kept" err
		./root-shell -c './one 101 3 & wait; exit' >said
		echo end >ready
		wait_for test -e go
		kill -INT $attacher
		wait $attacher
	}
	export -f inside wait_for
	cp "$(command -v bash)" root-shell
	named one
	start unshare --pid --fork --mount-proc bash -c inside
	wait_for test -e ready
	./root-shell -c './one 103 & wait' >said.outside
	touch go
	run -0 finish "$pid"
	[ "$(calls trace getppid one)" = 101 ]
	[ "$(counted trace)" = "$(calls trace getppid)" ]
	[ "$(records trace syscall 'select(.pid == 0 or .tid == 0 or .pid > 100)' | wc -l)" = 0 ]
}
