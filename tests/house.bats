# SPDX-License-Identifier: GPL-2.0-only
#
# The house around the tools: setup.sh, the Makefile's other targets, what every file must have.

load helper

# The files that the repository holds; with -co, those that it would hold too.
sources() {
	cd "$ROOT" || return
	git -c safe.directory='*' ls-files --exclude-standard "$@" 2>/dev/null ||
		find . -path ./build -prune -o -type f -printf '%P\n'
}

# A PATH that holds these commands only, for every user: sets only.
only() {
	local tool

	only=$(mktemp -d)
	chmod 755 "$only"
	for tool; do
		ln -sf "$(command -v "$tool")" "$only/"
	done
}

teardown() {
	stop_started
	[ -z "${only-}" ] || rm -r "$only"
}

@test "setup.sh says nothing and takes no time where all is there" {
	local began best=10000 took

	"$ROOT/setup.sh" --check build test || skip "not all test packages are to be had here"
	for _ in 1 2 3 4 5; do
		began=$(now_ms)
		run -0 "$ROOT/setup.sh" build test
		took=$(($(now_ms) - began))
		[ -z "$output" ]
		((took >= best)) || best=$took
	done
	echo "best of 5: $best ms"
	((best < 1000))
}

@test "setup.sh --check looks at the kernel and at privileges" {
	need_root
	need_bpf
	run -0 "$ROOT/setup.sh" --check
	[[ $output == *"kernel $(uname -r)"* && $output == *BTF* && $output == *CAP_BPF* ]]
	# Who may not even read this folder.
	unprivileged() { as_nobody sh -s -- --check <"$ROOT/setup.sh"; }
	run -1 unprivileged
	[[ $output == *"no    no CAP_BPF: run the tools with sudo"* ]]
	[[ $output == *"no    no CAP_PERFMON: "* ]]
}

@test "setup.sh tells an ordinary user in one line what to run as root" {
	need_root
	only sh id uname grep
	missing() { as_nobody env PATH="$only" sh -s -- "$@" <"$ROOT/setup.sh"; }
	run -1 missing build
	[[ ${#lines[@]} = 1 && $output == "setup.sh: missing: "*clang*"; run as root: ./setup.sh build" ]]
	run -1 missing --check build test
	[[ ${#lines[@]} = 1 && $output == *"; run as root: ./setup.sh build test" ]]
}

@test "setup.sh refuses what it does not know" {
	run -2 "$ROOT/setup.sh" --chekc
	run -2 "$ROOT/setup.sh" everything
	run -0 "$ROOT/setup.sh" --help
	[[ $output == usage:* ]]
}

@test "make help tells of every target" {
	local target

	run -0 make -s -C "$ROOT" help
	for target in all demo check bench lint fuzz install uninstall dist clean help; do
		[[ $output == *"make $target "* ]]
	done
}

@test "make says in one line what is missing" {
	[ ! -e /usr/sbin/clang ] || skip "clang cannot be hidden here"
	only sh make id uname grep cc pkg-config find nproc
	# Nothing is built, so that something must be.
	run -2 --separate-stderr env PATH="$only" make -s -C "$ROOT" BUILD="$BATS_TEST_TMPDIR/none"
	[[ ${stderr_lines[0]} == "setup.sh: missing: clang; run as root: ./setup.sh build" ]]
	[[ ${stderr_lines[1]} == make:* && ${#stderr_lines[@]} -le 2 ]]
}

@test "a checkout with a space in its path builds, installs, works from anywhere and goes again" {
	local top="$BATS_TEST_TMPDIR/a checkout" dest="$BATS_TEST_TMPDIR/dest dir" tool

	mkdir "$top"
	sources -co | (cd "$ROOT" && tar -cf - -T -) | tar -xf - -C "$top"
	make -s -j2 -C "$top" CFLAGS=-O1 install PREFIX=/usr DESTDIR="$dest"
	"$top/tracery" --version
	for tool in tracery tr-attach tr-table tr-hist tr-cat tr-symbols; do
		[ -x "$dest/usr/bin/$tool" ]
		[ -f "$dest/usr/share/man/man1/$tool.1" ]
		[ -f "$dest/usr/share/bash-completion/completions/$tool" ]
		[ -f "$dest/usr/share/fish/vendor_completions.d/$tool.fish" ]
	done
	[ -f "$dest/usr/share/zsh/site-functions/_tracery" ]
	rm -r "$top/build"
	mkdir elsewhere
	ln -s "$dest/usr/bin/tracery" elsewhere/tracery
	cd /
	[ "$("$dest/usr/bin/tracery" --version)" = "$("$BATS_TEST_TMPDIR/elsewhere/tracery" --version)" ]
	run -0 "$BATS_TEST_TMPDIR/elsewhere/tracery" --show count -a
	[ "$output" = "'$dest/usr/bin/tr-attach' --count -a | '$dest/usr/bin/tr-table'" ]
	PATH=$dest/usr/bin:$PATH run -0 tracery --show count -a
	[ "$output" = "tr-attach --count -a | tr-table" ]
	make -s -C "$top" uninstall PREFIX=/usr DESTDIR="$dest"
	run -0 find "$dest" ! -type d
	[ -z "$output" ]
}

@test "the licence is there and named in every source file" {
	grep -q 'GNU GENERAL PUBLIC LICENSE' "$ROOT/LICENSE"
	grep -q 'Version 2, June 1991' "$ROOT/LICENSE"
	cd "$ROOT"
	sources | grep -vE '^(LICENSE|\..*(ignore|format)|tests/data/|tests/fuzz/seeds/)|\.md$|shellcheckrc$' |
		while read -r file; do
			head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || echo "$file"
		done >"$BATS_TEST_TMPDIR/without"
	cat "$BATS_TEST_TMPDIR/without"
	[ ! -s "$BATS_TEST_TMPDIR/without" ]
}

@test "nothing is left to be done later, and no file knows where the checkout is" {
	cd "$ROOT"
	sources >"$BATS_TEST_TMPDIR/files"
	# brackets, so that the words are not in this file either
	run -123 xargs -d '\n' -a "$BATS_TEST_TMPDIR/files" grep -nIwE 'TO[D]O|FIX[M]E|X[X]X|HAC[K]'
	[ -z "$output" ]
	run -123 xargs -d '\n' -a "$BATS_TEST_TMPDIR/files" grep -nIF "$ROOT/"
	[ -z "$output" ]
}

@test "no test is left out without a reason, and all wait for conditions" {
	cd "$ROOT/tests"
	run -1 grep -nE '(^|[|&;{])[[:space:]]*skip[[:space:]]*($|[;}#])|^[[:space:]]*sleep [0-9.]+' ./*.bats
	[ -z "$output" ]
}

# An expression's types are those of all kinds that have the name.
@test "a field's name means a text, a number or a flag in all kinds that have it" {
	cd "$ROOT"
	awk '
		match($0, /^TR_TYPE\([a-z0-9]+/) {
			type = substr($0, 9, RLENGTH - 8)
			class = $NF
			sub(/\)$/, "", class)
			classes[type] = class ~ /int|hex/ ? "number" : class
		}
		match($0, /^[ \t]*FA?\([a-z0-9]+, [a-z0-9_]+/) {
			split(substr($0, RSTART, RLENGTH), part, /[(, ]+/)
			if (part[3] in former && former[part[3]] != classes[part[2]]) {
				print part[3] ": " former[part[3]] " and " classes[part[2]]
				bad = 1
			}
			former[part[3]] = classes[part[2]]
			n++
		}
		END { exit bad || n < 100 }' lib/types.def lib/records.def
}
