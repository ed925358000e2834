#!/bin/sh
# SPDX-License-Identifier: MIT
# GPU projection: for random logs the report and the timeline equal a second, slow computation. They
# agree on first start, last end, busy time and operations of each range's GPU work on each stream.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

cat >"$temp/compare.py" <<'PY'
import collections, json, re, sys
stacks, ranges, apis, ops, spans = collections.defaultdict(list), [], {}, [], {}
order = 0
for line in open(sys.argv[1]):
    word = line.split()
    if word[0] != "event":
        continue
    field = {key: value.strip('"') for key, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line)}
    thread, at, what = int(word[1]), int(word[3]), word[4]
    stack = stacks[thread]
    if what in ("push", "start"):
        ranges.append(dict(name=field["name"], tid=20 + thread, start=at, end=None, up=stack[-1] if stack and what == "push" else None,
                           kind="push/pop" if what == "push" else "start/end", index=len(ranges)))
        if what == "push":
            stack.append(len(ranges) - 1)
        else:
            spans[field["id"]] = len(ranges) - 1
    elif what == "pop":
        ranges[stack.pop()]["end"] = at
    elif what == "end":
        ranges[spans[field["id"]]]["end"] = at
    elif what == "api" and field["kind"] == "1":
        apis[field["corr"]] = (int(field["tid"]), at)
    elif what in ("kernel", "copy", "set", "graph_launch"):
        ops.append((at, at + int(field["dur"]), int(field.get("device", 0)), int(field["queue"]), field.get("corr")))
def owner(tid, at): # the innermost range open then, else the start/end range that began last
    def find(kind):
        return [r for r in ranges if r["kind"] == kind and r["start"] <= at < r["end"] and (kind == "start/end" or r["tid"] == tid)]
    found = find("push/pop") or find("start/end")
    return max(found, key=lambda r: (r["start"], r["index"])) if found else None
def union(parts):
    busy, until = 0, -1 << 62
    for start, end in sorted(parts):
        busy += max(0, end - max(start, until))
        until = max(until, end)
    return busy
work = collections.defaultdict(list) # (range, device, stream) and (range, device, None): its operations
for start, end, device, stream, corr in ops:
    found = owner(*apis[corr]) if corr in apis else None
    while found is not None:
        for key in (stream, None):
            work[found["index"], device, key].append((start, end))
        found = ranges[found["up"]] if found["up"] is not None else None
rows = collections.defaultdict(lambda: dict(calls=0, operations=0, projected_total_ns=0, busy_ns=0, spans=[]))
timeline = []
for (index, device, stream), parts in work.items():
    mine = ranges[index]
    first, last = min(p[0] for p in parts), max(p[1] for p in parts)
    if stream is not None:
        timeline.append((mine["name"], device, stream, first, last - first, len(parts), union(parts)))
    up = mine["up"]
    while up is not None and ranges[up]["name"] != mine["name"]:
        up = ranges[up]["up"]
    if up is not None:
        continue # its operations also belong to the range around it
    row = rows[mine["name"], mine["kind"], device, stream]
    row["calls"] += 1
    row["operations"] += len(parts)
    row["projected_total_ns"] += last - first
    row["busy_ns"] += union(parts)
    row["spans"].append(last - first)
reports = json.load(open(sys.argv[2]))["reports"]
table = reports["projection"] + reports["projection-devices"]
assert len(table) == len(rows), (len(table), len(rows))
for got in table:
    row = rows[got["name"], got["kind"], got["device"], got.get("stream")]
    wanted = {key: row[key] for key in ("calls", "operations", "projected_total_ns", "busy_ns")}
    wanted.update(min_ns=min(row["spans"]), max_ns=max(row["spans"]), mean_ns=(2 * sum(row["spans"]) + row["calls"]) // (2 * row["calls"]))
    assert all(got[key] == value for key, value in wanted.items()), (got, wanted)
trace = json.load(open(sys.argv[3]))
zero = trace["baseTimeNanoseconds"] - 7 + 5000
drawn = [(e["name"], e["args"]["device"], e["args"]["on stream"], round(e["ts"] * 1000) + zero, round(e["dur"] * 1000),
          e["args"]["operations"], e["args"]["busy_ns"]) for e in trace["traceEvents"] if e.get("cat") == "gpu_user_annotation"]
assert sorted(drawn) == sorted(timeline), sorted(set(drawn) ^ set(timeline))[:4]
print(len(table), len(drawn))
PY

for case in "plain 11 20 600 1" "skew 12 -30 600 1" "ties 13 5 1500 0" "wide 14 400 900 0" "none 5 0 0 1"; do
	# shellcheck disable=SC2086 # words
	set -- $case
	log=$1
	python3 "$top_srcdir/tests/tools/gpu-log.py" "$2" "$3" "$4" "$5" >"$temp/$log.txt" &&
		python3 "$top_srcdir/tests/tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt" &&
		"$analyzer" stats "$temp/$log.bin" --report projection,projection-devices --format json >"$temp/$log.json" &&
		"$analyzer" "$temp/$log.bin" -o "$temp/$log.trace.json"
	ok $? "$log: the log is read"
	python3 "$temp/compare.py" "$temp/$log.txt" "$temp/$log.json" "$temp/$log.trace.json" >"$temp/counts" 2>"$temp/said"
	ok $? "$log: report and timeline are what a second computation gives"
	[ ! -s "$temp/said" ] || diag "$(tail -n 3 "$temp/said")"
	read -r rows drawn <"$temp/counts"
	diag "$rows rows, $drawn ranges drawn"
done

# In every format, and with rows by path.
is "$("$analyzer" stats "$temp/plain.bin" --report projection --format csv | head -n 1)" \
	"name,domain,kind,device,context,stream,stream_name,projected_total_ns,busy_ns,busy_share,calls,operations,mean_ns,min_ns,max_ns" \
	"CSV has these columns"
for form in table tsv md; do
	"$analyzer" stats "$temp/plain.bin" --report projection-devices --format "$form" --group-by path --limit 3 >"$temp/out" 2>&1
	ok $? "form $form can be written"
	is "$(grep -c 'range [0-9]' "$temp/out")" 3 "form $form has its rows"
done
done_testing
