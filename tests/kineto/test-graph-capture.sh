#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a replay beside its capture: kernels of CUDA graphs belong to the ranges in which the graphs were captured.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
pairs=$top_srcdir/tests/kineto/graph-pairs.py
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
cd "$temp" || exit 1
python3 "$pairs" make . || exit 1

# footer FILE OPTION...: what it says of graphs.
footer()
{
	"$analyzer" stats -r ranges "$@" 2>/dev/null | sed -n 's/^gpu: graphs: //p'
}

# is_right NAME SENTENCE: all paths, and all drawn kernels, are those that the script finds.
is_right()
{
	python3 "$pairs" check "$analyzer" "$1.replay.json" "$1.capture.json" >out 2>&1
	status=$?
	ok "$status" "$2"
	[ "$status" -eq 0 ] || diag "$(cat out)"
}

is_right batches "graphs of two batch sizes, by the names of their kernels"
is "$(footer batches.replay.json --graph-capture batches.capture.json)" \
	"120 of 120 operations have the range of their capture; 120 by order and name (6 launches, 2 captures)" "and the footer says so"
is "$(footer batches.replay.json)" "" "without the option it says nothing"
is_right missing "kernels that the replay lacks"
is "$(footer missing.replay.json --graph-capture missing.capture.json)" \
	"118 of 118 operations have the range of their capture; 118 by order and name, a few missing (1 launch, 1 capture)" "are said"
is_right twice "a kernel that the capture has twice, where nobody knows which one ran"
is_right nameless "a capture without names, by the number of kernels"
is "$(footer nameless.replay.json --graph-capture nameless.capture.json | sed 's/.*; //')" \
	"84 by order alone, as the capture names no kernels (4 launches, 2 captures)" "is said"
is_right several "two captures of the same kernels in different layers: neither"
is "$(footer several.replay.json --graph-capture several.capture.json)" \
	"0 of 18 operations have the range of their capture (1 launch, 2 captures)
18 operations are of any of several captures" "is said"
is_right alike "two captures of the same kernels in the same layers: either"
is_right nodes "nodes that both traces have, whenever they ran"
is "$(footer nodes.replay.json --graph-capture nodes.capture.json)" \
	"18 of 18 operations have the range of their capture; 18 by node (1 launch, 1 capture)" "by their ids"
is_right order "nodes of the replay alone tell in which order they were made"
is_right renumbered "node ids in another order than they were captured in: time tells"
is_right streams "what several streams ran is told by names that one of them has"
is "$(footer streams.replay.json --graph-capture streams.capture.json)" \
	"12 of 18 operations have the range of their capture; 12 by name, on several streams (1 launch, 1 capture)
6 operations are of no launch, or any of several" "and the rest is left alone"
is_right threads "launches of another thread while one captures"
is_right unknown "a graph of no capture that was given"
is "$(footer unknown.replay.json --graph-capture unknown.capture.json)" \
	"0 of 9 operations have the range of their capture (1 launch, 1 capture)
9 operations are of no capture that was given" "is said"

is "$(footer both.json --attribute origin)" \
	"54 of 54 operations have the range of their capture; 54 by order and name (3 launches, 1 capture)" \
	"--attribute origin: of a trace that has both"
is "$(for rank in 0 1; do "$analyzer" stats -r ranges -f csv "replay$rank.json" --graph-capture ranks 2>/dev/null | grep -o '^capture of rank .'; done)" \
	"capture of rank 0
capture of rank 1" "of a folder each rank has its own"

# total REPORT KEY NAME: a figure of a row.
total()
{
	"$analyzer" stats batches.replay.json --graph-capture batches.capture.json -r "$1" -f csv 2>/dev/null |
		awk -F, -v key="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next } $at["name"] == name { print $at[key] }'
}
is "$(total projection calls "nn.Module: Layer_1"):$(total projection busy_ns "nn.Module: Layer_1")" "6:174000" \
	"a layer's busy time is that of its kernels, and its calls are the replays"
is "$(total operators calls op::gemm)" 40 "operators of the capture are operators of the replay"
for form in page pftrace perfetto folded-gpu; do
	"$analyzer" batches.replay.json --graph-capture batches.capture.json --to "$form" -o "out.$form" >/dev/null 2>err || break
done
is "$(cat err)" "" "all outputs can be written"
is "$(grep -l 'Layer_1' out.page out.perfetto out.folded-gpu | tr '\n' ' ')" \
	"out.page out.perfetto out.folded-gpu " "and have the layers"

is "$(footer batches.capture.json --graph-capture batches.capture.json)" "0 of 0 operations have the range of their capture (0 launches, 2 captures)" \
	"a trace without launches of graphs is told"
head -c 4000 batches.capture.json >cut.json
is "$(footer batches.replay.json --graph-capture cut.json | tail -n 1)" "1 trace of captures ends early or is damaged: what is whole in it was used" "a capture that is cut is told"

# refusal OPTION...: what is said of a wrong one, and how it ends.
refusal()
{
	"$analyzer" stats "$@" 2>&1
	echo "$?"
}
echo text >text.txt
is "$(refusal batches.replay.json --graph-capture none.json)" "analyzer: batches.replay.json: graph capture none.json: open: No such file or directory
3" "a capture that is not there"
is "$(refusal batches.replay.json --graph-capture text.txt)" "analyzer: batches.replay.json: graph capture text.txt: no trace in JSON
3" "one that is no trace"
is "$(refusal batches.replay.json --graph-capture ranks --graph-capture ranks)" \
	"analyzer: --graph-capture: given twice; a folder may hold several; see analyzer --help
2" "two of them"

is "$(refusal batches.replay.json --graph-capture ranks --compat tb)" \
	"analyzer: --graph-capture: not with --compat, whose figures are other tools'; see analyzer --help
2" "and one beside the figures of other tools"

# The public pairs: RANGES_TEST_PAIRS names the folder tests/traces/inference of AMD-AGI/TraceLens.
traces=${RANGES_TEST_PAIRS:-$top_srcdir/../shared/traces/pairs}
for pair in sglang_decode:sglang_Qwen3-8B_decode.json.gz vllm_decode_full:graph_execution.json.gz \
	vllm_prefilldecode_piecewise:graph_execution.json.gz xdit_flux.1_aiter_sage:profile_trace_rank_0.json.gz; do
	folder=$traces/${pair%%:*}
	if [ ! -f "$folder/${pair#*:}" ]; then
		skip "100 kernels of ${pair%%:*}" "no traces: RANGES_TEST_PAIRS names their folder"
		continue
	fi
	python3 "$pairs" check "$analyzer" "$folder/${pair#*:}" "$folder"/capture_traces/*.gz >out 2>&1
	status=$?
	ok "$status" "100 of 100 kernels of ${pair%%:*}"
	diag "$(cat out)"
done
done_testing
