#!/bin/sh
# SPDX-License-Identifier: MIT
# The report key_averages has torch.profiler's figures in its mode, and true ones in ours.
. "${0%/*}/lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TRACES:-$top_srcdir/../shared/traces}

if ! command -v python3 >/dev/null 2>&1; then
	skip "the report key_averages" "no python3"
elif [ ! -d "$traces/expected" ]; then
	skip "the report key_averages of public traces" "no traces at $traces"
else
	python3 "$top_srcdir/tests/kineto/compare-torch.py" "$analyzer" "$traces" >"$temp/out"
	ok $? "$(tail -n 1 "$temp/out")"
	diag "$(cat "$temp/out")"
fi
done_testing
