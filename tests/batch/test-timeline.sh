#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer batch --timeline: ranks are on one time axis, whatever their clocks say.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
ranges=$top_builddir/libranges/ranges
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# log RANK REAL LENGTH [HOST]: writes the log of a rank that reached two barriers LENGTH ns before
# they ended.
log()
{
	python3 "$test_dir/tools/text-log.py" "$temp/in/$1.bin" <<LOG
capture pid=7 clock="monotonic" rank=$1 host="${4:-n$1}" start_mono_ns=0 start_real_ns=$2
clock ticks=0 mono=0 real=$2 boot=0 err=40
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 100000 push name="step"
event 1 1 $((200000 - $3)) push name="MPI_Barrier"
event 1 2 200000 pop
event 1 3 $((300000 - $3)) push name="MPI_Barrier"
event 1 4 300000 pop
event 1 5 $((400000 + $3)) pop
event 3 0 310000 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 320000 kernel name="matmul" dur=1000 context=1 queue=7 corr=1
end status="clean"
LOG
}

# look EXPRESSION: prints it for the timeline in $temp/out. d is the JSON, events() returns those of
# a phase.
look()
{
	python3 - "$temp/out/ranks.json.gz" "$1" <<'PY'
import collections, gzip, json, sys
d = json.load(gzip.open(sys.argv[1]))
def events(phase, name=None):
    return [e for e in d["traceEvents"] if e["ph"] == phase and name in (None, e["name"])]
print(eval(sys.argv[2]))
PY
}

mkdir "$temp/in"
log 0 1000000000000000000 5000
log 1 1000000000700000000 1000
log 2 999999990000000000 3000
"$analyzer" batch "$temp/in" -o "$temp/out" --timeline all >"$temp/said"
is "$? $(sed "s,$temp/,," "$temp/said")" "0 3 inputs: 3 summarised
rank 0: the other inputs are moved to its clock
rank 1: moved by -700000000 ns, within 5000 ns (2 meetings)
rank 2: moved by 10000000000 ns, within 5000 ns (2 meetings)
out/ranks.json.gz: 3 inputs, 0 of 6 pairs in meetings reversed" "clocks that differ by seconds are put in line by MPI_Barrier"
is "$(look '[(i["rank"], i["offset_ns"], i["uncertainty_ns"], i["meetings"]) for i in d["alignment"]["inputs"]]')" \
	"[(0, 0, 0, 0), (1, -700000000, 5000, 2), (2, 10000000000, 5000, 2)]" "the file says so, too"
is "$(look '[round(e["ts"] + e["dur"], 3) for e in events("X", "MPI_Barrier")]')" \
	"[200.0, 300.0, 200.0, 300.0, 200.0, 300.0]" "barriers end at the same time"
# The same as an archive, which takes the timeline's place.
"$analyzer" batch "$temp/in" -o "$temp/archive" --timeline all >/dev/null
"$analyzer" batch "$temp/in" -o "$temp/archive" --timeline all --archive --resume >"$temp/said"
is "$? $(tail -n 1 "$temp/said" | sed "s,$temp/,,") $(cd "$temp/archive" && echo ranks.*)" \
	"0 archive/ranks.tar: 3 inputs, 0 of 6 pairs in meetings reversed ranks.tar" "--archive"
is "$(python3 - "$temp/archive/ranks.tar" "$temp/out/ranks.json.gz" <<'PY'
import gzip, json, sys, tarfile
tar = tarfile.open(sys.argv[1])
names = tar.getnames()
assert names[0] == "perfetto_manifest.json", names
text = tar.extractfile(names[0]).read()
assert text.startswith(b'{"perfetto_manifest"'), text  # what it is known by
(key, manifest), = json.loads(text).items()
assert key == "perfetto_manifest" and manifest["version"] == 1
assert [entry["path"] for entry in manifest["files"]] == names[1:]
assert [entry["machine"] for entry in manifest["files"]] == [{"name": "n%d" % rank} for rank in range(3)]
assert [entry.get("clocks") for entry in manifest["files"]] == [None] + 2 * [
    {"sync_to": {"file": names[1]}, "offset_ns": 0}]
assert all(type(value) in (int, str) for value in manifest["attributes"].values())
assert manifest["attributes"]["ranges.001-rank1.json.offset_ns"] == -700000000
assert manifest["attributes"]["ranges.002-rank2.json.uncertainty_ns"] == 5000
files = [json.load(tar.extractfile(name)) for name in names[1:]]
whole = json.load(gzip.open(sys.argv[2]))
assert {file["baseTimeNanoseconds"] for file in files} == {whole["baseTimeNanoseconds"]}
assert [file["alignment"]["inputs"] for file in files] == [[one] for one in whole["alignment"]["inputs"]]
def events(trace):
    return [json.dumps(event, sort_keys=True) for event in trace["traceEvents"] if event["ph"] != "M"]
assert sum((events(file) for file in files), []) == events(whole)
print(*names[1:])
PY
)" "000-rank0.json 001-rank1.json 002-rank2.json" "a file of each rank, with the events of the timeline; the manifest ties their clocks"
"$analyzer" batch "$temp/in" -o "$temp/archive" --archive >/dev/null 2>&1
is $? 2 "--archive without --timeline is refused"
is "$(look 'sorted(e["args"]["name"] for e in events("M", "process_name"))')" \
	"['GPU 0 (rank 0)', 'GPU 0 (rank 1)', 'GPU 0 (rank 2)', 'process 7 (rank 0)', 'process 7 (rank 1)', 'process 7 (rank 2)']" \
	"processes and GPUs of one number are told apart"
is "$(look 'len({e["pid"] for e in events("X")}), sorted(collections.Counter(e["id"] for e in events("s") + events("f")).values())')" \
	"(6, [2, 2, 2])" "each arrow has its two ends"
is "$("$analyzer" stats "$temp/out/ranks.json.gz" -r kernels -f csv 2>/dev/null | python3 -c '
import csv, sys
print([(row["name"], row["calls"]) for row in csv.DictReader(sys.stdin)])')" "[('matmul', '3')]" "the analyzer reads it"
"$analyzer" batch "$temp/in" -o "$temp/out" --timeline slowest:1,median:1 >"$temp/said"
is "$(look '[i["rank"] for i in d["alignment"]["inputs"]]')" "[0, 2]" "the slowest and the median rank"
"$analyzer" batch "$temp/in" -o "$temp/out" --timeline fastest:2 --align step >"$temp/said"
is "$(look '[(i["rank"], i["offset_ns"], i["uncertainty_ns"]) for i in d["alignment"]["inputs"]]')" \
	"[(1, 0, 0), (2, 10699998000, 303000)]" "a range of one's own"
for words in slow slowest: "slowest:1," slowest:x ","; do
	"$analyzer" batch "$temp/in" -o "$temp/out" --timeline "$words" >/dev/null 2>&1
	is $? 2 "--timeline $words is refused"
done
for name in ranks.json.gz all.sum; do
	"$analyzer" batch "$temp/in" -o "$temp/$name" --timeline all >/dev/null 2>"$temp/err"
	is "$? $(grep -c "found the file name .*$name" "$temp/err") $(find "$temp" -name "$name" -maxdepth 1)" "2 1 " \
		"-o $name is refused: it would be a folder"
done
"$analyzer" batch "$temp/in" -o "$temp/out" --align step >/dev/null 2>&1
is $? 2 "--align alone is refused"

# Only clocks are known. Those of one machine agree; for two machines nobody knows.
mkdir "$temp/none"
for rank in 0 1 2; do
	grep -v MPI_Barrier <<LOG | python3 "$test_dir/tools/text-log.py" "$temp/none/$rank.bin"
capture pid=7 clock="monotonic" rank=$rank host="n$((rank / 2))" start_mono_ns=0 start_real_ns=1000000000000000000
clock ticks=0 mono=0 real=1000000000000000000 boot=0 err=40
def stream id=1 tid=7 name="main"
event 1 0 100000 push name="step"
event 1 1 400000 pop
end status="clean"
LOG
done
"$analyzer" batch "$temp/none" -o "$temp/out" --timeline all | sed -n 3,4p >"$temp/said"
is "$(cat "$temp/said")" "rank 1: moved by 0 ns, within 80 ns (0 meetings)
rank 2: moved by 0 ns, with an unknown error (0 meetings)" "without meetings clocks of one machine are taken as they are"

if [ -f "$traces/dlrm_rank7.json.gz" ]; then
	mkdir "$temp/dlrm"
	for rank in 0 1 2 3 4 5 6 7; do
		ln -s "$(cd "$traces" && pwd)/dlrm_rank$rank.json.gz" "$temp/dlrm/"
	done
	"$analyzer" batch "$temp/dlrm" -o "$temp/out" --timeline all >/dev/null
	is "$(look 'd["alignment"]["pairs"], d["alignment"]["reversed"]')" "(224, 0)" \
		"8 ranks of a public run: no collective ends on a rank before all have come"
else
	skip "8 ranks of a public run" "no traces"
fi

# Two processes, one of them with a clock that is an hour ahead.
shift_ns=3600123456789
if [ "${SANITIZERS:-no}" != no ]; then
	skip "two processes with different clocks" "a sanitizer must be loaded first"
elif ! ${CC:-cc} -I"$top_srcdir/libranges/include" "$test_dir/batch/meet.c" -o "$temp/meet" -ldl 2>"$temp/cc.txt" ||
	! ${CC:-cc} -shared -fPIC "$test_dir/batch/shift-clock.c" -o "$temp/shift.so" 2>"$temp/cc.txt"; then
	skip "two processes with different clocks" "$(head -n 1 "$temp/cc.txt")"
else
	mkdir "$temp/two"
	mkfifo "$temp/a" "$temp/b"
	"$ranges" run -o "$temp/two/a.bin" -- "$temp/meet" "$temp/a" "$temp/b" 2>"$temp/said" &
	"$ranges" run -o "$temp/two/b.bin" -- env LD_PRELOAD="$temp/shift.so" SHIFT_NS=$shift_ns \
		"$temp/meet" "$temp/b" "$temp/a" 2>>"$temp/said"
	wait
	"$analyzer" batch "$temp/two" -o "$temp/out" --timeline all --align meeting >"$temp/said"
	diag "$(sed -n 3p "$temp/said")"
	is "$(look '(lambda i: (i["meetings"], abs(i["offset_ns"] + '$shift_ns') <= i["uncertainty_ns"] < 10**9))(d["alignment"]["inputs"][1]), d["alignment"]["reversed"]')" \
		"((50, True), 0)" "two processes with clocks an hour apart are aligned within what is said"
fi
done_testing
