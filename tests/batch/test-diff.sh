#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer diff: parts add up, planted slowdowns are named, noise raises no alarm.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# log FILE SEED NOISE SLOW [LOAD]: writes a log of 40 steps of load, train and copy, with NOISE per
# cent of noise and some outliers. A range "train" takes SLOW per cent of its usual time. LOAD
# simulates other work on the machine: for some time (longer than one call) another program shares
# the CPU, LOAD per cent of it. Then calls take up to twice as long, or wait for turns of 4 ms.
log()
{
	python3 - "$2" "$3" "$4" "${5:-0}" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import random, sys
seed, noise, slow, load = (int(word) for word in sys.argv[1:])
random.seed(seed)
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
time, row, shared = 1000, 0, random.random() * 100 < load
def event(what):
    global row
    print("event 1 %d %d %s" % (row, time, what))
    row += 1
for step in range(40):
    event('push name="step"')
    for name, ns in ("load", 200000), ("train", 1000000 * slow // 100), ("copy", 50000):
        event('push name="%s"' % name)
        if random.random() < 0.1:
            shared = random.random() * 100 < load
        part = 1 + random.random() * shared if random.random() < 0.7 else 1
        time += int(ns * part * (1 + random.uniform(-noise, noise) / 100))
        if random.random() < 0.02:
            time += random.randrange(noise * 20000 + 1)
        if shared and random.random() < ns / 2e6:
            time += 4000000
        event("pop")
    event("pop")
    time += 1000
print('end status="clean"')
PY
}

log "$temp/a.bin" 1 3 100
log "$temp/b.bin" 2 3 110
"$analyzer" diff "$temp/a.bin" "$temp/a.bin" --fail-on 5%,10us >"$temp/out"
is "$? $(tail -n 1 "$temp/out")" "0 0 of 4 rows differ; 0 slower beyond noise, 5 % and 10.000us" \
	"a log does not differ from itself"
"$analyzer" "$temp/a.bin" -o "$temp/a.json" &&
	"$analyzer" diff "$temp/a.bin" "$temp/a.json" >"$temp/out"
is "$(tail -n 1 "$temp/out")" "0 of 4 rows differ; 0 slower beyond noise, 5 % and 10.000us" \
	"nor from its JSON"
"$analyzer" summarize "$temp/a.bin" -o "$temp/a.sum" &&
	"$analyzer" diff "$temp/a.sum" "$temp/a.bin" >"$temp/out"
is "$(tail -n 1 "$temp/out")" "0 of 4 rows differ; 0 slower beyond noise, 5 % and 10.000us" \
	"nor from its summary"
for others in '' "$temp/b.bin"; do
	# shellcheck disable=SC2086 # a word or none
	"$analyzer" diff "$temp/a.bin" "$temp/b.bin" $others --step-range step -w 0 | sed -n '/^Part/,/^$/p' | grep -v '^---' |
		cut -d ' ' -f 1,2 | tr -d '\n' >"$temp/out"
	is "$(tr -s ' ' <"$temp/out")" "Part CPU ExecTotal " "parts that neither has, as of GPUs, are no rows for people"
done
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step --fail-on 5%,10us -f json >"$temp/out"
is "$? $(python3 - "$temp/out" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
print(diff["unit"], diff["before"]["units"], *sorted(r["name"] for r in diff["rows"] if r["verdict"] == "slower"),
      *(p["part"] for p in diff["parts"] if p["verdict"] == "slower"))
PY
)" "1 step 40 step train CPU Exec Total" "a range that takes 10 % longer is named, and what it is in; the exit status is 1"
"$analyzer" diff "$temp/b.bin" "$temp/a.bin" --step-range step --fail-on 5%,10us >"$temp/out"
is "$? $(grep -cE "^[a-zA-Z].* -[0-9].* faster " "$temp/out")" "0 4" "the other way round it is faster, which is no failure"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --fail-on 20% >/dev/null
is $? 0 "a limit of 20 % is not exceeded"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --fail-on 200ms >/dev/null
is $? 0 "nor one of 200 ms"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --fail-on 5%,10us --baseline "$temp/b.bin" >/dev/null
is $? 0 "what is not slower than another baseline is no failure"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" -f junit | python3 -c '
import sys, xml.dom.minidom as dom
suite = dom.parse(sys.stdin).documentElement
failed = [f.parentNode.getAttribute("name") for f in suite.getElementsByTagName("failure")]
print(suite.getAttribute("failures"), *sorted(failed))' >"$temp/out"
is "$(cat "$temp/out")" "4 CPU Exec Total step train" "JUnit says so, too, of parts of steps as well"
# called FILE TIMES: writes a log of 6 steps. Each has TIMES calls of a range with a long name, and
# a kernel.
called()
{
	python3 - "$2" >"$1" <<'PY'
import json, sys
times, events = int(sys.argv[1]), []
def event(cat, name, ts, dur, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args})
for step in range(6):
    event("user_annotation", "ProfilerStep#%d" % step, step * 10000, 9000)
    for i in range(times):
        event("cpu_op", "forward " + "of a model with a long name " * 4, step * 10000 + i * 100, 90 + i % 3)
    event("cuda_runtime", "cudaLaunchKernel", step * 10000 + 8000, 10, correlation=step)
    event("kernel", "void gemm<float, 64>(float *)", step * 10000 + 8050, 100 + times, correlation=step, device=0, stream=7)
    event("kernel", "void gemm<float, 32>(float *)", step * 10000 + 8250, 100 + times, correlation=step, device=0, stream=7)
json.dump({"traceEvents": events}, sys.stdout)
PY
}
called "$temp/4.json" 4
called "$temp/68.json" 68
"$analyzer" diff "$temp/4.json" "$temp/68.json" -w 120 >"$temp/out"
is "$(grep -c '^range  *forward .*slower; calls 4 to 68 ' "$temp/out") $(awk 'length > 120' "$temp/out" | wc -l)" "1 0" \
	"numbers of calls that differ much stand in the verdict, which is not cut: names are"
is "$(grep -c '^kernels are told apart by whole names' "$temp/out")" 1 "how kernels are matched is told"
# few FILE MS [STEPS]: writes a log of 6 steps with 60 ranges, and a range "work" of MS ms.
few()
{
	python3 - "$2" "${3:-6}" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import sys
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
time, row = 1000, 0
def event(what):
    global row
    print("event 1 %d %d %s" % (row, time, what))
    row += 1
for step in range(int(sys.argv[2])):
    event('push name="step"')
    for name, ns in [("work", int(sys.argv[1]) * 1000000 + step * 1000)] + [("other %s" % chr(65 + i), 20000 + i + step) for i in range(50)]:
        event('push name="%s"' % name)
        time += ns
        event("pop")
    event("pop")
    time += 1000
PY
}
few "$temp/few.bin" 20
few "$temp/few3.bin" 60
"$analyzer" diff "$temp/few.bin" "$temp/few3.bin" --step-range step --fail-on 5%,10us -f json >"$temp/out"
is "$? $(python3 - "$temp/out" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
print(*[row["verdict"] for row in diff["parts"] + diff["rows"] if row.get("part", row.get("name")) in ("Total", "work")])
PY
)" "1 slower slower" \
	"6 steps of three times the time are slower, and so is the range among 50 that each of them has"
few "$temp/few40.bin" 20 40
few "$temp/few60.bin" 26 60
"$analyzer" diff "$temp/few40.bin" "$temp/few60.bin" --step-range step --fail-on 5%,10us -f json >"$temp/out"
is "$? $(sed -n 's/.*"name":"work".*"verdict":"\([a-z]*\)".*"method":"\([a-z]*\)".*/\1 \2/p' "$temp/out")" "1 slower pairs" \
	"a range that takes 30 % longer in more steps is slower"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" -o "$temp/x.foo" 2>"$temp/err"
is "$? $(find "$temp" -name 'x.*' | wc -l)" "2 0" "an output whose name does not say its form is refused"
for form in html json md txt xml; do
	"$analyzer" diff "$temp/a.bin" "$temp/b.bin" -o "$temp/x.$form"
	head -c 200 "$temp/x.$form" | grep -oE '<!doctype|^\{"before|^\* before|^before|<.xml' | head -n 1
done >"$temp/out"
is "$(tr '\n' ' ' <"$temp/out")" '<!doctype {"before * before before <?xml ' "others say it"
# Some steps: the same ranges belong to them as in stats.
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step --steps 10-19 -f json >"$temp/out"
for side in a b; do
	"$analyzer" stats "$temp/$side.bin" --step-range step --steps 10-19 -f csv >"$temp/$side.ranges" 2>"$temp/err"
	"$analyzer" stats "$temp/$side.bin" --step-range step --steps 10-19 -r overview -f csv >"$temp/$side.steps" 2>"$temp/err"
done
is "$(python3 - "$temp" <<'PY'
import csv, json, sys
diff = json.load(open(sys.argv[1] + "/out"))
figures = 0
for side, key in ("a", "before"), ("b", "after"):
    assert diff[key]["units"] == 10, diff[key]
    rows = {row["name"]: row for row in csv.DictReader(open("%s/%s.ranges" % (sys.argv[1], side)))}
    assert len(rows) == len(diff["rows"]) == 4, rows
    for row in diff["rows"]:
        own = rows[row["name"]]
        assert row["calls_" + key] == int(own["calls"]) / 10 == 1, (row, own)
        assert row[key + "_ns"] == int(own["cpu_total_ns"]) // 10, (row, own)
        figures += 1
    steps = list(csv.DictReader(open("%s/%s.steps" % (sys.argv[1], side))))[:10]
    total = [part for part in diff["parts"] if part["part"] == "Total"][0]
    assert total[key + "_ns"] == sum(int(step["total_ns"]) for step in steps) // 10, (total, steps)
print(figures)
PY
)" 8 "--steps: rows and parts are those of stats --steps"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --steps x >/dev/null 2>&1
is $? 2 "--steps x is refused"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step --steps 40- >/dev/null 2>"$temp/err"
is "$? $(sed "s,$temp/,," "$temp/err")" "3 analyzer: a.bin: there is no step 40-" "steps that are not there are said to be so"
"$analyzer" diff "$temp/a.sum" "$temp/b.bin" --steps 0 >/dev/null 2>"$temp/err"
is "$? $(sed "s,$temp/,," "$temp/err")" \
	"3 analyzer: a.sum: steps cannot be chosen from a summary: \`analyzer summarize --steps\` chooses them" "so are summaries"
for side in a b; do
	"$analyzer" summarize "$temp/$side.bin" --step-range step --steps 10-19 -o "$temp/$side.some"
done
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step --steps 10-19 -f json >"$temp/out"
"$analyzer" diff "$temp/a.some" "$temp/b.some" -f json >"$temp/sums"
is "$(python3 - "$temp/sums" "$temp/out" <<'PY'
import json, sys
sums, logs = (json.load(open(name)) for name in sys.argv[1:])
figures = lambda rows: sorted([[row.get(key) for key in ("part", "name", "before_ns", "after_ns", "calls_before", "self_after_ns")] for row in rows], key=str)
print(all(figures(sums[key]) == figures(logs[key]) for key in ("parts", "rows")),
      {row["method"] for row in sums["rows"]}, "pairs" in {row["method"] for row in logs["rows"]})
PY
)" "True {'buckets'} True" "summaries of some steps have the figures of the logs, but not their single calls"
# Steps that differ by a number are one row, however many a run has.
numbered()
{
	python3 - "$2" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import sys
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
for step in range(int(sys.argv[1])):
    print('event 1 %d %d push name="step %d"\nevent 1 %d %d push name="work 7"' % (4 * step, 1000 * step, step, 4 * step + 1, 1000 * step + 100))
    print("event 1 %d %d pop\nevent 1 %d %d pop" % (4 * step + 2, 1000 * step + 800, 4 * step + 3, 1000 * step + 900))
PY
}
numbered "$temp/few.bin" 6
numbered "$temp/more.bin" 9
for pattern in 'step #' 'st*'; do
	"$analyzer" diff "$temp/few.bin" "$temp/more.bin" --step-range "$pattern" -f json >"$temp/out"
	"$analyzer" summarize "$temp/more.bin" --step-range "$pattern" -o "$temp/more.sum"
	is "$(python3 - "$temp/out" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
print(*sorted((row["name"], row["calls_before"], row["calls_after"], row["change_ns"], row["verdict"]) for row in diff["rows"]))
PY
) $("$analyzer" stats "$temp/more.sum" -f csv 2>/dev/null | grep '^st' | cut -d, -f1,9)" \
		"('$pattern', 1, 1, 0, 'equal') ('work 7', 1, 1, 0, 'equal') $pattern,9" "steps named $pattern are one row"
done
# Several sides: each is compared with the first, in columns of its own.
log "$temp/c.bin" 5 3 100
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" "$temp/c.bin" --step-range step --fail-on 5%,10us -w 0 >"$temp/out"
is "$? $(sed -n '1,3s/, .*//p' "$temp/out" | sed "s,$temp/,," | tr '\n' ' ')$(grep -c 'slower beyond noise' "$temp/out")" \
	"1 A: a.bin B: b.bin C: c.bin 2" "three are compared, and one that is slower is a finding"
is "$(grep '^What  ' "$temp/out" | tr -s ' ')" "What Name A B B: usual call, 95 % B is B - A C C: usual call, 95 % C is C - A" \
	"columns are named by letters"
is "$(sed -n 's/^range  train .* \(slower\) .* \(equal\) .*/\1 \2/p' "$temp/out")" "slower equal" "a verdict for each"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" "$temp/c.bin" --step-range step -f json >"$temp/several"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step -f json >"$temp/first"
is "$(sed -nE 's/^B: [0-9]+ of [0-9]+ rows differ; ([0-9]+) rows? and ([0-9]+) parts? slower beyond noise, .*/\1 \2/p' "$temp/out")" \
	"$(python3 -c 'import json, sys
diff = json.load(open(sys.argv[1]))
print(*(sum(row["verdict"] == "slower" for row in diff[key]) for key in ("rows", "parts")))' "$temp/first")" \
	"rows that are slower and parts of a step that are slower are counted apart"
"$analyzer" diff "$temp/a.bin" "$temp/c.bin" --step-range step -f json >"$temp/second"
is "$(python3 - "$temp/several" "$temp/first" "$temp/second" <<'PY'
import json, sys
several, first, second = (json.load(open(name)) for name in sys.argv[1:])
print(several == {"comparisons": [first, second]})
PY
)" "True" "JSON has each comparison as it is of two"
"$analyzer" diff "$temp/a.bin" "$temp/c.bin" "$temp/b.bin" --step-range step -f junit | python3 -c '
import sys, xml.dom.minidom as dom
suite = dom.parse(sys.stdin).documentElement
cases = suite.getElementsByTagName("testcase")
failed = [f.parentNode for f in suite.getElementsByTagName("failure")]
print(int(suite.getAttribute("tests")) == len(cases), sorted({f.getAttribute("classname") for f in failed}))' >"$temp/out"
is "$(cat "$temp/out")" "True ['range, C', 'step, C']" "JUnit says which"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" "$temp/c.bin" --step-range step -f md | grep -c '^| *range | *train' >"$temp/out"
is "$(cat "$temp/out")" 1 "Markdown, too"
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" -w 0 >"$temp/out"
is "$(grep -c 'Calls before *Calls after' "$temp/out")" 1 "of two no column is just called after"
for words in '--fail-on 5' '--fail-on ,' '--format csv' '--limit x'; do
	# shellcheck disable=SC2086 # two words
	"$analyzer" diff "$temp/a.bin" "$temp/b.bin" $words >/dev/null 2>&1
	is $? 2 "$words is refused"
done
"$analyzer" diff "$temp/a.bin" >/dev/null 2>&1
is $? 2 "one input is refused"
"$analyzer" diff "$temp/a.bin" "$temp/none.bin" >/dev/null 2>&1
is $? 3 "an input that is not there gives exit status 3"

# noise WHAT NOISE LOAD...: makes 20 runs (RANGES_TEST_DIFF_RUNS) of one program under these loads
# in turn. Their 190 pairs raise no alarm.
runs=${RANGES_TEST_DIFF_RUNS:-20}
noise()
{
	what=$1
	noise=$2
	shift 2
	run=0
	while [ $run -lt "$runs" ]; do
		run=$((run + 1))
		log "$temp/log.bin" $((100 + run)) "$noise" 100 "$1"
		set -- "$@" "$1"
		shift
		"$analyzer" summarize --step-range step "$temp/log.bin" -o "$temp/$run.sum"
	done
	a=0
	pairs=0
	alarms=0
	while [ $a -lt "$runs" ]; do
		a=$((a + 1))
		b=$a
		while [ $b -lt "$runs" ]; do
			b=$((b + 1))
			pairs=$((pairs + 1))
			"$analyzer" diff "$temp/$a.sum" "$temp/$b.sum" --fail-on 5%,10us >/dev/null ||
				alarms=$((alarms + 1))
		done
	done
	is "$pairs $alarms" "$((runs * (runs - 1) / 2)) 0" "$what raises no alarm in $pairs pairs"
}

noise "noise of 25 %" 25 0
noise "load that comes and goes" 2 10 80 0 95 40
log "$temp/a.bin" 3 2 100 20
log "$temp/b.bin" 4 2 130 20
"$analyzer" diff "$temp/a.bin" "$temp/b.bin" --step-range step --fail-on 5%,10us -f json >"$temp/out"
is "$? $(python3 -c '
import json, sys
print(*[r["name"] for r in json.load(open(sys.argv[1]))["rows"] if r["verdict"] == "slower"])' "$temp/out")" \
	"1 train step" "under some load a range that takes 30 % longer is named, and what it is in"

# Memory-bound work beside other programs: in a run all calls are slower, and vary by half.
shared()
{
	python3 - "$1" "$2" "$3" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import random, sys
percent, spread = (int(word) for word in sys.argv[2:])
random.seed(len(sys.argv[1]))
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
time, row = 1000, 0
for step in range(60):
    for what in 'push name="step"', 'push name="compute"', "pop", 'push name="load"', "pop", "pop":
        print("event 1 %d %d %s" % (row, time, what))
        row += 1
        if what.endswith('compute"'):
            time += 5000000 + step % 7 * 1000
        elif what.endswith('load"'):
            time += 300000 * percent // 100 * (100 + random.randrange(60) * spread // 60) // 100
PY
}
shared "$temp/alone.bin" 100 50
shared "$temp/beside.bin" 109 50
shared "$temp/steady.bin" 100 4
shared "$temp/slow.bin" 109 4
for pair in 'alone beside' 'steady slow'; do
	"$analyzer" diff "$temp/${pair% *}.bin" "$temp/${pair#* }.bin" --step-range step --fail-on 5%,10us -f json >"$temp/out"
	echo "$? $(grep -o '"name":"load".*"verdict":[a-z"]*' "$temp/out" | sed 's/.*://')"
done >"$temp/verdicts"
is "$(tr '\n' ' ' <"$temp/verdicts")" '0 "unsure" 1 "slower" ' \
	"what varies by half within both runs is unsure when 9 % slower, what varies by 4 % is slower"
if [ -f "$traces/resnet50_w4.json.gz" ]; then
	"$analyzer" diff "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" -f json >"$temp/out"
	is "$(python3 - "$temp/out" <<'PY'
import json, sys
diff = json.load(open(sys.argv[1]))
parts = {part["part"]: part for part in diff["parts"]}
for name in "Total", "DataLoader":
    print(name, *("%.3f" % (parts[name][key] / 1e6) for key in ("before_ns", "after_ns")))
total = parts.pop("Total")
for key in "before_ns", "after_ns", "change_ns":
    assert sum(part[key] for part in parts.values()) == total[key], key
PY
)" "Total 177.592 141.068
DataLoader 59.262 1.186" "ResNet-50 with 0 and 4 loaders: the plugin's figures, and the parts add up"
else
	skip "ResNet-50 with 0 and 4 loaders" "no traces"
fi
# Missing data in an input is reported as by other commands, and also beside the verdicts that rest
# on it.
mkdir "$temp/cut"
head -c $(($(wc -c <"$temp/b.bin") - 8)) "$temp/b.bin" >"$temp/cut/b.bin"
"$analyzer" stats "$temp/cut/b.bin" 2>"$temp/stats-err" >/dev/null
"$analyzer" diff "$temp/a.bin" "$temp/cut/b.bin" -w 0 >"$temp/out" 2>"$temp/err"
is "$(wc -l <"$temp/err") $(cat "$temp/err")" "1 $(cat "$temp/stats-err")" "a log that is cut is told as by stats"
is "$(grep -c '^range  train .* slower (incomplete) ' "$temp/out") $(grep -c '^after: b.bin: the log has no end' "$temp/out")" "1 1" \
	"a verdict says that its input is incomplete, and the last lines what that lacks"
"$analyzer" diff "$temp/a.bin" "$temp/cut/b.bin" -f json 2>/dev/null | python3 -c '
import json, sys
diff = json.load(sys.stdin)
print(diff["before"]["incomplete"], diff["after"]["incomplete"])' >"$temp/out"
is "$(cat "$temp/out")" "0 1" "JSON counts such inputs"
"$analyzer" diff "$temp/a.bin" "$temp/cut/b.bin" -f junit 2>/dev/null | grep -c '<failure message="slower: .*; an input is incomplete"' >"$temp/out"
is "$(cat "$temp/out")" 4 "JUnit says it in each failure"
"$analyzer" diff "$temp/cut/b.bin" "$temp/a.bin" "$temp/b.bin" -w 0 2>/dev/null >"$temp/out"
is "$(grep -c '^A: b.bin: the log has no end' "$temp/out") $(grep '^range  train ' "$temp/out" | grep -o '(incomplete)' | wc -l)" "1 2" \
	"of several sides, too"
"$analyzer" summarize "$temp/cut/b.bin" -o "$temp/cut/b.sum" 2>/dev/null
"$analyzer" diff "$temp/a.bin" "$temp/cut/b.sum" -w 0 2>/dev/null >"$temp/out"
is "$(grep -c '^after: b.bin: the log has no end' "$temp/out")" 1 "and of summaries"
"$analyzer" diff "$temp/a.bin" "$temp/cut/b.bin" -o "$temp/cut.html" 2>/dev/null
is "$(grep -c '<li>after: b.bin: the log has no end' "$temp/cut.html") $(grep -c 'slower (incomplete)' "$temp/cut.html")" "1 4" "and on the page"
python3 - "$temp/a.json" "$temp/cut/a.json" <<'PY'
import sys
text = open(sys.argv[1]).read()
open(sys.argv[2], "w").write(text[:len(text) // 3])
PY
"$analyzer" stats "$temp/cut/a.json" 2>"$temp/stats-err" >/dev/null
"$analyzer" diff "$temp/a.json" "$temp/cut/a.json" -w 0 >"$temp/out" 2>"$temp/err"
is "$(wc -l <"$temp/err") $(cat "$temp/err") $(grep -c '(incomplete)' "$temp/out" | sed 's/[1-9]/some/')" "1 $(cat "$temp/stats-err") some" \
	"a trace that is cut likewise"
echo 'range[train].calls > 0' >"$temp/rules"
"$analyzer" check "$temp/rules" "$temp/cut/b.bin" >/dev/null 2>"$temp/err"
is "$? $(wc -l <"$temp/err")" "0 1" "check says it, too"

# Each fourth call takes five times as long. The fast calls are unchanged, but this is not the row's
# verdict. runs FOLDER CALL LONG RUNS DISTURBED: writes traces in which "work" takes CALL us, each
# fourth call LONG, and one call of run 1 more.
runs()
{
	mkdir -p "$temp/$1"
	for run in $(seq "$4"); do
		python3 - "$run" "$2" "$3" "$5" >"$temp/$1/$run.json" <<'PY'
import json, random, sys
run, call, long, disturbed = map(float, sys.argv[1:])
random.seed(run * 1000 + call + long)
def dur(i):
    noise = random.random() / 10 + (random.random() < .1) * random.random()
    return (long if i % 4 == 3 else call) * (1 + .01 * noise) + (disturbed if i == 5 and run == 1 else 0)
print(json.dumps({"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "work", "pid": 1, "tid": 1, "ts": 100000 * i, "dur": dur(i)} for i in range(200)]}))
PY
	done
}
# verdicts BEFORE AFTER [LIMIT]: prints the range's verdict and doubt.
verdicts()
{
	"$analyzer" diff "$temp/$1" "$temp/$2" --fail-on "5%,${3:-10us}" -f json 2>/dev/null |
		sed -n 's/.*"name":"work".*"verdict":"\([a-z]*\)"\(.*"doubt":"\([a-z]*\)"\)\{0,1\}.*/\1 \3/p'
}
runs all 200 200 5 0
runs fourth 200 1000 5 0
runs again 200 201 5 0
is "$(verdicts all fourth) $(verdicts fourth all)" "slower  faster " "where all else is quiet the time of all tells"
# The runs are so disturbed that the total time shows nothing.
runs noisy-all 200 200 5 90000
runs noisy-fourth 200 1000 5 60000
is "$(verdicts noisy-all noisy-fourth) $(verdicts noisy-fourth noisy-all)" "unsure longer unsure longer" "where it can't, the row is unsure"
# In one run before the change, other programs made each fourth call as long as all calls are after
# the change.
runs busy 200 200 5 90000
runs one 200 1500 1 90000
cp "$temp/one/1.json" "$temp/busy/1.json"
is "$(verdicts busy noisy-fourth) $(verdicts noisy-fourth busy)" "unsure longer unsure longer" "a run that was disturbed does not hide it"
is "$(verdicts busy noisy-all)" "equal " "nor is that run a change"
is "$(verdicts all again)" "equal " "and equal if they are as they were"

# 15 % of 200 calls of 20 us are 0.6 ms. They are found, though a call of the first run took 60 ms.
runs short 20 20 5 60000
runs shorter 23 23 5 0
is "$(verdicts short shorter 1500us)" "equal " "a disturbed call does not make a limit in time small"

# One of a step's two calls takes twice as long, the other a third. Together they take 17 % more, so
# nothing got faster.
for side in before after; do
	python3 - $side >"$temp/mixed-$side.json" <<'PY'
import json, random, sys
random.seed(sys.argv[1])
times = (34, 30) if sys.argv[1] == "before" else (66, 9)
print(json.dumps({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "convert" if i % 3 else "other", "pid": 0, "tid": 7, "ts": 200 * i,
    "dur": (times[i % 3 - 1] if i % 3 else 100) + random.random(), "args": {"device": 0, "stream": 7, "correlation": i + 1}} for i in range(90)]}))
PY
done
for sides in 'before after' 'after before'; do
	"$analyzer" diff "$temp/mixed-${sides% *}.json" "$temp/mixed-${sides#* }.json" --fail-on 2%,1us -f json 2>/dev/null >"$temp/out"
	is "$(sed -n 's/.*"name":"convert".*"verdict":"\([a-z]*\)".*/\1/p' "$temp/out")" unsure "calls that moved both ways are neither: from $sides"
done

# The printed change is the figure on which the verdict rests. The total, which includes outliers,
# is also printed if it disagrees. odd SIDE RUN: in even runs of the side after, some calls take
# very long.
odd()
{
	python3 - "$@" <<'PY'
import json, random, sys
random.seed("".join(sys.argv[1:]))
side, events, at = sys.argv[1] == "after", [], 0
for i in range(200):
    is_long = side and i % 70 == 3 and int(sys.argv[2]) % 2 == 0
    for name, dur in ("stalls", 5000 if is_long else 100), ("better", 9000 if is_long else 80 if side else 100), ("other", 50), ("third", 70), ("fourth", 60):
        dur += random.random()
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at, "dur": dur, "args": {"device": 0, "stream": 7, "correlation": len(events) + 1}})
        at += dur + 1
print(json.dumps({"traceEvents": events}))
PY
}
for side in before after; do
	odd $side 0 >"$temp/odd-$side.json"
	mkdir "$temp/odd-$side"
	for run in 1 2 3 4 5; do odd $side $run >"$temp/odd-$side/$run.json"; done
done
"$analyzer" diff "$temp/odd-before.json" "$temp/odd-after.json" -w 0 >"$temp/out" 2>/dev/null
is "$(sed -n 's/^kernel  stalls .*  \([-+][0-9.]*\) % (.*  equal [^(]*(total \([a-z]*\)) .*/\1 \2/p' "$temp/out" | sed 's/[-+]0\.[0-9]/small/')" "small longer" \
	"calls that are equal but for three that stood still: equal, and the total is told"
is "$(grep -cE '^kernel  better .* -[12][0-9]\.[0-9] % \(-.*  unsure: total longer ' "$temp/out")" 1 "calls that all got faster but for three: why that is unsure"
is "$(grep -c '^of 2 rows the total, with outliers' "$temp/out")" 1 "a line tells what is shown"
"$analyzer" diff "$temp/odd-before" "$temp/odd-after" -w 0 >"$temp/out" 2>/dev/null
is "$(grep -cE '^kernel  better .* -[0-9.]+ % \(-.*  faster \(total longer\) ' "$temp/out")" 1 "of several runs: faster, with the total that is not"

# Kernels have the same short names as in other tables if the width is limited, and full names in
# other formats.
for dur in 10 30; do
	python3 - $dur >"$temp/kernel-$dur.json" <<'PY'
import json, sys
names = ["void ns::fused<4, (anonymous namespace)::Op<float>, %s>(float*, int)" % ("Deep<int>, " * 40 + "int"), "ncclDevKernel_AllReduce_Sum_f32<Ring>(x)"]
print(json.dumps({"traceEvents": [{"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 100 * i, "dur": int(sys.argv[1]),
    "args": {"device": 0, "stream": 7, "correlation": i + 1}} for i, name in enumerate(names * 3)]}))
PY
done
RANGES_WIDTH=120 "$analyzer" diff "$temp/kernel-10.json" "$temp/kernel-30.json" >"$temp/out" 2>/dev/null
is "$(grep -c '^kernel  *ns::fused ' "$temp/out") $(grep -c 'Deep' "$temp/out")" "1 0" "kernels have short names in text"
RANGES_WIDTH=120 "$analyzer" diff "$temp/kernel-10.json" "$temp/kernel-30.json" "$temp/kernel-10.json" >"$temp/out" 2>/dev/null
is "$(grep -c '^kernel  *ns::fused ' "$temp/out") $(grep -c 'Deep' "$temp/out")" "1 0" "of several sides, too"
is "$("$analyzer" diff "$temp/kernel-10.json" "$temp/kernel-30.json" -f json 2>/dev/null | sed -n '/^"rows":/,$p' |
	grep -c '"void ns::fused<4, ')" 1 "and whole ones in JSON"
# One step: a new long kernel, slightly slower kernels with one short name, and a kernel that
# another one of its template replaced. Apart from the new one, the kernels' total is within the
# limits.
order()
{
	python3 - "$1" <<'PY'
import json, sys
side = sys.argv[1] == "after"
events, at = [], 1000
def kernel(name, dur, count):
    global at
    for i in range(count):
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at, "dur": dur + i / 100, "args": {"device": 0, "stream": 7, "correlation": len(events) + 1}})
        at += dur + 1
kernel("void ns::work<int>(int*)", 115 if side else 100, 20)
kernel("void ns::work<float>(float*)", 100 if side else 115, 20)
kernel("rest", 3000, 20)
if side:
    kernel("fresh", 1500, 1)
kernel("void ns::swap<%s>(void)" % ("long" if side else "short"), 700 if side else 600, 1)
print(json.dumps({"traceEvents": events}))
PY
}
order before >"$temp/order-before.json"
order after >"$temp/order-after.json"
RANGES_WIDTH=120 "$analyzer" diff "$temp/order-before.json" "$temp/order-after.json" >"$temp/out" 2>/dev/null
is "$(awk -F '  +' '$1 == "kernel" { print $2 ": " $6 }' "$temp/out")" \
	"fresh: new
ns::swap [long]: new: see next row
ns::swap [short]: gone: see row above
ns::work [float]: faster
ns::work [int]: slower" \
	"rows come by what they changed by, new ones among them, gone ones beside what is in their place, names with what they differ in"
is "$(grep -A1 '^Kernel is' "$temp/out" | tr -s '\n ' ' ' | cut -d';' -f2)" " of its rows 1 slower (+300.000us), 1 faster (-300.000us), 2 new (+2.200ms), 1 gone (-600.000us), \
3 on both sides (64.306ms to 64.306ms) " \
	"a part that is not slower beside a row that is: what moved in it"

# Twelve layers take twice as long, except the last, which got shorter; and one name has no number.
layers()
{
	python3 - "$1" <<'PY'
import json, sys
side = sys.argv[1] == "after"
events, at = [], 1000
for step in range(8):
    begin = at
    for i in range(12):
        dur = 1000 + i
        dur = dur * 2 if side and i < 11 else dur // 2 if side else dur
        events.append({"ph": "X", "cat": "user_annotation", "name": "layer %d" % i, "pid": 1, "tid": 1, "ts": at, "dur": dur + step % 3, "args": {}})
        at += dur + 10
    events.append({"ph": "X", "cat": "user_annotation", "name": "loss", "pid": 1, "tid": 1, "ts": at, "dur": 3000 if side else 1000, "args": {}})
    at += 3010 if side else 1010
    events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin, "dur": at - begin, "args": {}})
    at += 1
print(json.dumps({"traceEvents": events}))
PY
}
layers before >"$temp/layers-before.json"
layers after >"$temp/layers-after.json"
RANGES_WIDTH=200 "$analyzer" diff "$temp/layers-before.json" "$temp/layers-after.json" --no-drift >"$temp/out" 2>/dev/null
is "$(sed -n '/^Cause/,/^$/p' "$temp/out" | awk -F '  +' 'NR > 2 && NF { print $1 ": " $5 " " $6 }')" \
	"layer # × 11: 11.065ms 22.120ms
loss: 1.000ms 3.000ms
(1 other, less): 1.012ms 505.875us" "causes that differ only by a number, and moved alike, are one"
is "$(awk -F '  +' '$1 == "range" { print $2 ": " $3 " " $4 " " $6 }' "$temp/out")" \
	"loss: 1.000ms 3.000ms slower
layer # × 11: 11.065ms 22.120ms slower
layer 11: 1.012ms 505.875us faster" "ranges that differ only by a number and moved alike are one row, with their sums"
is "$(grep -c '^ranges that differ only by a number and moved alike share a row' "$temp/out")" 1 "which is said"
is "$(RANGES_WIDTH=0 "$analyzer" diff "$temp/layers-before.json" "$temp/layers-after.json" -w 0 2>/dev/null | grep -c '^range  *layer [0-9]')" 12 \
	"without a width each has its own"
is "$("$analyzer" diff "$temp/layers-before.json" "$temp/layers-after.json" -f json 2>/dev/null | python3 -c '
import json, sys
diff = json.load(sys.stdin)
print(*(sum(row["name"].startswith("layer") for row in diff[key]) for key in ("rows", "causes")))')" "12 12" "and for machines"
done_testing
