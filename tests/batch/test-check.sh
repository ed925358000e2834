#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer check: budgets that hold and budgets that are broken, over all inputs and for each.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# log FILE RANK TRAIN: writes a log of five steps of 10 us. Each has TRAIN ns of train, and a kernel
# of half that time.
log()
{
	{
		echo "capture pid=$((100 + $2)) clock=\"monotonic\" rank=$2"
		echo 'def stream id=1 tid=7 name="main"'
		echo 'def stream id=3 parent=1 name="GPU"'
		for step in 0 1 2 3 4; do
			at=$((1000 + step * 10000))
			echo "event 1 $((step * 4)) $at push name=\"step\""
			echo "event 1 $((step * 4 + 1)) $((at + 1000)) push name=\"a[0] <b>.train\""
			echo "event 1 $((step * 4 + 2)) $((at + 1000 + $3)) pop"
			echo "event 1 $((step * 4 + 3)) $((at + 10000)) pop"
			echo "event 3 $((step * 2)) $((at + 1100)) api name=\"cudaLaunchKernel\" dur=100 tid=7 corr=$((step + 1)) kind=1"
			echo "event 3 $((step * 2 + 1)) $((at + 2000)) kernel name=\"k\" dur=$(($3 / 2)) context=1 queue=7 corr=$((step + 1))"
		done
		echo 'end status="clean"'
	} | python3 "$test_dir/tools/text-log.py" "$1"
}

log "$temp/0.bin" 0 2000
log "$temp/1.bin" 1 6000

# says RULE [OPTION...]: prints check's line for the rule, and the exit status.
says()
{
	rule=$1
	shift
	printf '%s\n' "$rule" >"$temp/rules"
	"$analyzer" check "$temp/rules" "$temp/0.bin" "$temp/1.bin" --step-range step "$@" 2>"$temp/err" |
		sed '$d' | tr '\n' '|'
	"$analyzer" check "$temp/rules" "$temp/0.bin" "$temp/1.bin" --step-range step "$@" >/dev/null 2>&1
	echo " $?"
}

while IFS='~' read -r rule status value; do
	mark=ok
	[ "$status" = 0 ] || mark=FAIL
	is "$(says "$rule")" "$(printf '%-6s%s: %s| %s' $mark "$rule" "$value" "$status")" "$rule"
done <<'RULES'
step.calls == 10~0~10
step.mean <= 10 us~0~10.000us
step.mean < 10us~1~10.000us
step.mean >= 10us~0~10.000us
step.total > 0.1ms~1~100.000us
step.max != 10us~1~10.000us
step.imbalance == 1~0~1
step.kernel < 1.9us~1~2.000us
step.kernel <= 20%~0~20.00%
step.kernel < 19.9%~1~20.00%
range[a[0] <b>.train].calls == 10~0~10
range[a[0] <b>.train].mean == 4us~0~4.000us
range[a[0] <b>.train].max < 6us~1~6.000us
range[a*train].imbalance <= 1.5~0~1.5
range[a*train].total < 1us~1~40.000us
range[a*trai].calls == 0~0~0; nothing has this name
range[none].calls < 1~0~0; nothing has this name
range[none].calls < 2 or none~0~nothing has this name
range[none].p99 < 1s or none~0~nothing has this name
range[step].max < 1us or none~1~10.000us
range[*].imbalance < 9~1~imbalance needs one name, and several match
range[*].cuda < 1us~1~40.000us
range[step].self == 60us~0~60.000us
range[none].p99 < 1s~1~nothing has this name
kernel[k].p50 > 3us~1~1.001us
collective[*].calls == 0~0~0
api[cuda*].calls == 10~0~10
api[cuda*].errors == 0~0~0
memcpy[*].bytes == 0~0~0
gpu.busy >= 23%~0~23.81% of the GPU span
gpu.idle < 50 %~1~76.19% of the GPU span
gpu.exposed == 0%~0~0.00% of the GPU span
lost == 0~0~0
events == 40~0~40
inputs == 2~0~2
incomplete == 0~0~0
RULES

# A name that does not exist breaks the rule, whatever its figure is.
for rule in 'calls < 2' 'calls != 3' 'calls >= 0' 'total < 1s' 'self < 1s' 'cuda < 1s'; do
	is "$("$analyzer" check --rule "range[non*].$rule" "$temp/0.bin")" "FAIL  range[non*].$rule: nothing has this name
1 of 1 rule broken
a rule may end in \"or none\": then it also holds if nothing has the name" "a misspelt name fails: $rule"
done
is "$("$analyzer" check --rule 'api[cudaMaloc].calls == 0' "$temp/0.bin" -f json | grep -o '"holds[^}]*}')" \
	'"holds":true,"unit":"number","value":0,"why":"nothing has this name"}' "JSON says so, too, of a rule that holds"

printf '# budgets\n\n  step.calls\t==  5 # of each\nkernel[k].max < 2us\n' >"$temp/rules"
"$analyzer" check "$temp/rules" "$temp/1.bin" "$temp/0.bin" --each --step-range step >"$temp/out"
is "$? $(cat "$temp/out")" "1 ok    rank 0: step.calls ==  5: 5
ok    rank 0: kernel[k].max < 2us: 1.000us
ok    rank 1: step.calls ==  5: 5
FAIL  rank 1: kernel[k].max < 2us: 3.000us
1 of 4 rules broken" "--each holds each input against all rules; remarks and empty lines are none"
"$analyzer" check "$temp/rules" "$temp/1.bin" "$temp/0.bin" --each --step-range step -f junit |
	python3 -c '
import sys, xml.dom.minidom as dom
suite = dom.parse(sys.stdin).documentElement
failed = suite.getElementsByTagName("failure")
print(suite.getAttribute("tests"), suite.getAttribute("failures"), failed[0].parentNode.getAttribute("name"),
      failed[0].getAttribute("message"))' >"$temp/out"
is "$(cat "$temp/out")" "4 1 rank 1: kernel[k].max < 2us 3.000us" "JUnit has a case for each rule"
"$analyzer" check "$temp/rules" "$temp/1.bin" --step-range none -f json | python3 -c '
import json, sys
for rule in json.load(sys.stdin)["rules"]:
    print(rule["rule"], rule["holds"], rule["unit"], rule["value"], rule.get("why"))' >"$temp/out"
is "$(cat "$temp/out")" "step.calls ==  5 False number 0 None
kernel[k].max < 2us False ns 3000 None" "JSON has the values; without steps there are 0"
is "$("$analyzer" check "$temp/rules" "$temp/1.bin")" "ok    step.calls ==  5: 5
FAIL  kernel[k].max < 2us: 3.000us
1 of 2 rules broken
ranges step are taken as steps by their name (--step-range)" "ranges named step are steps, and it is said"
is "$("$analyzer" check "$temp/rules" "$temp/1.bin" --step-range step | tail -n 1)" "1 of 2 rules broken" "it is not where they are named"
is "$("$analyzer" check --rule 'kernel[k].max < 2us' "$temp/1.bin" | tail -n 1)" "1 of 1 rule broken" \
	"nor where no rule asks for steps"
printf 'step.p50 < 1s\ngpu.idle < 100%%\n' >"$temp/rules"
python3 "$test_dir/tools/text-log.py" "$temp/cpu.bin" <<'LOG'
capture pid=1 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="a"
event 1 1 2000 pop
LOG
is "$(cd "$temp" && "$analyzer" check cpu.bin 2>&1)" \
	"analyzer: cpu.bin: this is not a file of rules, which comes before the logs and traces; see analyzer check --help" \
	"an input in the place of the rules is told"
is "$("$analyzer" check "$temp/rules" "$temp/cpu.bin")" "FAIL  step.p50 < 1s: there are no steps
FAIL  gpu.idle < 100%: there is no GPU work
2 of 2 rules broken" "a figure that is not there breaks its rule"

is "$("$analyzer" check --rule 'step.p60 < 1s' "$temp/0.bin" 2>&1)" 'analyzer: --rule: rule 1: "step.p60 < 1s": no such figure; step has calls, total, mean, min, max, p50, p90, p99, imbalance, kernel, memcpy, memset, communication, runtime, dataloader, cpu_exec, other, energy; see analyzer check --help' \
	"a figure that there is not is quoted, with those that there are"
is "$("$analyzer" check --rule 'stepp.p50 < 1s' "$temp/0.bin" 2>&1)" 'analyzer: --rule: rule 1: "stepp.p50 < 1s": no such subject; expected step, gpu, range[NAME], kernel[NAME], collective[NAME], memcpy[NAME] or api[NAME]; see analyzer check --help' \
	"so is a subject"
number=0
while read -r rule; do
	number=$((number + 1))
	printf '\n%s\n' "$rule" >"$temp/rules"
	"$analyzer" check "$temp/rules" "$temp/0.bin" >/dev/null 2>"$temp/err"
	is "$? $(grep -c 'line 2: ' "$temp/err")" "2 1" "no rule: $rule"
done <<'RULES'
step.p98 < 1ms
step.p99 < 20
step.p99 < 20h
step.p99 < ms
step.p99 < -1ms
step[x].p99 < 1ms
foo.p99 < 1ms
gpu.idle < 5ms
gpu.p99 < 5ms
range.p50 < 1ms
range[a < 1ms
range[a]p50 < 1ms
kernel[k].errors == 0
lost = 0
lost
RULES
: >"$temp/rules"
"$analyzer" check "$temp/rules" "$temp/0.bin" >/dev/null 2>&1
is $? 2 "a file without rules is refused"
echo 'lost == 0' >"$temp/rules"
"$analyzer" check "$temp/rules" "$temp/0.bin" "$temp/none.bin" >"$temp/out" 2>/dev/null
is "$? $(cat "$temp/out")" "3 " "if an input cannot be read nothing is said of the others"
"$analyzer" check "$temp/none" "$temp/0.bin" >/dev/null 2>&1
is $? 3 "nor if the rules cannot be"
"$analyzer" check >/dev/null 2>&1
is $? 2 "without rules check is refused"

# Against other inputs.
timed()
{
	python3 - "$2" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import sys
print('capture pid=1 clock="monotonic"\ndef stream id=1 tid=7 name="main"')
for i in range(10):
    print('event 1 %d %d push name="sort"' % (2 * i, 1000000 * i))
    print("event 1 %d %d pop" % (2 * i + 1, 1000000 * i + int(sys.argv[1])))
print('end status="clean"')
PY
}
mkdir "$temp/old" "$temp/two"
timed "$temp/old/0.bin" 100000
timed "$temp/two/0.bin" 104000
timed "$temp/two/1.bin" 104001
timed "$temp/slow.bin" 106000
"$analyzer" summarize "$temp/old" -o "$temp/main.sum"
(
	cd "$temp" || exit
	printf '%s\n' 'range[sort].p50 < main.sum * 1.05' 'range[sort].p50<"old" # a folder' 'range[sort].calls == old/' >against
	"$analyzer" check against two
	echo "exit $?"
	"$analyzer" check against slow.bin -f json
	echo "exit $?"
) >"$temp/out" 2>&1
is "$(grep -c 'ok    range\[sort\].p50 < main.sum \* 1.05: 10[34]....us, baseline .*us: 1.0.. times; by 2 runs and 1 of the baseline 1.0.. times, 95 % 1.0.. to 1.0..$' "$temp/out") $(grep -c '^FAIL' "$temp/out")" "1 1" \
	"a rule holds a figure against that of another file"
is "$(grep -c '^ok    range\[sort\].calls == old/: 20, baseline 20: 1.000 times$' "$temp/out")" 1 "sums are of as many inputs"
is "$(grep -o '^exit .' "$temp/out" | tr '\n' ' ')$(grep -c '"rule":"range\[sort\].p50 < main.sum \* 1.05","holds":false,"unit":"ns","value":10[56][0-9]*,"baseline_value":[19][0-9]*}' "$temp/out")" "exit 1 exit 1 1" \
	"and is broken if it is more, in JSON with the baseline's"
printf '%s\n' 'range[sort].p50 < main.sum * 1.07' >"$temp/against"
is "$(cd "$temp" && "$analyzer" check against two/0.bin slow.bin --each | grep -c '^ok .*: 1.0[46]. times$')" 2 "each input for itself, too"
printf '%s\n' 'range[sort].p50 < none.sum' >"$temp/against"
(cd "$temp" && "$analyzer" check against slow.bin >out 2>&1)
is "$? $(cat "$temp/out")" "3 analyzer: none.sum: cannot be opened: No such file or directory" "a baseline that is not there is no limit"
python3 "$test_dir/tools/text-log.py" "$temp/other.bin" <<'LOG'
capture pid=1 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="other"
event 1 1 2000 pop
end status="clean"
LOG
printf '%s\n' 'range[new].p50 < main.sum' 'range[sort].max < other.bin * 9' >"$temp/against"
(cd "$temp" && "$analyzer" check against slow.bin) >"$temp/out"
is "$(head -n 1 "$temp/out")" "FAIL  range[new].p50 < main.sum: nothing has this name" "what neither has breaks the rule"
is "$(sed -n 2p "$temp/out")" "FAIL  range[sort].max < other.bin * 9: baseline: nothing has this name" "so does what the baseline has not"
for wrong in 'lost < main.sum *' 'lost < main.sum * x' 'lost < "main.sum' 'lost < main' 'lost < main.sum * -1' 'lost < "main.sum" 2' 'lost < main.sum ** 2' 'lost < ""'; do
	printf '%s\n' "$wrong" >"$temp/against"
	"$analyzer" check "$temp/against" "$temp/slow.bin" >/dev/null 2>"$temp/err"
	is "$? $(wc -l <"$temp/err") $(grep -c 'line 1: ' "$temp/err")" "2 1 1" "no rule: $wrong"
done

# Several runs: an interval. runs DIR SORT...: makes a run for each SORT. In it sort takes SORT ns
# ten times, and parse half of that and some more.
runs()
{
	mkdir "$temp/$1"
	python3 - "$test_dir/tools/text-log.py" "$temp/$1" "$@" <<'PY'
import subprocess, sys
tool, folder, _, *times = sys.argv[1:]
for run, time in enumerate(times):
    lines = ['capture pid=%d clock="monotonic"' % (run + 1), 'def stream id=1 tid=7 name="main"']
    for i in range(10):
        for part, (name, length) in enumerate((("sort", int(time)), ("parse", int(time) // 2 + 100 * run))):
            at = 2000000 * i + 1000000 * part
            lines += ['event 1 %d %d push name="%s"' % (4 * i + 2 * part, at, name), "event 1 %d %d pop" % (4 * i + 2 * part + 1, at + length)]
    lines.append('end status="clean"')
    subprocess.run([sys.executable, tool, "%s/run-%d.bin" % (folder, run)], input="\n".join(lines).encode(), check=True)
PY
}
runs five 100000 101000 99000 100500 99500
runs same 100200 99300 100900 98800 100600
runs more 108000 109500 107500 108500 108800
runs wild 100000 112000 99000 108000 101000
# tells RULE INPUT [OPTION...]: prints check's lines, and the exit status.
tells()
{
	rule=$1
	shift
	printf '%s\n' "$rule" >"$temp/rules"
	(
		cd "$temp" || exit
		"$analyzer" check rules "$@" 2>&1
		echo "exit $?"
	) | tr '\n' '|'
}
number='[0-9]\.[0-9][0-9][0-9]'
shown="us: $number times; by 5 runs and 5 of the baseline $number times, 95 % $number to $number"
# matches TEXT PATTERN WHAT
matches()
{
	printf '%s\n' "$1" | grep -qx "$2"
	is "$? $1" "0 $1" "$3"
}
matches "$(tells 'range[sort].mean < five/ * 1.05' same)" "ok    range\[sort\].mean < five/ \* 1.05: .*$shown|0 of 1 rule broken|exit 0|" "all of the interval keeps to the limit: it holds"
matches "$(tells 'range[sort].mean < five/ * 1.05' more)" "FAIL  range\[sort\].mean < five/ \* 1.05: .*$shown|1 of 1 rule broken|exit 1|" "nothing of it does: it is broken"
matches "$(tells 'range[sort].mean < five/ * 1.05' wild)" "unsure range\[sort\].mean < five/ \* 1.05: .*$shown: [0-9]* more runs of each would settle it|0 of 1 rule broken, 1 unsure|exit 0|" \
	"the limit is in it: that is unsure, and no failure"
matches "$(tells 'range[sort].mean < five/ * 1.05' wild --strict)" "FAIL  range\[sort\].mean < five/ \* 1.05: .*$shown|1 of 1 rule broken|exit 1|" "but with --strict it is"
matches "$(tells 'range[sort].mean < five/' same)" "unsure .*|0 of 1 rule broken, 1 unsure|exit 0|" "equal sides are not told slower by less than noise"
matches "$(tells 'range[sort].mean > five/' more)" "ok    .*$shown|0 of 1 rule broken|exit 0|" "more is told as well"
matches "$(tells 'range[sort].mean >= five/' same)" "unsure .*" "as far as the runs can tell"
matches "$(tells 'range[sort].calls <= five/' same)" "ok    range\[sort\].calls <= five/: 50, baseline 50: 1.000 times|.*" "numbers have no interval"
matches "$(tells 'range[sort].mean != five/' more)" "ok    [^;]*|0 of 1 rule broken|exit 0|" "equal and unequal are of the figures"
matches "$(tells 'range[sort].total < five/ * 1.05' more)" "FAIL  range\[sort\].total < five/ \* 1.05: 5.423ms, baseline 5.000ms: 1.085 times; by 5 runs .*" "totals have one"
matches "$(tells 'range[sort].mean < five/run-0.bin * 1.03' more/run-0.bin)" "FAIL  range\[sort\].mean < five/run-0.bin \* 1.03: 108.000us, baseline 100.000us: 1.080 times|1 of 1 rule broken|exit 1|" "one run on either side has none"
is "$(tells 'range[sort].mean < five/ * 1.03' more --each | tr '|' '\n' | grep -c '^FAIL .*; by 1 run and 5 of the baseline ')" 5 "with --each it is one against the baseline's"
printf '%s\n' 'range[sort].mean < five/ * 1.05' >"$temp/rules"
for side in same more wild; do
	(cd "$temp" && "$analyzer" check rules "$side" -f json) | python3 -c '
import json, sys
d = json.load(sys.stdin)
r = d["rules"][0]
print(d["broken"], d["unsure"], r["holds"], r["low"] < r["ratio"] < r["high"], r["runs"], r["baseline_runs"], "more_runs" in r)'
	(cd "$temp" && "$analyzer" check rules "$side" -f junit) | python3 -c '
import sys, xml.dom.minidom as dom
case = dom.parse(sys.stdin).documentElement.getElementsByTagName("testcase")[0]
print([(e.tagName, "95 %" in (e.getAttribute("message") or e.firstChild.data)) for e in case.childNodes if e.nodeType == 1])'
done >"$temp/out"
is "$(cat "$temp/out")" "0 0 True True 5 5 False
[('system-out', True)]
1 0 False True 5 5 False
[('failure', True)]
0 1 None True 5 5 True
[('skipped', True)]" "JSON and JUnit have the interval"
printf '%s\n' 'range[sort].mean < five/ * 2' 'range[sort].mean < five/ * 1.05' 'range[sort].mean < five/ * 0.5' >"$temp/rules"
(cd "$temp" && "$analyzer" check rules wild --brief) | cut -c 1-6 >"$temp/out"
is "$(tr '\n' '|' <"$temp/out")" "FAIL  |unsure|ok    |1 of 3|" "in brief what is broken stands first, then what is unsure"
"$analyzer" summarize "$temp/five" -o "$temp/five.sum"
is "$(tells 'range[sort].mean < five.sum * 1.05' wild | sed 's/five.sum/five\//')" "$(tells 'range[sort].mean < five/ * 1.05' wild)" "a summary of the runs has the same interval"

# Another figure of the same inputs.
matches "$(tells 'range[sort].mean < range[parse].mean * 2.1' wild)" "ok    .*: 104.000us, the other figure 52.200us: 1.992 times; by 5 runs 1.992 times, 95 % 1.9.. to $number|0 of 1 rule broken|exit 0|" \
	"two figures of each run are compared, whatever runs vary by"
matches "$(tells 'range[sort].mean < range[parse].mean*1.9' wild)" "FAIL  .*|exit 1|" "and the rule is broken if they are further apart"
matches "$(tells 'range[sort].mean < range[parse].mean * 2.1' wild/run-1.bin)" "ok    range\[sort\].mean < range\[parse\].mean \* 2.1: 112.000us, the other figure 56.100us: 1.996 times|.*" "one run is enough for the figures"
matches "$(tells 'lost <= events * 0.01' wild)" "ok    lost <= events \* 0.01: 0, the other figure 200: 0.000 times|.*" "numbers, too"
matches "$(tells 'range[sort].mean < range[none].mean' wild)" "FAIL  .*: the other figure: nothing has this name|.*" "a figure that is not there breaks the rule"
python3 "$test_dir/tools/text-log.py" "$temp/odd.bin" <<'LOG'
capture pid=1 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="a < b"
event 1 1 2000 pop
event 1 2 3000 push name="c] > *d.p50"
event 1 3 5000 pop
end status="clean"
LOG
matches "$(tells 'range[a < b].max <= range[c] > *d.p50].max * 0.5' odd.bin)" "ok    .*: 1.000us, the other figure 2.000us: 0.500 times|.*" "names may hold comparisons, brackets and stars"
cp "$temp/odd.bin" "$temp/step.p50"
matches "$(tells 'range[a < b].max <= "step.p50"' odd.bin)" "ok    .*: 1.000us, baseline 1.000us: 1.000 times|.*" "a file that is called as a figure stands in quotation marks"
for wrong in 'range[a].mean < range[b].mena' 'range[a].mean < range[b].calls' 'range[a].mean < step.calls' 'lost < events *' 'lost < events 2' 'lost < range[a.calls' 'lost < step'; do
	printf '%s\n' "$wrong" >"$temp/rules"
	"$analyzer" check "$temp/rules" "$temp/slow.bin" >/dev/null 2>"$temp/err"
	is "$? $(grep -c 'line 1: ' "$temp/err")" "2 1" "no rule: $wrong"
done
# Rules as options: the same, and no file of them.
printf 'lost == 0\nrange[train].calls > 1000000\n' >"$temp/pair"
"$analyzer" check "$temp/pair" "$temp/slow.bin" >"$temp/wanted" 2>&1
wanted=$?
"$analyzer" check --rule 'lost == 0' --rule ' range[train].calls > 1000000 # a remark' "$temp/slow.bin" >"$temp/out" 2>&1
is "$? $(cat "$temp/out")" "$wanted $(cat "$temp/wanted")" "--rule, once for each, is as a file of rules"
"$analyzer" check --rule 'lost == 0' --rule 'nonsense' "$temp/slow.bin" >/dev/null 2>"$temp/err"
is "$? $(grep -c -e '--rule: rule 2: ' "$temp/err")" "2 1" "one that is none is named"
"$analyzer" check --rule 'lost == 0' >/dev/null 2>"$temp/err"
is "$? $(wc -l <"$temp/err")" "2 1" "what it is of is still wanted"

# A trace that was cut: the rest of it might keep any rule.
printf '{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"work","pid":1,"tid":1,"ts":5,"dur":100},{"ph":"X","cat":"user_annotation","na' >"$temp/cut.json"
is "$("$analyzer" check --rule 'range[work].max < 1s' "$temp/cut.json" 2>/dev/null; echo $?)" \
	"ok    range[work].max < 1s: 100.000us; an input is incomplete
0 of 1 rule broken
0" "of an input that is cut a rule that holds says so"
is "$("$analyzer" check --strict --rule 'range[work].max < 1s' --rule 'incomplete < 2' "$temp/cut.json" 2>/dev/null; echo $?)" \
	"FAIL  range[work].max < 1s: 100.000us; an input is incomplete
ok    incomplete < 2: 1
1 of 2 rules broken
1" "and with --strict it is broken, but for what is lacking itself"
is "$("$analyzer" check --rule 'range[work].max < 1s' "$temp/cut.json" -f json 2>/dev/null | grep -c '"holds":true.*"incomplete":true')" 1 "JSON says it, too"
done_testing
