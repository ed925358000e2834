#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the cost of recording where the nodes of CUDA graphs were made: one graph of many nodes
# on the stand-ins of tests/cupti is captured, instantiated and replayed. Prints CPU times and
# sizes, no wall-clock times.
#
# usage: bench/graph-nodes.sh [NODES [REPLAYS]], in the build folder (make bench-graph-nodes NODES=100000)

. "${0%/*}/../tests/lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
nodes=${1:-100000}
replays=${2:-10}
version=130000

top_builddir=$(cd "$top_builddir" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
cupti_source=$top_srcdir/tests/cupti
cupti_flags="-std=gnu11 -O2 -g -I$top_srcdir -I$cupti_source"
prepare_cupti "$version"
# shellcheck disable=SC2016 # the loader knows its $ORIGIN
make_once graph-nodes -I"$top_srcdir/libranges/include" -rdynamic "$top_srcdir/bench/graph-nodes.c" "$made_cuda" \
	'-Wl,-rpath,$ORIGIN:$ORIGIN/../..' -lpthread -ldl || exit 1

# measure COMMAND…: prints the user time in s and the largest resident set in MB of a command, whose
# output is dropped.
measure()
{
	python3 -c 'import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
print(f"{used.ru_utime:.2f} s user, {used.ru_maxrss / 1024:.1f} MB" + ("" if status == 0 else f", status {status}"))' "$@"
}

# traced LOG OPTION… -- COMMAND…
traced()
{
	log=$1
	shift
	RANGES_GRAPH_NODES=1000000000 RANGES_CUPTI_PATH=$temp/cupti-$version/libcupti.so.13 "$ranges" run -q -f -o "$log" "$@"
}

# footer LOG: prints "RECORDED LOST": the nodes in the log, and the records that are not in it.
footer()
{
	"$analyzer" dump "$1" | awk '/^event .* graph_node / { made++ }
		/^loss .*gpu_dropped/ { sub(/.*count=/, ""); lost += $1 } END { print made + 0, lost + 0 }'
}

# instructions COMMAND…: prints callgrind's count for the measured part of it.
instructions()
{
	"$@" 2>&1 | sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' | tail -n 1
}

echo "$nodes nodes in 100 ranges, $replays replays; fake CUPTI $version; CPU time of the program's thread"
echo "without libranges:"
"$temp/graph-nodes" "$nodes" "$replays"
echo "with it:"
traced log.bin -- "$temp/graph-nodes" "$nodes" "$replays"
echo "with it, from the replays on:"
traced late.bin --capture-range replays -- "$temp/graph-nodes" "$nodes" "$replays"

if command -v valgrind >/dev/null 2>&1; then
	few=$((nodes / 10))
	for function in make_nodes fake_graph_instantiate; do
		set -- valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no --toggle-collect="$function" \
			"$temp/graph-nodes" "$few" 1
		alone=$(instructions "$@")
		under=$(instructions traced counted.bin -- "$@")
		late=$(instructions traced counted.bin --capture-range replays -- "$@")
		echo "instructions of $function, a node: $((alone / few)) alone, $((under / few)) with libranges, $((late / few)) from the replays on"
	done
fi

# shellcheck disable=SC2046 # two numbers
set -- $(footer log.bin)
echo "nodes in the log: $1 (of $nodes: made, and twice at the instantiation), records lost: $2"
for log in log.bin late.bin; do
	echo "$log: $(wc -c <"$log") bytes, $(($(wc -c <"$log") * 100 / (nodes * replays)))/100 of a kernel"
	echo "  analyzer stats -r ranges:                    $(measure "$analyzer" stats "$log" -r ranges)"
	echo "  analyzer stats -r ranges --attribute origin: $(measure "$analyzer" stats "$log" -r ranges --attribute origin)"
done
