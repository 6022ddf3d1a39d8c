#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A slow disk to look at: a program that makes every small write durable, and half-way another one
# that copies much at once. examples/fsync.sh [WRITES [MIB [FOLDER]]]: 400 writes, 256 MiB, in
# TMPDIR or /var/tmp. Says how often either of them called fsync.
set -eu

writes=${1:-400}
mib=${2:-256}
folder=$(mktemp -d "${3:-${TMPDIR:-/var/tmp}}/fsync.XXXXXX")
trap 'rm -r "$folder"' EXIT

# Both are dd, under names that tell them apart.
ln -s "$(command -v dd)" "$folder/journal"
ln -s "$(command -v dd)" "$folder/backup"

append() {
	left=$1
	while [ "$left" -gt 0 ]; do
		"$folder/journal" if=/dev/zero of="$folder/log" bs=512 count=1 oflag=append conv=notrunc,fsync \
			status=none
		left=$((left - 1))
	done
}

append $((writes / 2))
"$folder/backup" if=/dev/zero of="$folder/copy" bs=1M count="$mib" conv=fsync status=none &
append $((writes - writes / 2))
wait
echo "journal $writes, backup 1"
