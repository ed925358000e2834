#!/bin/sh
# SPDX-License-Identifier: MIT
# The report "comm": which collectives are exposed, why, and which kernel comes next. It is tested
# on a trace that can be checked by eye, and on public traces against a program that computes the
# figures in its own way.
. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# Each line: kernel, start, duration, stream, start of its launch (-: not recorded), in
# microseconds. "a" hides the first all_reduce up to 110; it is exposed up to 200, and "b" is
# launched at 150. "c" is launched only after the broadcast. Two collectives run at once; the time
# up to 420 belongs to the first one. The launch of the kernel after the reduce is not recorded.
# During the reduce_scatter "d" waits, which was launched at 610. "e" comes after more exposed time,
# but is launched only later.
cat >"$temp/plan" <<'PLAN'
a 100 10 7 90
all_reduce 105 95 20 95
b 201 49 7 150
broadcast 260 20 20 250
c 300 40 7 295
all_reduce 400 20 20 350
all_to_all 410 40 21 355
b 460 10 7 360
unlaunched 480 5 7 -
all_to_all 500 10 21 470
reduce 520 30 20 515
unlaunched 555 5 7 -
reduce_scatter 600 100 20 598
d 640 10 7 610
e 710 10 7 690
PLAN
cat >"$temp/make.py" <<'PY'
import json, sys

events = []
for number, line in enumerate(open(sys.argv[1])):
    name, start, dur, stream, launch = line.split()
    args = {"device": 0, "stream": int(stream), "correlation": number}
    if name.startswith(("all", "broad", "reduce")):
        args["Collective name"], name = name, "ncclDevKernel_Generic(ncclDevKernelArgs)"
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": int(stream),
                   "ts": int(start), "dur": int(dur), "args": args})
    if launch != "-":
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                       "ts": int(launch), "dur": 3, "args": {"correlation": number}})
json.dump({"schemaVersion": 1, "traceEvents": events}, open(sys.argv[2], "w"))
PY
python3 "$temp/make.py" "$temp/plan" "$temp/trace.json"

# rows FILE...: prints the exposed time of each rank's collectives, its parts, and the next kernel.
rows()
{
	"$analyzer" stats -r comm -f json "$@" 2>/dev/null | python3 -c '
import json, sys

for row in json.load(sys.stdin)["reports"]["comm"]:
    print(*[row[key] for key in ("rank", "name", "calls", "total_ns", "exposed_ns", "exposed_late_ns", "exposed_held_ns",
                                 "exposed_queued_ns", "exposed_unknown_ns", "next_kernel", "next_exposed_ns",
                                 "next_wait_ns")], sep="|")'
}

is "$(rows "$temp/trace.json")" "0|all_reduce|2|115000|110000|40000|0|70000|0|b|110000|70000
0|all_to_all|2|50000|40000|0|0|30000|10000|b|30000|30000
0|broadcast|1|20000|20000|20000|0|0|0|c|20000|0
0|reduce|1|30000|30000|0|0|0|30000|unlaunched|30000|None
0|reduce_scatter|1|100000|90000|60000|0|30000|0|d|40000|30000" "exposed time of each collective, its causes, and the kernel that waits for it"
is "$("$analyzer" stats -r overlap -f csv "$temp/trace.json" 2>/dev/null | tail -n 1 | cut -d, -f5-9)" \
	"290000,120000,0,130000,40000" "... which add up to those of overlap"
"$analyzer" stats -r comm,overlap "$temp/trace.json" >"$temp/text" 2>/dev/null
is "$(grep -cE 'CPU waits +|For ranks|Transfer' "$temp/text")" 0 "columns of zeros are not shown"

sed 's/"Collective name": "[a-z_]*"/"unnamed": 1/g' "$temp/trace.json" >"$temp/unnamed.json"
is "$("$analyzer" stats -r comm -w 100 "$temp/unnamed.json" 2>/dev/null | awk '$1 == 0 { print $2 }')" "ncclDevKernel_Generic" \
	"a collective that only its kernel names has the short name of kernels"

# PyTorch's emit_nvtx numbers the calls.
python3 - "$temp/unnamed.json" >"$temp/numbered.json" <<'PY'
import json, sys

trace = json.load(open(sys.argv[1]))
for number, event in enumerate([event for event in trace["traceEvents"] if event["cat"] == "cuda_runtime"]):
    trace["traceEvents"].append({"ph": "X", "cat": "user_annotation", "pid": 1, "tid": 1, "ts": event["ts"], "dur": 4,
                                 "name": "nccl:all_reduce, seq = %d, op_id = %d" % (number, 100 + number)})
print(json.dumps(trace))
PY
is "$(rows "$temp/numbered.json" | cut -d'|' -f2-5)" "nccl:all_reduce|7|315000|290000" "collectives that emit_nvtx numbers share a row"

# The same from the trace, with lists of all borders in ns in place of sweeps.
cat >"$temp/own.py" <<'PY'
import bisect, gzip, json, re, sys
from collections import defaultdict
from decimal import Decimal


def ns(value):
    return int(Decimal(value) * 1000)


for path in sys.argv[1:]:
    trace = json.load(gzip.open(path), parse_float=Decimal)
    talk, work, calls, names = [], [], {}, defaultdict(lambda: [0] * 6)
    nexts = defaultdict(lambda: defaultdict(lambda: [0, 0, False]))  # exposed, waited, launch known
    for event in trace["traceEvents"]:
        if event.get("ph") != "X":
            continue
        start, args = ns(event["ts"]), event.get("args", {})
        end = start + ns(event["dur"])
        if event["cat"] in ("cuda_runtime", "cuda_driver"):
            calls.setdefault(args.get("correlation"), (start, end))
        elif event["cat"] == "kernel":
            (talk if re.search("[nr]ccl", event["name"]) else work).append(
                (start, end, args.get("Collective name", event["name"]), args["correlation"]))
    talk.sort(key=lambda op: op[0])
    work.sort(key=lambda op: op[0])
    starts = [op[0] for op in work]
    borders = sorted({at for op in talk + work for at in op[:2]}
                     | {call[0] for call in calls.values()} | {call[1] for call in calls.values()})
    held = [(start, max(op[1] for op in talk if start < op[1] <= end)) for start, end in calls.values()
            if any(start < op[1] <= end for op in talk)]
    for start, end, name, _ in talk:
        names[name][0] += 1
        names[name][1] += end - start
    for low, high in zip(borders, borders[1:]):
        open_ = [op for op in talk if op[0] <= low < op[1]]
        if not open_ or any(op[0] <= low < op[1] for op in work):
            continue
        row = names[open_[0][2]]
        row[2] += high - low
        at = bisect.bisect_left(starts, high)
        if at == len(work):
            continue
        launch = calls.get(work[at][3])
        kernel = nexts[open_[0][2]][work[at][2]]
        kernel[0] += high - low
        if launch is None:
            continue
        kernel[2] = True
        if low >= launch[0] and work[at][0] - launch[0] < 30000:
            row[3] += high - low  # the duration of a launch
        elif low >= launch[0]:
            row[5] += high - low
            kernel[1] += high - low
        else:
            row[4 if any(a <= low < b for a, b in held) else 3] += high - low
    rank = trace.get("distributedInfo", {}).get("rank", 0)
    for name in sorted(names):
        row = names[name]
        kernels = nexts[name].values()
        kernel = max(kernels, key=lambda kernel: (kernel[1], kernel[0]), default=[0, 0, False])
        print(rank, name, *row, row[2] - sum(row[3:]), kernel[0] if kernels else None,
              kernel[1] if kernel[2] else None, sep="|")
PY
for name in nccl_data dlrm_rank0 dlrm_rank7; do
	file=$traces/$name.json.gz
	[ -e "$file" ] || continue
	# The rows have kernels' names in place of ranges' names, so they are sorted and compared
	# without names.
	is "$(rows "$file" | cut -d'|' -f3-9,11- | sort)" "$(python3 "$temp/own.py" "$file" | cut -d'|' -f3- | sort)" \
		"$name: exposed time of collectives, its causes and what waits are those of another program"
done
if [ -e "$traces/nccl_data.json.gz" ]; then
	is "$(rows "$traces/nccl_data.json.gz" | grep -c '|allreduce|15|.*|215303|0|.*vectorized_elementwise_kernel.*|10178835|76966$')" 1 \
		"nccl_data: a vectorized_elementwise_kernel waits longest for the collectives"
	is "$("$analyzer" why "$traces/nccl_data.json.gz" 2>/dev/null | tr -s ' \n' '  ' | grep -oE 'Next, of the window: exposed_communication 5.9% .[^)]*[)] .[^)]*[)]')" \
		"Next, of the window: exposed_communication 5.9% (13.064ms a step) (because the CPU had launched no kernel or copy in time)" \
		"why says the cause of exposed communication, also where it is not the worst"
fi
# Types with PyTorch's names, in inputs of a range and in the arg dtype of a kernel.
cat >"$temp/comm-types.py" <<'PY'
import json

events = []
for number, (name, dims, types, args) in enumerate((
        ("long", [[48]], ["long"], {}), ("empty", [[0]], ["float"], {}), ("double", [[3, 2], []], ["double", "Scalar"], {}),
        ("eighth", [[5]], ["c10::Float8_e4m3fn"], {}), ("unread", [[5]], ["some::Type"], {}), ("listed", [[]], ["Scalar"], {}),
        ("arg", [], [], {"In msg nelems": 7, "Out msg nelems": 7, "dtype": "Float8_e5m2"})), 1):
    ts = 100 * number
    events += [{"ph": "X", "cat": "user_annotation", "name": "nccl:" + name, "pid": 1, "tid": 1, "ts": ts, "dur": 20,
                "args": {"Input Dims": dims, "Input type": types}},
               {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": ts + 5, "dur": 3,
                "args": {"correlation": number}},
               {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic(ncclDevKernelArgs)", "pid": 0, "tid": 7,
                "ts": ts + 30, "dur": 9, "args": {"device": 0, "stream": 7, "correlation": number, **args}}]
print(json.dumps({"schemaVersion": 1, "traceEvents": events}))
PY
python3 "$temp/comm-types.py" >"$temp/types.json"
is "$("$analyzer" stats -r comm -f csv "$temp/types.json" 2>/dev/null | cut -d, -f2,4 | tr '\n' ' ')" \
	"name,bytes nccl:arg,7 nccl:double,48 nccl:eighth,5 nccl:empty,0 nccl:listed, nccl:long,384 nccl:unread, " \
	"sizes are known for all types of PyTorch; an empty input has 0 bytes, an unknown type none"
done_testing
