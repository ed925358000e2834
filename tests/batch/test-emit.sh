#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer batch --emit: each input's outputs are made once. An earlier batch's files in OUT stay
# only if they are still valid.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# log FILE RANK LENGTH: writes a log of one step.
log()
{
	python3 "$test_dir/tools/text-log.py" "$1" <<LOG
capture pid=$((100 + $2)) clock="monotonic" rank=$2
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 2000 push name="load"
event 1 2 $((2000 + $3)) pop
event 1 3 $((9000 + $3)) pop
end status="clean"
LOG
}

# files FOLDER: lists its files, except parts and hidden files.
files()
{
	(cd "$1" && find . -type f ! -path './parts/*' ! -name '.*' | sort | tr '\n' ' ')
}

mkdir -p "$temp/in/b" "$temp/more"
log "$temp/in/0.bin" 0 1000
log "$temp/in/1.bin" 1 3000
log "$temp/in/b/0.bin" 0 5000
log "$temp/more/0.bin" 2 7000
forms=json.gz,table,csv,html,folded
reports="./report.csv ./report.html ./report.json ./report.txt ./summary.sum"

"$analyzer" batch "$temp/in" -o "$temp/o" -j2 --emit "$forms" >"$temp/out" 2>&1
is "$? $(cat "$temp/out")" "0 3 inputs: 3 summarised" "batch with outputs"
wanted=
for name in 0 1 b/0; do
	for suffix in csv folded html json.gz txt; do
		wanted="$wanted./traces/$name.$suffix "
	done
done
is "$(files "$temp/o")" "$reports $wanted" "each input has each output, by run and name"
"$analyzer" "$temp/in/1.bin" -o "$temp/1.json.gz" 2>/dev/null
"$analyzer" "$temp/in/1.bin" -o "$temp/1.folded" 2>/dev/null
cmp -s "$temp/1.json.gz" "$temp/o/traces/1.json.gz" && cmp -s "$temp/1.folded" "$temp/o/traces/1.folded"
ok $? "they are those of analyzer FILE -o"
# With --steps: two more logs of two steps, and one without the second.
for rank in 3 4; do
	python3 "$test_dir/tools/text-log.py" "$temp/two.$rank.bin" <<LOG
capture pid=$((100 + rank)) clock="monotonic" rank=$rank
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 2000 push name="load"
event 1 2 3000 pop
event 1 3 4000 pop
event 1 4 5000 push name="step"
event 1 5 6000 push name="save"
event 1 6 $((7000 + rank)) pop
event 1 7 9000 pop
end status="clean"
LOG
done
"$analyzer" batch "$temp/two.3.bin" "$temp/two.4.bin" "$temp/in/1.bin" -o "$temp/steps" -j2 --emit "$forms" \
	--step-range step --steps 1 >"$temp/out" 2>&1
is "$? $(grep -c 'there is no step 1' "$temp/out") $(files "$temp/steps" | tr ' ' '\n' | grep -c '/traces/')" "5 1 10" \
	"--steps: an input without them is named and has no outputs"
differ=0
for suffix in json.gz html folded; do
	"$analyzer" "$temp/two.4.bin" -o "$temp/two.4.$suffix" --step-range step --steps 1 2>/dev/null
	cmp -s "$temp/two.4.$suffix" "$temp/steps/traces/two.4.$suffix" || differ=1
done
is "$differ $(grep -c '^load\|^save' "$temp/steps/traces/two.4.csv")" "0 1" "outputs are of the steps, as those of analyzer FILE -o --steps"
"$analyzer" stats --by rank "$temp/in/1.bin" -r ranges -f csv 2>/dev/null | cut -d, -f1 >"$temp/rows"
grep -q '^step,' "$temp/o/traces/1.csv" && grep -q '^Ranks$' "$temp/o/traces/1.txt"
ok $? "tables are the reports of its summary"
is "$(grep -o '<h2>[^<]*' "$temp/o/report.html" | tr '\n' ' ')" \
	"<h2>Overview <h2>Ranges <h2>Kernels and calls <h2>Losses and doubts " "report.html is the page of all"
is "$(python3 - "$temp/o" <<'PY'
import json, re, sys
page = open(sys.argv[1] + "/report.html", encoding="utf-8").read()
data = json.loads(re.search(r'id="data-reports">(.*?)</script>', page, re.S).group(1))
rows = json.load(open(sys.argv[1] + "/report.json"))["reports"]
same = [name for name in data["reports"] if data["reports"][name] == rows[name]]
print(sorted(same), data["footer"]["inputs"])
PY
)" "['overview', 'ranges', 'ranks'] 3" "with the figures of report.json"

# Outputs are made once, and again if they are gone or the input has changed.
before=$(cksum <"$temp/o/traces/1.json.gz")
echo "mine" >"$temp/o/traces/1.txt"
"$analyzer" batch "$temp/in" -o "$temp/o" --emit "$forms" --resume >"$temp/out"
is "$(cat "$temp/out") $(cat "$temp/o/traces/1.txt")" "3 inputs: 0 summarised, 3 were summarised before mine" \
	"--resume does not make them again"
rm "$temp/o/traces/b/0.html"
"$analyzer" batch "$temp/in" -o "$temp/o" --emit "$forms" --resume >"$temp/out"
is "$(cat "$temp/out") $(find "$temp/o/traces/b/0.html" | wc -l)" "3 inputs: 1 summarised, 2 were summarised before 1" \
	"but those that are gone"
cp "$temp/in/1.bin" "$temp/kept.bin"
log "$temp/in/1.bin" 1 4000
"$analyzer" batch "$temp/in" -o "$temp/o" --emit "$forms" --resume >/dev/null
other=$(cksum <"$temp/o/traces/1.json.gz")
cp "$temp/kept.bin" "$temp/in/1.bin"
"$analyzer" batch "$temp/in" -o "$temp/o" --emit "$forms" --resume >/dev/null
is "$([ "$before" != "$other" ] && echo other) $(cksum <"$temp/o/traces/1.json.gz")" "other $before" \
	"and those of an input that has other content"

# Names that several inputs share.
"$analyzer" batch "$temp/in" "$temp/more" "$temp/1.json.gz" -o "$temp/same" --emit csv >/dev/null 2>&1
is "$(files "$temp/same" | tr ' ' '\n' | grep traces | sed 's/-[0-9a-f]\{8\}/-CRC/')" "./traces/0-CRC.csv
./traces/0-CRC.csv
./traces/1-CRC.csv
./traces/1-CRC.csv
./traces/b/0.csv" "of the same name each has the CRC of its path"
for shard in 1 2; do
	"$analyzer" batch "$temp/in" "$temp/more" "$temp/1.json.gz" -o "$temp/s$shard" --emit csv \
		--shard $shard/2 >/dev/null 2>&1
done
is "$( (files "$temp/s1" && files "$temp/s2") | tr ' ' '\n' | grep traces | sort)" \
	"$(files "$temp/same" | tr ' ' '\n' | grep traces)" "shards give the same names"
"$analyzer" batch "$temp/o/summary.sum" -o "$temp/sums" --emit json.gz,table >"$temp/out"
is "$? $(files "$temp/sums")" "0 $reports ./traces/summary.txt " "a summary has no events, but tables"

# Outputs that are not written again are removed. Files that no batch wrote stay.
"$analyzer" batch "$temp/in" -o "$temp/o" --timeline all >/dev/null
is "$(files "$temp/o")" "./ranks.json.gz $reports " "outputs that are not asked for again are gone"
echo "mine" >"$temp/o/notes.txt"
echo "mine" >"$temp/mine.txt"
printf '../mine.txt\n%s\nparts\n' "$temp/mine.txt" >>"$temp/o/.outputs"
"$analyzer" batch "$temp/in/0.bin" -o "$temp/o" --emit table >/dev/null
is "$(files "$temp/o")" "./notes.txt $reports ./traces/0.txt " "a timeline of other inputs, too; not what no batch wrote"
is "$(cat "$temp/mine.txt")" "mine" "nothing outside the folder goes, whatever the list says"
echo "no log" >"$temp/foreign.bin"
"$analyzer" batch "$temp/foreign.bin" -o "$temp/o" >/dev/null 2>&1
is "$? $(files "$temp/o")" "3 ./notes.txt " "no summary is left that is of none of the inputs"
mkdir "$temp/w" && mkdir "$temp/w/ranks.json.gz"
"$analyzer" batch "$temp/in" -o "$temp/w" >/dev/null
is "$? $(find "$temp/w/ranks.json.gz")" "0 $temp/w/ranks.json.gz" "a folder of that name is nobody's output"

# Killed at any time.
is "$(python3 - "$temp" "$analyzer" "$forms" <<'PY'
import os, random, subprocess, sys, time
temp, analyzer, forms = sys.argv[1:]
random.seed(3)
def read(out):
    found = {}
    for folder, _, names in os.walk(out):
        for name in names:
            if "parts" not in folder and not name.startswith("."):
                path = os.path.join(folder, name)
                found[os.path.relpath(path, out)] = open(path, "rb").read()
    return found
def command(out):
    return [analyzer, "batch", temp + "/in", "-o", temp + "/" + out, "--resume", "-j2", "--emit", forms]
subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL)
for kill in range(12):
    batch = subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.random() * 0.02)
    batch.kill()
    batch.wait()
subprocess.run(command("killed"), check=True, stdout=subprocess.DEVNULL)
print(read(temp + "/whole") == read(temp + "/killed"), len(read(temp + "/whole")))
PY
)" "True 20" "killed and resumed: the same files with the same bytes"

# Impossible requests.
"$analyzer" batch "$temp/in" -o "$temp/x" --emit json.gz,nothing 2>"$temp/err"
is "$? $(cut -d';' -f1 "$temp/err")" \
	"2 analyzer: --emit: expected a suffix that -o takes, or table, csv, tsv, jsonl, md or sql, found \"nothing\"" "unknown forms are refused"
mkdir -p "$temp/full/traces/0.txt"
"$analyzer" batch "$temp/in/0.bin" "$temp/in/1.bin" -o "$temp/full" --emit table >"$temp/out" 2>"$temp/err"
is "$? $(cat "$temp/out") $(sed "s,$temp/,," "$temp/err")" \
	"5 2 inputs: 1 summarised, 1 could not be read analyzer: in/0.bin: its output .txt cannot be written: Is a directory" \
	"an output that cannot be written is named"
done_testing
