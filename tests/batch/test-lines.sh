#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines of JSON and CSV, of events and of reports, and the programs of doc/other-programs.md that read them.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

mkdir "$temp/in"
for rank in 0 1; do
	python3 "$test_dir/tools/text-log.py" "$temp/in/$rank.bin" <<LOG
capture pid=$((100 + rank)) clock="monotonic" rank=$rank host="n" start_mono_ns=0 start_real_ns=1600000000000000000
clock ticks=0 mono=0 real=1600000000000000000 boot=0 err=40
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 2000 push name="=odd, \"name\"\n\xff"
event 1 2 5000 mark name="here"
event 1 3 6000 pop
event 1 4 $((9000 + rank * 1000)) pop
event 1 5 20000 push name="open"
event 3 0 3100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 3300 api name="cudaMemcpyAsync" dur=100 tid=7 corr=2 kind=1
event 3 2 4000 kernel name="_Z6matmulv" dur=1000 context=1 queue=7 corr=1
event 3 3 6000 copy dur=500 context=1 queue=7 corr=2 kind=1 bytes=1000
end status="clean"
LOG
done

"$analyzer" "$temp/in/1.bin" -o "$temp/1.events.jsonl" 2>/dev/null
is $? 0 "events are written"
is "$(python3 - "$temp/1.events.jsonl" <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert len({tuple(line) for line in lines}) == 1, "members"
for line in lines:
    print(*(json.dumps(line[key]) for key in
            ("kind", "name", "range", "rank", "pid", "tid", "device", "depth", "start_ns", "dur_ns", "complete")))
assert all(line["unix_ns"] == 1600000000000000000 + line["start_ns"] for line in lines)
print([line["bytes"] for line in lines if line["kind"] == "memcpy"], [line["correlation"] for line in lines if line["correlation"]])
PY
)" '"range" "step" null 1 101 7 null 0 1000 9000 true
"range" "=odd, \"name\"\n\ufffd" "step" 1 101 7 null 1 2000 4000 true
"range" "open" null 1 101 7 null 0 20000 0 false
"mark" "here" null 1 101 7 null null 5000 null null
"call" "cudaLaunchKernel" "=odd, \"name\"\n\ufffd" 1 101 7 null null 3100 100 null
"call" "cudaMemcpyAsync" "=odd, \"name\"\n\ufffd" 1 101 7 null null 3300 100 null
"kernel" "matmul()" "=odd, \"name\"\n\ufffd" 1 101 null 0 null 4000 1000 null
"memcpy" "Memcpy HtoD (Unknown -> Unknown)" "=odd, \"name\"\n\ufffd" 1 101 null 0 null 6000 500 null
[1000] [1, 2, 1, 2]' "each event is a line, and all lines have all members"
"$analyzer" "$temp/in/1.bin" -o "$temp/1.events.csv" 2>/dev/null
is "$(python3 - "$temp/1.events.jsonl" "$temp/1.events.csv" <<'PY'
import csv, json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8", newline="")))
words = {None: "", True: "true", False: "false"}
for line, row in zip(lines, rows, strict=True):
    assert list(line) == list(row)
    for key in line:
        if key not in ("name", "range"):
            assert row[key] == (words[line[key]] if line[key] is None or isinstance(line[key], bool) else str(line[key])), (key, row)
print(rows[1]["name"])
PY
)" "'=odd, \"name\"\\n\\xff" "CSV has the same; nothing a spreadsheet would run"
"$analyzer" "$temp/in/1.bin" -o "$temp/1.events.jsonl.gz" 2>/dev/null
gzip -dc "$temp/1.events.jsonl.gz" | cmp -s - "$temp/1.events.jsonl"
ok $? "packed, too"
"$analyzer" "$temp/in/1.bin" -o - --to events 2>/dev/null | cmp -s - "$temp/1.events.jsonl"
ok $? "and to standard output"

# Reports: the rows of JSON.
for by in '' '--by rank'; do
	# shellcheck disable=SC2086 # two words or none
	"$analyzer" stats "$temp/in" $by -r ranks,ranges -f json >"$temp/r.json" 2>/dev/null
	# shellcheck disable=SC2086
	"$analyzer" stats "$temp/in" $by -r ranks,ranges -f jsonl >"$temp/r.jsonl" 2>"$temp/err"
	is "$(python3 - "$temp/r.json" "$temp/r.jsonl" <<'PY'
import json, sys
wanted = [{"report": name, **row} for name, rows in json.load(open(sys.argv[1]))["reports"].items() for row in rows]
print([json.loads(line) for line in open(sys.argv[2])] == wanted, len(wanted) > 4)
PY
	)" "True True" "reports $by: a line for each row of JSON, with its report"
done
"$analyzer" stats "$temp/in/0.bin" -r ranges,threads -f jsonl 2>/dev/null |
	sed 's/,.*//' | sort | uniq -c | tr -s ' ' >"$temp/own"
is "$(cat "$temp/own")" ' 3 {"report":"ranges"
 1 {"report":"threads"' "of one log, too"

# As statements of SQL: SQLite's tables have the rows of CSV.
cat >"$temp/sql.py" <<'PY'
import csv, sqlite3, sys
db = sqlite3.connect(":memory:")
script = open(sys.argv[1]).read()
for _ in range(2):  # existing tables are replaced
    db.executescript(script)
print([name for name, in db.execute("SELECT name FROM sqlite_master ORDER BY rowid")])
cells = numbers = 0
for word in sys.argv[2:]:
    name, path = word.split("=")
    rows = list(csv.DictReader(open(path)))
    made = db.execute('SELECT * FROM "%s"' % name)
    assert [column[0] for column in made.description] == list(rows[0]), name
    for row, own in zip(made.fetchall(), rows, strict=True):
        for cell, text in zip(row, own.values(), strict=True):
            text = text[1:] if text.startswith("'=") else text  # of CSV, for spreadsheets
            if isinstance(cell, float):
                assert abs(cell - float(text)) <= 1e-9 * abs(cell), (name, own)
            else:
                assert ("" if cell is None else str(cell)) == text, (name, cell, text)
            cells += 1
            numbers += isinstance(cell, (int, float))
print(cells > 5 and numbers > 2)
PY
"$analyzer" stats "$temp/in" --by rank -r ranks,ranges,threads -f sql >"$temp/r.sql" 2>/dev/null
for report in ranks ranges threads; do
	"$analyzer" stats "$temp/in" --by rank -r $report -f csv >"$temp/$report.csv" 2>/dev/null
done
is "$(python3 "$temp/sql.py" "$temp/r.sql" "ranks=$temp/ranks.csv" "ranges=$temp/ranges.csv" "threads=$temp/threads.csv" 2>&1)" \
	"['ranks', 'ranges', 'threads']
True" "SQL makes tables with the cells of CSV, of reports of both kinds"
python3 "$test_dir/tools/text-log.py" "$temp/quotes.bin" <<'LOG'
capture pid=1 clock="monotonic" rank=0
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="it's'); DROP TABLE ranges; --'"
event 1 1 2000 pop
end status="clean"
LOG
"$analyzer" stats "$temp/quotes.bin" -f sql >"$temp/r.sql" 2>/dev/null
"$analyzer" stats "$temp/quotes.bin" -f csv >"$temp/ranges.csv" 2>/dev/null
is "$(python3 "$temp/sql.py" "$temp/r.sql" "ranges=$temp/ranges.csv" 2>&1)" "['ranges']
True" "quotes in names are quotes"

# For each input of a batch.
"$analyzer" batch "$temp/in" -o "$temp/all" --emit events.jsonl,jsonl >/dev/null
cmp -s "$temp/all/traces/1.events.jsonl" "$temp/1.events.jsonl" &&
	grep -q '^{"report":"ranks",' "$temp/all/traces/1.jsonl"
ok $? "batch --emit writes both of each"

# Programs that read them, with the document's lines. All print the same kinds of events.
if python3 -c 'import pandas' 2>/dev/null; then
	is "$(cd "$temp" && python3 -c '
import pandas
frame = pandas.read_json("1.events.jsonl", lines=True)
print(frame.groupby("kind").dur_ns.sum().astype(int).to_dict(), frame.unix_ns.iloc[0])
frame = pandas.read_json("r.jsonl", lines=True)
print(sorted(set(frame.report)))')" \
		"{'call': 200, 'kernel': 1000, 'mark': 0, 'memcpy': 500, 'range': 13000} 1600000000000001000
['ranges', 'ranks']" "pandas reads them"
else
	skip "pandas reads them" "there is no pandas"
fi
if command -v sqlite3 >/dev/null 2>&1 && "$analyzer" "$temp/in/1.bin" -o "$temp/app.sqlite" 2>/dev/null; then
	is "$(sqlite3 "$temp/app.sqlite" \
		"SELECT text, sum(\"end\" - start) FROM NVTX_EVENTS WHERE text = 'step' GROUP BY text")" "step|9000" \
		"SQLite reads its file"
else
	skip "SQLite reads its file" "there is no sqlite3, or the analyzer has none"
fi
done_testing
