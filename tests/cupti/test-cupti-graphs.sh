#!/bin/sh
# SPDX-License-Identifier: MIT
# CUDA graphs that are launched rarely are in the log operation by operation. Those that are
# launched often cost one record per launch. Nothing is lost or counted twice when this changes, and
# the log says that it changed.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 13 18 26 130000 130400

# A graph has three kernels.
nodes()
{
	count ' kernel name="node_kernel" .* graph=77 node='
}

# changed: prints what the summary and its JSON say of the change.
changed()
{
	"$analyzer" log.bin | sed -nE 's/^note: (CUDA graphs: .*)/\1/p'
}

# ---- Rarely ----

for version in 13 18 26 130000 130400; do
	run $version init graphs=3
	is "$run_status:$(nodes):$(count ' graph_launch '):$(count ' api name="cudaGraphLaunch"'):$(changed)" 0:9:0:3: \
		"version $version: a graph that is launched three times has all its operations"
done
is "$("$analyzer" stats --report graphs --format csv log.bin | sed -n 2p)" "77,3,9,9000,3000,9000,0,0,0" "the report graphs counts both"
RANGES_GRAPH_NODES=0 run 130000 init graphs=3
is "$run_status:$(nodes):$(count ' graph_launch '):$(changed)" 0:0:3: "RANGES_GRAPH_NODES=0 has graphs as wholes"
RANGES_GRAPH_NODES=0 run 130000 init host-graph
is "$(sed -nE 's/^event .* graph_launch (.*) corr=[0-9]+ (.*)/\1 \2/p' "$temp/dump")" "dur=3000 device=1 context=2 queue=11 graph=78" \
	"a graph that begins on the host is of the device where it ends"
RANGES_GRAPH_NODES=0 run 18 init host-graph
is "$(sed -nE 's/^event .* graph_launch (.*) corr=[0-9]+ (.*)/\1 \2/p' "$temp/dump")" "dur=3000 queue=11 graph=78" "which CUPTI tells from 12.3 on"

# ---- Often ----

launches=100000
[ "${SANITIZERS:-no}" = no ] || launches=3000
RANGES_FLUSH_MS=20
RANGES_GRAPH_NODES=1
export RANGES_FLUSH_MS RANGES_GRAPH_NODES
RANGES_CUDA_SHARED=off # a shared CUPTI can't change
export RANGES_CUDA_SHARED
for version in 18 26 130000 130400; do
	run $version init graphs=1000 wholes graphs=$((launches - 1000))
	wholes=$(count ' graph_launch ')
	is "$run_status:$(nodes):$(count ' api name="cudaGraphLaunch"')" "0:$((3 * (launches - wholes))):$launches" \
		"version $version: each of $launches launches is there, as a whole or in all its operations"
	[ "$wholes" -ge $((launches - 1000)) ] && [ "$(nodes)" -ge 11 ]
	ok $? "version $version: operation by operation up to some moment ($((launches - wholes)) launches), as wholes from then on"
	is "$(count '^loss '):$(grep fake "$temp/errors")" 0: "version $version: nothing is lost, no rule of CUPTI is broken"
	is "$(changed | sed 's/after [0-9]* op/after N op/')" \
		"CUDA graphs: recorded as wholes after N operations, as more than 1 a second came (RANGES_GRAPH_NODES)" \
		"version $version: the footer says so"
done
is "$("$analyzer" stats --format json log.bin | grep -c '"graphs_changed":true')" 1 "so does its JSON"
is "$("$analyzer" stats --report graphs --format csv log.bin | sed -n 2p | cut -d , -f 1-4)" \
	"77,$launches,$(($(nodes) + wholes)),$((launches * 3000))" "the report graphs counts each launch and its time once"
RANGES_CUDA_SHARED=auto run 130400 init graphs=2000
is "$run_status:$(nodes):$(count ' graph_launch '):$(changed | grep -c "each operation is in the log"):$(grep fake "$temp/errors")" 0:6000:0:1: \
	"where CUPTI is shared each operation is there, however many, and the footer says so"
RANGES_CUDA_SHARED=auto RANGES_GRAPH_NODES=0 run 130400 init graphs=2000
is "$run_status:$(nodes):$(count ' graph_launch '):$(changed):$(grep fake "$temp/errors")" 0:0:2000:: \
	"RANGES_GRAPH_NODES=0 has CUPTI alone, and wholes"
run 130000 init graphs=1000
is "$run_status:$(($(nodes) + 3 * $(count ' graph_launch ')))" 0:3000 "a program that ends about then loses nothing"

# ---- CUPTI behaves differently ----

FAKE_CUPTI_ENABLE_ERROR=51:21 run 130000 init graphs=1000 wholes graphs=1000
is "$run_status:$(nodes):$(statuses | grep -c '^21 records of kind 51: FAKE_ERROR')" 0:6000:1 "where wholes are refused each operation is there"
is "$(changed)" "CUDA graphs: each operation is in the log, even beyond 1 a second (RANGES_GRAPH_NODES): this CUPTI can't record whole graphs, or not those from before the capture, or it is shared (RANGES_CUDA_SHARED)" \
	"and the footer says so"
run 13 init graphs=2000
is "$run_status:$(nodes):$(changed | grep -c "each operation is in the log")" 0:6000:1 "also before 11.7, which knows no wholes"
FAKE_CUDA_GRAPHS=nodes run 130000 init graphs=1000 wholes graphs=1000
is "$run_status:$(nodes):$(statuses | grep -c 'CUPTI still records each operation')" 0:6000:1 "where it has no effect a line says so"
# CUPTI delivers buffers when they are full, also after it was asked for whole graphs. Their records
# are older.
RANGES_FLUSH_MS=60000 run 130000 init graphs=20000 wholes graphs=100
wholes=$(count ' graph_launch ')
is "$run_status:$((wholes >= 100)):$(($(nodes) + 3 * wholes)):$(statuses | grep -c 'CUPTI still records')" 0:1:60300:0 "operations that were launched before that do not count"
# Only the calls at the start and at the instantiation return.
FAKE_CUPTI_HANG=cuptiActivityEnable FAKE_CUPTI_HANG_AFTER=11 FAKE_CUPTI_HUNG=$temp/hung RANGES_EXIT_MS=300 \
	run 130000 push init traced launches=10 work graphs=1000 hung exit=7
is "$run_status:$(ls "$temp/hung"):$(count ' push name="graph"'):$(statuses | grep -c '^ CUPTI did not finish its last flush within 300 ms')" \
	"7:$temp/hung:1:1" "where that call never returns the program ends as ever"
# More launches than the driver's queues hold, then back to operations.
FAKE_CUDA_GRAPHS=none run 130000 init graphs=1000 wholes graphs=20000 nodes graphs=1000
nodes=$(nodes)
is "$run_status:$((nodes >= 3 * 1011)):$(count ' graph_launch '):$(statuses | grep -c 'CUPTI recorded no whole CUDA graph')" 0:1:0:1 \
	"where nothing comes of wholes they are operation by operation again"
# accounted LAUNCHES SAID: at least LAUNCHES are counted. Launches during the request to CUPTI are
# not counted, so that no launch with operations is counted.
accounted()
{
	said=$(statuses | sed -n 's/.* without any record of their work from CUPTI: at least //p')
	[ "${said:-0}" -ge "$2" ] && [ "$((${said:-0} + $(nodes) / 3))" -le "$1" ]
}
accounted 22000 10000
ok $? "and those of which nothing is known are counted (${said:-0})"
FAKE_CUDA_GRAPHS=none run 130000 init graphs=1000 wholes graphs=9000
accounted 10000 1
ok $? "also if they are few (${said:-0})"
# Many threads launch during the change.
for turn in 1 2 3; do
	run 130000 init threads=8 instances=150 launches=200 work graphs=500
	wholes=$(count ' graph_launch ')
	is "$run_status:$(($(count ' kernel name="node_kernel"') + 3 * wholes)):$(grep fake "$temp/errors")" 0:1950: \
		"8 threads instantiate graphs while wholes begin: each launch is there ($turn, $wholes wholes)"
done
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" init graphs=1 push traced graphs=2000 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$(nodes):$(count ' graph_launch '):$(statuses | grep -c "each operation is in the log")" 6003:0:1 "graphs that may be older than the capture are always operation by operation"
options='--cuda graph-nodes'
run 130000 init graphs=2000
is "$run_status:$(nodes):$(changed)" 0:6000: "--cuda graph-nodes has each operation, however many"
options=
# CUPTI waits for the thread that waits for it, 80 times.
begin=$(date +%s)
bound=1000
pause=300 # ms in which the worker does what it is asked to
[ "${SANITIZERS:-no}" = no ] || { bound=8000; pause=3000; } # it must have started by then
FAKE_CUPTI_LOCK=2 FAKE_CUDA_INSTANTIATE_MS=5 RANGES_EXIT_MS=$bound run 130000 init threads=2 instances=80
is "$run_status:$(count ' kernel name="node_kernel"'):$(changed | grep -c 'CUPTI blocked a thread that instantiated a graph')" 0:240:1 \
	"where CUPTI waits for the very thread that asks, operations are recorded for good"
[ $(($(date +%s) - begin)) -lt 30 ]
ok $? "and no graph waits for that but the first ($(($(date +%s) - begin)) s)"
FAKE_CUPTI_LOCK=2 RANGES_EXIT_MS=$bound RANGES_FLUSH_MS=60000 run 130000 init launches=100 work reset sleep=200 launches=50 work
is "$run_status:$(($(count ' kernel ') >= 50)):$(statuses | grep -c '^ CUPTI did not finish before a context ended: ')" 0:1:1 \
	"what may be lost so of a context that ends has a line"
# At the end the program waits for the worker as usual, though an earlier wait was in vain because
# CUPTI waited for the waiting thread.
FAKE_CUPTI_LOCK=2 FAKE_CUPTI_IN_FLIGHT=1 RANGES_EXIT_MS=4000 RANGES_FLUSH_MS=60000 run 130000 init launches=100 work reset long=50
is "$run_status:$(count ' kernel .*name="long"'):$(statuses | grep -c 'did not finish its last flush')" 0:1:0 \
	"work that is under way when the program ends right after that is there"
options='--cuda profiler'
# If CUPTI waits for the asking thread, recording of whole graphs can't be on in time. So these graphs
# must not be recorded as wholes later: 15 operations are there. The worker, which comes too late,
# switches wholes on and off again while the first graphs are launched: one of those may be a whole.
FAKE_CUPTI_LOCK=2 RANGES_EXIT_MS=$bound RANGES_GRAPH_NODES=0 run 130000 init instances=5 sleep=$pause nodes \
	profile=1 sleep=$pause instances=5 sleep=$pause profile=0 sleep=$pause graphs=3
is "$run_status:$(count ' kernel name="node_kernel"'):$(grep fake "$temp/errors"):$(changed | grep -c 'CUPTI blocked a thread')" 0:15::1 \
	"a graph that was instantiated while nothing was recorded is no whole later, where CUPTI could not be told in time"
run 130000 init graphs=1 profile=1 graphs=1000 wholes graphs=100 profile=0
wholes=$(count ' graph_launch ')
is "$run_status:$((wholes >= 100)):$(($(nodes) + 3 * wholes))" 0:1:3300 "graphs that are older than the program's records become wholes, too"
run 130000 init profile=1 graphs=1000 wholes profile=0 graphs=100 profile=1 graphs=10 profile=0
wholes=$(count ' graph_launch ')
is "$run_status:$((wholes >= 10)):$(($(nodes) + 3 * wholes))" 0:1:3030 "what was chosen holds when the program has records begin again"
# A graph that was instantiated while nothing was recorded can later be launched as a whole.
# Otherwise the driver would crash.
run 130000 init profile=1 graphs=1000 wholes profile=0 instances=5 profile=1 instances=5 profile=0
wholes=$(count ' graph_launch ')
is "$run_status:$((wholes >= 5)):$(($(nodes) + 3 * wholes)):$(grep fake "$temp/errors")" 0:1:3015: "so does one that was instantiated in between"
RANGES_GRAPH_NODES=0 run 130000 init instances=5 profile=1 instances=5 profile=0
is "$run_status:$(nodes):$(count ' graph_launch '):$(grep fake "$temp/errors")" 0:0:5: "and before, with RANGES_GRAPH_NODES=0"
rm -f late.bin
RANGES_GRAPH_NODES=0 NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" init graphs=1 push traced graphs=2000 2>"$temp/errors"
status=$?
"$analyzer" dump late.bin >"$temp/dump"
is "$status:$(nodes):$(count ' graph_launch '):$(statuses | grep -c "each operation is in the log")" 0:6003:0:1 "graphs that may be older than the capture never are wholes"
options=
# CUPTI's start takes longer than the wait for it. Meanwhile the program goes on, and makes a graph.
FAKE_CUPTI_SLOW=cuptiGetCallbackName RANGES_EXIT_MS=100 RANGES_GRAPH_NODES=0 run 130000 init instances=1 traced instances=1
is "$run_status:$(($(nodes) + 3 * $(count ' graph_launch '))):$(statuses | grep -c "CUPTI took longer"):$(statuses | grep -c "each operation is in the log"):$(grep fake "$temp/errors")" \
	0:6:1:1: "nor are all, where some may be older than CUPTI's late start"
done_testing
