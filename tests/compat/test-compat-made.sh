#!/bin/sh
# SPDX-License-Identifier: MIT
# Figures of torch's key_averages, the TensorBoard plugin and HTA for made traces equal those that a
# slow program in Python computes from their definitions. This needs no public trace.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

PYTHONDONTWRITEBYTECODE=1 python3 "$top_srcdir/tests/compat/reference.py" "$analyzer" "$temp" >"$temp/out" 2>&1
ok $? "traces are made and read"
diag "$(tail -n 40 "$temp/out")"
for mode in torch torch-old hta tb; do
	figures=$(sed -n "s/^$mode \([0-9]*\) [0-9]*\$/\1/p" "$temp/out")
	is "$(sed -n "s/^$mode [0-9]* \([0-9]*\)\$/\1/p" "$temp/out")" 0 "--compat=$mode: ${figures:-no} figures agree"
	ok "$((${figures:-0} < 1000))" "… over 1,000"
done
done_testing
