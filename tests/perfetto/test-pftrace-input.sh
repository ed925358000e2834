#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces of Perfetto in protobuf are read. Ours give the figures of the input from which they were
# made, others give their own.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
tools=$top_srcdir/tests/tools
make=$top_srcdir/tests/perfetto/pftrace-input.py

# report FILE NAME: prints a report in a format for programs.
report()
{
	"$analyzer" stats "$1" -r "$2" -f csv 2>/dev/null
}

# same FILE BACK REPORT...: prints the reports that differ between a file and its drawing that was
# read back.
same()
{
	file=$1
	back=$2
	shift 2
	for name in "$@"; do
		report "$file" "$name" >"$temp/was"
		report "$back" "$name" | cmp -s - "$temp/was" || echo "$name"
	done
}

# A log of the CPU.
log=$top_srcdir/tests/data/format-1/plain.bin
"$analyzer" "$log" -o "$temp/plain.pftrace"
is "$(report "$log" ranges | wc -l)" 9 "a log has eight sorts of ranges"
is_empty "$(same "$log" "$temp/plain.pftrace" ranges markers counters outliers)" "a .pftrace of it gives the same"
gzip -c "$temp/plain.pftrace" >"$temp/plain.pftrace.gz"
is_empty "$(same "$log" "$temp/plain.pftrace.gz" ranges)" "packed with gzip too"
report "$log" ranges >"$temp/was"
"$analyzer" stats -r ranges -f csv - <"$temp/plain.pftrace" 2>/dev/null | cmp -s - "$temp/was"
ok $? "from a pipe too"
is "$("$analyzer" info "$temp/plain.pftrace" | grep -c '^trace .*plain.pftrace')" 1 "the input is called a trace"
"$analyzer" dump "$temp/plain.pftrace" >"$temp/said" 2>&1
is "$?:$(grep -c 'a trace of Perfetto, and the command reads logs' "$temp/said")" 3:1 "what reads logs says so"

# Drawing an odd event does not make it worse.
cat >"$temp/odd.json" <<END
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"negative","pid":1,"tid":1,"ts":100,"dur":-5},
{"ph":"X","cat":"cpu_op","pid":1,"tid":1,"ts":300,"dur":10},
{"ph":"X","cat":"cpu_op","name":"last","pid":1,"tid":1,"ts":400,"dur":20}]}
END
"$analyzer" "$temp/odd.json" -o "$temp/odd.pftrace" 2>/dev/null
is_empty "$(same "$temp/odd.json" "$temp/odd.pftrace" ranges)" \
	"ranges with a negative duration or without a name are drawn as what they count as"

# Work of GPUs: times of ranges and of kernels. Ids repeat in random logs, so their traces of
# Perfetto do not show which work belongs to which range.
python3 "$tools/gpu-log.py" 1 0 600 1 | python3 "$tools/text-log.py" "$temp/gpu.bin"
"$analyzer" "$temp/gpu.bin" -o "$temp/gpu.pftrace"
for file in gpu.bin gpu.pftrace; do
	report "$temp/$file" ranges | sed '$d' | cut -d , -f 1-7,13-16 >"$temp/$file.ranges"
	report "$temp/$file" gpu | cut -d , -f 1-3 >"$temp/$file.gpu"
	report "$temp/$file" launch | grep -v "graph" | cut -d , -f 1-8,10-14 >"$temp/$file.launch"
done
cmp -s "$temp/gpu.bin.ranges" "$temp/gpu.pftrace.ranges"
ok $? "the CPU's figures of a log with GPUs are the same"
cmp -s "$temp/gpu.bin.gpu" "$temp/gpu.pftrace.gpu"
ok $? "and how long devices worked"
[ "$(wc -l <"$temp/gpu.bin.launch")" -gt 99 ] && cmp -s "$temp/gpu.bin.launch" "$temp/gpu.pftrace.launch"
ok $? "and each launch, but of graphs: those are drawn as kernels"

# Traces of PyTorch. Packets have no place for the facts beside JSON's events (deviceProperties,
# distributedInfo), and overlapping events have rows of their own. So reports with occupancy, peaks
# or ranks, and reports of threads, are not compared.
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
for name in h100_bert_small vllm_decode_graph_mi300 negative_queue event_sync_multi_stream; do
	what="$name: reports of the trace and of its .pftrace are the same"
	if [ ! -f "$traces/$name.json.gz" ]; then
		skip "$what" "there are no traces"
		continue
	fi
	"$analyzer" "$traces/$name.json.gz" -o "$temp/$name.pftrace" 2>/dev/null
	path=critical-path
	[ "$name" != h100_bert_small ] || path= # a function of Python that overlaps has a row of its own
	# shellcheck disable=SC2086 # a word or none
	is_empty "$(same "$traces/$name.json.gz" "$temp/$name.pftrace" ranges kernel-groups launch steps projection \
		sequences memory op-memory sync queue idle-gaps launch-calls $path)" "$what"
done

# Traces of an SDK.
python3 "$make" foreign >"$temp/foreign.pftrace"
report "$temp/foreign.pftrace" ranges | cut -d , -f 1,2,5,7,13 >"$temp/said"
is "$(sort "$temp/said")" '(outside any range),,,,
inner,cat,20000,20000,1
later,(default),7000,7000,1
name,domain,self_cpu_ns,cpu_total_ns,calls
outer,cat,10000,30000,1' "times count from packet to packet in the clock's unit, numbers of names begin again"
is "$(report "$temp/foreign.pftrace" kernels | sed 1d | cut -d , -f 1,3,4)" my_kernel,500,1 "a render stage is a kernel"
is "$("$analyzer" stats -r ranges "$temp/foreign.pftrace" 2>&1 | grep -c '3 events of the system.s kernel (ftrace)')" 1 \
	"events of ftrace are counted as not used"
"$analyzer" "$temp/foreign.pftrace" -o "$temp/foreign.json"
python3 - "$temp/foreign.json" >"$temp/said" <<'E_PYTHON'
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
print(trace["baseTimeNanoseconds"])
for e in events:
    if e["name"] in ("inner", "mark", "mem", "flow") or e["ph"] == "M" and e["name"] in ("process_name", "thread_name"):
        if "added" not in e:
            print(e["ph"], e["name"], e["pid"], e["tid"], e.get("ts", ""), json.dumps(e.get("args", {})), e.get("id", ""))
E_PYTHON
is "$(sed 's/ $//' "$temp/said")" '1700000000000000000
M process_name 77 0  {"name": "prog"}
M thread_name 77 78  {"name": "worker"}
X inner 77 78 5015 {"shape": [2, 3], "facts": {"on": true, "part": 0.5}}
s flow 77 78 5015 {} 99
i mark 77 78 5037 {}
C mem 77 77 5037 {"MB": 640}
f flow 77 78 5050 {} 99' "names, arguments, counters and flows are those of the trace"

# Damage: events before it are there, and one line says where it is.
python3 "$make" unpack <"$temp/plain.pftrace" >"$temp/open.pftrace"
is_empty "$(same "$log" "$temp/open.pftrace" ranges)" "packets that are not packed are read"
size=$(wc -c <"$temp/open.pftrace")
head -c $((size / 2)) "$temp/open.pftrace" >"$temp/cut.pftrace"
"$analyzer" stats -r ranges "$temp/cut.pftrace" >"$temp/said" 2>"$temp/errors"
is "$?:$(grep -c 'offset [0-9]*: damaged protobuf' "$temp/errors")" 0:1 "a cut trace is read as far as it is there"
[ "$(wc -l <"$temp/said")" -gt 3 ]
ok $? "with its ranges"
done_testing
