#!/bin/sh
# SPDX-License-Identifier: MIT
# Real traces of PyTorch give, to the nanosecond, the figures that another program found in them.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ -d "$traces/expected" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"
python3 "$top_srcdir/tests/kineto/exact.py" "$analyzer" "$traces" >"$temp/out" 2>&1
status=$?
ok "$status" "counts, GPU times, links, ranges, steps, calls and occupancy are what they should be"
diag "$(cat "$temp/out")"
done_testing
