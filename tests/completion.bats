# SPDX-License-Identifier: GPL-2.0-only
#
# What shells offer for a word of tracery's or a tool's command line: each case in the real shell,
# whose files hold what the tools' --help says.

load helper

# offered_bash LINE: what bash offers for the last word of LINE, one a line, sorted.
offered_bash() {
	bash --norc -c '
		. "$1"
		# As readline splits a line: = stands alone.
		line=${2//=/ = }
		read -ra COMP_WORDS <<<"$line"
		[[ $line != *" " || $2 == *= ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_tracery "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
		((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"
	' bash "$ROOT/build/share/bash-completion/completions/tracery" "$1" | sort
}

offered_zsh() {
	"$ROOT/tests/zsh-complete" "$ROOT/build/share/zsh/site-functions" "$1" | sort
}

# fish offers the whole word, with a description behind a tab.
offered_fish() {
	HOME=$PWD fish --no-config -c "source '$ROOT/build/share/fish/vendor_completions.d/tracery.fish'
		complete -C '$1'" | sed 's/\t.*//; s/^--[a-z-]*=//; /^$/d' | sort -u
}

# A line, what is offered for its last word; -: nothing. Files are those of this folder.
cases() {
	cat <<'END'
tracery re|record replay
tracery --show re|record replay
tracery l|latency list
tracery latency --per|--per-process --percentiles
tracery latency --syscall fchmod|fchmod fchmodat fchmodat2
tracery count --fo|--follow --format
tracery replay --fo|-
tracery replay --re|--reverse
tracery record --top|-
tracery doctor --|--output
tracery doctor --output |json table
tracery count --way |fentry raw_tp tp_btf tracepoint
tracery count --way=t|tp_btf tracepoint
tracery count --format |json packed text
tracery count --count=rename|rename renameat renameat2
tracery count --count=%f|%file
tracery count --syscall fchmod|fchmod fchmodat fchmodat2
tracery replay --syscall|-
tracery list |functions symbols syscalls tracepoints
tracery list sy|symbols syscalls
tracery list syscalls epoll_pw|epoll_pwait epoll_pwait2
tracery list tracepoints x|-
tracery list symbols we|web.trc
tracery replay we|web.trc
tracery replay --top 3 we|web.trc
tracery count we|-
tracery count --run-as roo|root
tracery record -o we|web.trc
tr-table we|web.trc
tr-cat --format=j|json
tr-symbols we|web.trc
tr-hist we|web.trc
tr-hist --output |csv json text
tr-attach we|-
tr-attach --wa|--wait-for --way
tr-attach -p 999999 --wa|--wait-for --way
tr-attach --summary=mkn|mknod mknodat
tr-attach --stacks=|both kernel user
END
}

check_cases() {
	local line want offered

	touch web.trc other
	grep -q fchmodat2 "$ROOT/build/share/tracery/syscalls" || skip "libseccomp here is older than the cases"
	cases >cases
	while IFS='|' read -r line want; do
		[ "$want" != - ] || want=
		offered=$("offered_$1" "$line" | tr '\n' ' ')
		echo "$line => $offered"
		[ "$offered" = "${want:+$want }" ]
	done <cases
}

@test "bash offers what is meant" {
	check_cases bash
}

@test "zsh offers what is meant" {
	need zsh
	check_cases zsh
}

@test "fish offers what is meant" {
	need fish
	check_cases fish
}

@test "every option of every tool is offered by every shell" {
	local shell tool

	for shell in bash zsh fish; do
		command -v "$shell" >/dev/null || continue
		for tool in tr-attach tr-table tr-hist tr-cat tr-symbols; do
			"$tool" --help | sed -n '/^Options:$/,/^$/p' | grep -oE -- ' --[a-z-]+' | tr -d ' ' |
				sort -u >want
			"offered_$shell" "$tool --" | sed 's/=$//' | sort -u | diff want - || {
				echo "$shell: $tool"
				return 1
			}
		done
	done
}

@test "processes and threads are offered by number, also in a list" {
	local shell

	start sh -c 'read -r _ </dev/zero'
	for shell in bash zsh fish; do
		command -v "$shell" >/dev/null || continue
		"offered_$shell" "tracery count --pid ${pid%?}" | grep -qx "$pid"
		"offered_$shell" "tr-attach -t ${pid%?}" | grep -qx "$pid"
		"offered_$shell" "tr-attach --pid 1,${pid%?}" | grep -qxE "(1,)?$pid"
	done
}

@test "of a list the last name is completed, also one that is left out" {
	[ "$(offered_bash 'tracery count --syscall read,epoll_pw' | tr '\n' ' ')" = "read,epoll_pwait read,epoll_pwait2 " ]
	[ "$(offered_bash 'tracery count --syscall !%fi')" = '!%file' ]
	! command -v zsh >/dev/null || [ "$(offered_zsh 'tracery count --syscall read,epoll_pw' | tr '\n' ' ')" = "epoll_pwait epoll_pwait2 " ]
	! command -v fish >/dev/null || [ "$(offered_fish 'tracery count --syscall read,epoll_pw' | tr '\n' ' ')" = "read,epoll_pwait read,epoll_pwait2 " ]
}

@test "behind -- a command is offered" {
	local shell

	for shell in bash zsh fish; do
		command -v "$shell" >/dev/null || continue
		"offered_$shell" "tracery count -- mkfif" | grep -qx mkfifo
		"offered_$shell" "tr-attach -- mkfif" | grep -qx mkfifo
		[ "$("offered_$shell" "tr-attach -- nosuchcommand")" = "" ]
	done
	touch web.trc
	[ "$(offered_bash "tracery count -- cat we")" = web.trc ]
}

@test "nothing is run to complete a word" {
	# Whatever the command line names stays untouched.
	printf '#!/bin/sh\necho ran >>ran\n' >tracery
	cp tracery tr-attach
	chmod +x tracery tr-attach
	PATH=$PWD:$PATH offered_bash "./tracery count --syscall ope"
	PATH=$PWD:$PATH offered_bash "tracery list syscalls ope"
	[ ! -e ran ]
}
