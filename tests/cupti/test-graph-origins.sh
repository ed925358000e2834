#!/bin/sh
# SPDX-License-Identifier: MIT
# Work of CUDA graphs belongs to the range in which its node was made. This holds for graphs that
# are instantiated again, updated, inside of others, or made by several threads. The footer counts
# work without a known origin.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 18 130000 130400
# shellcheck disable=SC2016 # the loader knows its $ORIGIN
make_once capture -I"$top_srcdir/libranges/include" "$cupti_source/capture.c" "$made_cuda" '-Wl,-rpath,$ORIGIN:$ORIGIN/../..' \
	-lpthread -ldl 2>"$temp/errors" || skip_all "the program can't be built: $(cat "$temp/errors")"

# by_kernels: prints the time of the kernels of each name, as "name ns". Kernels have the names of
# their nodes' ranges.
by_kernels()
{
	"$analyzer" stats -r kernels -f tsv "$1" | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["name"], $at["total_ns"] }' | sort
}

# by_ranges OPTIONS…: prints the GPU time that belongs to each range itself.
by_ranges()
{
	"$analyzer" stats -r ranges -f tsv --names raw "$@" | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["self_cuda_ns"] > 0 { print $at["name"], $at["self_cuda_ns"] }' | sort
}

for version in 18 130000 130400; do
	RANGES_CUPTI_PATH=$temp/cupti-$version/libcupti.so.13 "$ranges" run -q -f -o log.bin "$temp/capture" 1000 2>"$temp/errors"
	is "$?:$(cat "$temp/errors")" 0: "version $version: a program with graphs runs as ever"
	is "$(by_ranges --attribute origin log.bin | grep -v '^serve_old ')" "$(by_kernels log.bin | grep -v '^nowhere ')" \
		"version $version: the GPU time of each layer is that of its nodes, to the ns"
	is "$(by_kernels log.bin | grep -c .)" 29 "of 12 layers twice, one graph inside of another, two threads, and none"
	is "$(by_ranges --attribute origin log.bin | grep '^serve_old ' | cut -d ' ' -f 2)" "$(by_kernels log.bin | sed -n 's/^nowhere //p')" \
		"version $version: a node that was made in no range stays where it was launched"
	is "$(by_ranges log.bin | cut -d ' ' -f 1 | tr '\n' ' ')" "serve serve_again serve_inside serve_old serve_thread warm_up " \
		"version $version: without that rule all is where it was launched"
done
is "$("$analyzer" stats --attribute origin -r footer -f json log.bin | grep -o '"origin":[0-9]*' | head -n 1)" \
	"\"origin\":$(by_kernels log.bin | awk '$1 != "nowhere" { sum += $2 } END { print sum }')" "the footer says how much the rule told"
is "$("$analyzer" stats -r ranges log.bin | grep -c 'gpu: 100.0 % of GPU time is of CUDA graphs whose nodes were made in other ranges: --attribute origin')" 1 \
	"and without it how much it would"
is "$("$analyzer" dump log.bin | grep -c '^event .* graph_node ')" "$("$analyzer" dump log.bin | grep '^event .* graph_node ' | sort -u | wc -l)" \
	"each node is there once"
"$analyzer" verify -q log.bin >/dev/null 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "the log is sound"
few=$("$analyzer" dump log.bin | grep -c '^event .* graph_node ')
RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 "$ranges" run -q -f -o log.bin "$temp/capture" 1 1000 2>"$temp/errors"
status=$?
"$analyzer" dump log.bin >"$temp/dump"
# If the drain does not take the nodes in time, as on a busy machine, they are counted.
lost=$(sed -n 's/^loss .*gpu_dropped.* count=\([0-9]*\)/\1/p' "$temp/dump" | awk '{ sum += $1 } END { print sum + 0 }')
is "$status:$(cat "$temp/errors"):$(($(grep -c '^event .* graph_node ' "$temp/dump") + lost))" "0::$((few + 60000))" "60,000 nodes more are there, or counted as lost ($lost)"
# One graph of 100,000 nodes, with a clone; bench/graph-nodes.sh measures it.
# shellcheck disable=SC2016 # likewise
make_once graph-nodes -rdynamic -I"$top_srcdir/libranges/include" "$top_srcdir/bench/graph-nodes.c" "$made_cuda" '-Wl,-rpath,$ORIGIN:$ORIGIN/../..' \
	-lpthread -ldl 2>"$temp/errors" || diag "$(cat "$temp/errors")"
RANGES_GRAPH_NODES=0 RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 "$ranges" run -q -f -o log.bin "$temp/graph-nodes" 100000 0 >/dev/null 2>"$temp/errors"
status=$?
"$analyzer" dump log.bin >"$temp/dump"
lost=$(sed -n 's/^loss .*gpu_dropped.* count=\([0-9]*\)/\1/p' "$temp/dump" | awk '{ sum += $1 } END { print sum + 0 }')
is "$status:$(cat "$temp/errors"):$(($(grep -c '^event .* graph_node ' "$temp/dump") + lost))" 0::300001 "100,000 nodes of one graph, and their clones, are there, or counted as lost ($lost)"
# Graphs that are made while the capture is off have no origin, and write no rows.
RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 "$ranges" run -q -f -o late.bin --capture-range serve_inside "$temp/capture" 10 1000 2>"$temp/errors"
is "$?:$(cat "$temp/errors"):$(by_ranges --attribute origin late.bin 2>/dev/null | cut -d ' ' -f 1)" 0::serve_inside "what was made while nothing was recorded belongs to where it is launched"
is "$("$analyzer" stats --attribute origin -r ranges late.bin | grep -c '^gpu: 100.0 % of GPU time is of CUDA graphs whose ranges are not known: they were made while nothing was recorded, or')" 1 "and is told"
is "$("$analyzer" stats --attribute origin -r ranges log.bin | grep -c '^gpu: .* of CUDA graphs whose ranges are not known')" 0 "which is not said of nodes that were seen"
"$analyzer" dump late.bin >"$temp/dump"
is "$(grep -c ' graph_node ' "$temp/dump"):$(grep -c '^loss ' "$temp/dump")" 0:0 "and nothing was recorded, nor lost, of it"
done_testing
