#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer why: its paragraph has the figures of the reports, for CPU logs, for GPUs and for public
# traces. Three tables give the evidence. One step is compared with the others, and a line says what
# a file lacks.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"
unset RANGES_WIDTH
cpu=$top_srcdir/tests/data/format-1/plain.bin
gpu=$temp/gpu.bin
python3 "$top_srcdir/tests/tools/gpu-log.py" 1 0 600 1 | python3 "$top_srcdir/tests/tools/text-log.py" "$gpu"

# paragraph ARGUMENT...: prints it as one line.
paragraph()
{
	"$analyzer" why "$@" 2>/dev/null | sed '/^$/,$d' | tr -s '\n ' ' '
}

# tables ARGUMENT...: prints the reports from which the tables come.
tables()
{
	"$analyzer" why "$@" 2>/dev/null | sed -n 's/^[A-Z].* (\([a-z-]*\))$/\1/p' | tr '\n' ' '
}

# has TEXT WORDS NAME: passes if the text has the words.
has()
{
	case $1 in
	*"$2"*) pass "$3" ;;
	*)
		fail "$3"
		diag "wanted: $2"
		diag "got:    $1"
		;;
	esac
}

top=$("$analyzer" stats -r critical-path -f csv "$cpu" 2>/dev/null | python3 -c '
import collections, csv, re, sys
names = collections.defaultdict(set)
shares = collections.Counter()
for row in csv.DictReader(sys.stdin):
    name = re.sub("[0-9]+", "#", row["name"])
    names[name].add(row["name"])
    shares[name] += float(row["step_share"])
name, share = shares.most_common(1)[0]
print("%.1f%% is %s × %d" % (100 * share, name, len(names[name])))')
has "$(paragraph "$cpu")" "No GPU work is recorded. Of the critical path (the chain that sets the length) $top" "of a log of the CPU: what its critical path spends most on"
is "$(tables "$cpu")" "critical-path ranges threads " "and the three tables"
is "$(tables "$gpu" | wc -w)" 3 "of a log with GPU work there are three, too"
has "$(paragraph "$gpu")" "GPUs are busy for $("$analyzer" stats -r gpu -f csv "$gpu" 2>/dev/null | python3 -c '
import csv, sys
busy = sorted((float(row["any_utilization"]), row["device"]) for row in csv.DictReader(sys.stdin))
print("%.1f%% (GPU %s) to %.1f%% (GPU %s)" % (100 * busy[0][0], busy[0][1], 100 * busy[-1][0], busy[-1][1]))') of that." \
	"and how busy the GPUs are"

size=$(($(wc -c <"$cpu") * 2 / 3))
head -c "$size" "$cpu" >"$temp/cut.bin"
has "$(paragraph "$temp/cut.bin")" "This file lacks events" "what is missing in a file is said in the paragraph"
"$analyzer" why --strict "$temp/cut.bin" >/dev/null 2>&1
is $? 4 "and is an exit code with --strict"

# steps NAME...: writes a trace with a range of each of these names, and other ranges inside.
steps()
{
	python3 - "$@" >"$temp/steps.json" <<'END'
import json, sys
rows = [("cpu_op", name, 100 * i, 90 if i == 1 else 70) for i, name in enumerate(sys.argv[1:])]
rows += [("cpu_op", "work", start + 5, dur - 10) for _, _, start, dur in rows]
print(json.dumps({"traceEvents": [{"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": start, "dur": dur} for cat, name, start, dur in rows]}))
END
	paragraph "$temp/steps.json"
}
has "$(steps step step step)" "3 steps of 76.667us on average, the slowest, 1, of 90.000us (ranges step are taken as steps: --step-range)." \
	"ranges named step are steps where nothing else is, and it is said"
has "$(steps 'Train_Step 7' 'Train_Step 8' x)" "2 steps of 80.000us on average, the slowest, 8, of 90.000us (ranges Train_Step # are taken" \
	"so are others, whose numbers are those of the steps"
has "$(paragraph "$temp/steps.json" --step 8)" "Step 8 takes 90.000us, the other one 70.000us: CPU Exec +20.000us" "one of them can be asked about"
has "$(steps step other stepped)" "270.000us were recorded, in which no range is a step" "one is not enough, nor is a name that only has the word in it"
has "$(steps iteration iteration 'ProfilerStep#3' 'ProfilerStep#4')" "2 steps of 70.000us on average, the slowest, 3, of 70.000us. No GPU" "what says that it is a step goes first"
"$analyzer" why -f json "$temp/steps.json" | python3 -c '
import json, sys
said = json.load(sys.stdin)
print(said["why"].startswith("2 steps of"), [table["report"] for table in said["tables"]], "complete" in said["footer"])' >"$temp/said" 2>&1
is "$(cat "$temp/said")" "True ['critical-path', 'ranges', 'threads'] True" "as JSON: the paragraph, the tables and the footer"
"$analyzer" why --attribute origin "$temp/steps.json" >/dev/null
is $? 0 "--attribute is taken"
"$analyzer" why --brief -f json "$temp/steps.json" >/dev/null 2>&1
is $? 2 "--brief is of text"

cat >"$temp/gaps.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0,"dur":2000},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":1000,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":1100,"dur":100},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1010,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1020,"dur":2,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1180,"dur":2,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1190,"dur":2,"args":{"device":0,"stream":7,"correlation":2}}]}
END
"$analyzer" why "$temp/gaps.json" -f json | python3 -c '
import json, sys
for row in json.load(sys.stdin)["tables"][2]["rows"]:
    print(row["start_ns"], row["dur_ns"], row["cause"], row.get("range") or "-", sep=",", end=";")' >"$temp/said"
is "$(cat "$temp/said")" "1022000,168000,host wait,-;1000000,20000,before first,-;1192000,8000,after last,-;" \
	"a gap is listed as far as it lies within the steps"
is "$("$analyzer" stats -r gaps "$temp/gaps.json" -f csv | cut -d, -f2-4 | sed 1d | tr '\n' ';')" \
	"0,1000000,nothing recorded;1022000,168000,host wait;1000000,20000,before first;1192000,8000,after last;" \
	"stats lists all, and of those at the ends what nobody recorded stands by itself"
# numbered_rank RANK STEPS: writes the log of a rank whose equal steps have names with numbers.
numbered_rank()
{
	{
		echo "capture pid=$1 clock=\"monotonic\" rank=$1"
		echo 'def stream id=1 tid=1 name="main"'
		for step in $(seq 0 $(($2 - 1))); do
			echo "event 1 $((2 * step)) $((step * 10000)) push name=\"batch $step\""
			echo "event 1 $((2 * step + 1)) $((step * 10000 + 9000)) pop"
		done
		echo 'end status="clean"'
	} | python3 "$top_srcdir/tests/tools/text-log.py" "$temp/numbered/rank$1.bin"
}
mkdir "$temp/numbered"
for rank in 0 1 2 3; do
	numbered_rank "$rank" $((rank == 3 ? 31 : 30))
done
has "$(paragraph "$temp/numbered")" "Of 4 ranks none takes 5% longer in any range" \
	"a rank with one step more is not slower, though that step has a name of its own"
is "$("$analyzer" why "$temp/numbered" | grep -c "^batch"):$("$analyzer" why "$temp/numbered" | grep -c "^batch #  *[0-9.]*%.* 121 ")" 1:1 \
	"their steps are one row"
# slow_rank RANK COMPUTE: writes a rank's log. Steps spend 10 us in compute, and from step 10 on
# COMPUTE.
slow_rank()
{
	{
		echo "capture pid=$1 clock=\"monotonic\" rank=$1"
		echo 'def stream id=1 tid=1 name="main"'
		at=0
		number=0
		for step in $(seq 0 29); do
			[ "$step" -lt 10 ] && length=10000 || length=$2
			echo "event 1 $number $at push name=\"step\""
			echo "event 1 $((number + 1)) $at push name=\"compute\""
			echo "event 1 $((number + 2)) $((at + length)) pop"
			echo "event 1 $((number + 3)) $((at + length + 100)) pop"
			number=$((number + 4))
			at=$((at + length + 100))
		done
		echo 'end status="clean"'
	} | python3 "$top_srcdir/tests/tools/text-log.py" "$temp/ranks/rank$1.bin"
}
mkdir "$temp/ranks"
for rank in 0 1 2 3; do
	slow_rank "$rank" $((rank == 2 ? 40000 : 10000))
done
slow="rank 2 is slower in compute: it takes 900.000us in all, the ranks' median is 300.000us; since step 10 its calls are \
4 times as long as before."
has "$(paragraph "$temp/ranks")" "Of 4 ranks $slow" "of ranks without collectives their ranges tell which one is slow, in what, since when"
has "$(paragraph "$temp/ranks")" "There are no collectives that several took part in, so only ranges tell." "and why only they do"
"$analyzer" summarize "$temp/ranks" -o "$temp/ranks.sum" 2>/dev/null
has "$(paragraph "$temp/ranks.sum")" "Of 4 ranks $slow" "of a summary, too"
"$analyzer" why --strict "$temp/ranks.sum" >/dev/null 2>&1
is $? 0 "of which nothing is missing"
mkdir "$temp/cut"
cp "$temp/ranks/rank0.bin" "$temp/cut"
head -c -100 "$temp/ranks/rank1.bin" >"$temp/cut/rank1.bin"
"$analyzer" summarize "$temp/cut" -o "$temp/cut.sum" 2>/dev/null
"$analyzer" why "$temp/cut.sum" >/dev/null 2>&1
code=$?
"$analyzer" why --strict "$temp/cut.sum" >/dev/null 2>&1
is "$code $?" "0 4" "--strict: of a log that is cut something is"
rm "$temp/ranks/rank2.bin"
has "$(paragraph "$temp/ranks")" "Of 3 ranks none takes 5% longer in any range than they do on average." "and that none is"
# warming LENGTH LAST: writes a trace of ten steps of 100 us, but the first takes LENGTH, and the
# last takes LAST.
warming()
{
	at=0
	{
		echo '{"traceEvents":['
		for step in 0 1 2 3 4 5 6 7 8 9; do
			case $step in
			0) length=$1 ;;
			9) length=$2 ;;
			*) length=100 ;;
			esac
			echo "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#$step\",\"pid\":1,\"tid\":1,\"ts\":$at,\"dur\":$length},"
			at=$((at + length))
		done
		echo '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]}'
	} >"$temp/warm.json"
}
warming 900 150
has "$(paragraph "$temp/warm.json")" "9 steps of 105.556us on average, the slowest, 9, of 150.000us. \
Step 0, of 900.000us, warms up and is left out: --step 0- has it. " "a first step that is far longer is left out"
has "$("$analyzer" why "$temp/warm.json")" "steps: 1 to 9, 9 of 10" "and that is said below the tables"
has "$(paragraph --step 0- "$temp/warm.json")" "10 steps of 185.000us on average, the slowest, 0, " "unless it is asked for"
warming 900 700
has "$(paragraph "$temp/warm.json")" "10 steps of 240.000us on average, the slowest, 0, " "it stays if another one is nearly as long"
cat >"$temp/gap.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":10},{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":990,"dur":10}]}
END
has "$(paragraph "$temp/gap.json")" "For 98.0% of the critical path the program was in no range and no call: the file does not say what it did." "so is time in which nothing was recorded"
cat >"$temp/empty.json" <<'END'
{"traceEvents":[]}
END
"$analyzer" why "$temp/empty.json" >"$temp/said" 2>/dev/null
is "$?" 0 "a trace of nothing is no fault"
for words in "" "$temp/none.bin" "$cpu $gpu" "$temp" "$cpu --step x" "$cpu --step 9"; do
	# shellcheck disable=SC2086 # words of a command
	"$analyzer" why $words >"$temp/said" 2>"$temp/errors"
	printf '%s %s\n' "$?" "$(grep -c '^analyzer: ' "$temp/errors")"
done | tr '\n' ';' >"$temp/codes"
is "$(cat "$temp/codes")" "2 1;3 1;0 0;0 2;2 1;2 1;" "no file, no such file, no step: a line and a code; several, a folder: an answer"

# A step is compared with the median of the others, so the first ones, which take longer to warm up,
# do not hide it.
python3 - >"$temp/warm.json" <<'PY'
import json
events, at = [], 0
for step, load in enumerate((50000, 20000, 1000, 1000, 3000, 1000, 1000)):
    events += [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": at, "dur": load + 4000},
        {"ph": "X", "cat": "cpu_op", "name": "load", "pid": 1, "tid": 1, "ts": at + 100, "dur": load},
        {"ph": "X", "cat": "cpu_op", "name": "work", "pid": 1, "tid": 1, "ts": at + 200 + load, "dur": 3500}]
    at += load + 4000
print(json.dumps({"traceEvents": events}))
PY
said=$("$analyzer" why --step 4 -w 0 "$temp/warm.json" 2>/dev/null | sed 1q)
has "$said" "Step 4 takes 7.000ms, the median of the other 6 5.000ms: CPU Exec +2.000ms (+40.0% in all). What differs most on its critical path is load +2.000ms." \
	"a step beside the median of the others, warm-up among them"
# Six steps of ten calls each. One call always takes 300 us. In step 3 one call takes 5 ms, in a
# range.
python3 - >"$temp/call.json" <<'PY'
import json
events, at = [], 0
for step in range(6):
    begin = at
    for number in range(10):
        dur = 5000 if (step, number) == (3, 4) else 300 if number == 0 else 10
        events += [{"ph": "X", "cat": "cpu_op", "name": "copy", "pid": 1, "tid": 1, "ts": at, "dur": dur + 20},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": at + 10, "dur": dur}]
        at += dur + 100
    events += [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin, "dur": at - begin}]
print(json.dumps({"traceEvents": events}))
PY
said=$("$analyzer" why --step 3 -w 0 "$temp/call.json" 2>/dev/null | sed 1q)
has "$said" " A single call stands out: cudaMemcpyAsync, 740.000us into the step's range, took 5.000ms; the longest of that name in another step takes 300.000us in the median, and half of the 50 others take 10.000us or less. " \
	"a single call that is long, not the range around it, with its time into the step and what is usual"
is "$("$analyzer" why --step 2 -w 0 "$temp/call.json" 2>/dev/null | grep -c 'stands out')" 0 "one that is as long in each step is none"
# The same for kernels: the long one is launched in step 3 and runs during step 4, because all
# kernels are late.
python3 - >"$temp/kernel.json" <<'PY'
import json
events = []
def add(cat, name, start, dur, track, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": track, "tid": track, "ts": start, "dur": dur, "args": args})
at = gpu = number = 0
for step in range(6):
    add("user_annotation", "ProfilerStep#%d" % step, at, 1000, 1)
    for call in range(5):
        number += 1
        add("cuda_runtime", "cudaLaunchKernel", at + 100 * call, 5, 1, correlation=number)
        dur = 2000 if (step, call) == (3, 4) else 200
        gpu = max(gpu, at + 1500)
        add("kernel", "k", gpu, dur, 7, correlation=number, stream=7, device=0)
        gpu += dur
    at += 1000
print(json.dumps({"traceEvents": events}))
PY
has "$("$analyzer" why --step 3 -w 0 "$temp/kernel.json" 2>/dev/null | sed 1q)" "A single kernel stands out: k, " "a kernel is of the step that launched it"
is "$("$analyzer" why --step 4 -w 0 "$temp/kernel.json" 2>/dev/null | grep -c 'stands out')" 0 "and not of the one that it runs in"
# Six steps whose ranges take 1000 us, 400 of them in the loader. Each step's kernel ends 200 us after its range, that of
# step 2 only 50 us; the loader of step 5 takes 100 us more, and so does its range.
python3 - >"$temp/hidden.json" <<'PY'
import json
events, at = [], 1000
def add(cat, name, start, dur, track, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": track, "tid": track, "ts": start, "dur": dur, "args": args})
for step in range(1, 7):
    load = 500 if step == 5 else 400
    end = at + load + 600
    add("user_annotation", "ProfilerStep#%d" % step, at, load + 600, 1)
    add("cpu_op", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, load, 1)
    add("cpu_op", "aten::stack", at + 10, load - 20, 1)
    add("cuda_runtime", "cudaLaunchKernel", at + load + 50, 10, 1, correlation=step)
    add("kernel", "k", at + load + 60, end + (50 if step == 2 else 200) - at - load - 60, 0, correlation=step, device=0, stream=7)
    at = end
print(json.dumps({"traceEvents": events}))
PY
said=$(paragraph "$temp/hidden.json" --step 3)
has "$said" "Step 3 takes 1.150ms, the median of the other 4 (without the first) 1.000ms: DataLoader +150.000us (+15.0% in all). \
DataLoader shows 150.000us more, but its ranges took 400.000us, as usual (+0ns): less of it is hidden, as the previous step's \
GPU work ended 150.000us earlier after its range (50.000us, usually 200.000us). A step is measured from the end of the \
previous step's GPU work to the end of its own; by its range the slowest is 5, of 1.100ms. " \
	"a loader that took no longer, but is hidden less, is not blamed; and which step is the slowest by its range"
has "$(paragraph "$temp/hidden.json" --step 1)" "DataLoader shows 200.000us more, but its ranges took 400.000us, as usual (+0ns): no earlier \
GPU work hides it, as it is the first step. " "before the first step nothing hides it"
said=$(paragraph "$temp/hidden.json" --step 5)
has "$said" "Step 5 takes 1.100ms, the median of the other 4 (without the first) 1.000ms: DataLoader +100.000us (+10.0% in all). What" \
	"a loader that took longer is to blame"
is "$("$analyzer" stats --steps 3 -r overview -w 0 "$temp/hidden.json" 2>/dev/null | grep -c '^DataLoader shows 150.000us more, but')" 1 \
	"stats says the same below its tables"
has "$(paragraph "$temp/hidden.json")" "(a step is measured from the end of the previous step's GPU work to the end of its own; by its \
range the slowest is 5, of 1.100ms)" "so does why of all steps"
python3 - >"$temp/loader.json" <<'PY'
import json
rows = [("user_annotation", "ProfilerStep#%d" % step, 1000 * step, 1000) for step in (1, 2)]
rows += [("cpu_op", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 1000 * step, 20) for step in (1, 2)]
rows += [("cpu_op", "work", 1000 * step + 20, 980) for step in (1, 2)]
events = [{"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur} for cat, name, ts, dur in rows]
events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1500, "dur": 10, "args": {"correlation": 1}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1520, "dur": 100, "args": {"correlation": 1, "device": 0, "stream": 7}}]
print(json.dumps({"traceEvents": events}))
PY
has "$(paragraph "$temp/loader.json")" "The data loader is no bottleneck: 20.000us of 1.000ms a step (2.0%). " "a loader that costs little is said to"
# A program with much work before it uses its GPU.
cat >"$temp/begin.json" <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"compile","pid":1,"tid":1,"ts":0,"dur":800},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":890,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":900,"dur":90,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"end","pid":1,"tid":1,"ts":995,"dur":5}]}
JSON
has "$(paragraph "$temp/begin.json")" \
	"The GPU is busy for 9.0% of that. Its first operation begins after 900.000us; of the 100.000us from then on it is busy for 90.0%." \
	"where the GPU begins late how busy it is from then on"
[ -d "$traces" ] || { skip "public traces" "they are not here"; done_testing; }
resnet=$traces/resnet50_w0.json.gz
said=$(paragraph "$resnet")
has "$said" "6 steps of 177.592ms on average (175.153ms in the median without the first); the first, 5, of 187.948ms (its range: 176.078ms), fills the GPU's queue; the slowest of the others is 9, of 182.172ms (a step is measured from the end of the previous step's GPU work to the end of its own; by its range the slowest is 8, of 181.259ms). The GPU is busy for 56.6% of the window (from the first step to the end of the last)." "steps and the GPU"
has "$said" "55.5% of the steps' time is Kernel, 33.4% DataLoader (reads input without GPU work), 7.7% CPU Exec (ranges without GPU work or call)." "what the time of steps goes to"
has "$said" "For 352.401ms (33.1% of the window) nothing runs while the program reads its input: it reads in enumerate(DataLoader)" \
	"what costs most, how much, and where"
has "$said" "Worst: step 5, 68.694ms at 229.000us. To do: Load in worker processes" "the worst place, and what to do"
is "$(tables "$resnet")" "overview advice gaps " "the tables that prove it"
has "$(paragraph "$resnet" --step 9)" "DataLoader shows 5.629ms more, but its ranges took 70.844ms, as usual (+743.000us): less of it is hidden, as the previous step's GPU work ended 4.827ms earlier after its range (8.877ms, usually 13.704ms)." \
	"of a public trace, too: what seems to be the loader is the step before"
has "$(paragraph "$traces/ns_resolution.json.gz" --step 101)" "(+5.8% in all). CPU Exec shows 3.939ms more, but its ranges took 34.206ms, less than usual" \
	"a range that is shorter, as the first fills the queue, is no figure of the step"
has "$(paragraph "$traces/resnet50_w4.json.gz")" "The data loader is no bottleneck: 1.186ms of 141.068ms a step (0.8%)." "with workers the loader costs little"
has "$(paragraph "$traces/ns_resolution.json.gz")" "5 steps of 96.704ms on average (95.617ms in the median without the first); the first, 101, of 101.151ms (its range: 35.116ms), fills the GPU's queue; the slowest of the others is 102, of 95.737ms." \
	"no mean stands above the slowest: the first step is told where it is the longest"
has "$(paragraph "$resnet" --step 5)" "(+7.3% in all, +0.5% by its range)" "the first step differs by less where it counts by its range"
queue=$traces/negative_queue.json.gz
has "$(paragraph "$queue")" "5 steps of 215.420ms on average, the slowest, 552, of 216.517ms." "what was queued before the recording is no step's"
has "$(paragraph "$queue" --step 550)" "Step 550 takes 216.286ms, the median of the other 4 215.891ms" "nor the first one's beside others"
has "$(paragraph "$resnet" --step 9)" "S$("$analyzer" stats -w 0 --steps 9 -r overview "$resnet" 2>/dev/null |
	sed -n 's/^s\(tep 9 takes.*\)/\1/p') (+4.2% in all)" "a step against the others, as stats says it"
is "$(tables "$resnet" --step 9)" "overview critical-path gaps " "and the tables of a step"
"$analyzer" why --step 9 -w 0 "$resnet" 2>/dev/null | python3 -c '
import re, sys
unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
def ns(word):
    number, name = re.fullmatch(r"(-?[0-9.]+)([a-z]+)", word).groups()
    return float(number) * unit[name]
wrong = rows = 0
for line in sys.stdin:
    words = line.split()
    if len(words) >= 4 and all(re.fullmatch(r"-?[0-9.]+(ns|us|ms|s)", word) for word in words[-3:]):
        own, mean, more = map(ns, words[-3:])
        rows += 1
        wrong += abs(own - mean - more) > 2000
print(rows > 10, wrong)' >"$temp/said"
is "$(cat "$temp/said")" "True 0" "differences are what the step has less what the others have"

: >"$temp/faults"
count=0
for trace in "$traces"/*.json.gz "$traces"/other/*.gz "$traces"/nsys/*.gz; do
	case $trace in *.sqlite.gz) continue ;; esac
	"$analyzer" why "$trace" >"$temp/said" 2>/dev/null || echo "${trace##*/}: exit $?" >>"$temp/faults"
	"$analyzer" why "$trace" 2>/dev/null | cmp -s - "$temp/said" || echo "${trace##*/}: differs" >>"$temp/faults"
	python3 - "$temp/said" "${trace##*/}" >>"$temp/faults" <<'END'
import re, sys
text = open(sys.argv[1]).read()
rows = text.split("\n")
tables = len(re.findall(r"^[A-Z].* \([a-z-]+\)$", text, re.M))
if tables != 3 or max(map(len, rows)) > 120 or len(text.encode()) > 8000:
    print("%s: %d tables, %d columns, %d bytes" % (sys.argv[2], tables, max(map(len, rows)), len(text.encode())))
if not re.search(r"^(complete|.*lost|.*missing|.*not)", text.split("\n\n")[-1], re.M):
    print("%s: no word on what is missing" % sys.argv[2])
END
	count=$((count + 1))
done
is_empty "$(cat "$temp/faults")" "of $count traces: three tables in 120 columns and 8 kB, the same twice, and losses told"
done_testing
