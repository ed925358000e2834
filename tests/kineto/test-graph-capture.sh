#!/bin/sh
# SPDX-License-Identifier: MIT
# With a replay and its capture, kernels of CUDA graphs belong to the ranges in which the graphs
# were captured.
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

# is_right NAME SENTENCE: all paths, and all random kernels, are those that the script finds.
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
18 operations are of one of several captures: it is not clear which" "is said"
is_right alike "two captures of the same kernels in the same layers: either"
is_right nodes "nodes that both traces have, whenever they ran"
is "$(footer nodes.replay.json --graph-capture nodes.capture.json)" \
	"18 of 18 operations have the range of their capture; 18 by node (1 launch, 1 capture)" "by their ids"
is_right order "nodes of the replay alone tell in which order they were made"
is_right renumbered "node ids in another order than they were captured in: time tells"
is_right streams "what several streams ran is told by names that one of them has"
is "$(footer streams.replay.json --graph-capture streams.capture.json)" \
	"12 of 18 operations have the range of their capture; 12 by name, on several streams (1 launch, 1 capture)
6 operations are of an unclear launch: none fits, or several do" "and the rest is left alone"
is_right threads "launches of another thread while one captures"
is_right unknown "a graph of no capture that was given"
is "$(footer unknown.replay.json --graph-capture unknown.capture.json)" \
	"0 of 9 operations have the range of their capture (1 launch, 1 capture)
9 operations are of no given capture" "is said"

# captured NAME: what the footer says of them, from JSON.
captured()
{
	"$analyzer" stats -r ranges -f json "$1.replay.json" --graph-capture "$1.capture.json" 2>/dev/null |
		python3 -c 'import json, sys
found = json.load(sys.stdin)["footer"]["gpu"]["graph_capture"]
for part in "by_rule", "without":
    print(part, *(f"{name}={count}" for name, count in found[part].items() if count))'
}
is "$(captured batches; captured several; captured streams; captured unknown)" \
	"by_rule name=120
without
by_rule
without several=18
by_rule streams=12
without unsure=6
by_rule
without unknown=9" "JSON has the same figures"

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

# said COMMAND WORD…: what a command says on standard error, and its exit.
said()
{
	{ "$analyzer" "$@" >/dev/null; } 2>&1
	echo "$?"
}

# A capture of which nothing is in the replay gives one line, in every command and output.
changes="--graph-capture changes nothing"
nothing="$changes: no range in those captures matches the trace's work of CUDA graphs"
{ cat unknown.replay.json && echo; } >other.replay.json # equal files count once
is "$("$analyzer" stats unknown.replay.json --graph-capture unknown.capture.json -r ranges 2>&1 | grep -c "^note: $nothing\$")" 1 \
	"a capture of which nothing is found: stats says so once"
for form in csv json; do
	is "$(said stats unknown.replay.json --graph-capture unknown.capture.json -r ranges -f $form | grep -c "^analyzer: .*$nothing\$")" 1 "in $form on standard error"
done
is "$(said stats unknown.replay.json other.replay.json --graph-capture unknown.capture.json -r ranges -f csv | grep -c "^analyzer: [a-z]*.replay.json: $nothing\$")" 2 \
	"of several inputs for each"
is "$("$analyzer" stats unknown.replay.json other.replay.json --graph-capture unknown.capture.json -r ranges 2>&1 | grep -c "^[a-z]*.replay.json: $nothing\$")" 2 \
	"in their table, too"
told="analyzer: unknown.replay.json: $nothing"
is "$(said why unknown.replay.json --graph-capture unknown.capture.json):$("$analyzer" why unknown.replay.json --graph-capture unknown.capture.json | grep -c "^note: $nothing\$")" 0:1 \
	"why has it in its last lines"
is "$(said why unknown.replay.json --graph-capture unknown.capture.json --format json)" "$told
0" "and in JSON on standard error"
is "$(said summarize unknown.replay.json --graph-capture unknown.capture.json -o out.sum)" "$told
0" "summarize says it"
is "$("$analyzer" stats out.sum -r ranges 2>&1 | grep -c "^unknown.replay.json: $nothing\$")" 1 "and so does its summary"
is "$(said batch unknown.replay.json --graph-capture unknown.capture.json -o batch)" "$told
0" "batch"
is "$(said batch unknown.replay.json --graph-capture unknown.capture.json -o batch --emit csv)" "$told
0" "batch that writes outputs"
is "$(said diff unknown.replay.json other.replay.json --graph-capture unknown.capture.json | grep -c "^analyzer: [a-z]*.replay.json: $nothing\$")" 2 "diff, of each side"
is "$(said check --rule 'range[none].calls < 1' unknown.replay.json --graph-capture unknown.capture.json | head -n 1)" "$told" "check"
is "$(said unknown.replay.json --graph-capture unknown.capture.json -o out.html)" "$told
0" "and a page's writer"
is "$(said batches.replay.json --graph-capture batches.capture.json -o out.html)" 0 "where something is found nobody says that"
is "$(said diff batches.replay.json batches.replay.json --graph-capture batches.capture.json)" 0 "nor does diff"
is "$(said summarize batches.capture.json --graph-capture batches.capture.json -o out.sum)" "analyzer: batches.capture.json: $changes: the trace has no work of CUDA graphs
0" "a trace without graphs is told"
is "$(said summarize batches.replay.json --graph-capture batches.replay.json -o out.sum)" \
	"analyzer: batches.replay.json: $changes: none of its traces has the capture of a graph
0" "and captures that hold none"

# A capture that is cut is input that is cut.
head -c 4000 batches.capture.json >cut.json
is "$("$analyzer" stats -r ranges batches.replay.json --graph-capture cut.json 2>/dev/null | grep 'traces\? of graph captures')" \
	"note: 1 trace of graph captures ends early or is damaged: its whole events were used" "a capture that is cut is told"
cut="analyzer: batches.replay.json: graph capture cut.json: offset 4000: the text ends in the middle; what stands before is used"
is "$(said diff batches.replay.json batches.replay.json --graph-capture cut.json | sort -u)" "0
analyzer: batches.replay.json: $changes: none of its traces has the capture of a graph
$cut" "where it is cut, by diff as well"
is "$(said stats -r ranges batches.replay.json --graph-capture cut.json)" "$cut
0" "without --strict that is all"
for command in 'stats -r ranges' 'stats -r ranges -f csv' why analyze 'analyze -o out.html'; do
	# shellcheck disable=SC2086 # words of a command
	is "$(said $command batches.replay.json --graph-capture cut.json --strict | tail -n 1)" 4 "with it $command ends with 4"
done
is "$(said stats -r ranges batches.replay.json other.replay.json --graph-capture cut.json --strict | tail -n 1)" 4 "and of several inputs"
is "$(said stats -r ranges batches.replay.json --graph-capture batches.capture.json --strict)" 0 "a whole one is no failure"
gzip -c batches.capture.json | head -c 1000 >cut.json.gz
is "$(said stats -r ranges batches.replay.json --graph-capture cut.json.gz --strict | tail -n 1)" 4 "packed ones likewise"

# Of a folder what can be read is used.
mkdir folder
cp batches.capture.json folder/b.json
cp batches.capture.json folder/notes.txt
ln -s nowhere.json folder/a.json
mkdir folder/c.json
mkfifo folder/d.json
is "$(said diff batches.replay.json batches.replay.json --graph-capture folder | sort -u)" "0
analyzer: batches.replay.json: graph capture a.json: open: No such file or directory; it is left out
analyzer: batches.replay.json: graph capture c.json: this is not a regular file; it is left out
analyzer: batches.replay.json: graph capture d.json: this is not a regular file; it is left out" "of a folder what can't be read has a line"
is "$("$analyzer" stats -r ranges batches.replay.json --graph-capture folder 2>/dev/null | grep -E 'traces of graph captures|graphs: [0-9]')" \
	"note: 3 traces of graph captures could not be read: they were left out
gpu: graphs: 120 of 120 operations have the range of their capture; 120 by order and name (6 launches, 2 captures)" "and the others are used"
is "$(said stats -r ranges batches.replay.json --graph-capture folder --strict | tail -n 1)" 4 "with --strict that is a failure"
rm folder/b.json
is "$(said stats -r ranges batches.replay.json --graph-capture folder)" "analyzer: batches.replay.json: graph capture a.json: open: No such file or directory
3" "if nothing can be read the first is named"
mkdir -p above/below
is "$(said stats -r ranges batches.replay.json --graph-capture above)" \
	"analyzer: batches.replay.json: no trace in JSON is in the folder of graph captures; those below it are not looked into
3" "an empty folder is told"

# What has the launches of graphs alone, and by how much of the GPU's time that matters.
hint='of which this trace has only the launches: --graph-capture FILE adds their layers from a trace of their capture$'
is "$("$analyzer" stats -r ranges batches.replay.json | grep -c "^gpu: [0-9.]* % of GPU time is of CUDA graphs $hint")" 1 "stats names the option where graphs are a fifth or more"
is "$("$analyzer" why batches.replay.json | grep -c "$hint")" 1 "and so does why"
is "$("$analyzer" stats -r ranges batches.replay.json --graph-capture batches.capture.json | grep -c "$hint")" 0 "but not where it was given"
is "$("$analyzer" stats -r ranges batches.capture.json | grep -c "$hint")" 0 "nor where no graph is launched"
is "$("$analyzer" help graph-capture | sed -n '$p')" "Option of stats, analyze, why, batch, check, diff, summarize; analyzer(1) has it all." "help tells of the option"

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
	"analyzer: --graph-capture: given twice; put several traces into one folder; see analyzer stats --help
2" "two of them"

is "$(refusal batches.replay.json --graph-capture ranks --compat tb)" \
	"analyzer: --graph-capture: not with --compat tb, whose figures are other tools'; see analyzer stats --help
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
