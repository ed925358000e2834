# SPDX-License-Identifier: MIT
# Names of files and ranges are no control characters on a terminal, and no formulas in a spreadsheet
hostile=$(printf 'a\033[31m\302\233b.bin')
text-log "$hostile" <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="@main"
event 1 0 1000 push name="=1+1"
event 1 1 2000 pop
event 1 2 2000 push name="-cmd|' /C calc'!A0"
event 1 3 3000 pop
end status="clean"
LOG
analyzer verify "$hostile"
analyzer stats -r ranges,threads -f tsv "$hostile"
analyzer stats -r ranges,threads -f csv "$hostile"
analyzer stats "$hostile.none"
analyzer "$hostile.none"
# In JSON and dump, too: controls of C1, controls of direction, and characters without width.
printf '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a\302\233b\302\205c\342\200\256d\342\200\213e\177f\303\251","pid":1,"tid":1,"ts":1,"dur":9}]}' >odd.json
analyzer dump --slices odd.json
analyzer stats -r ranges -f json odd.json | grep -ao '"name":"[^"]*"'
analyzer stats -r ranges -f jsonl odd.json | grep -ao '"name":"[^"]*"'
analyzer odd.json -o - --to events | grep -ao '"name":"a[^"]*"'
analyzer odd.json -o - | grep -ao '"name":"a[^"]*"'
analyzer odd.json -o again.json
analyzer stats -r ranges -f json again.json | grep -ao '"name":"[^"]*"'
printf 'no log' >"$hostile"
analyzer stats "$hostile"
