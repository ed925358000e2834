#!/bin/sh
# SPDX-License-Identifier: MIT
# --compat=tb gives every figure that the TensorBoard plugin gave for public traces.
. "${0%/*}/../lib.sh"
need_temp

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
analyzer=$top_builddir/analyzer/analyzer

if ! command -v python3 >/dev/null 2>&1 || [ ! -d "$traces/expected" ]; then
	skip_all "no python3 or no traces"
fi
total=0
for expected in "$traces"/expected/*.tb.json "$traces"/expected/unit/*.tb.json; do
	name=${expected#"$traces/expected/"}
	name=${name%.tb.json}
	trace=$traces/$name.json
	[ -f "$trace" ] || trace=$trace.gz
	python3 "$top_srcdir/tests/tools/compare-tb.py" "$analyzer" "$trace" "$expected" \
		>"$temp/out" 2>"$temp/err"
	status=$?
	[ $status -eq 0 ] || diag "$(head -n 20 "$temp/out" "$temp/err")"
	figures=$(sed -n 's/^.*: \([0-9]*\) figures.*/\1/p' "$temp/out")
	total=$((total + ${figures:-0}))
	ok $status "$name: ${figures:-no} figures are equal"
done
# compare EXPECTED TRACE...: compares the distributed view.
compare()
{
	expected=$traces/expected/$1.tb_distributed.json
	shift
	python3 "$top_srcdir/tests/tools/compare-tb.py" "$analyzer" "$@" "$expected" >"$temp/out" 2>"$temp/err"
	status=$?
	[ $status -eq 0 ] || diag "$(head -n 20 "$temp/out" "$temp/err")"
	figures=$(sed -n 's/^.*: \([0-9]*\) figures.*/\1/p' "$temp/out")
	total=$((total + ${figures:-0}))
	ok $status "${expected##*/}: ${figures:-no} figures are equal"
}

compare dlrm_8ranks "$traces"/dlrm_rank[0-7].json.gz
compare unit/distributed_nccl_1+2 "$traces"/unit/distributed_nccl_[12].json*
diag "$total figures compared"
[ "$total" -gt 100000 ]
ok $? "nothing was left out"
done_testing
