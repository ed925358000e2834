#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer diff of several runs per side: slower ranges are called and named first, noise is not
# called, and drift is reported.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
here=$test_dir/batch

# runs NAME SEED RUNS [KEY=VALUE...]
runs()
{
	name=$1
	shift
	python3 "$here/diff-runs.py" runs "$test_dir/tools/text-log.py" "$temp/$name" "$@"
}

# look EXPRESSION [FILE]: of the JSON d, with r: its rows by name.
look()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
r = {row["name"]: row for row in d["rows"]}
called = [row["name"] for row in d["rows"] if row["verdict"] in ("slower", "faster")]
print('"$1"')' "${2:-$temp/out}"
}

runs base 1 5
runs same 2 5
runs slow 3 5 sort=120
"$analyzer" diff "$temp/base" "$temp/slow" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called[0], r["sort"]["verdict"], r["sort"]["method"], r["sort"]["runs_before"], r["sort"]["runs_after"], 0.17 < r["sort"]["estimate_part"] < 0.23')" \
	"1 sort slower pairs 5 5 True" "20 % more in a range is slower, named before the range around it, by pairs of 5 runs"
is "$(look 'r["sort"]["low_part"] > 0.1 and r["sort"]["high_part"] < 0.3 and r["sort"]["chance"] < 0.02')" "True" \
	"its interval is around that"
is "$(look 'sorted(name for name in r if r[name]["verdict"] == "equal")')" "['compress', 'multiply', 'parse', 'write']" \
	"the others are equal"
"$analyzer" diff "$temp/slow" "$temp/base" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called[0], r["sort"]["verdict"]')" "0 sort faster" "the other way round it is faster"
"$analyzer" diff "$temp/base" "$temp/same" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called, {row["verdict"] for row in d["rows"]}')" "0 [] {'equal'}" "equal sides are told equal"
"$analyzer" diff "$temp/base" "$temp/slow" --fail-on 40% >"$temp/text"
is "$?" 0 "a limit of 40 % is not exceeded"
"$analyzer" diff "$temp/base" "$temp/slow" -w 0 >"$temp/text"
is "$(grep -cE '^range +sort .* \+[12][0-9.]+ % \(\+1[0-9.]+ to \+2[0-9.]+\) +slower +pairs' "$temp/text") $(grep -cE '^range +parse .* equal ±[0-4]\.[0-9] %' "$temp/text")" "1 1" \
	"people see the estimate with its interval, method, and how equal is"
"$analyzer" diff "$temp/base" "$temp/slow" -f junit | grep -A1 'name="sort"' | grep -c 'slower: .* before, .* after; estimated +.*95 %: +.* by pairs of 5 and 5 runs' >"$temp/out"
is "$(cat "$temp/out")" 1 "JUnit has them"
"$analyzer" diff "$temp/base" "$temp/slow" -f md | grep -cE '^\| range +\| sort .*to \+[0-9.]*\).* slower .* pairs' >"$temp/out"
is "$(cat "$temp/out")" 1 "so has Markdown"

# A range that took no time has no ratio to its later time.
for dur in 0 1500; do
	python3 -c 'import json, sys
dur = int(sys.argv[1])
json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": i * 2000, "dur": dur} for i in range(40)]}, sys.stdout)' \
		"$dur" >"$temp/took-$dur.json"
done
"$analyzer" diff "$temp/took-0.json" "$temp/took-1500.json" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'r["op"]["verdict"]')" "1 slower" "what takes time and took none is slower"

# Summaries are runs without pairs. Files are runs in any order.
for side in base slow; do
	"$analyzer" summarize "$temp/$side" -o "$temp/$side.sum"
done
"$analyzer" diff "$temp/base.sum" "$temp/slow.sum" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called[0], r["sort"]["method"], r["sort"]["runs_before"]')" "1 sort calls 5" "of summaries runs are compared, without pairs"
"$analyzer" summarize "$temp"/slow/run-4.bin "$temp"/slow/run-[0123].bin -o "$temp/again.sum"
"$analyzer" diff "$temp/base.sum" "$temp/again.sum" -f json >"$temp/again"
is "$(sed 1,2d "$temp/again" | cksum)" "$(sed 1,2d "$temp/out" | cksum)" "in whatever order they are given"

# The change that all rows share.
runs calm 18 5 run=0.3
runs shared 4 5 all=102 run=0.3
"$analyzer" diff "$temp/calm" "$temp/shared" --fail-on 5%,10us >"$temp/text"
is "$? $(grep -cE '^ranges of the second side were [12]\.[0-9] % slower throughout: taken out of the intervals' "$temp/text")" "0 1" \
	"a side that is 2 % slower throughout is told so, and nothing is called"
"$analyzer" diff "$temp/calm" "$temp/shared" --no-drift -f json >"$temp/out"
is "$(look '0.012 < r["parse"]["estimate_part"] < 0.028') $("$analyzer" diff "$temp/calm" "$temp/shared" --no-drift | grep -c throughout)" "True 0" \
	"--no-drift leaves it in"
runs all 5 5 all=130
"$analyzer" diff "$temp/base" "$temp/all" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'sorted(called)')" "1 ['compress', 'item', 'multiply', 'parse', 'sort', 'write']" "30 % more in all rows is no drift: all are slower"

is "$(look '[(s["of"], s["share"], s["verdict"], s["low_part"] < 0.3 < s["high_part"]) for s in d["shared"]]')" "[('ranges', 'change', 'slower', True)]" \
	"JSON tells what all rows share"
"$analyzer" diff "$temp/base" "$temp/all" -f junit | grep -A1 'classname="shared" name="ranges"' | grep -cE '<failure message="ranges of the second side were [23][0-9.]+ % slower throughout .*: a change of all"' >"$temp/out"
is "$(cat "$temp/out")" 1 "JUnit has it as a case that fails"
"$analyzer" diff "$temp/calm" "$temp/shared" -f junit | grep -A1 'classname="shared" name="ranges"' | grep -cE '<system-out>ranges .* slower throughout: taken out of the intervals</system-out>' >"$temp/out"
is "$(cat "$temp/out")" 1 "and what is taken out as one that passes"
"$analyzer" diff "$temp/base" "$temp/all" "$temp/base" | grep -cE '^ranges of B were [23][0-9.]+ % slower throughout' >"$temp/out"
is "$(cat "$temp/out")" 1 "of several sides the letter is told"
runs fickle 20 5 machine=25 items=30
runs fickle-all 21 5 machine=25 all=130 items=30
"$analyzer" diff "$temp/fickle" "$temp/fickle-all" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look '[s["share"] for s in d["shared"]], called, {row["verdict"] for row in d["rows"]}')" "0 ['open'] [] {'unsure'}" \
	"30 % more in all rows on a machine that varies by as much is neither equal nor called"
is "$(look 'all(row["low_part"] < 0.3 < row["high_part"] for row in d["rows"])')" True "intervals hold it"
"$analyzer" diff "$temp/fickle" "$temp/fickle-all" | grep -c "the machine or the program, which 5 and 5 runs can't tell" >"$temp/out"
"$analyzer" diff "$temp/fickle" "$temp/fickle-all" -f junit | grep -A1 'classname="shared" name="ranges"' | grep -c '<skipped message="ranges .*the machine or the program' >>"$temp/out"
is "$(tr '\n' ' ' <"$temp/out")" "1 1 " "people are told so, and JUnit has a case that is skipped"
runs fickle-sort 22 5 machine=25 sort=130 items=30
"$analyzer" diff "$temp/fickle" "$temp/fickle-sort" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look '[s["share"] for s in d["shared"]], r["sort"]["verdict"], r["parse"]["verdict"]')" "1 ['open'] slower unsure" \
	"a row that differs from the others is called there"

# Runs with different calls.
runs missing 6 5 missing=1 sort=120
"$analyzer" diff "$temp/base" "$temp/missing" -f json >"$temp/out"
is "$(look 'called[:1], r["sort"]["method"], r["parse"]["verdict"]')" "['sort'] pairs equal" "calls that are missing leave the others paired"
runs random 7 5 random=1 items=120
runs random-slow 8 5 random=1 items=120 sort=150
"$analyzer" diff "$temp/random" "$temp/random-slow" -f json >"$temp/out"
is "$(look 'r["sort"]["verdict"], {row["method"] for row in d["rows"]}')" "slower {'calls'}" "where each run has other work nothing is paired"
runs twice 9 5 twice=30
"$analyzer" diff "$temp/base" "$temp/twice" -f json >"$temp/out"
is "$(look 'r["sort"]["verdict"], r["sort"]["method"]')" "slower totals" "what is slower in some of its calls only is so by its totals"

# Ranks are parts of a run.
runs ranks 10 3 ranks=2 items=30
runs ranks-slow 11 3 ranks=2 items=30 sort=130
"$analyzer" diff "$temp/ranks" "$temp/ranks-slow" -f json >"$temp/out"
is "$(look 'called[0], r["sort"]["runs_before"], d["before"]["inputs"], r["sort"]["method"]')" "sort 3 6 pairs" "ranks of one folder are one run"

# Few runs that vary.
runs few 12 2 run=6 noise=10
runs few-too 13 2 run=6 noise=10 sort=104
"$analyzer" diff "$temp/few" "$temp/few-too" -w 0 >"$temp/text"
is "$(grep -cE '^range .* unsure: [0-9]+ runs? more' "$temp/text" | sed 's/[1-9]/some/')" some "what is unsure says how many runs would settle it"

# One run on either side.
runs one 14 1 items=1500
runs one-slow 15 1 items=1500 sort=125
"$analyzer" diff "$temp/one/run-0.bin" "$temp/one-slow/run-0.bin" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called[:1], r["sort"]["method"], r["sort"]["runs_before"]')" "1 ['sort'] pairs 1" "25 % more in one log of 1,500 calls is slower"
runs one-same 16 1 items=1500
"$analyzer" diff "$temp/one/run-0.bin" "$temp/one-same/run-0.bin" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called')" "0 []" "of equal logs nothing is"
runs one-all 17 1 items=1500 all=130
"$analyzer" diff "$temp/one/run-0.bin" "$temp/one-all/run-0.bin" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called, r["sort"]["verdict"]')" "0 [] unsure" "of one run each nobody knows whether the machine or the program is slower throughout"

# Distributions show a change, though the interval of the calls contains "no change". The verdict
# does not rest on the interval.
for side in 0 1; do
	python3 -c 'import json, sys
side = int(sys.argv[1])
events = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": i * 9000 + at * 3000, "dur": 1000 + side * more}
          for i in range(40) for at, (name, more) in enumerate((("a", 0), ("b", 300), ("c", 600)))]
json.dump({"traceEvents": events}, sys.stdout)' $side >"$temp/apart-$side.json"
done
"$analyzer" diff "$temp/apart-0.json" "$temp/apart-1.json" -f json >"$temp/out"
is "$(look '[(r[n]["verdict"], r[n]["method"], r[n]["low_part"], r[n]["estimate_part"]) for n in "c"]')" "[('slower', 'buckets', None, None)]" \
	"what is called by buckets has no interval of calls"
"$analyzer" diff "$temp/apart-0.json" "$temp/apart-1.json" -w 0 >"$temp/text"
is "$(grep -cE '^range +c .* total \+60.0 % +slower +buckets ' "$temp/text") $(grep -cE 'Usual (step|call), 95 % +Verdict +By +(Mean|Total) change' "$temp/text") $(grep -c 'Total %' "$temp/text")" "1 2 0" \
	"people see by what, and which figure the interval is of"

# Traces of other programs.
if [ -f "$traces/resnet50_w0.json.gz" ]; then
	python3 "$here/diff-runs.py" loader "$traces/resnet50_w0.json.gz" "$temp/loader.json" 30
	"$analyzer" diff "$traces/resnet50_w0.json.gz" "$temp/loader.json" --fail-on 5%,10us -f json >"$temp/out"
	is "$? $(look '[(part["part"], part["change_ns"] // 1000000) for part in d["parts"] if part["verdict"] == "slower"]')" \
		"1 [('DataLoader', 30), ('Total', 30)]" "30 ms more in the DataLoader of a step of 177 are called"
	for trace in resnet50_w0 ns_resolution nccl_data negative_queue h100_falconsai; do
		name=$(python3 "$here/diff-runs.py" kernel "$traces/$trace.json.gz" "$temp/kernel.json" 15)
		"$analyzer" diff "$traces/$trace.json.gz" "$temp/kernel.json" --fail-on 5%,10us -f json >"$temp/out"
		is "$? $(look 'called')" "1 ['$name']" "a kernel of $trace that takes 15 % longer is called, and no other"
	done
else
	skip "30 ms more in the DataLoader, a kernel that takes 15 % longer" "no traces"
fi
done_testing
