#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer diff: differences between the machines, DataLoaders that move to workers, single calls
# and steps.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# trace FILE key=value...: steps of PyTorch; times in us:
#   gpu=NAME      of the device              ranks=N   the world size
#   steps=A,B,…   duration of a kernel in each step, by default 8 of 1000
#   loader=CLASS  steps begin in this DataLoader, with 10 aten::cat in it unless CLASS is _MultiProcessing
#   ops=A,B,…     each step has operators aten::op0, aten::op1 and so on, with these durations
#   long=DUR      the second step has a cudaMemcpyAsync of DUR, the others of 10
#   comm=A,B,…    duration of the all-reduce at the end of each step; 0: the step has none
trace()
{
	file=$1
	shift
	python3 - "$@" >"$file" <<'PY'
import json, sys
opts = dict(word.split("=", 1) for word in sys.argv[1:])
rows, corr = [], [0]
def row(cat, name, ts, dur, tid=1, **args):
    rows.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if tid == 7 else 1, "tid": tid, "ts": ts, "dur": dur, "args": args})
at = 1000
steps = [int(word) for word in opts.get("steps", "1000," * 7 + "1000").split(",")]
for step, kernel in enumerate(steps):
    begin = at
    if "loader" in opts:
        is_here = opts["loader"] != "_MultiProcessing"
        row("user_annotation", "enumerate(DataLoader)#%sDataLoaderIter.__next__" % opts["loader"], at + 1, 500 if is_here else 20)
        for i in range(10 if is_here else 0):
            row("cpu_op", "aten::cat", at + 5 + 40 * i, 30)
        at += 520
    if "long" in opts:
        long = int(opts["long"]) if step == 1 else 10
        row("cuda_runtime", "cudaMemcpyAsync", at, long, correlation=0)
        at += long + 1
    for i, dur in enumerate(int(word) for word in opts.get("ops", "").split(",") if word):
        row("cpu_op", "aten::op%d" % i, at, dur)
        at += dur + 1
    row("cpu_op", "aten::mm", at, 12)
    corr[0] += 1
    row("cuda_runtime", "cudaLaunchKernel", at + 2, 4, correlation=corr[0])
    row("kernel", "gemm", at + 20, kernel, tid=7, correlation=corr[0], device=0, stream=7)
    row("cuda_runtime", "cudaDeviceSynchronize", at + 15, kernel + 10, correlation=0)
    at += kernel + 30
    comm = [int(word) for word in opts["comm"].split(",")][step] if "comm" in opts else 0
    if comm:
        corr[0] += 1
        row("cuda_runtime", "cudaLaunchKernel", at, 4, correlation=corr[0])
        row("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 6, comm, tid=7, correlation=corr[0], device=0, stream=7)
        at += comm + 10
    row("user_annotation", "ProfilerStep#%d" % step, begin, at - begin)
    at += 1
whole = {"traceEvents": rows}
if "gpu" in opts:
    whole["deviceProperties"] = [{"id": 0, "name": opts["gpu"]}]
if "ranks" in opts:
    whole["distributedInfo"] = {"backend": "nccl", "rank": 0, "world_size": int(opts["ranks"])}
print(json.dumps(whole))
PY
}

# text A B [option...]: prints the comparison for people.
text()
{
	a=$1
	b=$2
	shift 2
	"$analyzer" diff "$temp/$a" "$temp/$b" -w 0 "$@" 2>/dev/null
}

# Machines.
trace "$temp/old" gpu=Old ranks=2
trace "$temp/new" gpu=New ranks=1 steps=1600,1600,1600,1600,1600,1600,1600,1600
trace "$temp/unknown"
said="not the same: GPU Old before, New after; 2 ranks before, 1 after: differences need not be the program's"
is "$(text old new | head -n 1)" "$said" "the first line says which GPUs and how many ranks"
is "$("$analyzer" diff "$temp/old" "$temp/new" --brief 2>/dev/null | tr '\n' ' ' | sed 's/  */ /g' | grep -c "^$said")" 1 "with --brief, too"
is "$(text old new -f md | head -n 1)" "* $said" "and in Markdown"
is "$("$analyzer" diff "$temp/old" "$temp/new" -f json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["not_same"])')" \
	"[{'fact': 'gpu', 'before': ['Old'], 'after': ['New']}, {'fact': 'world_size', 'before': ['2'], 'after': ['1']}]" "in JSON as data"
is "$(text old old | grep -c '^not the same')" 0 "nothing of one machine"
is "$(text old unknown | grep -c '^not the same')" 0 "nor of what only one input says"
"$analyzer" diff "$temp/old" "$temp/new" "$temp/old" -w 0 2>/dev/null >"$temp/out"
is "$(head -n 1 "$temp/out")" "not the same: GPU Old in A, New in B; 2 ranks in A, 1 in B: differences need not be the program's" \
	"of more sides, by letters"
is "$(grep -c '^not the same' "$temp/out")" 1 "and only of those that differ"
"$analyzer" diff "$temp/old" "$temp/new" -o "$temp/page.html" 2>/dev/null
is "$(grep -c '<li>not the same: GPU Old before, New after' "$temp/page.html")" 1 "on the page, too"

# Factors by name.
trace "$temp/cpu" gpu=Old ops=100,120,140,160,180,200
trace "$temp/twice" gpu=New ops=200,240,280,320,360,400
trace "$temp/apart" gpu=New ops=2,6,14,20,540,40
is "$(text cpu twice | grep -cE '^ranges of the second side were [0-9.]+ % slower throughout .*: likely the other machine, rather than the program')" 1 \
	"ranges that all take twice as long: likely the other machine"
text cpu apart >"$temp/out"
is "$(grep -c 'throughout\|the other machine' "$temp/out")" 0 "not ranges with factors of their own"
is "$(grep -cE '^ranges of the second side have no factor in common: a quarter of [0-9]+ names took <= 0[.][0-9]+ times as long, a quarter >= [0-9.]+: likelier another program, build, settings or recording than a machine alone$' "$temp/out")" 1 \
	"but what is seen"
is "$("$analyzer" diff "$temp/cpu" "$temp/apart" -f json 2>/dev/null | python3 -c '
import json, sys
shared = [row for row in json.load(sys.stdin)["shared"] if row["of"] == "ranges"][0]
print(shared["share"], shared["are_alike"], shared["low_factor"] < shared["middle_factor"] < shared["high_factor"])')" "unlike False True" \
	"in JSON, too"

# Loaders.
trace "$temp/here" loader=_SingleProcess
trace "$temp/there" loader=_MultiProcessing
text here there >"$temp/out"
is "$(grep '^DataLoader: ' "$temp/out")" \
	"DataLoader: loading moved to worker processes (_SingleProcess -> _MultiProcessing), 500.000us -> 20.000us; with it aten::cat: in the data loader before; in worker processes now, which the trace lacks" \
	"a DataLoader that gets workers is told as one, with what went there"
is "$(grep -c '^range .*aten::cat .* gone: in workers now' "$temp/out")" 1 "the rows of the latter say so"
is "$(grep -c '^range .*_SingleProcessDataLoaderIter.* gone: see next row' "$temp/out")" 1 "and the loaders stand side by side"
is "$("$analyzer" diff "$temp/here" "$temp/there" -f json 2>/dev/null | python3 -c '
import json, sys
diff = json.load(sys.stdin)
print(*(row["change_ns"] for row in diff["causes"] if row["part"] == "DataLoader"), diff["loader"]["moved"])')" "-480000 ['aten::cat']" \
	"they are one cause"
is "$(grep -c '^_SingleProcess -> _MultiProcessingDataLoader ' "$temp/out")" 1 "with a name that has both"
RANGES_WIDTH=100 "$analyzer" diff "$temp/here" "$temp/there" --brief 2>/dev/null >"$temp/out"
is "$(grep -cE '^range +_(Single|Multi)' "$temp/out")" 2 "short names show which"
is "$(text there here | grep -c '^DataLoader: loading moved out of worker processes .*: in worker processes before, which the trace lacks; in the data loader now$')" 1 \
	"and the other way"
is "$(text here here | grep -c '^DataLoader: ')" 0 "nothing of equal loaders"

# Single calls and steps.
trace "$temp/short" long=10
trace "$temp/long" long=4000
text short long >"$temp/out"
is "$(grep '^cudaMemcpyAsync: ' "$temp/out")" "cudaMemcpyAsync: mostly 1 call of 4.000ms, in step 1 after" "a cause that is one call is told with its step"
is "$("$analyzer" diff "$temp/short" "$temp/long" -f json 2>/dev/null | python3 -c '
import json, sys
print(*((row["call_ns"], row["call_step"]) for row in json.load(sys.stdin)["causes"] if row["name"] == "cudaMemcpyAsync"))')" "(4000000, '1')" "in JSON, too"
trace "$temp/each" steps=1500,1500,1500,1500,1500,1500,1500,1500
is "$(text short each | grep -c ': mostly 1 call')" 0 "not what each step has"
trace "$temp/spread" steps=9000,800,810,790,800,805,795,5000
trace "$temp/plain" steps=1000,1010,990,1000,1005,995,1000,1000
text plain spread >"$temp/out"
is "$(grep '^steps: ' "$temp/out")" \
	"steps: median 1.030ms (1.020ms to 1.040ms) before, 832.500us (820.000us to 9.030ms) after; far from the others: step 0, step 7 after; without the first: --steps 1-" \
	"of an unsure total the steps far from the others are named"
is "$(grep -c '^the total is unsure: causes may be noise$' "$temp/out")" 1 "and that causes may be noise"
trace "$temp/first" steps=9000,800,810,790,800,805,795,800
text plain first >"$temp/out"
is "$(grep '^steps: ' "$temp/out" | grep -c 'step 0 after; without the first: --steps 1-; but for the first, every step after is shorter than all before$')" 1 \
	"and that all steps but the first are shorter"

# Parts that only one side has, and parts with few steps.
trace "$temp/alone" comm=0,0,0,0,0,0,0,0
trace "$temp/joined" comm=400,410,390,400,420,400,390,400
trace "$temp/seldom" comm=400,0,0,0,400,0,0,0
part()
{
	"$analyzer" diff "$temp/$1" "$temp/$2" -f json 2>/dev/null | python3 -c '
import json, sys
print(*((row["verdict"], row["method"]) for row in json.load(sys.stdin)["parts"] if row["part"] == sys.argv[1]))' "$3"
}
is "$(part joined alone Communication) $(part alone joined Communication)" "('gone', 'buckets') ('new', 'buckets')" \
	"a part that each step of one side has and none of the other is gone, or new"
is "$(part seldom alone Communication | grep -c gone)" 0 "what some steps lack anyway may be missing by chance"
is "$(text joined alone | grep -cE '^Communication .* 0ns +- +gone +- ')" 1 "without a percentage"
ops=100,200,300,400,500,600
trace "$temp/uneven" steps=98598,98570,98596,98623,98504,98641 ops=$ops
trace "$temp/others" steps=99778,99208,99114,99021,98791,98956 ops=200,110,950,300,1500,650
is "$(part uneven others Kernel)" "('equal', 'calls')" "few steps whose kernels took as long are equal, whatever the operators of the CPU did"
is "$(part uneven others Runtime)" "('equal', 'steps')" "and a part of the CPU whose steps took as long, by their order"
trace "$temp/some-long" steps=98598,98570,140596,98623,150504,98641 ops=200,110,950,300,1500,650
is "$(part uneven some-long Kernel | grep -c equal)" 0 "unless the mean moved"
is "$(text uneven others | grep -cE '^Part .* Usual step, 95 % .* Mean change')" 1 "the heading says of what either change is"
is "$(text uneven others | grep -c '^What changed, per step; rows: all time of all calls, causes: exposed time$')" 1 \
	"and how times of causes and rows differ"

# CPU time that the GPU's work hides.
trace "$temp/waits" steps=1000,1000,1000,1000,1000,1000,1000,1000 ops=500,500
trace "$temp/works" steps=9000,9000,9000,9000,9000,9000,9000,9000 ops=500,500
is "$(text waits works | grep '^GPU work: ')" "GPU work: 49.2% of a step before, 89.7% after; the CPU without waits for it: 1.022ms before, 1.022ms after, \
not slower itself; 0% of it hidden before, 0% after" "a step that now waits for the GPU hides the CPU's parts"
is "$(text works waits | grep -c '^GPU work: .* 1.022ms before, 1.022ms after, not slower itself; 0% of it hidden before, 0% after$')" 1 "and the other way"
is "$(text waits works | grep '^waits for the GPU in calls')" "waits for the GPU in calls within steps (full queue, synchronize, copies), \
also in rows of calls and ranges: 1.010ms before, 9.010ms after" "with what calls waited for the GPU"
is "$(text waits waits | grep -c '^GPU work: ')" 0 "nothing if both wait for the CPU"
is "$("$analyzer" diff "$temp/waits" "$temp/works" -f json 2>/dev/null | python3 -c '
import json, sys
print({key: round(part, 3) for key, part in json.load(sys.stdin)["gpu_work"].items()})')" "{'before': 0.492, 'after': 0.897}" "in JSON always"

trace "$temp/quick" steps=9000,9000,9000,9000,9000,9000,9000,9000 ops=100,100,100,100,100,100,100,100,100,100
trace "$temp/slow" steps=500,500,500,500,500,500,500,500 ops=400,400,400,400,400,400,400,400,400,400
is "$(text slow quick | grep '^GPU work: ')" "GPU work: 11.0% of a step before, 89.6% after; the CPU without \
waits for it: 4.030ms before, 1.030ms after, 0.256 times as long: faster itself; 0% of it hidden before, 0% after" "and whether the CPU is faster itself"
"$analyzer" summarize "$temp/slow" -o "$temp/slow.sum" 2>/dev/null
"$analyzer" summarize "$temp/quick" -o "$temp/quick.sum" 2>/dev/null
is "$(text slow.sum quick.sum | grep '^GPU work: ')" "GPU work: 11.0% of a step before, 89.6% after: more of the CPU is hidden, \
not known if it is faster itself" "which summaries do not tell"

# Launches that wait for a full queue: 30 kernels of 200 us, and a queue with a limited length.
queue()
{
	python3 - "$1" <<'PY' >"$temp/$2"
import json, sys
deep, rows, cpu, gpu, corr, ends = int(sys.argv[1]), [], 1000, 1000, 0, []
for step in range(6):
    begin = cpu
    for i in range(30):
        corr += 1
        free = ends[-deep] if len(ends) >= deep else 0
        dur = max(5, free - cpu)
        rows.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": cpu, "dur": dur, "args": {"correlation": corr}})
        cpu += dur + 10
        gpu = max(gpu, cpu) + 200
        ends.append(gpu)
        rows.append({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": gpu - 200, "dur": 200, "args": {"correlation": corr, "device": 0, "stream": 7}})
    rows.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin, "dur": cpu - begin, "args": {}})
    cpu += 1
print(json.dumps({"traceEvents": rows}))
PY
}
queue 40 shallow
queue 1000 deep
hosts()
{
	"$analyzer" diff "$temp/$1" "$temp/$2" -f json 2>/dev/null | python3 -c '
import json, sys
host = json.load(sys.stdin)["host_alone"]
print(host["before_ns"], host["after_ns"], host["before_waits_ns"] > 3000000, host["after_waits_ns"])'
}
is "$(hosts shallow deep)" "450000 450000 True 0" "launches that wait for a full queue do not make the CPU slower"

# Operators and their calls.
trace "$temp/old-ops" gpu=Old ops=$ops
trace "$temp/new-ops" gpu=New ops=$ops
trace "$temp/new-more" gpu=New ops="$(seq -s, 101 180)"
is "$(text old-ops new-ops | grep 'same work')" "the same work: 7 of 7 operators have as many calls per step; input sizes not compared" "on another GPU the same work is told"
is "$(text new-ops new-ops | grep -c 'same work')" 0 "on the same one there is no doubt"
is "$(text old-ops new-more | grep 'same work')" "not the same work: only 7 of 81 operators have as many calls per step" "other work, too"
is "$("$analyzer" diff "$temp/old-ops" "$temp/new-more" -f json 2>/dev/null | python3 -c '
import json, sys
print(json.load(sys.stdin)["work"])')" "{'names': 81, 'equal': 7, 'is': 'other'}" "in JSON, too"
done_testing
