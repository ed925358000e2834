#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory of PyTorch's public traces: curve, peak, and who held it, as a slow computation finds them.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ -d "$traces" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"
python3 "$top_srcdir/tests/kineto/memory.py" "$analyzer" "$traces/h100_falconsai.json.gz" \
	"$traces/h100_bert_small.json.gz" "$traces/resnet50_w4.json.gz" >"$temp/out" 2>&1
ok $? "peaks, curves and sums by range are those of the [memory] events"
diag "$(cat "$temp/out")"
done_testing
