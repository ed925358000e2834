#!/bin/sh
# SPDX-License-Identifier: MIT
# The occupancy calculation equals NVIDIA's, and Kineto's values in real traces.
. "${0%/*}/../lib.sh"
need_temp

CC=${CC:-cc}
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# build NAME [FLAG...]: builds a program of tests/occupancy.
build()
{
	name=$1
	shift
	# shellcheck disable=SC2086 # CC may have flags
	$CC -std=gnu11 -O2 -Wall -Wextra -Werror -I"$top_srcdir" "$@" \
		"$top_srcdir/tests/occupancy/$name.c" "$top_srcdir/analyzer/model/gpu/occupancy.c" -o "$temp/$name" -lm
}

if [ -n "${CUDA_INCLUDE:-}" ] && [ -f "$CUDA_INCLUDE/cuda_occupancy.h" ]; then
	build compare -isystem "$CUDA_INCLUDE"
	ok $? "the comparison with NVIDIA's calculator compiles"
	is "$("$temp/compare" 1000000)" "1000000 0" \
		"a million random launches on 14 compute capabilities: same blocks, same limits"
else
	skip "launches give what NVIDIA's calculator gives" "no cuda_occupancy.h"
fi
if command -v python3 >/dev/null 2>&1 && [ -f "$traces/INDEX.md" ]; then
	build rows
	ok $? "the comparison with stored figures compiles"
	python3 "$top_srcdir/tests/occupancy/launches.py" "$traces"/*.json.gz >"$temp/launches"
	count=$(wc -l <"$temp/launches")
	[ "$count" -gt 1000 ]
	ok $? "the traces tell of $count launches"
	is "$("$temp/rows" <"$temp/launches")" "$count 0" \
		"each has the occupancy that Kineto stored, its fault over 48 KiB included"
else
	skip "launches have the occupancy that Kineto stored" "no python3 or no traces"
fi
done_testing
