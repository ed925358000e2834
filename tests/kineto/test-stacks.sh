#!/bin/sh
# SPDX-License-Identifier: MIT
# Call stacks of operators in PyTorch's public traces are those of the Python functions around them.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ -d "$traces" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"
python3 "$top_srcdir/tests/kineto/stacks.py" "$analyzer" "$traces/h100_bert_small.json.gz" \
	"$traces/h100_falconsai.json.gz" "$traces/vllm_decode_graph_mi300.json.gz" >"$temp/out" 2>&1
ok $? "operators have the stacks that the trace's functions tell"
diag "$(cat "$temp/out")"
done_testing
