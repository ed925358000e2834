#!/bin/sh
# SPDX-License-Identifier: MIT
# --brief of stats, the summary, why, diff, check and info, for each public trace. The answer keeps
# to its bytes, and is the same twice. The largest row comes first. The rows and their rest add up
# to the sum of the whole report. The main finding and the losses are there.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which adds, is missing"
unset RANGES_WIDTH
log=$top_srcdir/tests/data/format-1/plain.bin

# code ARGUMENT...: prints the exit code and the number of error lines.
code()
{
	"$analyzer" "$@" >/dev/null 2>"$temp/errors"
	printf '%s %s' "$?" "$(grep -c '^analyzer: ' "$temp/errors")"
}

is "$(code stats --brief=100 "$log")" "2 1" "fewer bytes than the main finding takes are refused"
is "$(code stats --brief=many "$log")" "2 1" "and what is no number"
is "$(code stats --brief -f csv "$log")" "2 1" "of other forms than people's there is none"
is "$(code stats --brief -o "$temp/x" "$log")" "2 1" "and none in files"
is "$(code --brief "$log" -o "$temp/x.json")" "2 1" "nor of what -o writes"
is "$(code diff --brief -f json "$log" "$log");$(code diff --brief -o "$temp/x.html" "$log" "$log");$(code info --brief --json "$log")" \
	"2 1;2 1;2 1" "the same of diff and info"
is "$(code stats --brief --by rank -r threads "$log")" "2 1" "nor of rows of ranks"
is "$(code stats --brief=2000 "$log")" "0 0" "of a log it works"
is "$("$analyzer" stats --brief -r footer "$log" | grep -c .)" "$("$analyzer" stats -r footer "$log" | grep -c .)" "what is lost is whole"

# check: broken rules come first, and the rest is counted.
i=0
while [ "$i" -lt 300 ]; do
	echo "range[none$i].calls == 0"
	i=$((i + 1))
done >"$temp/rules"
echo "lost > 5" >>"$temp/rules"
"$analyzer" check --brief=2000 "$temp/rules" "$log" >"$temp/said"
is "$? $(($(wc -c <"$temp/said") <= 2000)) $(sed -n '1s/ .*//p;$p' "$temp/said" | tr '\n' ' ')" "1 1 FAIL 1 of 301 rules broken " \
	"check: in its bytes, with what is broken and the same exit code"
is "$(sed -n 's/^[.][.][.] and \([0-9]*\) more that hold$/\1/p' "$temp/said")" "$((301 - $(grep -c -e '^ok' -e '^FAIL' "$temp/said")))" \
	"and what is left out is counted"

# info: long lines are cut, but losses are complete.
"$analyzer" info "$log" | sed -n '/^Losses$/,$p' >"$temp/losses"
"$analyzer" info --brief=2000 "$log" >"$temp/said"
is "$(($(wc -c <"$temp/said") <= 2000)) $(sed -n '/^Losses$/,$p' "$temp/said")" "1 $(cat "$temp/losses")" "info: in its bytes, with its losses"

# check.py ANALYZER TRACE BYTES REPORT... [BYTES REPORT...]
cat >"$temp/check.py" <<'END'
import csv, functools, io, re, subprocess, sys
analyzer, trace = sys.argv[1], sys.argv[2]
unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "": 1}
@functools.lru_cache(None)
def run(*words):
    return run_again(*words)
def run_again(*words):
    done = subprocess.run([analyzer, *words, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode()
def value(word):  # and its possible error
    found = re.fullmatch(r"(-?[0-9.,]+)(ns|us|ms|s|B|kB|MB|GB|)", word)
    size = unit[found[2]]
    return float(found[1].replace(",", "")) * size, size / 900
def say(report, what):
    print("%s: %s: %s" % (trace.split("/")[-1], report, what))
def foot(text):
    return text.rstrip("\n").split("\n\n")[-1]
def is_foot(brief, whole):
    """Notes that explain a table may go with it; what is lost, and each figure, stays."""
    part = iter(whole.split("\n"))
    from_losses = [text[re.search("^complete: |^note: |^gpu: ", text, re.M).start():] for text in (brief, whole)]
    figures = [set(re.findall(r"^[A-Z][^:]*: -?[0-9][^ ]*$", text, re.M)) for text in (brief, whole)]
    return all(line in part for line in brief.split("\n")) and from_losses[0] == from_losses[1] and figures[0] == figures[1]
budget = None
for report in sys.argv[3:]:
    if report.isdigit():
        is_first, budget = budget is None, int(report)
        continue
    words = {"summary": (), "why": ("why",)}.get(report, ("stats", "-r", report))
    code, text = run(*words, "--brief=%d" % budget)
    if code != 0:
        if code < 0:
            say(report, "ends by signal %d" % -code)
        continue
    if len(text.encode()) > budget:
        say(report, "%d bytes" % len(text.encode()))
    if is_first and (code, text) != run_again(*words, "--brief=%d" % budget):
        say(report, "differs")
    whole = foot(run(*words)[1])
    if not (is_foot(foot(text), whole) if report == "all" else foot(text) == whole):
        say(report, "not the same footer")
    if report in ("summary", "why"):
        rows = list(csv.DictReader(io.StringIO(run("stats", "-r", "advice", "-f", "csv", "--kernel-name", "short")[1])))
        if rows and " ".join(rows[0]["finding"].split()[:6]) not in " ".join(text.split()):
            say(report, "without the main finding")
        continue
    if report == "all":  # each has a key of its own
        continue
    text = run(*words, "--brief=%d" % budget, "-w", "0")[1]
    rest = re.search(r"^\.\.\. and [0-9,]+ more: (.*?) (-?[0-9.,]+[a-zA-Z]*)(, [0-9.]+%)?$", text, re.M)
    if not rest:
        continue
    title = rest[1]
    keys = re.findall(r'^  (\w+) "(.*)" (?:ns|bytes|number)$', subprocess.run([analyzer, "stats", "--help", report], stdout=subprocess.PIPE).stdout.decode(), re.M)
    key = next(key for key, name in keys if name == title)
    lines = text.split("\n")
    tables = [i for i, line in enumerate(lines[:lines.index(rest[0])]) if re.fullmatch("-+(  ?-+)*", line)]
    if len(tables) > 1:  # the next report, checked by its own name
        continue
    at = tables[0]
    columns = [(found.start(), found.end()) for found in re.finditer("-+", lines[at])]
    start, end = next((a, b) for a, b in columns if lines[at - 1][a:b].strip() == title)
    cells = [line[start:end].strip() for line in lines[at + 1:lines.index(rest[0])]]
    shown = [value(cell) for cell in cells if cell != "-"]
    sums = shown + [value(rest[2])]
    whole = [float(row[key]) for row in csv.DictReader(io.StringIO(run("stats", "-r", report, "-f", "csv", "-l", "1000000")[1])) if row[key]]
    if abs(sum(number for number, _ in sums) - sum(whole)) > sum(error for _, error in sums) + 1:
        say(report, "%g and not %g" % (sum(number for number, _ in sums), sum(whole)))
    if abs(shown[0][0] - max(whole)) > shown[0][1]:
        say(report, "the first is %g and not %g" % (shown[0][0], max(whole)))
    print("summed", file=sys.stderr)
END
check()
{
	python3 "$temp/check.py" "$analyzer" "$@" || echo "check.py $*: exit $?"
}
{
	check "$log" 2000 summary why ranges spread threads critical-path \
		4000 summary why ranges spread critical-path
} >"$temp/faults" 2>"$temp/summed"
is_empty "$(cat "$temp/faults")" "of a log: in its bytes, sums and footers are those of the whole reports"

[ -d "$traces" ] || { skip "public traces" "they are not here"; done_testing; }
# File names count as bytes, so they must be the same wherever the traces are.
cd "$traces" || exit 1
traces=.
all=$("$analyzer" stats --list | sed -n 's/^\([a-z][a-z_-]*\)   *[^ ].*/\1/p' | grep -v -e '^ranks$' -e '^environment$' -e '^footer$')
: >"$temp/faults"
: >"$temp/summed"
# Under a sanitizer one trace takes all paths that the others take.
set -- "$traces/resnet50_w4.json.gz"
[ "${SANITIZERS:-no}" != no ] || set -- "$traces"/*.json.gz
for trace; do
	check "$trace" 4000 summary why all 2000 summary why kernels >>"$temp/faults" 2>>"$temp/summed"
done
is_empty "$(cat "$temp/faults")" "of each public trace: the summary, why and all reports"
for trace; do
	for bytes in 2000 4000; do
		"$analyzer" info --brief=$bytes "$trace" >"$temp/said" 2>/dev/null
		[ "$(wc -c <"$temp/said")" -le "$bytes" ] || echo "info ${trace##*/}"
		"$analyzer" diff --brief=$bytes "$trace" "$traces/resnet50_w4.json.gz" >"$temp/said" 2>/dev/null
		[ "$(wc -c <"$temp/said")" -le "$bytes" ] || echo "diff ${trace##*/}"
	done
done >"$temp/faults"
is_empty "$(cat "$temp/faults")" "info and diff of each"
"$analyzer" diff "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" 2>/dev/null | sed -n '/^Where/,/^Total/p' >"$temp/parts"
"$analyzer" diff --brief=3000 "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" >"$temp/said" 2>/dev/null
is "$(sed -n '/^Where/,/^Total/p' "$temp/said")" "$(cat "$temp/parts")" "diff: where the time of a step went is whole"
is "$(sed -n 's/^[.][.][.] and \([0-9]*\) more$/\1/p' "$temp/said")" "$((154 - $(grep -cE '^(range|kernel|api|memcpy|collective) ' "$temp/said")))" \
	"and the changes that are left out are counted"
for name in ranges kernels ranks overview; do
	for bytes in 2000 4000; do
		[ "$("$analyzer" stats --brief=$bytes -r $name "$traces"/dlrm_rank?.json.gz 2>/dev/null | wc -c)" -le "$bytes" ] || echo "$name"
	done
done >"$temp/faults"
is_empty "$(cat "$temp/faults")" "reports over ranks are in their bytes, too"
is "$("$analyzer" stats --brief -r stragglers "$traces"/dlrm_rank?.json.gz 2>/dev/null | sed -n '/^complete/,$p')" \
	"complete: 8 inputs, nothing lost
dlrm_rank0.json.gz, dlrm_rank2.json.gz, dlrm_rank4.json.gz and 3 more:
note: times are whole microseconds: a kernel below 10us may be up to 1us off
gpu: 100.0 % of GPU time attributed to ranges: stack 100.0 %
dlrm_rank1.json.gz, dlrm_rank3.json.gz:
note: times are whole microseconds: a kernel below 10us may be up to 1us off
gpu: 98.4 % of GPU time attributed to ranges: stack 98.4 %
gpu: 64 operations were launched before the recording" \
	"what several files lack is said once of those that lack the same"
"$analyzer" stats --brief=2000 -r kernels "$traces"/dlrm_rank?.json.gz 2>/dev/null >"$temp/said"
is "$(sed -n 's/^[.][.][.] and \([0-9]*\) more: Total .*%$/\1/p' "$temp/said" | sort -u)" \
	"$(($("$analyzer" stats -f csv -r kernels "$traces"/dlrm_rank?.json.gz 2>/dev/null | wc -l) - 1 - $(sed -n '/^---/,/^[.][.][.]/p' "$temp/said" | sed '/^[.][.][.]/q' | grep -vc -e '^-' -e '^[.]')))" \
	"and say what of them is left out"
[ "${SANITIZERS:-no}" = no ] || set --
# shellcheck disable=SC2086 # names of reports
for name in dlrm_rank3 ${1:+h100_falconsai}; do
	check "$traces/$name.json.gz" 2000 $all
done >"$temp/faults" 2>>"$temp/summed"
is_empty "$(cat "$temp/faults")" "and each report of two of them, or of one under a sanitizer"
least=30
[ "${SANITIZERS:-no}" = no ] || least=15
ok "$(($(wc -l <"$temp/summed") < least))" "and rows were summed"
diag "in $(wc -l <"$temp/summed") tables"
done_testing
