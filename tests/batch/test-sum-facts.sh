#!/bin/sh
# SPDX-License-Identifier: MIT
# Summaries also hold the projected GPU time of ranges, which equals that of the traces, and the
# inputs' facts about their machines. Summaries of older versions are read, and a message says what
# they lack.

. "${0%/*}/../lib.sh"
. "${0%/*}/rank-logs.sh"
read_sum=$test_dir/tools/read-sum.py

# gpu_log FILE RANK: writes a log. "step" contains "a" twice, the second time with a kernel that
# ends after it, and with one that b launches.
gpu_log()
{
	python3 "$test_dir/tools/text-log.py" "$1" <<LOG
capture pid=7 clock="monotonic" rank=$2 host="node$2" exe="/bin/app" tool="libranges 9.9" settings=["RANGES_B=2","RANGES_A=1","RANGES_B=2"]
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
def device id=0 name="GPU of ours" detail=[9,0,100]
def gpu_status id=0 name="CUPTI 24 from libcupti.so, times by CLOCK_MONOTONIC"
event 1 0 1000 push name="step"
event 1 1 1100 push name="a"
event 1 2 1400 pop
event 1 3 2000 push name="a"
event 1 4 2500 push name="b"
event 1 5 2900 pop
event 1 6 3000 pop
event 1 7 4000 pop
event 3 0 1200 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 2100 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 2 2600 api name="cudaLaunchKernel" dur=100 tid=7 corr=3 kind=1
event 3 3 5000 kernel name="k" dur=100 context=1 queue=7 corr=1
event 3 4 6000 kernel name="k" dur=1000 context=1 queue=7 corr=2
event 3 5 8000 kernel name="k" dur=$((500 + $2)) context=1 queue=7 corr=3
end status="clean"
LOG
}

mkdir "$temp/in"
gpu_log "$temp/in/0.bin" 0
gpu_log "$temp/in/1.bin" 1
for rank in 0 1; do
	"$analyzer" summarize "$temp/in/$rank.bin" -o "$temp/$rank.sum"
done
"$analyzer" merge "$temp/1.sum" "$temp/0.sum" -o "$temp/all.sum"

# projected FILE: prints the projected GPU time in the rows of ranges and paths.
projected()
{
	python3 "$read_sum" "$1" | python3 -c '
import json, sys
for line in sys.stdin:
    part = json.loads(line)
    for row, *figures in part["projected"]:
        row = part["rows"][row]
        path = [row["name"]]
        while row["parent"] >= 0:
            row = part["rows"][row["parent"]]
            path.insert(0, row["name"])
        print(row["table"], "/".join(path), *figures)'
}
is "$(projected "$temp/0.sum")" "0 step 1 3 3500 3500 3500
0 a 2 3 2600 100 2500
0 b 1 1 500 500 500
1 step 1 3 3500 3500 3500
1 step/a 2 3 2600 100 2500
1 step/a/b 1 1 500 500 500" "ranges with work, operations, and the time of their work: sum, shortest, longest"
is "$("$analyzer" stats "$temp/all.sum" -r ranges -f csv 2>/dev/null | cut -d, -f1,12,13)" "name,projected_total_ns,calls
step,7001,2
a,5201,4
b,1001,2" "over ranks they are added"
is "$("$analyzer" stats "$temp/in" -r ranges --by rank -f csv 2>/dev/null | grep ^b, | cut -d, -f1,4,12)" "b,rank 0,500
b,rank 1,501" "with --by rank they are those of each"

# Figures of each row, by path too, are those of the report on the input itself.
cat >"$temp/compare.py" <<'PY'
import csv, io, json, subprocess, sys
analyzer, read_sum, temp, *inputs = sys.argv[1:]
figures = 0
for name in inputs:
    subprocess.run([analyzer, "summarize", name, "-o", temp + "/one.sum"], check=True)
    part = json.loads(subprocess.run([sys.executable, read_sum, temp + "/one.sum"], check=True, stdout=subprocess.PIPE).stdout)
    text = subprocess.run([analyzer, "stats", name, "-r", "range-projection-sum", "-f", "csv"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    kinds = {"push/pop": 0, "start/end": 1, "wait": 2}
    wanted = {(row["name"], row["domain"], kinds[row["kind"]]):
              [int(row[key]) for key in ("calls", "operations", "projected_total_ns", "projected_min_ns", "projected_max_ns")]
              for row in csv.DictReader(io.StringIO(text))}
    got = {}, {}
    for index, *found in part["projected"]:
        row = part["rows"][index]
        sums = got[row["table"]]
        key = row["name"], row["domain"], row["kind"]
        old = sums.get(key)
        sums[key] = found if old is None else [old[0] + found[0], old[1] + found[1], old[2] + found[2],
                                               min(old[3], found[3]), max(old[4], found[4])]
    for sums in got:
        assert sums.keys() == wanted.keys(), (name, sums.keys() ^ wanted.keys())
        for key in sums:
            assert sums[key] == wanted[key], (name, key, sums[key], wanted[key])
            figures += 5
print(figures)
PY
is "$(python3 "$temp/compare.py" "$analyzer" "$read_sum" "$temp" "$temp/in/0.bin" 2>&1 | tail -n 1)" 30 \
	"projected times are those of the log, by name and by path"
if [ -f "$traces/resnet50_w0.json.gz" ]; then
	figures=$(python3 "$temp/compare.py" "$analyzer" "$read_sum" "$temp" "$traces"/dlrm_rank[0-7].json.gz \
		"$traces"/resnet50_w0.json.gz "$traces"/h100_bert_small.json.gz "$traces"/vllm_decode_graph_mi300.json.gz 2>&1 |
		tail -n 1)
	diag "$figures figures"
	[ "$figures" -gt 5000 ] 2>/dev/null
	ok $? "and of public traces"
else
	skip "projected times of public traces" "no traces"
fi

# Facts of the machines.
facts()
{
	"$analyzer" stats "$@" -r environment -f csv 2>/dev/null
}
is "$(facts "$temp/all.sum")" "fact,value,ranks
clock,monotonic,2
cupti,24,2
gpu,GPU of ours,2
program,/bin/app,2
recorder,libranges 9.9,2
setting,RANGES_A=1,2
setting,RANGES_B=2,2
host,node0,1
host,node1,1" "facts of machines, what all say first"
"$analyzer" merge "$temp/0.sum" "$temp/all.sum" "$temp/1.sum" "$temp/1.sum" -o "$temp/again.sum" 2>/dev/null
cmp -s "$temp/all.sum" "$temp/again.sum"
ok $? "merged in another order, and twice, they are the same"
is "$(facts "$temp/in")" "$(facts "$temp/all.sum")" "of logs they are those of their summaries"
is "$(facts "$temp/in/1.bin" | grep host)" "host,node1,1" "a single one has them"
is "$(facts "$temp/in" --by rank | grep "fact\|host")" "rank,fact,value
rank 0,host,node0
rank 1,host,node1" "--by rank has those of each"
is "$("$analyzer" info "$temp/all.sum" | sed -n '/^Environment/,/^complete/p' | grep -c '^host  *node[01]  *1$')" 2 \
	"info of a summary shows them"
is "$("$analyzer" info --json "$temp/all.sum" | python3 -c '
import json, sys
print([row["value"] for row in json.loads(sys.stdin.read())["reports"]["environment"] if row["fact"] == "recorder"])')" \
	"['libranges 9.9']" "as JSON, too"

# They are bounded: 64 of an input, 255 bytes of each, whole characters.
python3 - <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/much.bin"
print('capture pid=1 clock="monotonic" os="%s\u00e9" settings=%s' %
      ("x" * 254, str(["RANGES_%d=1" % number for number in range(500)]).replace(" ", "")))
print('def stream id=1 tid=7 name="main"\nevent 1 0 1000 push name="a"\nevent 1 1 2000 pop\nend status="clean"')
PY
"$analyzer" summarize "$temp/much.bin" -o "$temp/much.sum"
is "$(python3 "$read_sum" "$temp/much.sum" | python3 -c '
import json, sys
facts = json.loads(sys.stdin.read())["environment"]
print(len(facts), [len(text) for key, text in facts if key == "os"], facts == sorted(facts))')" "64 [254] True" \
	"at most 64 facts of an input, of 255 bytes, in order"

# Facts of traces and of exports of nsys.
cat >"$temp/trace.json" <<'JSON'
{"schemaVersion":1,"cuda_driver_version":12090,"cupti_version":22,"odd_version":{"a":1},"rocm_version":"6.\u0031",
"host_name":"node7","distributedInfo":{"backend":"nccl","nccl_version":"2.26.6","rank":3,"world_size":8},
"deviceProperties":[{"id":0,"name":"Tesla V"}],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":5},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":3,"args":{"device":0,"stream":7}}]}
JSON
is "$(facts "$temp/trace.json" | sed 1d | tr '\n' ' ')" \
	"backend,nccl,1 cuda_driver,12090,1 cupti,22,1 gpu,Tesla V,1 host,node7,1 nccl,2.26.6,1 rocm,6.1,1 world_size,8,1 " \
	"of a trace: versions, GPUs, host, what ranks talk by"
nsys=$traces/nsys/graph_2025_5.sqlite.gz
if [ -f "$nsys" ]; then
	gzip -cd "$nsys" >"$temp/graph.sqlite"
	is "$(facts "$temp/graph.sqlite" | grep 'driver\|nsys,\|gpu,' | tr '\n' ' ')" \
		"cuda_driver,13020,1 gpu,NVIDIA GeForce RTX 3060,1 gpu_driver,595.84,1 nsys,2025.5.2.266,1 " "of an export of nsys"
else
	skip "of an export of nsys" "no traces"
fi

# Summaries of earlier versions.
python3 "$read_sum" --without projected,environment "$temp/0.sum" "$temp/old.sum"
"$analyzer" stats "$temp/old.sum" -r ranges -f csv >"$temp/out" 2>"$temp/err"
is "$? $(grep -c projected "$temp/out") $(grep -c '^analyzer: 1 summary is of an older version, without projected times' "$temp/err")" "0 0 1" \
	"an older summary has no such column, and a line says so"
"$analyzer" merge "$temp/old.sum" "$temp/1.sum" -o "$temp/both.sum"
is "$("$analyzer" stats "$temp/both.sum" -r ranges -f json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print([row.get("projected_total_ns") for row in d["reports"]["ranges"]], d["footer"]["older_inputs"])')" \
	"[None, None, None] 1" "no sum is told where a rank's part of it is not known"
is "$(facts "$temp/old.sum" | sed 1d | tr '\n' ' ')" "gpu,GPU of ours,1 host,node0,1 program,/bin/app,1 " \
	"facts that they had are told"
is "$("$analyzer" verify "$temp/old.sum" "$temp/1.sum" | grep -c ': sound')" 2 "both are sound"
done_testing
