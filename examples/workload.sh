#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Something small to trace: runs "cat /dev/null" N times (100), each a process of its own.
set -eu

n=${1:-100}
while [ "$n" -gt 0 ]; do
	cat /dev/null
	n=$((n - 1))
done
