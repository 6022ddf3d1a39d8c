#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs what Tracery is built, tested and measured with, and checks what this machine can trace.
set -eu

usage() {
	cat <<'END'
usage: setup.sh [--check] [GROUP]...

Installs the packages of each GROUP that are missing: build (the default), test, bench, dist.
  --check    change nothing: say what is missing and what to do about it; without GROUP
             this covers the kernel and your privileges too. Exits 1 when something is.
  --help     show this
END
}

# Needs, one a line: its group, what shows that it is there, and the packages that bring it on Debian
# and Ubuntu, Fedora, Arch, Alpine: "a|b" is the first of the two that is to be had, "a+b" whatever
# of them is, - none known. KERNEL is the running kernel's release: Ubuntu has bpftool and perf once
# per kernel, those of another kernel will do, and for some kernels there are none.
needs='
build	cmd:make	make	make	make	make
build	cmd:cc	gcc	gcc	gcc	gcc
build	cmd:clang	clang	clang	clang	clang
build	cmd:pkg-config	pkg-config	pkgconf-pkg-config	pkgconf	pkgconf
build	run:bpftool version	bpftool|linux-tools-KERNEL+linux-tools-generic	bpftool	bpf	bpftool
build	inc:stdio.h	libc6-dev	glibc-devel	glibc	musl-dev
build	inc:linux/types.h	linux-libc-dev	kernel-headers	linux-api-headers	linux-headers
build	pc:libbpf >= 1.1	libbpf-dev	libbpf-devel	libbpf	libbpf-dev
build	inc:libelf.h	libelf-dev	elfutils-libelf-devel	libelf	elfutils-dev
build	inc:zlib.h	zlib1g-dev	zlib-devel	zlib	zlib-dev
build	inc:seccomp.h	libseccomp-dev	libseccomp-devel	libseccomp	libseccomp-dev
test	cmd:bats	bats	bats	bash-bats	bats
test	cmd:jq	jq	jq	jq	jq
test	cmd:strace	strace	strace	strace	strace
test	run:perf --version	linux-perf|linux-tools-KERNEL+linux-tools-generic	perf	perf	perf
test	cmd:gawk	gawk	gawk	gawk	gawk
test	cmd:mawk	mawk	mawk	mawk	mawk
test	cmd:shellcheck	shellcheck	ShellCheck	shellcheck	shellcheck
test	cmd:cppcheck	cppcheck	cppcheck	cppcheck	cppcheck
test	cmd:mandoc	mandoc	mandoc	mandoc	mandoc
test	cmd:readelf	binutils	binutils	binutils	binutils
test	cmd:zsh	zsh	zsh	zsh	zsh
test	cmd:fish	fish	fish	fish	fish
test	cmd:timeout	coreutils	coreutils	coreutils	coreutils
test	cmd:script	bsdutils	util-linux|util-linux-script	util-linux	util-linux-misc
test	cmd:setpriv	util-linux	util-linux	util-linux	setpriv
test	cmd:ps	procps	procps-ng	procps-ng	procps-ng
test	cmd:killall	psmisc	psmisc	psmisc	psmisc
test	cmd:redis-check-rdb	redis-tools	redis	redis	redis
test	cmd:promtool	prometheus	golang-github-prometheus	prometheus	prometheus
test	inc:jansson.h	libjansson-dev	jansson-devel	jansson	jansson-dev
test	lib:libasan	gcc	libasan	gcc-libs	-
test	lib:libubsan	gcc	libubsan	gcc-libs	-
test	lib:libclang_rt.fuzzer	libclang-rt-dev|libclang-rt-18-dev	compiler-rt	compiler-rt	compiler-rt
test	cmd:busybox	busybox-static	busybox	busybox	busybox-static
test	cmd:qemu-aarch64	qemu-user	qemu-user	qemu-user	qemu-aarch64
test	cmd:qemu-system-x86_64	qemu-system-x86	qemu-system-x86-core	qemu-system-x86	qemu-system-x86_64
test	cmd:cpio	cpio	cpio	cpio	cpio
test	cmd:lz4	lz4	lz4	lz4	lz4
test	cmd:qemu-system-aarch64	qemu-system-arm	qemu-system-aarch64-core	qemu-system-aarch64	qemu-system-aarch64
test	cmd:zstd	zstd	zstd	zstd	zstd
dist	ar:libc	libc6-dev	glibc-static	glibc	musl-dev
dist	ar:libbpf	libbpf-dev	libbpf-static	-	libbpf-dev
dist	ar:libelf	libelf-dev	elfutils-libelf-devel-static	-	-
dist	ar:libz	zlib1g-dev	zlib-static	-	zlib-static
dist	ar:libseccomp	libseccomp-dev	libseccomp-static	-	libseccomp-static
dist	cmd:x86_64-linux-gnu-gcc	gcc-x86-64-linux-gnu	gcc-x86_64-linux-gnu	-	-
dist	cmd:aarch64-linux-gnu-gcc	gcc-aarch64-linux-gnu	gcc-aarch64-linux-gnu	aarch64-linux-gnu-gcc	-
bench	cmd:bpftrace	bpftrace	bpftrace	bpftrace	bpftrace
bench	cmd:syscount|bpf-syscount	libbpf-tools	libbpf-tools	libbpf-tools	-
bench	cmd:mlr	miller	miller	miller	miller
bench	cmd:hyperfine	hyperfine	hyperfine	hyperfine	hyperfine
bench	cmd:datamash	datamash	datamash	datamash	datamash
'

say() {
	printf 'setup.sh: %s\n' "$*" >&2
}

# One of the files is there. The caller leaves the patterns to the shell.
any() {
	for file; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# present KIND:WHAT
present() {
	what=${1#*:}
	case $1 in
	cmd:*\|*) command -v "${what%|*}" >/dev/null || command -v "${what#*|}" >/dev/null ;;
	cmd:*) command -v "$what" >/dev/null ;;
	pc:*) pkg-config --exists "$what" 2>/dev/null ;;
	inc:*) any "/usr/include/$what" /usr/include/*-linux-*/"$what" "/usr/local/include/$what" ;;
	ar:*) any "/usr/lib/$what.a" "/usr/lib64/$what.a" /usr/lib/*-linux-*/"$what.a" ;;
	lib:libclang_rt*)
		any /usr/lib*/clang/*/lib/*/"$what"* /usr/lib*/llvm*/lib/clang/*/lib/*/"$what"*
		;;
	lib:*) any /usr/lib*/gcc/*/*/"$what".* /usr/lib*/"$what".* /usr/lib/*-linux-*/"$what".* ;;
	# Ubuntu's bpftool and perf may be scripts that only look for a kernel's own.
	run:*) any /usr/lib/linux-tools/*/"${what%% *}" || $what >/dev/null 2>&1 ;;
	esac
}

# Sets missing (what is shown) and packages (of this distribution) for the groups named.
find_missing() {
	missing='' packages=''
	while IFS='	' read -r group need debian fedora arch alpine; do
		case " $groups " in *" $group "*) ;; *) continue ;; esac
		! present "$need" || continue
		case $family in
		debian) package=$debian ;;
		fedora) package=$fedora ;;
		arch) package=$arch ;;
		alpine) package=$alpine ;;
		*) package=- ;;
		esac
		case $need in
		run:*) what=${need#*:} what=${what%% *} ;;
		*) what=${need#*:} ;;
		esac
		missing="$missing${missing:+, }$what"
		[ "$group" != build ] || unbuildable=1
		[ "$package" = - ] || packages="$packages $package"
	done <<END
${needs#?}
END
}

distribution() {
	ID='' ID_LIKE=''
	# shellcheck disable=SC1091
	[ ! -r /etc/os-release ] || . /etc/os-release
	case " $ID $ID_LIKE " in
	*\ debian\ * | *\ ubuntu\ *) family=debian ;;
	*\ fedora\ * | *\ rhel\ *) family=fedora ;;
	*\ arch\ *) family=arch ;;
	*\ alpine\ *) family=alpine ;;
	*) family=unknown ;;
	esac
}

to_be_had() {
	case $family in
	debian) apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]' ;;
	fedora) dnf -q list "$1" >/dev/null 2>&1 ;;
	arch) pacman -Si "$1" >/dev/null 2>&1 ;;
	alpine) apk search -e "$1" 2>/dev/null | grep -q . ;;
	esac
}

install_packages() {
	case $family in
	debian)
		DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
			--no-install-recommends install "$@"
		;;
	fedora) dnf -q -y install --setopt=install_weak_deps=False "$@" ;;
	arch) pacman -S --noconfirm --needed "$@" ;;
	alpine) apk add "$@" ;;
	esac
}

refresh() {
	case $family in
	debian) apt-get -q update ;;
	arch) pacman -Sy ;;
	alpine) apk update ;;
	esac
}

# Sets chosen to the packages that CHOICE comes to here.
choose() {
	chosen=$1
	case $1 in *[\|+]*) ;; *) return ;; esac
	chosen='' rest="$1|"
	while [ -z "$chosen" ] && [ -n "$rest" ]; do
		for package in $(printf '%s' "${rest%%|*}" | sed "s/KERNEL/$(uname -r)/; s/+/ /g"); do
			! to_be_had "$package" || chosen="$chosen $package"
		done
		rest=${rest#*|}
	done
	[ -n "$chosen" ] || say "none of these packages is to be had: $1"
}

install_missing() {
	refresh || say 'the package lists could not be refreshed; going on with the old ones'
	wanted=''
	for choice in $packages; do
		choose "$choice"
		wanted="$wanted${chosen:+ $chosen}"
	done
	# All at once; where one of them is not to be had, the others still are.
	# shellcheck disable=SC2086
	if [ -n "$wanted" ] && ! install_packages $wanted; then
		for package in $wanted; do
			install_packages "$package" || say "could not install $package"
		done
	fi
}

# row STATE TEXT...: a line of the report; a STATE of "no" is a failure.
row() {
	[ "$1" != no ] || failed=1
	printf '%-5s ' "$1"
	shift
	printf '%s\n' "$*"
}

check_machine() {
	release=$(uname -r)
	major=${release%%.*} minor=${release#*.}
	minor=${minor%%[!0-9]*}
	if [ "$((major * 1000 + minor))" -ge 5008 ]; then
		row ok "kernel $release"
	else
		row no "kernel $release: 5.8 or newer is needed (it has no BPF ring buffer)"
	fi

	if [ -r /sys/kernel/btf/vmlinux ]; then
		row ok 'kernel type information (BTF)'
	else
		row no 'no /sys/kernel/btf/vmlinux: the kernel needs CONFIG_DEBUG_INFO_BTF=y'
	fi

	caps=0
	while read -r name value; do
		[ "$name" != CapEff: ] || caps=$((0x$value))
	done </proc/self/status
	for cap in 39:CAP_BPF 38:CAP_PERFMON; do
		# CAP_SYS_ADMIN, 21, holds both.
		if [ $((caps >> ${cap%:*} & 1)) = 1 ] || [ $((caps >> 21 & 1)) = 1 ]; then
			row ok "${cap#*:}"
		else
			row no "no ${cap#*:}: run the tools with sudo, or give them that capability"
		fi
	done

	if [ -d /sys/kernel/tracing/events ] || [ -d /sys/kernel/debug/tracing/events ]; then
		row ok 'tracefs'
	else
		row note "no tracefs, which some kernels' tracing needs: as root," \
			'mount -t tracefs tracefs /sys/kernel/tracing'
	fi
}

check=0 groups='' failed=0 unbuildable=0
for argument; do
	case $argument in
	--check) check=1 ;;
	-h | --help)
		usage
		exit 0
		;;
	build | test | bench | dist) groups="$groups $argument" ;;
	*)
		say "$argument: neither an option nor one of the groups build, test, bench, dist;" \
			'see setup.sh --help'
		exit 2
		;;
	esac
done

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
machine=$check
[ -z "$groups" ] || machine=0
groups=${groups:-build}
groups=${groups# }
distribution
find_missing

if [ "$machine" = 1 ]; then
	check_machine
	if [ -z "$missing" ]; then
		row ok "everything to $groups with"
	else
		row no "$missing: as root, ./setup.sh $groups"
	fi
	exit "$failed"
fi

[ -n "$missing" ] || exit 0
if [ "$check" = 1 ] || [ "$(id -u)" != 0 ]; then
	say "missing: $missing; run as root: ./setup.sh $groups"
	exit 1
fi
if [ "$family" = unknown ]; then
	say "missing: $missing; the names of their packages here are not known, so install them by hand"
	exit 1
fi

unbuildable=0
install_missing
find_missing
[ -z "$missing" ] || say "still missing: $missing"
exit "$unbuildable"
