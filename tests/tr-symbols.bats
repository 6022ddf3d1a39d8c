# SPDX-License-Identifier: GPL-2.0-only
#
# tr-symbols: the functions of a file, with readelf as the witness.

load helper

# A program with a static function, a global one, a variable, and a call of libc.
setup() {
	cat >prog.c <<'END'
#include <stdlib.h>
int number_of_things = 3;
static __attribute__((noinline)) int hidden(int n) { return n < 2 ? n : hidden(n - 1) + hidden(n - 2); }
__attribute__((noinline)) int shown(int n) { return hidden(n) + (int)(long)malloc(n); }
int main(void) { return shown(number_of_things); }
END
	cc -O1 -o prog prog.c
	cc -O1 -shared -fPIC -Dmain=other -o lib.so prog.c
}

# What readelf calls a function that has a place in the file.
witness() {
	readelf -sW "$1" 2>/dev/null |
		awk '$4 ~ /^I?FUNC$/ && $7 != "UND" { sub(/@.*/, "", $8); print $8 }' | sort -u
}

@test "the functions are those that readelf shows, each once and sorted" {
	local file

	need readelf
	for file in prog lib.so "$TR_BIN/tr-symbols" "$(ldd prog | awk '/libc\.so/ { print $3 }')"; do
		LC_ALL=C witness "$file" >want
		tr-symbols "$file" | diff want -
		[ -s want ]
	done
	tr-symbols prog >names
	for file in main shown hidden; do
		grep -qx "$file" names
	done
	run -1 grep -qxE 'malloc|number_of_things' names
}

@test "a stripped library shows what it exports; a stripped program has no symbol table" {
	strip -s lib.so prog
	[ "$(tr-symbols lib.so | tr '\n' ' ')" = "other shown " ]
	run -1 --separate-stderr tr-symbols prog
	[ -z "$output" ]
	# shellcheck disable=SC2154
	[ "$stderr" = "tr-symbols: prog: no symbol table: it has been stripped" ]
}

@test "static programs, and a path with spaces" {
	mkdir "dir with space"
	cc -O1 -static -no-pie -o "dir with space/my prog" prog.c 2>/dev/null || skip "no static libc here"
	tr-symbols "dir with space/my prog" | grep -qx hidden
}

@test "what is no program is one line that names it, and no wait" {
	local line file why

	mkfifo pipe
	head -c 40 prog >cut
	while IFS=: read -r file why; do
		run -1 --separate-stderr timeout 5 tr-symbols "$file"
		[ -z "$output" ]
		[[ $stderr == "tr-symbols: $file: $why"* && ${#stderr_lines[@]} = 1 ]]
	done <<'END'
nowhere:No such file
.:not a regular file
pipe:not a regular file
/dev/zero:not a regular file
prog.c:not an ELF file
/dev/null:not a regular file
END
	run -1 timeout 5 tr-symbols cut
	for line in "" "prog prog" "--no-such-thing prog"; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr tr-symbols $line
		[ "${#stderr_lines[@]}" = 1 ]
	done
}

@test "a full disk is one line and status 1, a reader that leaves is none" {
	full() { tr-symbols lib.so >/dev/full; }
	run -1 full
	[ "${#lines[@]}" = 1 ]
	[ "$(pipe 'tr-symbols prog 2>&1 | head -n 1' | wc -l)" = 1 ]
}

@test "names reach the terminal as letters only" {
	need objcopy
	objcopy --redefine-sym shown=$'a\e[31mb\nc' prog
	tr-symbols prog >names
	grep -qxF 'a\x1b[31mb\nc' names
	run -1 grep -q $'\e' names
}

@test "a file that is cut or damaged anywhere is an error or a list, never a crash" {
	local size at status

	size=$(stat -c %s prog)
	for ((at = 0; at < size; at += 97)); do
		head -c "$at" prog >damaged
		status=0
		timeout 5 tr-symbols damaged >/dev/null 2>&1 || status=$?
		((status <= 1))
	done
	# The headers, which say where all else is.
	for at in {0..63} $(seq $((size - 64 * 8)) 3 $((size - 1))); do
		cp prog damaged
		printf '\377' | dd of=damaged bs=1 seek="$at" conv=notrunc 2>/dev/null
		status=0
		timeout 5 tr-symbols damaged >/dev/null 2>&1 || status=$?
		((status <= 1))
	done
}

# crafted COUNT AT SIZE END: a file with so many functions, each with the name AT that place of a table
# that has main at 1, SIZE letters from 6 on, and the byte END (0 for zero) behind them.
crafted() {
	python3 -c '
import struct, sys
count, at, size = map(int, sys.argv[1:4])
names = b"\0main\0" + b"A" * size + bytes(sys.argv[4], "latin1").replace(b"0", b"\0")
symbols = bytes(24) + count * struct.pack("<IBBHQQ", at, 0x12, 0, 1, 4096, 16)
places = [(0, 0, 0, 0), (1, len(symbols), 2, 24), (3, len(names), 0, 0)]
places[1], places[2] = (2,) + places[1][1:], places[2]
out, at, rows = b"", 64, b""
for (kind, length, link, entry), data in zip(places, [b"", symbols, names]):
    rows += struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, at, length, link, 1, 8, entry)
    out, at = out + data, at + len(data)
head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, at, 0, 64, 56, 0, 64, 3, 0)
sys.stdout.buffer.write(head + out + rows)' "$@"
}

@test "names that do not end, are too long or not there are of no table, and found out at once" {
	local row

	crafted 3 1 0 0 >bad
	[ "$(timeout 20 tr-symbols bad)" = main ]
	# 500,000 times 10 MB is what a search for each name would look through
	while read -r row; do
		echo "$row"
		# shellcheck disable=SC2086
		crafted $row >bad
		run -1 timeout 20 tr-symbols bad
		[ "${#lines[@]}" = 1 ]
	done <<-'END'
		500000 1 10000000 A
		500000 6 10000000 0
		500000 20000000 10000000 0
		3 4294967295 0 0
	END
}
