#!/bin/sh
# SPDX-License-Identifier: MIT
# The analyzer can be recorded like any other program: its log says where its own time goes.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "$analyzer is not built"
RANGES_SPOOL_DIR=$temp
export RANGES_SPOOL_DIR
input=$top_srcdir/tests/data/gpu/emit.bin

# phases COMMAND…: the names of its phases and their counts. Output and exit status are the same as
# without a recording.
phases()
{
	"$analyzer" "$@" >"$temp/alone" 2>"$temp/alone.errors"
	"$ranges" run -q -f -o "$temp/self.bin" -- "$analyzer" "$@" >"$temp/out" 2>"$temp/errors"
	cmp -s "$temp/alone" "$temp/out" && cmp -s "$temp/alone.errors" "$temp/errors" || echo "it says something else:"
	"$analyzer" stats -r ranges -f tsv "$temp/self.bin" 2>/dev/null | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["name"] ":" $at["calls"] }' | sort | tr '\n' ' '
}
is "$(phases stats -r ranges,kernels "$input")" "kernels:1 link:1 ranges:1 read:1 " "reading, linking and each report are phases"
is "$(phases "$input" -o "$temp/out.json")" "link:1 perfetto:1 read:1 " "and so is an output"
done_testing
