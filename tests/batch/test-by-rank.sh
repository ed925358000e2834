#!/bin/sh
# SPDX-License-Identifier: MIT
# stats --by rank, for reports that read one file, has the rows of each input.

. "${0%/*}/../lib.sh"
. "${0%/*}/rank-logs.sh"

mkdir -p "$temp/in/b"
for rank in 0 2 10; do
	log "$temp/in/$rank.bin" $rank $((2 + rank)) "load $rank" $((500 + rank))
done
log "$temp/in/b/x.bin" 1 4 "load 1" 501

# compare.py ANALYZER FOLDER RANK=FILE...: compares every report except those over ranks with the
# same report of each file.
cat >"$temp/compare.py" <<'PY'
import csv, glob, io, json, subprocess, sys
analyzer, folder, names = sys.argv[1], sys.argv[2], dict(word.split("=") for word in sys.argv[3:])
def stats(*words):
    run = subprocess.run([analyzer, "stats", *words, "-f", "csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return run.returncode, list(csv.reader(io.StringIO(run.stdout))), run.stderr
listed = subprocess.run([analyzer, "stats", "--list"], stdout=subprocess.PIPE, text=True).stdout
reports = rows = 0
for line in listed.split("\n"):
    report = line.split(" ")[0]
    if not report or not report.replace("-", "").replace("_", "").isalnum() or report in (
            "ranges", "kernels", "memcpy", "api", "overview", "ranks", "environment"):
        continue
    code, table, err = stats(folder, "-r", report, "--by", "rank")
    if code == 2:  # a report over ranks, or a word of the list that is no report
        assert "covers all ranks already" in err or "there is no report" in err, (report, err)
        continue
    assert code == 0 and table[0][0] == "rank" and len(set(table[0])) == len(table[0]), (report, code, err)
    wanted = []
    for name, path in names.items():
        code, own, err = stats(path, "-r", report)
        assert code == 0, (report, path, err)
        for row in own[1:]:
            cells = dict(zip(own[0], row))
            assert set(own[0]) <= set(table[0]), (report, own[0])
            wanted.append([name.replace("+", " ")] + [cells.get(key, "") for key in table[0][1:]])
    assert table[1:] == wanted, (report, table, wanted)
    reports += 1
    rows += len(wanted)
print(reports > 25, rows > 40)
PY
is "$(python3 "$temp/compare.py" "$analyzer" "$temp/in" "rank+0=$temp/in/0.bin" "rank+2=$temp/in/2.bin" \
	"rank+10=$temp/in/10.bin" "b+rank+1=$temp/in/b/x.bin" 2>&1 | tail -n 1)" "True True" \
	"every report has the rows of each rank, in the order of runs and ranks"
if [ -f "$traces/dlrm_rank7.json.gz" ]; then
	mkdir "$temp/dlrm"
	for rank in 0 5 7; do
		ln -s "$(cd "$traces" && pwd)/dlrm_rank$rank.json.gz" "$temp/dlrm/"
	done
	is "$(python3 "$temp/compare.py" "$analyzer" "$temp/dlrm" "rank+0=$temp/dlrm/dlrm_rank0.json.gz" \
		"rank+5=$temp/dlrm/dlrm_rank5.json.gz" "rank+7=$temp/dlrm/dlrm_rank7.json.gz" 2>&1 | tail -n 1)" "True True" \
		"and of ranks of a public run"
else
	skip "ranks of a public run" "no traces"
fi

"$analyzer" stats "$temp/in" -r domains,threads --by rank -w 0 >"$temp/out"
is "$? $(grep -c '^Domains$\|^Threads$' "$temp/out") $(grep -c '^rank 10 ' "$temp/out") $(tail -n 1 "$temp/out")" \
	"0 2 2 complete: 4 inputs, 24 events, nothing lost" "two reports for people, with one line below"
"$analyzer" stats "$temp/in" -r launch-sum,domains --by rank -f json >"$temp/out"
is "$? $(python3 - "$temp/out" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
print(list(d), len(d["inputs"]), list(d["reports"]), [row["rank"] for row in d["reports"]["domains"]], len(d["footers"]))
PY
)" "0 ['inputs', 'reports', 'footers'] 4 ['launch-sum', 'domains'] ['rank 0', 'rank 2', 'rank 10', 'b rank 1'] 4" "and in JSON"
is "$("$analyzer" stats "$temp/in" -r copy-sizes,domains --by rank -f jsonl 2>/dev/null | grep -c '"rank":"rank 2"')" 2 \
	"and in lines of it"
is "$("$analyzer" stats "$temp/in" -r domains,ranks,spread --by rank -f jsonl 2>/dev/null | grep -vc '^{"report":"')" 0 \
	"with nothing between those of several kinds"
"$analyzer" stats "$temp/in" -r domains,ranges --by rank -f csv -o "$temp/saved" 2>/dev/null
is "$? $(head -n 1 "$temp/saved_domains.csv" | cut -d, -f1,2) $(head -n 1 "$temp/saved_ranges.csv" | cut -d, -f1,4)" \
	"0 rank,domain name,rank" "files, beside a report that summaries have"
is "$("$analyzer" stats "$temp/in" -r spread --by rank -l 1 -f csv 2>/dev/null | cut -d, -f1,2 | tr '\n' ' ')" \
	"rank,name rank 0,step rank 2,step rank 10,step b rank 1,step " "--limit is for each rank"
is "$("$analyzer" stats "$temp/in" -r spread --by rank -s total -l 2 -f csv 2>/dev/null | cut -d, -f1,2 | tr '\n' ' ')" \
	"rank,name rank 10,step rank 2,step " "but where --sort puts all in one order"
is "$("$analyzer" stats "$temp/in" -r domains --by rank --sort rank -f csv 2>/dev/null | cut -d, -f1 | tr '\n' '|')" \
	"rank|b rank 1|rank 0|rank 2|rank 10|" "--sort rank goes by runs and numbers"
is "$("$analyzer" stats "$temp/in" -r kernels --by rank --sort -rank -f csv 2>/dev/null | cut -d, -f2 | tr '\n' '|')" \
	"rank|rank 10|rank 2|rank 0|b rank 1|" "backwards too, of summaries as well"
"$analyzer" stats "$temp/in" -r ranges,domains --by rank --sort rank >"$temp/out" 2>&1
is $? 0 "in one call of both kinds"
"$analyzer" stats "$temp/in/0.bin" -r domains --sort rank >/dev/null 2>&1
is $? 2 "without --by rank there is no such column"
is "$("$analyzer" stats "$temp/in" -r domains --by rank --step-range step --steps 0 -f csv 2>/dev/null | wc -l)" 5 \
	"of some steps, too"

# Unsupported requests get a message.
"$analyzer" stats "$temp/in" -r threads >/dev/null 2>"$temp/err"
is "$? $(grep -c -e '--by rank' "$temp/err")" "2 1" "without it people are told of it"
for words in '-r idle' '-r xyz' '-r key_averages -f torch' '--compat=tb -r overview'; do
	# shellcheck disable=SC2086 # words
	"$analyzer" stats "$temp/in" --by rank $words >/dev/null 2>&1
	is $? 2 "$words is refused"
done
echo "no log" >"$temp/in/foreign.bin"
head -c 700 "$temp/in/2.bin" >"$temp/in/cut.bin"
"$analyzer" stats "$temp/in" -r domains --by rank -f csv >"$temp/out" 2>"$temp/err"
is "$? $(grep -c foreign.bin "$temp/err") $(grep -c '^rank\|^b rank' "$temp/out")" "5 1 6" "a file that is no log is named, and the exit is 5"
rm "$temp/in/foreign.bin"
"$analyzer" stats "$temp/in" -r domains --by rank --strict >"$temp/out" 2>/dev/null
is "$? $(grep -c 'cut.bin:$' "$temp/out") $(grep -c '^incomplete: 5 inputs' "$temp/out")" "4 1 1" \
	"what an input lacks stands below its name; --strict"
"$analyzer" summarize "$temp/in/0.bin" -o "$temp/in/0.sum"
"$analyzer" stats "$temp/in" -r domains --by rank >"$temp/out" 2>"$temp/err"
is "$? $(grep -c '0.sum: a summary' "$temp/err")" "5 1" "a summary among them is named"
"$analyzer" stats "$temp/in/0.sum" -r domains --by rank >"$temp/out" 2>"$temp/err"
is $? 2 "of summaries alone it is refused"
done_testing
