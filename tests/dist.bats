# SPDX-License-Identifier: GPL-2.0-only
#
# The archives of a release: do they run where nothing else is?

load helper

dist=${ROOT:?}/build/dist
machine=$(uname -m)
case $machine in
x86_64) native=amd64 other=arm64 other_machine=aarch64 other_elf=AArch64 ;;
*) native=arm64 other=amd64 other_machine=x86_64 other_elf='Advanced Micro Devices X86-64' ;;
esac
tools=(tr-attach tr-table tr-hist tr-cat tr-symbols)

make_dist() {
	make -s -j "$(nproc)" -C "$ROOT" WERROR="${WERROR:--Werror}" "dist-$1"
}

setup_file() {
	"$ROOT/setup.sh" --check dist 2>"$BATS_FILE_TMPDIR/missing" || return 0
	# How it went with the other architecture is for the tests that need it.
	make_dist "$native" && { make_dist "$other" >"$BATS_FILE_TMPDIR/other" 2>&1 || true; }
}

setup() {
	[ ! -s "$BATS_FILE_TMPDIR/missing" ] || skip "$(cat "$BATS_FILE_TMPDIR/missing")"
}

# unpack ARCH: what is in its archive, here; sets release.
unpack() {
	local archives

	archives=("$dist"/tracery_*_linux_"$1".tar.gz)
	release=${archives[0]##*/}
	release=${release%.tar.gz}
	tar -xzf "${archives[0]}"
}

# Skips where there are no packages of the other architecture's libraries.
unpack_other() {
	local ID=''

	if [ -z "${SYSROOT-}" ]; then
		# shellcheck source=/dev/null
		. /etc/os-release
		[ "$ID" = debian ] || skip "no packages for $other where $ID has its own"
	fi
	cat "$BATS_FILE_TMPDIR/other"
	unpack "$other"
}

# Every tool of the release unpacked here is of MACHINE, as readelf calls it, and asks for no library.
need_no_library() {
	local tool

	for tool in "${tools[@]}"; do
		run -0 readelf -hld "$release/bin/$tool"
		[[ $output == *"Machine: "*"$1"* ]]
		[[ $output != *INTERP* && $output != *'(NEEDED)'* ]]
	done
}

# A root folder that holds the release, busybox and users of its own: sets root.
make_root() {
	local command

	need busybox
	[[ $(readelf -l "$(command -v busybox)") != *INTERP* ]] || skip "busybox is not static here"
	root=$PWD/root
	mkdir -p "$root"/{bin,dev,etc,proc,sys,tmp}
	cp "$(command -v busybox)" "$root/bin/busybox"
	for command in sh cat id mkfifo mktemp readlink rm true; do
		ln -s busybox "$root/bin/$command"
	done
	(cd "$root" && unpack "$native")
	mv "$root"/tracery_* "$root/tracery"
	echo 'stranger:x:4242:4243::/:/bin/sh' >"$root/etc/passwd"
	printf '%s\n' 'own:x:4243:' 'more:x:4244:other,stranger' 'others:x:4245:other' >"$root/etc/group"
	# Libraries that are not there.
	printf '%s: sss ldap\n' passwd group initgroups >"$root/etc/nsswitch.conf"
}

# A trace of everything that a record can hold.
records() {
	awk -v n=2000 -v seed=7 -v builtin=1 -f "$DATA/records.awk"
}

# COMMAND with that folder as / and nothing in its environment.
inside() {
	unshare -m sh -c 'cd "$1" && shift && mount --rbind /sys sys &&
		mount --rbind /proc proc && : >dev/null && mount --bind /dev/null dev/null && exec chroot . \
		/bin/busybox env -i PATH=/bin "$@"' sh "$root" "$@"
}

@test "an archive holds what is installed, the licence and the README, in one folder of root's" {
	local file

	unpack "$native"
	run -0 "$release/tracery" --version
	[ "$release" = "tracery_${output#tracery }_linux_$native" ]
	[ "$(echo ./*)" = "./$release" ]
	make -s -C "$ROOT" install PREFIX= DESTDIR="$PWD/installed"
	(cd installed && find . | sort) >expected
	(cd "$release" && find . | grep -vE '^\./(LICENSE|README\.md|tracery)$' | sort) >got
	diff expected got
	diff -r installed/share "$release/share"
	for file in LICENSE README.md; do
		cmp "$release/$file" "$ROOT/$file"
	done
	run -0 tar --numeric-owner -tvzf "$dist/$release.tar.gz"
	[ -z "$(awk '$2 != "0/0" || $1 !~ /^(d|.)rw(xr-xr-x|-r--r--)$|^lrwxrwxrwx$/' <<<"$output")" ]
}

@test "packing again, at another time and with another umask, makes the same bytes" {
	cp "$dist"/tracery_*_linux_"$native".tar.gz before.tar.gz
	(umask 077 && make_dist "$native")
	chmod 644 "$dist"/tracery_*_linux_"$native".tar.gz
	cmp before.tar.gz "$dist"/tracery_*_linux_"$native".tar.gz
}

@test "what is made of the tools' options is the same whichever awk makes it" {
	local script

	for script in tracery/sh completion/fish; do
		gawk -f "$ROOT/tools/$script.awk" "$dist/$native/completion/options" >expected
		[ -s expected ]
		mawk -f "$ROOT/tools/$script.awk" "$dist/$native/completion/options" | cmp expected -
	done
}

@test "nothing in an archive tells where it was built" {
	unpack "$native"
	run -1 grep -rlF "$ROOT" "$release"
}

@test "the tools need no library and no environment, and run from wherever they are unpacked" {
	local tool witness

	unpack "$native"
	witness=$(readelf -h /proc/self/exe | sed -n 's/.*Machine: *//p')
	need_no_library "$witness"
	for tool in "${tools[@]}"; do
		run -0 env -i "$release/bin/$tool" --version
		[[ $output == "$tool "* ]]
		run ldd "$release/bin/$tool"
		[[ $output == *"not a dynamic executable"* || $output == *"statically linked"* ]]
	done
	cd "$release"
	run -0 env -i ./tracery --show count --all
	[ "$output" = "$PWD/bin/tr-attach --count --all | $PWD/bin/tr-table" ]
	records >trace
	env -i ./bin/tr-table trace >out
	tr-table trace | cmp - out
}

@test "the unpacked tools count as those of the checkout do" {
	need_bpf
	unpack "$native"
	run -0 --separate-stderr env -i "$release/tracery" count -- "$(workload calls)" 97
	[[ $stderr =~ getppid\ +97[^0-9] ]]
}

@test "the tools trace where there is nothing but a shell" {
	need_root
	need_bpf
	make_root
	run -0 inside /tracery/tracery count --output json -- /bin/busybox true
	[[ $output == *'"syscall":"execve"'*'"count":1'* ]]
	inside /tracery/tracery record -o /tmp/a.trc -- /bin/busybox true
	inside /tracery/tracery replay /tmp/a.trc >out
	tr-table "$root/tmp/a.trc" | cmp - out
	grep -q execve out
	run -0 inside /tracery/tracery list syscalls 'openat*'
	[[ $output == *openat2* ]]
}

@test "without libraries, users are those of /etc/passwd and /etc/group" {
	need_root
	need_bpf
	make_root
	run -0 --separate-stderr inside /tracery/bin/tr-attach --count --command-stdout=1 \
		--run-as stranger -- /bin/id
	[[ $output == *'uid=4242(stranger) gid=4243(own) groups=4243(own),4244(more)'* ]]
	run -0 inside /tracery/bin/tr-attach -v --count --uid stranger --duration 0.1
	[[ $output == *'only threads of user stranger, id 4242'* ]]
	run -1 inside /tracery/bin/tr-attach --count --uid nobody
	[ "$output" = 'tr-attach: no such user in /etc/passwd: nobody' ]
}

@test "the other architecture's tools are its own and need no library either" {
	unpack_other
	need_no_library "$other_elf"
	diff <(cd "$release" && find . -type f | sort) <(unpack "$native" && cd "$release" && find . -type f | sort)
	# A call whose numbers differ, and are the kernel's for good.
	awk -F '\t' '$2 == "getppid" { print $1 }' "$release/share/tracery/syscalls" >nr
	[ "$(cat nr)" = "$([ "$other" = arm64 ] && echo 173 || echo 110)" ]
}

@test "the other architecture's filters make the same of a trace" {
	local emulator=qemu-$other_machine filter

	need "$emulator"
	unpack_other
	records | tr-cat --format=packed >trace
	for filter in tr-table 'tr-table --by comm,errno --agg count,p99(ns)' 'tr-cat --format=json' \
		'tr-cat --format=text'; do
		# shellcheck disable=SC2086
		set -- $filter
		"$@" trace >expected
		[ -s expected ]
		"$emulator" "$release/bin/$1" "${@:2}" trace | cmp expected -
	done
	records | "$emulator" "$release/bin/tr-cat" --format=packed | cmp trace -
}
