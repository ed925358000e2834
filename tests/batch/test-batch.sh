#!/bin/sh
# SPDX-License-Identifier: MIT
# summarize, merge, batch, and stats of summaries give the same bytes however the work is divided.

. "${0%/*}/../lib.sh"
. "${0%/*}/rank-logs.sh"

mkdir "$temp/in" "$temp/in/b"
for rank in 0 1 2 3 4; do
	log "$temp/in/$rank.bin" "$rank" $((2 + rank))
done
log "$temp/in/b/0.bin" 0 9

sum()
{
	cksum <"$1/summary.sum"
}

for jobs in 1 2 5; do
	"$analyzer" batch "$temp/in" -o "$temp/j$jobs" -j "$jobs" >"$temp/out" 2>&1
	is "$? $(cat "$temp/out")" "0 6 inputs: 6 summarised" "batch with $jobs workers"
done
is "$(sum "$temp/j2")" "$(sum "$temp/j1")" "two workers give the bytes of one"
is "$(sum "$temp/j5")" "$(sum "$temp/j1")" "five workers give the bytes of one"
for report in txt csv json; do
	cmp -s "$temp/j1/report.$report" "$temp/j2/report.$report"
	ok $? "report.$report too"
done
for shard in 1 2 3 4; do
	"$analyzer" batch "$temp/in" -o "$temp/s$shard" --shard $shard/4 >"$temp/out"
done
"$analyzer" merge "$temp/s2/summary.sum" "$temp/s4" "$temp/s1" -o "$temp/m.sum" &&
	"$analyzer" merge "$temp/m.sum" "$temp/s3/summary.sum" "$temp/s1" -o "$temp/all.sum" 2>"$temp/err"
is "$(cksum <"$temp/all.sum")" "$(sum "$temp/j1")" "four shards, merged, give the same bytes"
is "$(cat "$temp/err")" "analyzer: $temp/all.sum: 2 inputs were there more than once: read once" \
	"what is merged twice is said to be so"
find "$temp/in" -name '*.bin' | sort -r >"$temp/list"
"$analyzer" batch @"$temp/list" -o "$temp/listed" >"$temp/out"
is "$(cat "$temp/out")" "6 inputs: 6 summarised" "a list of files is taken"

# Every figure equals that of the log itself.
for report in ranges kernels memcpy api overview; do
	"$analyzer" summarize "$temp/in/3.bin" -o "$temp/3.sum"
	"$analyzer" stats "$temp/in/3.bin" -r $report -f csv >"$temp/own" 2>/dev/null
	"$analyzer" stats "$temp/3.sum" -r $report -f csv >"$temp/sums" 2>/dev/null
	is "$(python3 - "$temp/own" "$temp/sums" <<'PY'
import csv, sys
own, sums = (list(csv.DictReader(open(name))) for name in sys.argv[1:])
keys = [key for key in own[0] if key in sums[0]]
first = keys[0]
assert len(keys) >= 5, keys
for a in own:
    b = [row for row in sums if row[first] == a[first]]
    assert len(b) == 1, a
    for key in keys:
        assert a[key] == b[0][key], (key, a, b)
assert len(own) == len(sums)
print("same")
PY
	)" same "$report of a summary is that of the log"
done
is "$("$analyzer" stats "$temp/all.sum" -r ranges -f csv 2>/dev/null | cut -d, -f1,5,7,13,19-)" \
	"name,self_cpu_ns,cpu_total_ns,calls,ranks,rank_min_ns,rank_mean_ns,rank_p50_ns,rank_p90_ns,rank_p99_ns,rank_max_ns,imbalance,slowest,since_call,since_step,since_ratio
step,18000,83000,6,6,11000,13833,13000,18000,18000,18000,1.301205,b rank 0,,,
train,36000,36000,6,6,6000,6000,6000,6000,6000,6000,1.000000,rank 0,,,
load,29000,29000,6,6,2000,4833,4000,9000,9000,9000,1.862069,b rank 0,,," \
	"ranges over ranks: sums, smallest, mean, quantiles, largest, imbalance, which"

# 9 of 12 ranks have the range, 100, 200 … 900 ns each, in two calls. All ranks have a kernel of 50
# ns, the last one on two devices.
mkdir "$temp/twelve"
for rank in 0 1 2 3 4 5 6 7 8 9 10 11; do
	{
		echo "capture pid=7 clock=\"monotonic\" rank=$rank"
		echo 'def stream id=1 tid=7 name="main"'
		echo 'def stream id=3 parent=1 name="GPU"'
		if [ "$rank" -lt 9 ]; then
			echo 'event 1 0 1000 push name="x"'
			echo "event 1 1 $((1060 + 100 * rank)) pop"
			echo 'event 1 2 5000 push name="x"'
			echo 'event 1 3 5040 pop'
		fi
		echo 'event 3 0 6000 kernel name="k" dur=50 device=0 context=1 queue=7'
		[ "$rank" -lt 11 ] || echo 'event 3 1 6000 kernel name="k" dur=50 device=1 context=2 queue=7'
		echo 'end status="clean"'
	} | python3 "$test_dir/tools/text-log.py" "$temp/twelve/$rank.bin"
done
# spread REPORT: prints the columns that compare ranks.
spread()
{
	"$analyzer" stats "$temp/twelve" -r "$1" -f json | python3 -c '
import json, sys
for row in json.load(sys.stdin)["reports"][sys.argv[1]][:1]:
    print(*(row[key] for key in ("name", "ranks", "rank_min_ns", "rank_mean_ns", "rank_p50_ns", "rank_p90_ns",
                                 "rank_p99_ns", "rank_max_ns", "imbalance", "slowest") if key in row))' "$1"
}
is "$(spread ranges)" "x 9 0 375 300 800 900 900 2.4 rank 8" "a rank without the row has 0: of 12 the 6th, 11th and 12th"
is "$(spread kernels)" "k 12 50 54 50 50 100 100 1.846154 rank 11" "all devices of a rank are one total"
is "$("$analyzer" stats "$temp/in" -r overview -f csv 2>/dev/null | cut -d, -f1,10-)" \
	"step,total_ns,rank_min_ns,rank_p50_ns,rank_p90_ns,rank_p99_ns,rank_max_ns,slowest
0,13833,11000,13000,18000,18000,18000,b rank 0" "steps over ranks: mean, shortest, quantiles, longest, which"
is "$("$analyzer" stats "$temp/in" -r ranges --by rank -f csv --sort cpu_total 2>/dev/null |
	sed -n 2,3p | cut -d, -f1,4,8)" "step,b rank 0,18000
step,rank 4,15000" "--by rank has a row for each rank"
is "$("$analyzer" stats "$temp/all.sum" -r ranks -f csv 2>/dev/null | cut -d, -f1-4 | sed -n '2p;7p')" \
	",0,node0,0.bin
b,0,node0,0.bin" "runs are folders, ranks are what the logs say"
is "$("$analyzer" stats "$temp/in" -r kernels | tail -n 1)" \
	"complete: 6 inputs, 36 events, nothing lost" "sound inputs have one line for all"

# info, verify and the program without a command take folders and summaries, too.
is "$("$analyzer" verify "$temp/in" "$temp/j1" | sed "s,$temp/,,; s/, .* chunks//" | sort | sed -n '1,2p;$p')" \
	"in/0.bin: sound, 10 events
in/1.bin: sound, 10 events
j1/summary.sum: sound, a summary of 6 inputs with 36 events" "verify takes folders and summaries"
head -c 2000 "$temp/all.sum" >"$temp/cut.sum"
"$analyzer" verify "$temp/cut.sum" >/dev/null 2>&1
is $? 3 "a summary that is cut is not readable"
"$analyzer" "$temp/in/0.bin" -o "$temp/0.json" --without-log &&
	head -c 900 "$temp/0.json" >"$temp/cut.json"
"$analyzer" verify "$temp/0.json" "$temp/cut.json" >"$temp/out"
is "$? $(grep -c ': sound, a trace' "$temp/out") $(grep -c ': incomplete, a trace' "$temp/out")" "1 1 1" \
	"a trace in JSON that is cut is a finding"
is "$("$analyzer" info "$temp/in" -f json | grep -c '"capture"')" 6 "info takes folders"
is "$("$analyzer" info "$temp/j1" -f json | wc -l)" 1 "info of a summary is one line of JSON"
is "$("$analyzer" info "$temp/j1" | grep -c '0.bin')" 2 "and as text a row for each input"
is "$("$analyzer" "$temp/in" | sed -n '1p;$p')" "Ranks
complete: 6 inputs, 36 events, nothing lost" "analyzer FOLDER prints its ranks, steps and ranges"
mkdir "$temp/many"
cat >"$temp/many.txt" <<'LOG'
capture pid=7 clock="monotonic" rank=RANK
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="a"
event 1 1 2000 pop
end status="clean"
LOG
python3 - "$test_dir/tools/text-log.py" "$temp" <<'PY'
import runpy, sys
tool, folder = sys.argv[1:]
text = open(folder + "/many.txt").read()
for rank in range(64): # by one Python
    with open(folder + "/one.txt", "w") as file:
        file.write(text.replace("RANK", str(rank)))
    sys.argv = [tool, "%s/many/%d.bin" % (folder, rank), folder + "/one.txt"]
    runpy.run_path(tool, run_name="__main__")
PY
is "$("$analyzer" stats "$temp/many" | sed 1,3d | tr '\n' '|')" \
	"|complete: 64 inputs, 128 events, nothing lost|" "64 sound ranks have a footer of one line"

is "$("$analyzer" stats "$temp/j1" -r all -f json)" "$("$analyzer" stats "$temp/j1/summary.sum" -r all -f json)" \
	"of what a batch left all reports are those of its summary"
"$analyzer" stats "$temp/j1" -r idle >/dev/null 2>"$temp/err"
is "$?:$(grep -c 'report.json' "$temp/err")" 2:0 "and one that summaries have not is refused"

# For Prometheus: each series once, and the figures of the tables.
for by in '' '--by rank'; do
	# shellcheck disable=SC2086 # two words or none
	"$analyzer" stats "$temp/all.sum" $by -f openmetrics >"$temp/metrics" 2>/dev/null
	# shellcheck disable=SC2086
	"$analyzer" stats "$temp/all.sum" $by -r ranges -f csv 2>/dev/null >"$temp/ranges"
	is "$(python3 - "$temp/metrics" "$temp/ranges" <<'PY'
import csv, re, sys
series = {}
lines = open(sys.argv[1]).read().split("\n")
assert lines[-2:] == ["# EOF", ""], lines[-3:]
for line in lines[:-2]:
    if line.startswith("# "):
        assert re.fullmatch(r"# (TYPE|UNIT|HELP) ranges_[a-z_]+ .+", line), line
        continue
    match = re.fullmatch(r'(ranges_[a-z_]+)\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\} ([0-9.]+)', line)
    assert match, line
    assert match.group(1, 2) not in series, line
    series[match.group(1, 2)] = match.group(3)
count = 0
for row in csv.DictReader(open(sys.argv[2])):
    rank = [label for name, label in series if name == "ranges_range_seconds_count" and 'name="%s"' % row["name"] in label
            and (not row.get("rank") or label.endswith('rank="%s"' % row["rank"]))]
    assert len(rank) == 1, row
    assert series["ranges_range_seconds_count", rank[0]] == row["calls"], row
    for quantile, key in (("0.5", "p50_ns"), ("0.99", "p99_ns")):
        value = series["ranges_range_seconds", '%s,quantile="%s"' % (rank[0], quantile)]
        assert int(value.replace(".", "")) == int(row[key]), (row, value)
    count += 1
print(count)
PY
	)" "$([ -z "$by" ] && echo 3 || echo 18)" "openmetrics $by: each series once, figures as in the table"
done
python3 "$test_dir/tools/text-log.py" "$temp/steps.bin" <<'LOG'
capture pid=7 clock="monotonic" rank=3
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 2000 pop
event 1 2 3000 push name="step"
event 1 3 6000 pop
end status="clean"
LOG
"$analyzer" summarize --step-range step "$temp/steps.bin" -o "$temp/steps.sum"
"$analyzer" stats "$temp/steps.sum" --by rank -f openmetrics 2>/dev/null >"$temp/metrics"
is "$(grep '^ranges_step_mean_seconds' "$temp/metrics" | sed 's/.*} //')" 0.000002000 "and the mean of steps"
"$analyzer" stats "$temp/all.sum" -f openmetrics -r ranges >/dev/null 2>&1
is $? 2 "openmetrics has all reports: none is chosen"

# Inputs that are not logs.
mkdir "$temp/bad"
cp "$temp/in/"*.bin "$temp/bad"
cp "$temp/bad/0.bin" "$temp/bad/same.bin"
: >"$temp/bad/empty.bin"
echo "no log" >"$temp/bad/foreign.bin"
head -c 1000 "$temp/all.sum" >"$temp/bad/cut.sum"
ln -s nowhere "$temp/bad/link.bin"
mkfifo "$temp/bad/pipe.bin"
"$analyzer" batch "$temp/bad" "$temp/bad/pipe.bin" -o "$temp/b" -j2 >"$temp/out" 2>"$temp/err"
is "$? $(cat "$temp/out")" \
	"5 11 inputs: 6 summarised, 1 of these the same as another input, 5 could not be read" \
	"bad files stop nothing, and the exit status is 5"
is "$(sed "s,$temp/bad/,,; s/cut.sum: offset [0-9]*/cut.sum: offset N/" "$temp/err")" \
	"analyzer: cut.sum: offset N: the summary ends inside a part
analyzer: empty.bin: offset 0: the file is empty
analyzer: foreign.bin: offset 0: expected a log (C1 F7 72 6C), found 6E 6F 20 6C
analyzer: link.bin: cannot be opened: No such file or directory
analyzer: pipe.bin: a summary is made of files only
analyzer: same.bin: the same as $temp/bad/0.bin: taken once" "each of them is named"
"$analyzer" batch "$temp/bad/empty.bin" -o "$temp/none" >"$temp/out" 2>&1
is $? 3 "if no file can be read the exit status is 3"
"$analyzer" merge "$temp/all.sum" "$temp/bad/cut.sum" -o "$temp/half.sum" 2>/dev/null
is "$? $(ls "$temp/half.sum" 2>/dev/null)" "3 " "merge writes nothing if a file cannot be read"

# Resuming: existing summaries are not made again, damaged or new ones are.
rm "$temp/j2/summary.sum"
first=$(find "$temp/j2/parts" -name '*.sum' | sort | sed -n 1p)
second=$(find "$temp/j2/parts" -name '*.sum' | sort | sed -n 2p)
rm "$first"
head -c 70 "$second" >"$temp/short" && cp "$temp/short" "$second"
"$analyzer" batch "$temp/in" -o "$temp/j2" --resume >"$temp/out" 2>&1
is "$(cat "$temp/out") $(sum "$temp/j2")" \
	"6 inputs: 2 summarised, 4 were summarised before $(sum "$temp/j1")" "what was done is not done again"
is "$(python3 - "$temp/j1/.lock" "$analyzer" batch "$temp/in" -o "$temp/j1" 2>&1 <<'PY'
import fcntl, subprocess, sys
with open(sys.argv[1], "w") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    run = subprocess.run(sys.argv[2:], capture_output=True, text=True)
print(run.stderr + str(run.returncode))
PY
)" "analyzer: $temp/j1: another batch is writing here: wait for it, or take another folder
6" "two batches do not write into one folder"

# Killed at any time: the files that it leaves are complete, and a later run ends with the same
# bytes.
is "$(python3 - "$temp" "$analyzer" <<'PY'
import random, shutil, subprocess, sys, time
temp, analyzer = sys.argv[1:]
random.seed(7)
wanted = open(temp + "/j1/summary.sum", "rb").read()
for kill in range(50):
    out = "%s/k%d" % (temp, kill % 5)
    command = [analyzer, "batch", temp + "/in", "-o", out, "--resume", "-j2"]
    batch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.random() * 0.02)
    batch.kill()
    batch.wait()
    if kill % 10 >= 5:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if open(out + "/summary.sum", "rb").read() != wanted:
            print("other bytes")
        shutil.rmtree(out)
print("done")
PY
)" "done" "50 kills: what is resumed has the same bytes"

# Merging takes memory for the largest part, not for all: 64 parts of 0.5 MB with identities of their own.
python3 - <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/large.bin"
import random
random.seed(5)
print('capture pid=1 clock="monotonic" rank=0\ndef stream id=1 tid=7 name="main"')
for row in range(3000):
    print('event 1 %d %d push name="%0320x"' % (2 * row, 1000 + 20 * row, random.getrandbits(1280)))
    print('event 1 %d %d pop' % (2 * row + 1, 1010 + 20 * row))
print('end status="clean"')
PY
"$analyzer" summarize --names raw "$temp/large.bin" -o "$temp/large.sum"
is "$(python3 - "$temp" "$analyzer" "${SANITIZERS:-no}" "${UNDER:-}" <<'PY'
import struct, subprocess, sys, zlib
temp, analyzer, sanitizers, under = sys.argv[1:]
part = bytearray(open(temp + "/large.sum", "rb").read()[:-16])
end = b"\x89RSEN\r\n\x1a"
def made(number):
    part[16:32] = struct.pack(">QQ", number * 0x9E3779B97F4A7C15 % 2**64, number)
    part[12:16] = struct.pack("<I", zlib.crc32(part[16:]))
    return bytes(part)
expected = b""
for half in range(2):
    with open("%s/half%d.sum" % (temp, half), "wb") as out:
        for number in range(half, 64, 2):
            out.write(made(number))
        out.write(end + struct.pack("<Q", 32))
for number in sorted(range(64), key=lambda number: number * 0x9E3779B97F4A7C15 % 2**64):
    expected += made(number)
# in a process of its own, because a child's peak begins with its parent's memory
peak = int(subprocess.run([sys.executable, "-c", """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)""", analyzer, "merge", temp + "/half1.sum",
    temp + "/half0.sum", "-o", temp + "/both.sum"], check=True, stdout=subprocess.PIPE).stdout)
same = open(temp + "/both.sum", "rb").read() == expected + end + struct.pack("<Q", 64)
print(same, len(part) > 400000, peak < 30000 or sanitizers != "no" or under != "" or peak)
PY
)" "True True True" "32 MB of parts are merged within 30 MB"

# A worker's memory is bounded: 1 MB of a log with 165,000 paths of ranges (235 MB before; a child's
# peak is its own, as above).
generate=$top_builddir/tests/tools/gen-log
if [ ! -x "$generate" ]; then
	skip "a worker takes less than 100 MB" "gen-log is not built"
elif [ "${SANITIZERS:-no}${UNDER:-}" != no ]; then
	skip "a worker takes less than 100 MB" "what runs it takes memory as well"
else
	"$generate" "$temp/paths.bin" --pairs 230000 --names 200 --depth 8 --seed 3
	is "$(python3 - "$analyzer" batch "$temp/paths.bin" -o "$temp/paths" <<'PY'
import subprocess, sys
peak = int(subprocess.run([sys.executable, "-c", """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)""", *sys.argv[1:]], check=True,
    stdout=subprocess.PIPE).stdout)
print(peak < 100000 or peak)
PY
	)" True "a worker takes less than 100 MB, whatever its log has"
	rm -rf "$temp/paths" "$temp/paths.bin"
fi

# Real ranks.
if [ -f "$traces/dlrm_rank7.json.gz" ]; then
	mkdir "$temp/dlrm"
	for rank in 0 1 2 3 4 5 6 7; do
		ln -s "$(cd "$traces" && pwd)/dlrm_rank$rank.json.gz" "$temp/dlrm/"
	done
	"$analyzer" batch "$temp/dlrm" -o "$temp/d1" -j1 >/dev/null
	"$analyzer" batch "$temp/dlrm" -o "$temp/d2" -j2 >/dev/null
	is "$(sum "$temp/d2")" "$(sum "$temp/d1")" "8 ranks of a public run: the same bytes"
	is "$(for rank in 0 1 2 3 4 5 6 7; do
		"$analyzer" stats "$temp/dlrm/dlrm_rank$rank.json.gz" -r overview -f csv 2>/dev/null |
			tail -n 1 | cut -d, -f10
	done)" "$("$analyzer" stats "$temp/d1" -r ranks -f csv 2>/dev/null | sed 1d | cut -d, -f7)" \
		"the time of steps of each rank is that of its trace"
	is "$("$analyzer" stats "$temp/d1" -r ranks -w 0 | grep '^The others')" \
		"The others wait for rank 5 in collectives: 6.276ms, 5.8 % of their steps (it is slower: its own time between them is 832.000us, 11 %, longer than the middle rank's); for rank 4: 4.987ms, 4.6 % (it is slower: its own time between them is 777.000us, 10 %, longer than the middle rank's); for rank 7: 9.107ms, 8.0 % (late from the start, no slower itself)" \
		"8 ranks of a public run: the ones that are waited for, those that are slow before one that is late from the start"
	is "$("$analyzer" stats "$temp/dlrm" -r ranks -w 0 | grep '^The others')" "$("$analyzer" stats "$temp/d1" -r ranks -w 0 | grep '^The others')" \
		"... the same by their traces"
	is "$("$analyzer" stats "$temp/d1" -r ranks -f csv 2>/dev/null | python3 -c '
import csv, sys
print(*(row["slower_ns"] for row in csv.DictReader(sys.stdin)))')" "0 0 0 0 777000 832000 0 0" "... and by how much, if others wait for it"
	# Every figure in the summary equals that of the trace. HTA's own figures are in the table
	# of ranks.
	is "$(python3 - "$analyzer" "$temp/dlrm" "$temp/d1" "$traces/expected/dlrm_8ranks.hta.json" <<'PY'
import csv, io, json, subprocess, sys
analyzer, folder, summary, expected = sys.argv[1:]
def stats(*words):
    text = subprocess.run([analyzer, "stats", *words, "-f", "csv"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))
figures = 0
for report, name in ("ranges", "name"), ("kernels", "name"), ("memcpy", "operation"), ("api", "name"):
    rows = {(row["rank"], row["name"], row.get("domain"), row.get("kind")): row
            for row in stats(summary, "-r", report, "--by", "rank")}
    found = 0
    for rank in range(8):
        for own in stats("%s/dlrm_rank%d.json.gz" % (folder, rank), "-r", report):
            name = name if name in own else next(iter(own))
            if own[name] == "(outside any range)":  # in the sum of all ranks only
                continue
            row = rows["rank %d" % rank, own[name], own.get("domain"), own.get("kind") if report == "ranges" else None]
            found += 1
            for key in own.keys() & row.keys() - {"rank", "kind"}:
                if not key.endswith("_share"):  # of one rank there, of all here
                    assert own[key] == row[key], (report, rank, key, own, row)
                    figures += 1
    assert found == len(rows), (report, found, len(rows))
ranks = {int(row["rank"]): row for row in stats(summary, "-r", "ranks")}
table = json.load(open(expected))
for rank, idle, compute, other, span, *_ in table["temporal_breakdown"]["rows"]:
    row = ranks[rank]
    assert int(row["computation_ns"]) == compute * 1000, row
    assert abs(float(row["gpu_busy_share"]) * span - compute - other) < 0.02, row
    figures += 2
for rank, percent in table["comm_comp_overlap"]["rows"]:
    row = ranks[rank]
    hidden = 1 - int(row["exposed_communication_ns"]) / int(row["communication_ns"])
    assert abs(hidden * 100 - percent) < 0.01, row
    figures += 1
print("equal" if figures > 5000 else figures)
PY
	)" "equal" "every figure of the summary of 8 ranks is that of its trace, and HTA's"
	is "$(for shard in 1 2 3 4; do
		"$analyzer" batch "$temp/dlrm" -o "$temp/ds$shard" --shard $shard/4 >/dev/null
	done
	"$analyzer" merge "$temp/ds3" "$temp/ds1" "$temp/ds4" "$temp/ds2" -o "$temp/ds.sum"
	cksum <"$temp/ds.sum")" "$(sum "$temp/d1")" "and four shards of them, merged"
else
	skip "8 ranks of a public run" "no traces"
fi
done_testing
