#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer search finds the same as dump --slices and the reports, by name, thread and time. Rows
# that are cut are summed, and a line says what the file lacks.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which counts again, is missing"
unset RANGES_WIDTH
cat >"$temp/long.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"kernel","name":"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x64_64x6_tn_align8::Params)","pid":0,"tid":7,"ts":3,"dur":2,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x64_64x6_tn_align8::Params)","pid":0,"tid":7,"ts":5,"dur":1,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"other","pid":0,"tid":7,"ts":6,"dur":1,"args":{"device":0,"stream":7}}]}
END
printed=$("$analyzer" stats "$temp/long.json" -r kernels -w 60 | sed -n 's/^\(cutlass[^ ]*\.\.\.[^ ]*\.\.\.\)  .*/\1/p')
is "$(printf '%s\n' "$printed" | grep -c .)" 2 "two kernels have names that are cut where they differ"
printf '%s\n' "$printed" | while read -r name; do
	"$analyzer" search "$temp/long.json" --name "$name" -f csv 2>/dev/null | grep -c Kernel2
done | tr '\n' ' ' >"$temp/counts"
is "$(cat "$temp/counts")" "1 1 " "a name as it is printed finds the whole one"
is "$("$analyzer" check --rule "kernel[$(printf '%s\n' "$printed" | sed 's/ #.*//;q')].calls == 1" "$temp/long.json" | sed -n '$p')" \
	"0 of 1 rule broken" "in rules of check, too"
is "$("$analyzer" search "$temp/long.json" --from 100s | sed -n 1p)" "0 found, of 0 names, from 100.000s; the recording ends at 4.000us" \
	"beyond the end it says where that is"
is "$("$analyzer" search "$temp/long.json" --name '*GEMM*' -f csv | grep -c Kernel2) $("$analyzer" search "$temp/long.json" --name 'Kernel2*256x64' -f csv | grep -c Kernel2)" \
	"2 1" "a star stands for any text"
is "$("$analyzer" search "$temp/long.json" --unit ns --sort start | sed -n 's/^ *\([0-9]*ns\)  *\([0-9]*ns\)  *kernel .*/\1 \2/p' | tr '\n' ' ')" "0ns 2000ns 2000ns 1000ns 3000ns 1000ns " \
	"--unit: times to the ns"
is "$("$analyzer" search "$temp/long.json" --from 2.5us --to 2500ns 2>&1 | tail -n 1 | cut -d';' -f1) $("$analyzer" search "$temp/long.json" --from 0.0000025s --unit us | sed -n 1p)" \
	"analyzer: --to must be later than --from 2 found, of 2 names, from 2.500us" "times are given in ns, us, ms or s"
"$analyzer" search "$temp/long.json" --unit min 2>"$temp/err"
is "$? $(cat "$temp/err")" '2 analyzer: --unit: "min" is not one of ns, us, ms, s; see analyzer search --help' "and in no others"
echo '{"traceEvents":[{"ph":"X","cat":"python_function","name":"train.py(7): step","pid":1,"tid":1,"ts":1,"dur":9},{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":2,"dur":3}]}' >"$temp/python.json"
is "$("$analyzer" search "$temp/python.json" --name train.py | sed -n '1,2p' | tr '\n' ' ')" \
	"0 found, of 0 names 1 function of Python was not searched (--python searches them) " "functions of Python are told where they are not looked through"
is "$("$analyzer" search "$temp/python.json" --name train.py --python | sed -n 1p)" "1 found, of 1 name" "and found with --python"
is "$("$analyzer" search "$temp/python.json" --python --from 2us --to 8us | sed -n 2p)" \
	"thread 1: in what was found for 2.000us of 6.000us, only in ranges around it for 4.000us, in nothing of it for 0ns" \
	"between two times: how much of it was in what was found, and how much only in what encloses it"
is "$("$analyzer" search "$temp/python.json" --python --from 2us --to 8us | sed -n 3p)" \
	"  innermost: train.py(7): step itself 4.000us, aten::add 2.000us" "and what was the innermost, each instant once"
cat >"$temp/nested.py" <<'END2'
import json
rows = [("user_annotation", "ProfilerStep#1", 0, 100), ("user_annotation", "## backward ##", 10, 80), ("cpu_op", "aten::conv", 20, 30),
        ("cuda_runtime", "cudaLaunchKernel", 40, 5), ("cpu_op", "aten::add", 60, 10), ("user_annotation", "alone", 92, 4)]
print(json.dumps({"traceEvents": [{"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur,
                                   "args": {"correlation": 1} if cat == "cuda_runtime" else {}} for cat, name, ts, dur in rows] +
    [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 50, "dur": 25, "args": {"device": 0, "stream": 7, "correlation": 1}}]}))
END2
python3 "$temp/nested.py" >"$temp/nested.json"
is "$("$analyzer" search "$temp/nested.json" --from 0us --to 100us -w 0 | sed -n '2,/^GPU/p' | tr -s '\n ' ' ')" \
	"thread 1: in what was found for 44.000us of 100.000us, only in ranges around it for 40.000us, in nothing of it for 16.000us innermost: ## backward ## itself 40.000us, aten::conv 25.000us, aten::add 10.000us, cudaLaunchKernel 5.000us, 1 more 4.000us GPU 0 stream 7: in what was found for 25.000us of 100.000us, in nothing of it for 75.000us " \
	"a step and a range around operators make no thread busy; operators do, and a range with nothing inside"
is "$("$analyzer" search "$temp/python.json" --name aten --thread 'thread 1' | sed -n 2p)" \
	"thread 1: in what was found for 3.000us of 4.000us, in nothing of it for 1.000us" "and how much not; of a thread of all of the recording"
is "$("$analyzer" search "$temp/python.json" --name aten --from 1us --to 3us | sed -n '/^Kind .*Count/,/^range/s/  */ /gp' | grep -v -e - | tr '\n' '|')" \
	"Kind Name Count Time between Longest, whole|range aten::add 1 2.000us 3.000us|" "which part of a duration is cut stands above it"
cpu=$top_srcdir/tests/data/format-1/plain.bin
gpu=$temp/gpu.bin
python3 "$top_srcdir/tests/tools/gpu-log.py" 1 0 600 1 | python3 "$top_srcdir/tests/tools/text-log.py" "$gpu"

cat >"$temp/again.py" <<'END2'
import csv, io, random, subprocess, sys
analyzer, log = sys.argv[1:3]
def run(*words):
    return subprocess.run([analyzer, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
slices = [line.split("\t") for line in run("dump", "--slices", log).splitlines()[1:]]
slices = [(int(tid), int(start), int(dur), name) for _, tid, _, start, dur, name in slices]
end = max(start + dur for _, start, dur, _ in slices)
names = sorted({name for _, _, _, name in slices})
tids = sorted({tid for tid, _, _, _ in slices})
random.seed(31)
for number in range(40):
    name, tid = random.choice(names + [""] * 9), random.choice([None, *tids])
    first, last = sorted((random.randrange(end), random.randrange(end)))
    words = ["--from=%dns" % first, "--to=%dns" % (last + 1), "--name=" + name.upper(), *([] if tid is None else ["--thread=%d" % tid])]
    wanted = sorted((start, dur, text) for thread, start, dur, text in slices if name.upper() in text.upper() and tid in (None, thread)
        and start <= last and (start + dur > first or start >= first))
    rows = list(csv.DictReader(io.StringIO(run("search", log, "-f", "csv", *words))))
    got = [(int(row["start_ns"]), int(row["dur_ns"]), row["name"]) for row in rows if row["kind"] in ("range", "mark")]
    if sorted(got) != wanted:
        print("other rows of %s: %d, and %d wanted" % (words, len(got), len(wanted)))
    if [row["dur_ns"] for row in rows] != sorted((row["dur_ns"] for row in rows), key=int, reverse=True):
        print("not the longest first: %s" % words)
    rows = list(csv.DictReader(io.StringIO(run("search", log, "-f", "csv", "--sort=start", *words))))
    if [row["start_ns"] for row in rows] != sorted((row["start_ns"] for row in rows), key=int):
        print("not the earliest first: %s" % words)
    if not run("search", log, *words).startswith("%d found, of " % len(rows)):
        print("another number: %s" % words)
END2
is "$(python3 "$temp/again.py" "$analyzer" "$cpu" 2>&1)" "" "40 searches in a log find what dump --slices has"

"$analyzer" search "$gpu" -f csv 2>/dev/null | python3 -c '
import collections, csv, subprocess, sys
rows = list(csv.DictReader(sys.stdin))
for report, kinds in (("kernels", ["kernel"]), ("memcpy", ["memcpy", "memset"]), ("api", ["call"])):
    text = subprocess.run([sys.argv[1], "stats", "-r", report, "-f", "csv", sys.argv[2]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    wanted = list(csv.DictReader(text.splitlines()))
    key = "total_ns" if "total_ns" in wanted[0] else "sum_ns"
    got = [row for row in rows if row["kind"] in kinds]
    number = sum(int(row["calls"]) for row in wanted)
    total = sum(int(row[key]) for row in wanted)
    print(report, len(got) == number > 0, sum(int(row["dur_ns"]) for row in got) == total)
' "$analyzer" "$gpu" >"$temp/said" 2>&1
is "$(cat "$temp/said")" "kernels True True
memcpy True True
api True True" "kernels, copies and calls are those of the reports"
is "$("$analyzer" search "$gpu" --thread "gpu 0 STREAM" -f csv 2>/dev/null | tail -n +2 | cut -d, -f5 | grep -vc '^"\{0,1\}GPU 0 stream')" 0 "streams are found by their GPU"

size=$("$analyzer" search --brief=2500 "$gpu" 2>/dev/null | wc -c)
is "$((size <= 2500 && size > 1200))" 1 "--brief keeps to its bytes"
"$analyzer" search --brief=2500 "$gpu" >"$temp/said" 2>/dev/null
is "$(grep -c '^[^ ]* more' "$temp/said")$(grep -c ' more:' "$temp/said")" "$(grep -c '^[^ ]* more' "$temp/said")2" "and sums what it leaves out, in both tables"
is "$("$analyzer" search "$gpu" 2>/dev/null | tail -n 1)" "$("$analyzer" why "$gpu" 2>/dev/null | tail -n 1)" "what the file lacks stands below"
head -c "$(($(wc -c <"$cpu") * 2 / 3))" "$cpu" >"$temp/cut.bin"
"$analyzer" search --strict "$temp/cut.bin" >/dev/null 2>&1
is $? 4 "--strict minds what is missing"
is "$("$analyzer" search "$cpu" --name nothing-of-this-name 2>/dev/null | head -n 1)" "0 found, of 0 names" "nothing found is an answer"
is "$("$analyzer" search "$cpu" --thread nobody 2>/dev/null | sed -n 2p)" "threads and streams: worker 10 4242, worker 10 4243" \
	"of a thread that is not there it says which are"
for words in "" "$temp/none.bin" "$cpu $gpu" "$cpu --from x" "$cpu --from 2s --to 1s" "$cpu --sort name" "$cpu --brief -f csv" "$cpu -f x"; do
	# shellcheck disable=SC2086 # words of a command
	"$analyzer" search $words >"$temp/said" 2>"$temp/errors"
	printf '%s %s\n' "$?" "$(grep -c '^analyzer: ' "$temp/errors")"
done | tr '\n' ';' >"$temp/codes"
is "$(cat "$temp/codes")" "2 1;3 1;2 1;2 1;2 1;2 1;2 1;2 1;" "what will not do: a line and a code"

"$analyzer" help exposed_late >"$temp/said"
is "$(grep -c '^exposed_late: a column of 2 reports' "$temp/said")" 1 "help of a column of several reports, without its ending, says so"
"$analyzer" help next_wait >"$temp/said"
is "$(grep -c '^  next_wait_ns "It waits" ns, in comm$' "$temp/said")" 1 "help of a column, without its ending, names the reports"
is "$("$analyzer" help sync_calls | sed -n '2p' | cut -c1-40)" "      the host is late because of a wait" "help of a finding says when it holds"
is "$("$analyzer" help memory | grep -c -e '^memory: a finding' -e '^memory: .*allocated')" 2 "of a word that is both, both"
undefined=$("$analyzer" stats --list | sed -n 's/^\([a-z_-][a-z_-]*\)  .*/\1/p' | while read -r report; do
	"$analyzer" stats --help "$report" | sed -n 's/^  \([a-z0-9_]*\) ".*/\1/p'
done | sort -u | while read -r key; do
	"$analyzer" help "$key" 2>/dev/null | grep -q '^      ' || echo "$key"
done)
is "$undefined" "" "each column of each report is defined"
"$analyzer" help exposd_ns >"$temp/said" 2>&1
is "$? $(grep -c 'did you mean "exposed_ns"' "$temp/said")" "2 1" "a word that is none gets a guess"
# a contains b, which contains a; c is separate.
cat >"$temp/nested.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"work a","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"user_annotation","name":"between","pid":1,"tid":1,"ts":10,"dur":60},
{"ph":"X","cat":"user_annotation","name":"work b","pid":1,"tid":1,"ts":20,"dur":40},
{"ph":"X","cat":"user_annotation","name":"work a","pid":1,"tid":1,"ts":30,"dur":10},
{"ph":"X","cat":"user_annotation","name":"work c","pid":1,"tid":1,"ts":200,"dur":7}]}
END
is "$("$analyzer" search "$temp/nested.json" --name work | grep 'are inside')" \
	"2 of the ranges are inside others that were found, and count twice: the outermost alone took 107.000us" \
	"what counts in the time of several names is told"
is "$("$analyzer" search "$temp/nested.json" --name between | grep -c 'are inside')" 0 "where nothing does, no line is there"
done_testing
