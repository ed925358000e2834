#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer diff --by instructions: 1 % more work shows on a machine whose speed varies by 25 %. The logs are made up: many machines refuse counts.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
here=$test_dir/batch

# runs NAME SEED RUNS [KEY=VALUE...]
runs()
{
	name=$1
	shift
	python3 "$here/diff-runs.py" runs "$test_dir/tools/text-log.py" "$temp/$name" "$@"
}

# look EXPRESSION: of the JSON d, with r: its rows by name.
look()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
r = {row["name"]: row for row in d["rows"]}
called = [(row["name"], row["verdict"]) for row in d["rows"] if row["verdict"] in ("more", "fewer", "slower", "faster")]
print('"$1"')' "$temp/out"
}

runs base 1 5 instructions=100 machine=25 items=30
runs same 2 5 instructions=100 machine=25 items=30
runs more 3 5 instructions=102 machine=25 items=30
"$analyzer" diff "$temp/base" "$temp/more" --by instructions --fail-on 1% -f json >"$temp/out"
is "$? $(look 'd["by"], called, r["sort"]["method"], 0.018 < r["sort"]["low_part"] < r["sort"]["estimate_part"] < r["sort"]["high_part"] < 0.022')" \
	"1 instructions [('sort', 'more')] pairs True" "2 % more instructions are called, though times vary by 25 %"
is "$(look '{r[n]["verdict"] for n in r if n != "sort"}, r["sort"]["after"] - r["sort"]["before"] == r["sort"]["change"], abs(r["sort"]["change_part"] - 0.02) < 0.001, d["parts"]')" \
	"{'equal'} True True []" "the others are equal; rows have counts, and there are no parts of time"
is "$(look 'r["item"]["self_before"], r["sort"]["self_before"] == r["sort"]["before"]')" "150000 True" "of a range itself is what no range in it counted"
"$analyzer" diff "$temp/more" "$temp/base" --by instructions --fail-on 1% -f json >"$temp/out"
is "$? $(look 'called')" "0 [('sort', 'fewer')]" "the other way round they are fewer"
"$analyzer" diff "$temp/base" "$temp/same" --by instructions --fail-on 1% -f json >"$temp/out"
is "$? $(look 'called, {row["verdict"] for row in d["rows"]}')" "0 [] {'equal'}" "equal sides are equal"
"$analyzer" diff "$temp/base" "$temp/more" --by instructions -w 0 >"$temp/text"
is "$(grep -cE '^range +sort +[0-9]+ +[0-9]+ +\+2\.0 % \(\+1\.9 to \+2\.1\) +more +pairs ' "$temp/text") $(grep -c '^What changed, instructions per input' "$temp/text") $(grep -c '; 1 more beyond noise, 1 %$' "$temp/text") $(grep -c '^Where the time' "$temp/text")" \
	"1 1 1 0" "people see counts, and a limit of 1 %"
"$analyzer" diff "$temp/base" "$temp/more" --by instructions -f md | grep -cE '^\| range +\| sort .*\| more ' >"$temp/out"
is "$(cat "$temp/out")" 1 "so does Markdown"
"$analyzer" diff "$temp/base" "$temp/more" --by instructions -f junit | python3 -c '
import sys, xml.dom.minidom as dom
suite = dom.parse(sys.stdin).documentElement
cases = suite.getElementsByTagName("testcase")
failed = suite.getElementsByTagName("failure")
print(int(suite.getAttribute("tests")) == len(cases), sorted({c.getAttribute("classname") for c in cases}), [f.getAttribute("message").split(" ")[0] for f in failed])' >"$temp/out"
is "$(cat "$temp/out")" "True ['range'] ['more:']" "JUnit has ranges alone"
"$analyzer" diff "$temp/base/run-0.bin" "$temp/more/run-0.bin" --by instructions --fail-on 1% -f json >"$temp/out"
is "$? $(look 'called, r["parse"]["verdict"]')" "1 [('sort', 'more')] equal" "one run on either side is enough"
"$analyzer" diff "$temp/base" "$temp/more" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look '"by" in d, called')" "0 False []" "times are compared without it"

# Counts of 0, and impossible counts. counted FILE OUTER INNER: writes a log in which the ranges
# count these 12 times.
counted()
{
	python3 - "$2" "$3" <<'PY' | python3 "$test_dir/tools/text-log.py" "$1"
import sys
outer, inner = (int(word) for word in sys.argv[1:])
print('capture pid=1 clock="monotonic" counts="page-faults"\ndef stream id=1 tid=7 name="main"')
for i in range(12):
    for at, (what, count) in enumerate((('push name="outer"', 1), ('push name="inner"', 1), ("pop", 1 + inner), ("pop", 1 + outer))):
        print("event 1 %d %d %s count1=%d" % (4 * i + at, 10000 * i + 1000 * at, what, count))
print('end status="clean"')
PY
}
counted "$temp/none.bin" 0 0
counted "$temp/some.bin" 5 3
counted "$temp/huge.bin" 5 9000000000000000000
for pair in none,none none,some some,none some,huge huge,some huge,huge; do
	"$analyzer" diff "$temp/${pair%,*}.bin" "$temp/${pair#*,}.bin" --by page-faults -f json >"$temp/out" 2>"$temp/err"
	printf '%s %s\n' "$?$(cat "$temp/err")" "$(look 'sorted(called), r["outer"]["self_after"]')"
done >"$temp/text"
is "$(cat "$temp/text")" "$(
	cat <<'END'
0 [] 0
0 [('inner', 'more'), ('outer', 'more')] 24
0 [('inner', 'fewer'), ('outer', 'fewer')] 0
0 [('inner', 'more')] 0
0 [('inner', 'fewer')] 24
0 [] 0
END
)" "counts of 0, and more in a range than in the one around it"

# Rows that are unsure by their times.
runs few 5 2 instructions=100 run=8 noise=10 machine=25 items=30
runs few-more 6 2 instructions=110 sort=110 run=8 noise=10 machine=25 items=30
"$analyzer" diff "$temp/few" "$temp/few-more" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called, r["sort"]["method"], 0.09 < r["sort"]["low_part"] < r["sort"]["high_part"] < 0.11')" "1 [('sort', 'slower')] instructions True" \
	"what times leave unsure is called by instructions"
is "$(look 'r["parse"]["method"] != "instructions", r["sort"]["before_ns"] > 0')" "True True" "the others and the rows' times are as they were"
cp -r "$temp/few-more" "$temp/mixed"
runs uncounted 7 1 run=8 noise=10 items=30
cp "$temp/uncounted/run-0.bin" "$temp/mixed/run-2.bin"
"$analyzer" diff "$temp/few" "$temp/mixed" --fail-on 5%,10us -f json >"$temp/out"
is "$? $(look 'called')" "0 []" "not where an input has none"

# Inputs without counts.
runs plain 4 1 items=10
"$analyzer" summarize "$temp/base" -o "$temp/base.sum"
"$analyzer" diff "$temp/base/run-0.bin" "$temp/plain/run-0.bin" --by instructions >"$temp/out" 2>"$temp/err"
is "$? $(cat "$temp/err")" "3 analyzer: $temp/plain/run-0.bin: the log has no instructions: record it with \`ranges run --count instructions\`" \
	"a log without counts is refused"
"$analyzer" diff "$temp/base/run-0.bin" "$temp/more/run-0.bin" --by page-faults >"$temp/out" 2>"$temp/err"
is "$? $(wc -l <"$temp/err")" "3 1" "so are other counts"
"$analyzer" diff "$temp/base.sum" "$temp/more" --by instructions >"$temp/out" 2>"$temp/err"
is "$? $(cat "$temp/err")" "3 analyzer: $temp/base.sum: a summary has no counts: give the logs" "so is a summary"
refused=
for words in '--by nosuch' '--by instructions --fail-on 1%,10us' '--by instructions -o diff.html' '--by instructions --compat=tb'; do
	# shellcheck disable=SC2086 # several words
	"$analyzer" diff "$temp/base" "$temp/more" $words >"$temp/out" 2>"$temp/err"
	[ "$? $(wc -l <"$temp/err")" = "2 1" ] || refused="$refused $words"
done
is_empty "$refused" "what counts cannot be is refused with a line"
done_testing
