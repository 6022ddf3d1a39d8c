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

# need_cgroups HIERARCHY...: folders of /sys/fs/cgroup of hierarchies in which cgroups can be made, or
# unified, which may be all of it. Sets cgroot, from the roots on, and top, all of it for the first.
need_cgroups() {
	local h

	need_root
	cgroot=/tr-test-$$-$BATS_TEST_NUMBER
	for h; do
		[ "$h" != unified ] || [ -d $SYS/unified ] || h=.
		[ -e "$SYS/$h/cgroup.procs" ] || skip "there is no cgroup hierarchy $h here"
		mkdir -p "$SYS/$h$cgroot" || skip "no cgroup can be made here"
	done
	h=$1
	[ "$h" != unified ] || [ -d $SYS/unified ] || h=.
	top=$SYS/$h$cgroot
}
SYS=/sys/fs/cgroup

# within CGROUP... COMMAND [ARG]...: runs it there.
within() {
	# shellcheck disable=SC2016
	sh -c 'while [ -e "$1/cgroup.procs" ]; do echo $$ >"$1/cgroup.procs"; shift; done; exec "$@"' sh "$@"
}

remove_cgroups() {
	local folder p

	for folder in "$SYS$1" "$SYS"/*"$1"; do
		[ -d "$folder" ] || continue
		while read -r p; do
			echo "$p" >"${folder%"$1"}/cgroup.procs"
		done <"$folder/cgroup.procs"
		find "$folder" -depth -type d -exec rmdir {} + || true
	done
}

teardown() {
	stop_started
	exec 9>&-
	[ -z "${open-}" ] || rm -rf "$open"
	[ -z "${cgroot-}" ] || remove_cgroups "$cgroot"
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
	# the archive's look no further than a file
	[[ $stderr =~ ^"tr-attach: no such user"(" in /etc/passwd")?": no-such-user"$ ]]
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

@test "--cgroup takes who is in it or below it, of either version, by the whole path or from its root on" {
	need_bpf
	need_cgroups unified systemd memory cpu
	local h path way=0 ways=(tp_btf raw_tp tracepoint)

	named one
	for h in unified systemd memory cpu; do
		for path in "$SYS/$h$cgroot/a" "$cgroot/a/" "${cgroot#/}/a"; do
			mkdir -p "$SYS/$h$cgroot/a/b/c" "$SYS/$h$cgroot/ab"
			start within "$SYS/$h$cgroot/a" sleep infinity # so that this hierarchy has it
			wait_for grep -q . "$SYS/$h$cgroot/a/cgroup.procs"
			attach --syscalls --count --cgroup "$path" --way="${ways[way++ % 3]}"
			within "$SYS/$h$cgroot" ./one 101 >said
			within "$SYS/$h$cgroot/a" ./one 103 3 >said
			within "$SYS/$h$cgroot/a/b" ./one 107 >said
			within "$SYS/$h$cgroot/a/b/c" ./one 109 3 >said
			within "$SYS/$h$cgroot/ab" ./one 113 >said
			./one 127 >said
			detach
			[ "$(calls trace getppid one)" = 319 ]
			[ "$(counted trace)" = "$(calls trace getppid)" ]
			stop_started
			remove_cgroups "$cgroot"
		done
	done
}

@test "a cgroup's number means nothing in another hierarchy" {
	need_bpf
	need_cgroups freezer cpuacct
	local n=0 id

	# numbers go up in steps: make more of them until two are equal
	numbers() { find "$SYS/$1$cgroot" -mindepth 1 -type d -printf '%i %p\n' | sort -n; }
	more() {
		seq -f "$SYS/$1$cgroot/%.0f" "$n" $((n + 199)) | xargs mkdir
		n=$((n + 200))
		numbers "$1" >"$1.numbers"
	}
	equal() { join "$@" <(sort freezer.numbers) <(sort cpuacct.numbers) | head -n 1; }
	more freezer
	more cpuacct
	while id=$(equal -o 0) && [ -z "$id" ]; do
		((n < 20000)) || skip "no equal numbers here"
		if (($(tail -n 1 freezer.numbers | cut -d ' ' -f 1) < $(tail -n 1 cpuacct.numbers | cut -d ' ' -f 1))); then
			more freezer
		else
			more cpuacct
		fi
	done
	named one
	attach --syscalls --count --cgroup "$(equal -o 1.2)"
	within "$(equal -o 1.2)" ./one 101 >said
	within "$(equal -o 2.2)" ./one 103 >said
	detach
	[ "$(calls trace getppid one)" = 101 ]
}

@test "several cgroups are alternatives, of any hierarchy" {
	need_bpf
	need_cgroups unified memory
	named one
	named two
	mkdir "$top/a" "$top/b" "$SYS/memory$cgroot/a" "$SYS/memory$cgroot/c"
	attach --syscalls --count --cgroup "$top/a,$SYS/memory$cgroot/c" --cgroup "$top/b" --comm one
	within "$top/a" ./one 101 >said
	within "$top/b" ./one 103 3 >said
	within "$SYS/memory$cgroot/c" ./one 107 >said
	within "$top/a" "$SYS/memory$cgroot/c" ./one 109 >said
	within "$SYS/memory$cgroot/a" ./one 113 >said
	within "$top/b" ./two 127 >said
	detach
	holds trace 420
}

@test "a process that moves is in or out at once, and its children where they are" {
	need_bpf
	need_cgroups unified memory
	local h

	# shellcheck disable=SC2016
	mover() {
		sh -c 'echo ready $$; read -r line
			"$1" 101; echo $$ >"$2/a/cgroup.procs"; "$1" 103; (echo 0 >"$2/cgroup.procs"; exec "$1" 107)
			"$1" 109; echo $$ >"$2/cgroup.procs"; "$1" 113; exit' sh "$(workload calls)" "$1"
	}
	for h in "$top" "$SYS/memory$cgroot"; do
		mkdir "$h/a"
		ready mover "$h"
		attach --syscalls --count --cgroup "$h/a"
		grep -q "$h/a: no process is in this cgroup" err
		go
		wait_for gone "$target"
		detach
		[ "$(calls trace getppid calls)" = 212 ]
		ready mover "$h"
		attach --syscalls --count --cgroup "$h/a" --follow
		go
		wait_for gone "$target"
		detach
		# what was created there is followed wherever it goes
		[ "$(calls trace getppid calls)" = 319 ]
	done
}

@test "what is no cgroup is one line and status 1, never an empty trace" {
	need_bpf
	need_cgroups unified
	local path

	mkdir here
	for path in "$cgroot/none" "$top/none" none /tmp "$PWD/here" "$top/cgroup.procs" "$top/../../tmp" \
		"../..$PWD/here" "$SYS/none" ../../../tmp; do
		run -1 --separate-stderr tr-attach --count --cgroup "$path"
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == "tr-attach: $path: "*cgroup* ]]
		[ -z "$output" ]
	done
	# one that is gone while it is traced is no failure
	mkdir "$top/a"
	attach --count --cgroup "$top/a"
	rmdir "$top/a"
	detach
}

# hex N: an id that begins with N in hexadecimal.
hex() {
	printf '%s%064d' "$1" 0 | head -c 64
}

@test "--container finds an id or its beginning by the paths that runtimes make" {
	need_bpf
	need_cgroups unified memory systemd
	local id n=0 h path hs=(unified memory systemd)

	named one
	while read -r path; do
		n=$((n + 1))
		h=${hs[n % 3]}
		id=$(hex "abcde$((n + 100))")
		path=${path/ID/$id}
		mkdir -p "$SYS/$h$cgroot/$path/container" "$SYS/$h$cgroot/${path/abcde/bbcde}"
		# what looks after it is not in it
		mkdir -p "$SYS/$h$cgroot/libpod-conmon-$id.scope" "$SYS/$h$cgroot/crio-conmon-$id.scope"
		if ((n % 2)); then id=${id:0:8}; else id=${id^^}; fi
		attach --syscalls --count --container "$id"
		within "$SYS/$h$cgroot/$path" ./one 101 >said
		within "$SYS/$h$cgroot/$path/container" ./one 103 3 >said
		within "$SYS/$h$cgroot/${path/abcde/bbcde}" ./one 107 >said
		within "$SYS/$h$cgroot/libpod-conmon-$(hex "abcde$((n + 100))").scope" ./one 109 >said
		./one 113 >said
		detach
		grep -q "only threads in container $id, cgroup $SYS/$h$cgroot/${path//\\/.}" err
		[ "$(calls trace getppid one)" = 204 ]
	done <<-'PATHS'
		docker/ID
		system.slice/docker-ID.scope
		libpod_parent/libpod-ID
		machine.slice/libpod-ID.scope
		user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope
		app.service/libpod-payload-ID
		kubepods/burstable/pod5f1e0d4c-9b7a-4c55-8f6d-0f7f0a9d3c21/ID
		kubepods.slice/kubepods-pod5f1e.slice/cri-containerd-ID.scope
		kubepods-pod5f1e.slice:cri-containerd:ID
		kubepods.slice/kubepods-pod5f1e.slice/crio-ID.scope
		kubepods/pod5f1e/crio-ID
		default/ID
		system.slice/nerdctl-ID.scope
	PATHS
}

@test "--container finds the machines of systemd and LXC by name" {
	need_bpf
	need_cgroups systemd
	local name path

	named one
	while read -r name path; do
		mkdir -p "$top/$path" "$top/machine.slice/machine-web10.scope"
		attach --syscalls --count --container "$name"
		within "$top/$path" ./one 101 >said
		within "$top/machine.slice/machine-web10.scope" ./one 103 >said
		detach
		[ "$(calls trace getppid one)" = 101 ]
		remove_cgroups "$cgroot"
	done <<-'PATHS'
		web1 machine.slice/machine-web1.scope/payload
		deb-12 machine.slice/machine-deb\x2d12.scope
		web1 machine.slice/systemd-nspawn@web1.service/payload
		web1 lxc/web1
		web1 lxc.payload.web1
	PATHS
}

@test "a beginning that several containers have is an error that names them" {
	need_bpf
	need_cgroups unified memory
	local a b

	a=$(hex abcdef1) b=$(hex abcdef2)
	mkdir -p "$top/docker/$a" "$top/docker-$b.scope" "$SYS/memory$cgroot/docker/$a"
	run -1 --separate-stderr tr-attach --count --container abcdef
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == "tr-attach: --container abcdef: which one? "* && $stderr == *$a* && $stderr == *$b* ]]
	[ "$(grep -o "$a" <<<"$stderr" | wc -l)" = 1 ]
	run -0 --separate-stderr tr-attach --dry-run --count --container abcdef1
	# too short, or not there
	for a in abcde abcdef3 "$a$a" no-such-name; do
		run -1 --separate-stderr tr-attach --count --container "$a"
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == "tr-attach: --container $a: "*docker*podman*cri-o*nerdctl* ]]
	done
}

@test "a container's name is looked up in its runtime's files" {
	need_bpf
	need_cgroups unified
	local n id name
	local names=("" web db job side ctr dead)

	for n in 1 2 3 4 5; do mkdir -p "$top/docker/$(hex "aaaaaa$n")"; done
	# shellcheck disable=SC2016
	state() {
		set -e
		mount -t tmpfs none /var/lib
		cd /var/lib
		mkdir -p docker/containers/{"$(hex aaaaaa1)",broken,link,fifo} nerdctl/1935db59/names/default \
			containers/storage/{overlay,vfs}-containers
		printf '{"State":{"Pid":7},"ID":"%s","Name":"/web"}' "$(hex aaaaaa1)" \
			>"docker/containers/$(hex aaaaaa1)/config.v2.json"
		echo '{"ID":' >docker/containers/broken/config.v2.json
		ln -s /etc/passwd docker/containers/link/config.v2.json
		mkfifo docker/containers/fifo/config.v2.json
		printf '[{"id":"%s","names":["pod","db"],"layer":"x"},{"id":"%s","names":["job"]},{"id":7}]' \
			"$(hex aaaaaa2)" "$(hex aaaaaa3)" >containers/storage/overlay-containers/containers.json
		printf '[{"id":"%s","names":["side"]},{"id":"%s","names":["dead"]},{"id":"%s","names":["web"]}]' \
			"$(hex aaaaaa4)" "$(hex aaaaaa9)" "$(hex aaaaaa5)" >containers/storage/vfs-containers/containers.json
		printf %s "$(hex aaaaaa5)" >nerdctl/1935db59/names/default/ctr
		"$@"
	}
	export -f state hex
	in_state() { timeout --foreground 20 unshare -m bash -c 'state "$@"' bash "$@"; }
	named one
	for n in 2 3 4 5; do
		start in_state tr-attach -v --syscalls --count --container "${names[n]}" >trace 2>err
		wait_for grep -q 'capabilities kept' err
		for id in 2 3 4 5; do within "$top/docker/$(hex "aaaaaa$id")" ./one $((id * 1000 + 1)) >said; done
		pkill -INT -g "$pid" -x tr-attach
		run -0 finish "$pid"
		[ "$(calls trace getppid one)" = $((n * 1000 + 1)) ]
	done
	# two runtimes know different ones
	run -1 --separate-stderr in_state tr-attach --count --container web
	[[ $stderr == *"which one?"*aaaaaa1*aaaaaa5* ]]
	run -1 --separate-stderr in_state tr-attach --count --container dead
	[ "$stderr" = "tr-attach: --container dead: $(hex aaaaaa9) does not run: it has no cgroup" ]
}

@test "with --follow all children are caught that are created while it attaches, and theirs" {
	need_bpf
	local begin start option

	for option in --pid --tid; do
		ready "$(workload storm)"
		begin=${EPOCHREALTIME/[.,]/}000
		attach --count --syscalls=getppid --follow $option "$target"
		wait_for grep -q "^child" said
		go
		wait_for gone "$target"
		run -0 finish "$attacher"
		records trace syscall .pid | sort | uniq -c | awk '{ print $2, $1 }' >seen
		# each that was seen made its 7 calls, and it is from some birth on all of them
		[ "$(awk '$2 != 7' seen | wc -l)" = 0 ]
		awk -v begin="$begin" 'NR == FNR { seen[$1] = 1; next }
			/^child/ {
				n++
				if (seen[$2] != seen[$4]) exit 1
				if (seen[$2] && !first) first = $3
				if (!seen[$2] && first && $3 > first) exit 2
				if (seen[$2] && $3 < begin) exit 3
			}
			END { if (!first) exit 4; print first }' seen <(sort -k 3n said) >first
		# and that birth was before anything was attached
		start=$(date -d "$(head -n 1 trace | jq -r .tracery.start)" +%s%N)
		(($(cat first) < start))
	done
}
