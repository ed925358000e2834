#!/bin/sh
# SPDX-License-Identifier: MIT
# The GPU's part of the Perfetto output: every operation, call, wait and overhead of a log is in the JSON
# once, no row has two things at a time, arrows lead from a call to what it launched and never back, counters
# add up to what tables say; and Perfetto's own importer holds the same without one import error.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

# Compares the log with the JSON. PERFETTO, below, does the same for the importer.
cat >"$temp/compare.py" <<'PY'
import collections, json, re, sys
zero, ops, calls, others = 5000, [], {}, 0
for line in open(sys.argv[1]):
    word = line.split()
    if word[0] != "event":
        continue
    zero = min(zero, int(word[3]))
    field = {key: value for key, value in re.findall(r"(\w+)=(\S+)", line)}
    if word[4] == "api":
        corr = int(field["corr"])
        if field["kind"] == "1":
            calls[corr] = int(word[3])
        others += 1
    elif word[4] in ("kernel", "copy", "set", "graph_launch"):
        kind = {"copy": "gpu_memcpy", "set": "gpu_memset"}.get(word[4], "kernel")
        ops.append((kind, int(field.get("device", 0)), int(field["queue"]), int(field.get("corr", 0)), int(word[3]), int(field["dur"])))
    elif word[4] in ("gpu_sync", "overhead"):
        others += 1
trace = json.load(open(sys.argv[2]))
drawn, starts, tails, heads, rows, rest = [], {}, {}, [], collections.defaultdict(list), 0
def ns(us):
    return round(us * 1000)
for event in trace["traceEvents"]:
    args, key = event.get("args", {}), (event["pid"], event.get("tid"))
    if event["ph"] == "X" and event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset"):
        start = ns(event["ts"]) + zero
        drawn.append((event["cat"], args["device"], args["stream"], args["correlation"], start, ns(event["dur"])))
        rows[key].append((start, start + ns(event["dur"])))
        starts[key, event["ts"]] = args["correlation"]
    elif event["ph"] == "X" and event["cat"] in ("cuda_runtime", "cuda_driver", "cuda_sync", "overhead"):
        rest += 1
        if event["cat"][5:] in ("runtime", "driver"):
            starts[key, event["ts"], "call"] = args["correlation"]
        else:
            rows[key].append((ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])))
    elif event["ph"] == "s":
        assert event["id"] not in tails
        tails[event["id"]] = (starts[key, event["ts"], "call"], ns(event["ts"]))
    elif event["ph"] == "f":
        heads.append((event["id"], starts[key, event["ts"]], ns(event["ts"])))
assert sorted(drawn) == sorted(ops), sorted(set(ops) ^ set(drawn))[:5]
assert rest == others, (rest, others)
for spans in rows.values(): # one item at a time; no two begin at the same ns
    spans.sort()
    assert all(a[1] <= b[0] and a[0] < b[0] for a, b in zip(spans, spans[1:])), spans
for number, corr, start in heads:
    assert tails[number][0] == corr and tails[number][1] <= start
wanted = sum(1 for op in ops if op[3] in calls and op[4] >= calls[op[3]])
back = sum(1 for op in ops if op[3] in calls and op[4] < calls[op[3]])
assert len(heads) == wanted and set(tails) == {head[0] for head in heads}, (len(heads), wanted)
assert trace["metadata"]["gpu_operations_before_launch"] == back and trace["metadata"]["not_drawn"] == 0
assert trace["baseTimeNanoseconds"] == 7 + zero - 5000
points = collections.defaultdict(list)
for event in trace["traceEvents"]:
    if event["ph"] == "C":
        (series, value), = event["args"].items()
        points[event["pid"], event["name"], series].append((ns(event["ts"]) + zero, value))
def total(line):
    return sum((b[0] - a[0]) * a[1] for a, b in zip(line, line[1:]))
def near(a, b):
    return abs(a - b) <= 1e-6 * max(a, b, 1)
for line in points.values(): # in order, only at changes, never below 0, 0 at the end
    assert all(a[0] < b[0] and a[1] != b[1] for a, b in zip(line, line[1:])) and line[-1][1] == 0
    assert all(value >= 0 for _, value in line)
for device in {op[1] for op in ops}: # GPU 20 is a process of another number
    pid = device if device <= 15 else 6000000
    report = next(row for row in json.load(open(sys.argv[3]))["reports"]["devices"] if row["device"] == device)
    line = points[pid, "GPU utilization", "%"]
    assert max(value for _, value in line) <= 100.000001 and near(total(line), 100 * report["busy_ns"])
    line = points[pid, "Est. SM efficiency", "%"]
    assert abs(total(line) / 100 / report["span_ns"] - (report["est_sm_efficiency_share"] or 0)) < 1e-5
    copies = [op for op in ops if op[1] == device and op[0] == "gpu_memcpy" and op[5] > 0]
    assert near(total(points[pid, "Memcpy HtoD bandwidth", "GB/s"]), 100 * len(copies))
    for queue in {op[2] for op in ops if op[1] == device}:
        steps = collections.Counter()
        for op in ops:
            if op[1:3] == (device, queue) and op[3] in calls and op[4] > calls[op[3]]:
                steps[calls[op[3]]] += 1
                steps[op[4]] -= 1
        line = points[pid, "Queue length", f"stream {queue}"]
        length, lengths = 0, {}
        for time in sorted(steps):
            length += steps[time]
            lengths[time] = length
        if sum(abs(n) for n in steps.values()) > 20000: # the largest of each stretch
            assert trace["metadata"]["gpu_counters_sampled"] > 0 and len(line) <= 20001
            assert max(value for _, value in line) == max(lengths.values())
        else:
            got, length = dict(line), 0
            for time in sorted(set(lengths) | set(got)):
                assert got.get(time, length) == lengths.get(time, length), time
                length = lengths.get(time, length)
print(len(ops), wanted, back)
PY

cat >"$temp/arrows.sql" <<'SQL'
select 'arrows', count(*) from flow;
select 'wrong', count(*) from flow f join slice l on f.slice_out = l.id join slice k on f.slice_in = k.id
where extract_arg(l.arg_set_id, 'args.correlation') is not extract_arg(k.arg_set_id, 'args.correlation')
	or k.ts < l.ts or l.category not in ('cuda_runtime', 'cuda_driver')
	or k.category not in ('kernel', 'gpu_memcpy', 'gpu_memset');
select 'deep', count(*) from slice where category in ('kernel', 'gpu_memcpy', 'gpu_memset') and depth > 0;
select 'ops', count(*) from slice where category in ('kernel', 'gpu_memcpy', 'gpu_memset');
SQL

# asks NAME ARROWS OPERATIONS WRONG: Perfetto has the contents of the dump, and the arrows.
asks()
{
	sentence="$1: Perfetto holds exactly what the dump has, without an import error"
	status=0
	"$top_srcdir/tests/perfetto/check.sh" "$temp/$1.json" "$temp/$1.tsv" >"$temp/said" 2>&1 || status=$?
	if [ "$status" -eq 77 ]; then
		skip "$sentence" "$(sed 's/^SKIP: //' "$temp/said")"
		skip "$1: its arrows lead where ours do" "$(sed 's/^SKIP: //' "$temp/said")"
		return
	fi
	ok "$status" "$sentence"
	[ "$status" -eq 0 ] || diag "$(head -n 40 "$temp/said")"
	node "$top_srcdir/tests/perfetto/tp.mjs" "$temp/$1.json" "$temp/arrows.sql" 2>&1 |
		awk -F '\t' -v wrong="$4" 'NF == 2 && (wrong != "" || $1 != "wrong") && $2 ~ /^[0-9]+$/ { printf "%s%s=%s", n++ ? " " : "", $1, $2 }' >"$temp/said"
	is "$(cat "$temp/said")" "arrows=$2 ${4}deep=0 ops=$3" "$1: its arrows lead where ours do"
}

for case in "plain 1 20 600 1" "skew 2 -30 600 1" "before 3 -9000 300 1" "ties 4 5 2500 0" "none 5 0 0 1" "much 6 90 26000 0 1"; do
	# shellcheck disable=SC2086 # words
	set -- $case
	log=$1
	python3 "$top_srcdir/tests/tools/gpu-log.py" "$2" "$3" "$4" "$5" ${6:+"$6"} >"$temp/$log.txt" &&
		python3 "$top_srcdir/tests/tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt" &&
		"$analyzer" "$temp/$log.bin" -o "$temp/$log.json" 2>"$temp/said"
	ok $? "$log: the log becomes JSON"
	"$analyzer" dump --slices "$temp/$log.bin" >"$temp/$log.tsv"
	"$analyzer" stats --report devices --format json "$temp/$log.bin" >"$temp/$log.devices"
	python3 "$temp/compare.py" "$temp/$log.txt" "$temp/$log.json" "$temp/$log.devices" >"$temp/counts" 2>"$temp/said"
	ok $? "$log: each operation is drawn once, rows hold one thing at a time, arrows and counters are right"
	[ ! -s "$temp/said" ] || diag "$(cat "$temp/said")"
	read -r ops arrows back <"$temp/counts"
	diag "$ops operations, $arrows arrows, $back begin before their launch"
	case $log in
	plain | skew)	wrong='wrong=0 ' ;;
	ties)		wrong= ;;
	*)		continue ;; # Perfetto takes seconds
	esac
	asks "$log" "$arrows" "$ops" "$wrong"
done

# Items so long before the capture that Perfetto's times would not be exact are reported as missing.
cat >"$temp/early.txt" <<'E_LOG'
capture pid=100 exe="/bin/early" clock="monotonic"
clock ticks=9000000000000000 mono=9000000000000000 real=9000000000000000 boot=0 err=0
def stream id=1 tid=100
def stream id=2 parent=1 name="GPU"
event 1 0 9000000000000000 push name="now"
event 1 0 9000000000000005 pop
event 2 0 1000000000 kernel name="a hundred days ago" dur=5 context=1 queue=7
event 2 0 9000000000000001 kernel name="now" dur=5 context=1 queue=7
E_LOG
python3 "$top_srcdir/tests/tools/text-log.py" "$temp/early.bin" "$temp/early.txt"
"$analyzer" "$temp/early.bin" -o "$temp/early.json" 2>"$temp/said"
is "$(grep -c ': 1 not drawn: .* 1 more than 25 days before the capture$' "$temp/said"):$(grep -c '"cat":"kernel","name":"now"' "$temp/early.json")" \
	1:1 "an operation of a hundred days before is left out, and that is said"
done_testing
