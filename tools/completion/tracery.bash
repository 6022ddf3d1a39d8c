# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion for bash: of tracery and the tools. The build puts the table, whose rows are described
# in tools/tracery/options.awk, and the names of system calls in place of the lines that name them.

IFS= read -r -d '' _tracery_table <<'END' || true
@options@
END
_tracery_calls='%file %net %process %memory %signal %ipc %desc
@calls@
'

# _tracery_rows KIND OWNER [FIELD VALUE]: prints what follows the owner in its rows.
_tracery_rows() {
	local kind owner rest

	while IFS=$'\t' read -r kind owner rest; do
		[[ $kind != "$1" || $owner != "$2" ]] || printf '%s\n' "$rest"
	done <<<"$_tracery_table"
}

# Prints the options of the owners, as -p<tab>--pid<tab>PID,...
_tracery_options() {
	local owner

	for owner; do
		_tracery_rows option "$owner"
	done
}

# What option NAME of the owners takes: sets argument, empty for nothing.
_tracery_argument() {
	local name=$1 letter long takes rest

	shift
	argument=''
	while IFS=$'\t' read -r letter long takes rest; do
		[[ $name != "$letter" && $name != "$long" || $takes = - ]] || argument=$takes
	done < <(_tracery_options "$@")
}

_tracery_words() {
	mapfile -t COMPREPLY < <(compgen "${@:3}" -P "$1" -- "$2")
}

_tracery_files() {
	compopt -o filenames 2>/dev/null
	_tracery_words '' "$1" "${2:--f}"
}

_tracery_numbers() {
	local path numbers=''

	for path; do
		numbers+=" ${path##*/}"
	done
	printf '%s' "$numbers"
}

# Completes CUR as an ARGUMENT of the table.
_tracery_value() {
	local cur=$2 before=''

	# Of a list only the last word.
	case $1 in
	*,... | *LIST*)
		before=${cur%"${cur##*,}"}
		cur=${cur##*,}
		;;
	esac
	case $1 in
	*'|'*) _tracery_words '' "$cur" -W "${1//[|[\]=]/ }" ;;
	CALL,... | '[=LIST]')
		if [[ $cur == '!'* ]]; then
			before+='!'
			cur=${cur#!}
		fi
		_tracery_words "$before" "$cur" -W "$_tracery_calls"
		;;
	PID*) _tracery_words "$before" "$cur" -W "$(_tracery_numbers /proc/[0-9]*)" ;;
	TID*) _tracery_words "$before" "$cur" -W "$(_tracery_numbers /proc/[0-9]*/task/[0-9]*)" ;;
	USER*) _tracery_words "$before" "$cur" -u ;;
	FILE*) _tracery_files "$cur" ;;
	PATH*) _tracery_files "$cur" -d ;;
	esac
}

# What stands where no option does. WORDS are those before it that are no options either.
_tracery_operand() { # OWNER CUR WORDS...
	local name owners words rest operands=''

	IFS=$'\t' read -r owners words rest < <(_tracery_rows subcommand "$1")
	if [[ ${words:--} != - ]]; then
		case $#:${3-} in
		2:*) _tracery_words '' "$2" -W "${words//|/ }" ;;
		3:syscalls) _tracery_words '' "$2" -W "${_tracery_calls#*$'\n'}" ;;
		3:symbols) _tracery_files "$2" ;;
		esac
		return
	fi
	# tracery itself may run a command, but not in each of its subcommands.
	for name in $1 ${owners/tracery/}; do
		operands+=$(_tracery_rows operand "$name")
	done
	[[ $operands != FILE ]] || _tracery_files "$2"
}

# The command after --, word N of the line.
_tracery_command() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		_tracery_words '' "$2" -c
	else
		_tracery_files "$2"
	fi
}

_tracery() {
	local words=("${COMP_WORDS[0]}") operands=() owner owners argument cur last word i name=''

	# --name=value is three words to bash: here it is one again.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		last=${words[${#words[@]} - 1]-}
		if ((i < COMP_CWORD)) && [[ $word == -- ]]; then
			_tracery_command "$((i + 1))" "${COMP_WORDS[COMP_CWORD]}"
			return
		elif [[ $last == --?*= || ($last == --?* && $word == =) ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
	done
	cur=${words[${#words[@]} - 1]}
	unset "words[${#words[@]}-1]"

	owner=${words[0]##*/}
	owners=$owner
	last=''
	for word in "${words[@]:1}"; do
		if [[ $last == -* && $last != *=* ]]; then
			# shellcheck disable=SC2086
			_tracery_argument "$last" $owners
			[[ $argument == [^[]* ]] || last=''
		else
			last=''
		fi
		if [[ -z $last && $word != -* ]]; then
			if [[ $owners == tracery ]]; then
				owner=$word
				IFS=$'\t' read -r owners _ < <(_tracery_rows subcommand "$owner")
			else
				operands+=("$word")
			fi
		fi
		last=$word
	done

	COMPREPLY=()
	# shellcheck disable=SC2086
	[[ $last != -* || $last == *=* ]] || _tracery_argument "$last" $owners
	if [[ ${argument-} == [^[]* && $last == -* ]]; then
		_tracery_value "$argument" "$cur"
	elif [[ $cur == --*=* ]]; then
		name=${cur%%=*}
		# shellcheck disable=SC2086
		_tracery_argument "$name" $owners
		_tracery_value "$argument" "${cur#*=}"
		[[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$name=}")
	elif [[ $cur == -* ]]; then
		# shellcheck disable=SC2086
		_tracery_words '' "$cur" -W "$(_tracery_options $owners | awk '{
			option = $2 == "-" ? $1 : $2
			if (!seen[option]++)
				print option
		}')"
	elif [[ $owners == tracery ]]; then
		_tracery_words '' "$cur" -W "$(awk '$1 == "subcommand" { print $2 }' <<<"$_tracery_table")"
	else
		_tracery_operand "$owner" "$cur" "${operands[@]}"
	fi
}

while IFS=$'\t' read -r _tracery_kind _tracery_owner _; do
	[[ $_tracery_kind != operand ]] || complete -F _tracery "$_tracery_owner"
done <<<"$_tracery_table"
unset _tracery_kind _tracery_owner
