#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of XLA in protobuf: made ones, and a real one whose figures another program found.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
real=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}/other/jax_gpu_te_attention.xplane.pb.gz
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
for kind in gpu tpu odd; do
	python3 "$top_srcdir/tests/kineto/xplane.py" "$kind" >"$temp/$kind.xplane.pb" || exit 1
done

# cells FILE REPORT COLUMN...: those columns of a report, rows separated by ";".
cells()
{
	file=$1
	report=$2
	shift 2
	"$analyzer" stats "$file" -r "$report" -f tsv 2>/dev/null | awk -F '\t' -v wanted="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, column, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $(at[column[i]]), i < n ? "," : ";" }'
}

gpu=$temp/gpu.xplane.pb
is "$(cells "$gpu" ranges name self_cpu_ns self_cuda_ns calls)" \
	"PjitFunction(step),600000,1400001,2;(outside any range),,5000,;" "ranges have the CPU's time and the kernels that they launched"
is "$(cells "$gpu" kernels name calls total_ns mean_est_achieved_occupancy)" "fusion,2,1400001,0.500000;" \
	"kernels are those of streams; their ends are rounded to ns"
is "$(cells "$gpu" memcpy name calls bytes)" "Memcpy HtoD,1,1048576;" "copies have their bytes"
is "$(cells "$gpu" launch correlation stream api range)" \
	"1,13,cuLaunchKernel,PjitFunction(step);2,13,cuLaunchKernel,PjitFunction(step);,13,,;" "they are linked by correlation_id"
is "$(cells "$gpu" devices device name kernel_ns memcpy_ns)" "0,NVIDIA,1400001,5000;" "the device has its name"
is "$("$analyzer" stats "$gpu" -r ranges --python -f tsv 2>/dev/null | grep -c '^[$]train.py:7 step')" 1 \
	"names that begin with \$ are functions of Python"
is "$("$analyzer" info "$gpu" 2>/dev/null | grep -c '^host *node-7')" 1 "the host is told"
is "$("$analyzer" "$gpu" 2>/dev/null | grep -c '2023-11-14')" 1 "and when it was"
if python3 -c 'import sqlite3' 2>/dev/null && "$analyzer" "$gpu" -o "$temp/gpu.sqlite" 2>"$temp/said"; then
	is "$(python3 -c 'import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
print(*base.execute("SELECT gridX, gridY, blockX, blockY, registersPerThread FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone(),
      *base.execute("SELECT smCount, clockRate, totalMemory, memoryBandwidth FROM TARGET_INFO_GPU").fetchone())' "$temp/gpu.sqlite")" \
		"8 4 32 2 16 132 1980000000 85899345920 4800000000000" "facts of launches and of the device are written"
else
	skip "facts of launches and devices" "no SQLite"
fi

tpu=$temp/tpu.xplane.pb
is "$(cells "$tpu" kernels name calls total_ns)" "fusion.1,1,500;fusion.2,1,300;" \
	"on a TPU operations are work, but not what holds others; they go by their short names"
is "$(cells "$tpu" devices device kernel_ns)" "2,800;" "the device has its number"
is "$(cells "$tpu" ranges name self_cpu_ns)" "step,100;(outside any range),;" "and none of its time is the CPU's"

odd=$temp/odd.xplane.pb
is "$(cells "$odd" ranges name calls self_cpu_ns)" "a,1,2;(no name),1,0;" "events without a time or a name are counted"
is "$("$analyzer" stats "$odd" -r ranges 2>&1 | grep -c '^note: 2 errors or warnings of the profiler\|^note: 2 events have no usable time\|^note: 1 event has no name')" 3 \
	"and told"
"$analyzer" "$odd" -o "$temp/odd.json" 2>/dev/null
is "$(python3 -c 'import json, sys
print([event["args"] for event in json.load(open(sys.argv[1]))["traceEvents"] if event.get("args", {}).get("text")])' "$temp/odd.json")" \
	"[{'text': 'x\\n\"', 'real': 0.5, 'large': -1}]" "what events say of themselves is kept"

# Other ways in and out give the same.
gzip -c "$gpu" >"$temp/packed"
"$analyzer" stats "$gpu" -r all -f tsv >"$temp/wanted" 2>/dev/null
for way in "packed" "pipe" "json"; do
	case $way in
	packed) "$analyzer" stats "$temp/packed" -r all -f tsv ;;
	pipe) gzip -dc <"$temp/packed" | "$analyzer" stats - -r all -f tsv ;;
	json) "$analyzer" "$gpu" -o "$temp/gpu.json" && "$analyzer" stats "$temp/gpu.json" -r all -f tsv ;;
	esac 2>/dev/null >"$temp/got"
	diff "$temp/wanted" "$temp/got" >"$temp/said"
	ok $? "$way: the same reports"
done
"$analyzer" "$gpu" -o "$temp/out.pftrace" 2>/dev/null && "$analyzer" "$gpu" -o "$temp/out.html" 2>/dev/null
ok $? "a page and a trace for Perfetto are made"

# Cut anywhere: the events before the cut are there, and a line reports the cut.
python3 -c 'import subprocess, sys
analyzer, path = sys.argv[1:]
whole = open(path, "rb").read()
for size in range(60, len(whole), 37):
    open(path + ".cut", "wb").write(whole[:size])
    done = subprocess.run([analyzer, "stats", "-r", "ranges", path + ".cut"], capture_output=True, text=True)
    if done.returncode != 0 or "1 stretch of the file could not be read" not in done.stderr + done.stdout:
        print(size, done)' "$analyzer" "$gpu" >"$temp/said" 2>&1
is_empty "$(cat "$temp/said")" "a file that is cut is read as far as it goes, and says so"
is "$("$analyzer" dump "$gpu" 2>&1 | grep -c 'a profile of XLA, and the command reads logs')" 1 "commands for logs say what it is"

# JAX on an NVIDIA GPU: both forms that it writes give the same figures, and these equal a slow
# computation from the JSON.
jax=$top_srcdir/tests/data/jax/h200
for form in xplane.pb trace.json; do
	is "$(cells "$jax.$form.gz" trace section name count total_ns | tr ';' '\n' | grep '^gpu,kernel')" "gpu,kernel,260,719408" "JAX on an H200, $form: the kernels and their time"
	"$analyzer" stats "$jax.$form.gz" -r kernels,ranges,overview,operators,launch -f tsv 2>/dev/null | grep -v '^MemoryA\|^MemoryD' >"$temp/jax.$form"
done
diff "$temp/jax.xplane.pb" "$temp/jax.trace.json" >"$temp/said"
ok $? "and both forms give the same reports, but for allocations, which the JSON has not"
diag "$(head -n 5 "$temp/said")"
is "$(python3 -c 'import collections, gzip, json, sys
events = json.load(gzip.open(sys.argv[1]))["traceEvents"]
streams = {(e["pid"], e["tid"]) for e in events if e.get("name") == "thread_name" and e["args"]["name"].startswith("Stream")}
times = collections.defaultdict(list)
for e in events:
    if e.get("ph") == "X" and (e["pid"], e["tid"]) in streams:
        times[e["name"]].append(round(e["dur"] * 1000))
for name in sorted(times):
    print(name, len(times[name]), sum(times[name]))' "$jax.trace.json.gz")" \
	"$("$analyzer" stats "$jax.trace.json.gz" -r kernels -f tsv 2>/dev/null | awk -F '\t' 'NR > 1 { print $1, $4, $3 }' | sort)" "each kernel has its calls and time"

if [ -f "$real" ]; then
	is "$(cells "$real" trace section name count total_ns | tr ';' '\n' | grep '^gpu,kernel\|^events\|^stream')" "events,all,2007,
gpu,kernel,150,12133585
stream,0:2,150,12133585" "the real one has 150 kernels of 12133585 ns"
	is "$(cells "$real" api calls total_ns | tr ';,' '\n ' | awk '{ calls += $1; ns += $2 } END { print calls, ns }')" \
		"150 3697277" "and 150 calls of 3697277 ns"
	is "$(cells "$real" launch correlation api | tr ';' '\n' | grep -c ',hip')" 150 "each of which launched one"
	is "$(cells "$real" threads thread events)" "Host Threads/7,151;python3,1693;" "its threads have 150 and 1692 events, and their names"
	is "$(cells "$real" devices name kernel_ns operations)" "AMD,12133585,150;" "the device is AMD's"
	is "$("$analyzer" stats "$real" -r ranges --attribute process -f tsv 2>/dev/null | awk -F '\t' '$1 == "PjitFunction(loss_fn)" { print $11 }')" \
		12133585 "--attribute process gives the time to what waits in another thread"
	is "$(python3 "$top_srcdir/tests/kineto/outputs.py" "$analyzer" "$real" "$temp" 2>&1)" "json 150 12133585
pftrace 150 12133585
summary 150 12133585
page 1" "JSON, protobuf, summary and page have these kernels"
else
	skip "a real profile" "no traces: RANGES_TEST_TRACES names their folder"
fi
done_testing
