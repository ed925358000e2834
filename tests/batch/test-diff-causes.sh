#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer diff shows the causes of a step's change, each once, and kernels that were swapped.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# trace FILE key=value...: 4 steps of PyTorch, with a range forward and one backward, each with an operator that
# launches kernels; the thread is in cudaDeviceSynchronize until they are done. Times in us:
#   conv=K,N,DUR  forward's operator aten::conv launches N kernels K per step, each DUR long
#   extra=K,N,DUR another kernel of it
#   grad=K,N,DUR  the same for backward's operator aten::conv_backward
#   load=DUR      time at the begin of the step, in a range load
#   fill=DUR      additional time of the first step's last kernel, for which nobody waits
trace()
{
	file=$1
	shift
	python3 - "$@" >"$file" <<'PY'
import json, sys
opts = dict(word.split("=", 1) for word in sys.argv[1:])
def kernels(key):
    for word in (opts.get(key) or "").split(";"):
        if word:
            name, count, dur = word.split(",")
            yield name, int(count), int(dur)
rows, corr = [], [0]
def row(cat, name, ts, dur, tid=1, **args):
    rows.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if tid == 7 else 1, "tid": tid, "ts": ts, "dur": dur, "args": args})
def launch(at, name, dur, gpu):
    corr[0] += 1
    row("cuda_runtime", "cudaLaunchKernel", at, 2, correlation=corr[0])
    begin = max(at + 5, gpu)
    row("kernel", name, begin, dur, tid=7, correlation=corr[0], device=0, stream=7)
    return begin + dur
at, gpu = 1000, 0
for step in range(4):
    begin = at
    load = int(opts.get("load", "0"))
    if load:
        row("user_annotation", "load", at + 1, load)
        row("cpu_op", "aten::read", at + 2, load - 2)
        at += load + 2
    for outer, op, keys in ("forward", "aten::conv", ("conv", "extra")), ("backward", "aten::conv_backward", ("grad",)):
        first, inner = at, at + 2
        at += 4
        for key in keys:
            for name, count, dur in kernels(key):
                for i in range(count):
                    gpu = launch(at, name, dur, gpu)
                    at += 3
        row("cpu_op", op, inner, at - inner)
        at += 1
        row("user_annotation", outer, first, at - first)
    if step == 0 and "fill" in opts:
        gpu += int(opts["fill"])
        rows[-1 if rows[-1]["cat"] == "kernel" else next(i for i in range(len(rows) - 1, -1, -1) if rows[i]["cat"] == "kernel")]["dur"] += int(opts["fill"])
        end = at
    else:
        end = max(gpu, at) + 2
        row("cuda_runtime", "cudaDeviceSynchronize", at, end - at - 1, correlation=0)
    row("user_annotation", "ProfilerStep#%d" % step, begin, end - begin)
    at = end + 1
print(json.dumps({"traceEvents": rows}))
PY
}

# compare WHAT A B: prints facts of the comparison of two of these traces.
compare()
{
	"$analyzer" diff "$temp/$2" "$temp/$3" -f json 2>/dev/null >"$temp/json" || return 1
	python3 - "$temp/json" "$1" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
causes, swaps = diff["causes"], diff["swaps"]
whole = [part["change_ns"] for part in diff["parts"] if part["part"] == "Total"][0]
what = sys.argv[2]
if what == "first":
    row = causes[0]
    print(row["part"], row["name"], row["in"], row["change_ns"])
elif what == "names":
    print(*("%s %s %+d" % (row["part"], row["name"], row["change_ns"]) for row in causes if abs(row["change_ns"]) > 1000), sep=", ")
elif what == "sum":
    print(abs(sum(row["change_ns"] for row in causes) - whole) <= len(causes), whole)
elif what == "moved":
    for sign in -1, 1:
        print("%.6f" % sum(row["moved_part"] for row in causes if row["change_ns"] * sign > 0), end=" ")
elif what == "swaps":
    print(*("%s|%s: %s %d -> %s %d, %g" % (s["in"], s["under"], "+".join(s["from"]), s["from_ns"], "+".join(s["to"]), s["to_ns"], s["calls"])
            for s in swaps), sep="; ")
PY
}

trace "$temp/base" conv=A,3,100 grad=B,2,50 load=40
trace "$temp/load" conv=A,3,100 grad=B,2,50 load=340
trace "$temp/slow" conv=A,3,100 grad=B,2,80 load=40
is "$(compare first base load)" "CPU Exec aten::read load 300000" "time in one operator is one cause, with its path, and not also its range and its step"
is "$(compare names base load)" "CPU Exec aten::read +300000" "and nothing else is one"
is "$(compare first base slow)" "Kernel aten::conv_backward backward 60000" "a longer kernel counts for the operator that launched it, not for the call that waits"
for pair in "base load" "load base" "base slow" "load slow"; do
	# shellcheck disable=SC2086 # two words
	is "$(compare sum $pair | cut -d ' ' -f 1)" "True" "causes add up to the change of the step: $pair"
done
is "$(compare sum base load)" "True 300000" "which is the planted one"
is "$(compare moved load slow)" "1.000000 1.000000 " "the parts of what got shorter add up to 1, and so do those of what got longer"
is "$(compare names load slow)" "CPU Exec aten::read -300000, Kernel aten::conv_backward +60000" "a gain and a loss are two causes, the larger first"

# Swaps.
trace "$temp/swap" conv=C,3,60 grad=B,2,50 load=40
is "$(compare swaps base swap)" "forward|aten::conv: A 300000 -> C 180000, 3" "a kernel that another one replaces in the same operator is swapped"
is "$(compare first base swap)" "Kernel aten::conv forward -120000" "and one cause, with the net change"
trace "$temp/several" "conv=C,3,60;D,3,10;E,3,5" grad=B,2,50 load=40
is "$(compare swaps base several)" "forward|aten::conv: A 300000 -> C+D+E 225000, 9" "so is one that three replace, each as often"
trace "$temp/partly" "conv=A,2,100;C,1,60" grad=B,2,50 load=40
is "$(compare swaps base partly)" "forward|aten::conv: A 100000 -> C 60000, 1" "and one that loses some of its calls"
trace "$temp/unequal" "conv=C,2,60;D,3,10" grad=B,2,50 load=40
is "$(compare swaps base unequal)" "" "not if the numbers of calls differ"
trace "$temp/elsewhere" conv=A,1,100 "grad=B,2,50;C,2,60" load=40
is "$(compare swaps base elsewhere)" "" "nor if another operator launches the new one"
is "$(compare swaps base slow)" "" "nor if the same kernel got slower"
"$analyzer" diff "$temp/base" "$temp/swap" -w 0 2>/dev/null >"$temp/out"
is "$(grep -c '^kernels swapped under aten::conv: A (300.000us) -> C (180.000us), net -120.000us, 3 calls, in forward$' "$temp/out")" 1 \
	"a line says so to people"
is "$(grep -cE '^kernel  *[AC] .*(gone|new): swapped' "$temp/out")" 2 "and the rows of both kernels refer to it"
"$analyzer" diff "$temp/base" "$temp/swap" -f md 2>/dev/null | grep -c '^kernels swapped under' >"$temp/out"
is "$(cat "$temp/out")" 1 "in Markdown, too"

# The first step.
trace "$temp/fill" conv=A,3,100 grad=B,2,50 load=40 fill=2000
is "$(compare first base fill | sed 's/ [0-9]*$//')" "None (first step fills queue) None" \
	"what the first step takes after its range, as it fills the queue, is a cause of its own"
is "$(compare sum base fill | cut -d ' ' -f 1)" "True" "and causes add up"

# People's table.
RANGES_WIDTH=100 "$analyzer" diff "$temp/load" "$temp/slow" 2>/dev/null >"$temp/out"
is "$(grep '^What the change' "$temp/out")" "What the change of a step is made of: -240.000us, by 300.000us less and 60.000us more" \
	"people see what got shorter and what got longer"
is "$(grep -cE '^aten::(read|conv_backward) ' "$temp/out")" 2 "and the causes"
is "$(grep -c 'causes may be noise$' "$temp/out") $(grep -c '^Total .* faster  *steps ' "$temp/out")" "0 1" \
	"and that the total is faster, as each step is, even of so few"
"$analyzer" diff "$temp/base" "$temp/base" 2>/dev/null >"$temp/out"
is "$(grep -c '^What the change' "$temp/out")" 0 "nothing of two equal traces"

# Inputs without single ranges.
"$analyzer" summarize "$temp/base" -o "$temp/base.sum" 2>/dev/null
is "$(compare names base.sum load)" "" "summaries have no causes"

# log FILE MS: writes a log of 20 steps of 9 ms, with a range inner of MS ms in each.
log()
{
	python3 - "$2" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import sys
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
row = 0
def event(ms, what):
    global row
    print("event 1 %d %d %s" % (row, ms * 1000000, what))
    row += 1
for step in range(20):
    event(step * 10, 'push name="step"')
    event(step * 10 + 1, 'push name="inner"')
    event(step * 10 + 1 + int(sys.argv[1]), "pop")
    event(step * 10 + 9, "pop")
print('end status="clean"')
PY
}

# Logs whose ranges are not held.
log "$temp/one.bin" 3
log "$temp/two.bin" 5
is "$(compare names one.bin two.bin)" "CPU Exec inner +2000000, Other (in no range and no call) -2000000" "the causes of logs are found while their ranges pass by"

if [ -r "$traces/resnet50_w0.json.gz" ]; then
	"$analyzer" diff "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" -f json 2>/dev/null >"$temp/json"
	is "$(python3 - "$temp/json" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
causes, swaps = diff["causes"], diff["swaps"]
whole = [part["change_ns"] for part in diff["parts"] if part["part"] == "Total"][0]
print(abs(sum(row["change_ns"] for row in causes) - whole) < len(causes), causes[0]["part"], round(causes[0]["moved_part"], 2),
      *(s["under"] for s in swaps))
PY
	)" "True DataLoader 0.96 aten::cudnn_convolution_backward_input aten::cudnn_convolution_backward_weight" \
		"of a public pair: the data loader is the cause, and cuDNN took other kernels"
	# pair A B BYTES: prints the number of causes within BYTES bytes, the difference of their
	# sum from the total, and whether the rest is summed up. File names count as bytes, so they
	# are the same wherever the traces are.
	pair()
	{
		(cd "$traces" && exec "$analyzer" diff -w 120 --brief="$3" "$1.json.gz" "$2.json.gz") 2>/dev/null >"$temp/out"
		python3 - "$temp/out" "$3" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
units = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
def ms(word):
    number, unit = re.fullmatch(r"([+-]?[0-9.]+)([a-z]+)", word).groups()
    return float(number) * units[unit]
head, table = re.search(r"made of: (\S+), .*\n\n(?:[^-].*\n)+-.*\n((?:[^\n]+[0-9](?:ns|us|ms|s)\n)+)", text).groups()
rows = [line.split() for line in table.splitlines()]
others = sum(re.match(r"\(\d+ others, (less|more)\)", line) is not None for line in table.splitlines())
told = sum(abs(ms(row[-1])) for row, line in zip(rows, table.splitlines()) if "others, " not in line)
moved = sum(map(ms, re.search(r"by (\S+) less and (\S+) more", text).groups()))
print(len(rows) - others, others, abs(sum(ms(row[-1]) for row in rows) - ms(head)) < 0.01 * moved,
      told >= 0.9 * moved or len(rows) - others == 8, len(text) <= int(sys.argv[2]))
PY
	}
	is "$(pair resnet50_w0 resnet50_w4 4000)" "8 2 True True True" \
		"in 4000 bytes the causes are there that make most of the change, and add up to it"
	is "$(pair nccl_data ns_resolution 4000)" "8 2 True True True" "of a pair with many small ones, too"
	is "$(pair h100_bert_small h100_falconsai 4000)" "8 2 True True True" "and of one step each"
else
	skip "of a public pair: the data loader is the cause" "there are no public traces"
fi
done_testing
