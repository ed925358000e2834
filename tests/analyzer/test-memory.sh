#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory of PyTorch's public traces: curve, peak, and who held it, as a slow computation finds them.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
trace=$temp/trace.json

# memory ARGS [REPORT]: the report memory of a trace with one allocation.
memory()
{
	printf '[{"ph":"i","s":"t","name":"[memory]","cat":"cpu_instant_event","ts":1,"pid":1,"tid":1,"args":{"Device Type":1,"Device Id":0,"Addr":16,"Bytes":4096%s}}]' \
		"$1" >"$trace"
	"$analyzer" stats --report "${2:-memory}" "$trace"
}
is "$(memory '' | grep ^Peak:)" "Peak: where the trace has no totals, memory from before the first record is not in it" \
	"a trace without totals does not tell what was there before"
is "$(memory ',"Total Allocated":8192' | grep -c ^Peak:)" 0 "one with totals does"
is "$(memory '' memory-holders | grep -c '^Peak: where the trace has no totals') $(memory ',"Total Allocated":8192' memory-holders | grep -c ^Peak:)" "1 0" \
	"so it is said of who held it"

if [ ! -d "$traces" ]; then
	skip "public traces" "RANGES_TEST_TRACES names their folder"
	done_testing
fi
python3 "$top_srcdir/tests/kineto/memory.py" "$analyzer" "$traces/h100_falconsai.json.gz" \
	"$traces/h100_bert_small.json.gz" "$traces/resnet50_w4.json.gz" >"$temp/out" 2>&1
ok $? "peaks, curves and sums by range are those of the [memory] events"
diag "$(cat "$temp/out")"
done_testing
