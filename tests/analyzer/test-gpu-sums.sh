#!/bin/sh
# SPDX-License-Identifier: MIT
# Numbers of the reports on GPUs add up, none is negative, and a second, slow computation over the
# log's text gives the same numbers. The logs are random: tidy ones, and ones with everything that
# can go wrong.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

# check_all MODE LOGS
check_all()
{
	python3 "$top_srcdir/tests/tools/gpu-sums.py" "$analyzer" "$temp" "$1" "$2" >"$temp/wrong" 2>&1 ||
		echo "the script failed" >>"$temp/wrong"
}

check_all tidy 30
is_empty "$(tail -n 20 "$temp/wrong")" "30 tidy logs: sums, unions, idle times, launches and ranges are as defined"
check_all wild 60
is_empty "$(tail -n 20 "$temp/wrong")" "60 wild logs: sums agree, nothing is negative, every moment is busy or idle"
check_all hostile 30
is_empty "$(tail -n 20 "$temp/wrong")" "30 logs with numbers at the limits of their types have reports"
done_testing
