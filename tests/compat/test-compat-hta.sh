#!/bin/sh
# SPDX-License-Identifier: MIT
# --compat=hta gives the figures of HolisticTraceAnalysis, on real traces.
. "${0%/*}/../lib.sh"

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

if ! command -v python3 >/dev/null 2>&1 || [ ! -d "$traces/expected" ]; then
	skip_all "no python3 or no traces"
fi
for file in "$traces"/expected/*.hta.json; do
	name=${file##*/}
	result=$(python3 "$top_srcdir/tests/compat/hta.py" "$analyzer" "$traces" "$file" 2>&1)
	# What HTA gave no figure for is told, not compared.
	printf '%s\n' "$result" | grep '^#'
	result=$(printf '%s\n' "$result" | grep -v '^#')
	compared=${result##*
}
	is "${result% *}|${compared#* }" "${compared% *}|0" \
		"${name%.hta.json}: ${compared% *} figures equal those of HolisticTraceAnalysis"
done
done_testing
