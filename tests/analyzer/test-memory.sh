#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory of PyTorch's public traces: curve, peak and holders equal those of a slow computation.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
trace=$temp/trace.json

# memory ARGS [REPORT]: the report memory of a trace with one allocation.
memory()
{
	printf '[{"ph":"i","s":"t","name":"[memory]","cat":"cpu_instant_event","ts":1,"pid":1,"tid":1,"args":{"Device Type":1,"Device Id":0,"Addr":16,"Bytes":4096%s}}]' \
		"$1" >"$trace"
	"$analyzer" stats --report "${2:-memory}" "$trace"
}
is "$(memory '' | grep ^Peak:)" "Peak: where the trace has no totals, memory from before the first record is not in it" \
	"a trace without totals does not tell what was there before"
is "$(memory ',"Total Allocated":8192' | grep -c ^Peak:)" 0 "one with totals does"
is "$(memory '' memory-holders | grep -c '^Peak: where the trace has no totals') $(memory ',"Total Allocated":8192' memory-holders | grep -c ^Peak:)" "1 0" \
	"so it is said of who held it"

# Two of three steps reach 1300 bytes. Convolutions add 1000 less 200 for their workspace,
# batch_norm adds 500; backward frees these. Earlier allocations are all freed first. There are no
# addresses and no totals.
python3 - >"$trace" <<'END'
import json
events = []
def op(cat, name, ts, dur):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur})
def memory(ts, size, device=1):
    events.append({"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": ts,
                   "args": {"Device Type": device, "Device Id": 0 if device else -1, "Bytes": size}})
op("cpu_op", "aten::zeros", 1, 5)
memory(2, 64)
memory(3, 8, 0)
op("cpu_op", "aten::warm", 50, 10)
memory(52, 300)
memory(58, -364)
for step in (0, 1, 2):
    at = 100 + 100 * step
    op("user_annotation", "ProfilerStep#%d" % step, at, 100)
    op("user_annotation", "forward", at + 5, 55)
    op("cpu_op", "aten::conv2d", at + 10, 20)
    op("cpu_op", "aten::cudnn_convolution", at + 11, 15)
    op("cpu_op", "aten::empty", at + 12, 3)
    memory(at + 13, 1000)
    memory(at + 20, -200)
    op("cpu_op", "aten::batch_norm", at + 40, 10)
    memory(at + 45, 500 if step < 2 else 300)
    op("cpu_op", "backward", at + 70, 20)
    memory(at + 75, -1300 if step < 2 else -1100)
print(json.dumps({"traceEvents": events}))
END
is "$("$analyzer" stats -r memory-growth -f csv "$trace" 2>/dev/null | tr '\n' ' ')" \
	"device,memory,operator,net_bytes,net_share,allocations,from_ns,peak_time_ns,peak_steps \
0,PyTorch CUDA,aten::conv2d,800,0.615385,1,57000,144000,2 0,PyTorch CUDA,aten::batch_norm,500,0.384615,1,57000,144000,2 \
,PyTorch CPU,aten::zeros,8,1.000000,1,2000,2000,0 " \
	"without addresses, what the operators around added up to the peak since all was freed, and how many steps reach it"
is "$("$analyzer" stats -r memory-growth "$trace" 2>/dev/null | grep -c '^Net: .*not who holds it')" 1 "and it is said that these are no holders"
is "$("$analyzer" stats -r memory-growth "$trace" 2>/dev/null | grep -c '^Peak: where the trace has no totals')" 1 "... nor what was there before"
# net FILE: each row's bytes; they add up to the peak.
net()
{
	"$analyzer" stats -r memory-growth -f json "$1" 2>/dev/null | python3 -c '
import json, sys

rows = json.load(sys.stdin)["reports"]["memory-growth"]
print(*["%s=%s" % (row["operator"], row["net_bytes"]) for row in rows], "sum=%d" % sum(row["net_bytes"] for row in rows))'
}
# With totals: 5000 bytes existed before, 200 more are not freed when memory is lowest, and a record
# of 70 is missing.
python3 - >"$temp/totals.json" <<'END'
import json

events = []
def memory(ts, size, total):
    events.append({"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": ts,
                   "args": {"Device Type": 1, "Device Id": 0, "Bytes": size, "Total Allocated": total, "Total Reserved": 9000}})
for name, ts in ("aten::first", 0), ("aten::mm", 20):
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 10})
memory(1, 200, 5200)
memory(2, 300, 5500)
memory(8, -400, 5100)
memory(21, 1000, 6100)
memory(25, 500, 6670)
memory(29, -1570, 5100)
print(json.dumps({"traceEvents": events}))
END
is "$(net "$temp/totals.json")" "(before the recording)=5000 aten::mm=1500 aten::first=100 (not known)=70 sum=6670" \
	"with totals what was allocated before is a row, and rows add up to the peak"
before_notes()
{
	"$analyzer" stats -r memory-growth "$1" 2>/dev/null | grep -c '^What was allocated before .* is a row of its own'
}
is "$(before_notes "$temp/totals.json")/$(before_notes "$trace")" 1/0 "... which only a report with that row explains"
sed 's/"Total Allocated": 5100/"Total Allocated": 4900/' "$temp/totals.json" >"$temp/later.json"
is "$(net "$temp/later.json")" "(already allocated at From)=4900 aten::mm=1500 (not known)=270 sum=6670" \
	"... also where it is lowest later"
is "$("$analyzer" stats -r op-memory "$trace" 2>/dev/null | grep -c '^Increase and Allocated are sums over all steps')" 1 \
	"op-memory says that it sums over steps"
is "$("$analyzer" stats -r memory-curve --brief -w 0 "$trace" 2>/dev/null | awk '$2 == "GPU0" || $2 == "CPU" { print $2 }' | uniq | tr '\n' ' ')" "GPU0 CPU " \
	"in short the device with the most memory comes first"

if [ ! -d "$traces" ]; then
	skip "public traces" "RANGES_TEST_TRACES names their folder"
	done_testing
fi
for name in h100_falconsai h100_bert_small resnet50_w0 resnet50_w4; do
	"$analyzer" stats -r memory,memory-growth -f json "$traces/$name.json.gz" 2>/dev/null
done | python3 -c '
import json, sys

text, at = sys.stdin.read(), 0
while at < len(text.rstrip()):
    document, at = json.JSONDecoder().raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    for row in document["reports"]["memory"]:
        net = sum(grown["net_bytes"] for grown in document["reports"]["memory-growth"]
                  if (grown["device"], grown["memory"]) == (row["device"], row["memory"]))
        if net != row["peak_bytes"]:
            print(row, net)' >"$temp/out" 2>&1
is_empty "$(cat "$temp/out")" "of public traces the rows of memory-growth add up to the peak"
python3 "$top_srcdir/tests/kineto/memory.py" "$analyzer" "$traces/h100_falconsai.json.gz" \
	"$traces/h100_bert_small.json.gz" "$traces/resnet50_w4.json.gz" >"$temp/out" 2>&1
ok $? "peaks, curves and sums by range are those of the [memory] events"
diag "$(cat "$temp/out")"
done_testing
