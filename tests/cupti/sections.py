#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the sections of tests/cupti/sections.c.

sections.py MODE TRACE.json REPORT.json LAUNCHES BLOCKS ROUNDS < "kernel START END" lines
sections.py cost ANALYZER LOG
"""
import json
import resource
import subprocess
import sys


def expected(mode, launches, blocks, rounds):
    """The sections of each sampled block, as (name, begin, end, depth) from its start."""
    out = {}
    for launch in range(launches):
        for block in range(0, blocks, 2):
            at = 50
            rows = []
            for i in range(rounds):
                load = 100 + block
                rows.append(('load "a"', at, at + load, 1))
                at += load
                work = 200 + 10 * (block % 5)
                inner = 30 if i == 0 else 0
                rows.append(("compute", at, at + work + inner, 1))
                if inner:
                    rows.append(("section 300", at + work, at + work + inner, 2))
                at += work + inner
            at += 20
            rows.insert(0, ("outer", 0, at, 0))
            if mode == "unended":
                rows.append(('load "a"', at, at, 1))
            if mode == "few":  # begin outer, begin and end load, begin compute
                end = rows[2][1]
                rows = [("outer", 0, end, 0), rows[1], ("compute", end, end, 1)]
            out[launch, block] = rows
    return out


def check_trace(mode, trace, kernels, wanted):
    events = [e for e in trace["traceEvents"] if e.get("cat") == "kernel_section"]
    if mode == "alone":
        assert not events, "sections without kernels are drawn"
        return
    ops = sorted((e for e in trace["traceEvents"] if e.get("cat") == "kernel"), key=lambda e: e["ts"])
    assert len(ops) == len(kernels)
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"] if e.get("name") == "thread_name"}
    rows = {}
    for e in events:
        rows.setdefault(e["args"]["block"], []).append(e)
        assert names[e["pid"], e["tid"]] == "stream 7 block %d" % e["args"]["block"], "the row's name"
        assert e["args"]["sm"] == e["args"]["block"] % 5, "the SM"
    step = 1024 if mode == "coarse" else 1
    for (launch, block), sections in sorted(wanted.items()):
        op = ops[launch]
        first = round(op["ts"] * 1000)
        last = first + round(op["dur"] * 1000)
        mine = [e for e in rows[block] if e["args"]["correlation"] == op["args"]["correlation"]]
        seen = [(e["name"], round(e["ts"] * 1000), round(e["ts"] * 1000) + round(e["dur"] * 1000)) for e in mine]
        for name, begin, end in seen:
            assert first <= begin <= end <= last, "%s is outside of its kernel" % name
        # Nesting by the drawing alone: each section is inside of the open one, and the parts fit.
        stack = []
        top = 0
        for name, begin, end in seen:
            while stack and stack[-1][1] <= begin and stack[-1][0] < begin:
                stack.pop()
            around = [s for s in stack if s[0] < begin or s[1] >= end]
            assert all(end <= s[1] for s in around), "%s crosses another" % name
            top += end - begin if not stack else 0
            stack.append((begin, end))
        assert top <= last - first, "sections are longer than their kernel"
        if step == 1:
            by_begin = sorted(sections, key=lambda s: s[1])
            assert [s[0] for s in seen] == [s[0] for s in by_begin], "names: %s" % seen
            for one, what in zip(seen, by_begin):
                assert one[2] - one[1] == what[2] - what[1], "%s takes %d" % (one, what[2] - what[1])
                assert one[1] - seen[0][1] == what[1], "%s begins at %d" % (one, what[1])
        else:
            assert sorted(s[0] for s in seen) == sorted(s[0] for s in sections), "names: %s" % seen


def check_report(mode, report, kernels, wanted):
    rows = report["reports"]["kernel-sections"]
    groups = {}
    sms = {}
    for (launch, block), sections in wanted.items():
        kernel = None if mode == "alone" else ("odd_kernel" if launch % 2 else "even_kernel")
        for name, begin, end, _ in sections:
            groups.setdefault((kernel, name), []).append(end - begin)
            sms.setdefault((kernel, name), {}).setdefault(block % 5, []).append(end - begin)
    assert sorted(groups, key=str) == sorted(((r["kernel"], r["section"]) for r in rows), key=str), \
        "rows: %s" % [(r["kernel"], r["section"]) for r in rows]
    order = ["outer", 'load "a"', "compute", "section 300"]
    for kernel in {r["kernel"] for r in rows}:
        own = [r["section"] for r in rows if r["kernel"] == kernel]
        assert mode == "coarse" or own == [n for n in order if n in own], "order: %s" % own
    for row in rows:
        key = row["kernel"], row["section"]
        durations = sorted(groups[key])
        count = len(durations)
        assert row["count"] == count
        assert row["blocks"] == len({k for k, v in wanted.items() if any(s[0] == key[1] for s in v)
                                     and (mode == "alone" or (k[0] % 2 == 1) == (key[0] == "odd_kernel"))})
        if mode != "coarse":
            mean = (sum(durations) * 2 + count) // (2 * count)
            assert row["total_ns"] == sum(durations)
            assert row["mean_ns"] == mean, "mean %s, not %d" % (row, mean)
            assert row["p95_ns"] == durations[(95 * count + 99) // 100 - 1]
            assert row["max_ns"] == durations[-1]
            means = {sm: (sum(v) * 2 + len(v)) // (2 * len(v)) for sm, v in sms[key].items()}
            slowest = min(sm for sm in means if means[sm] == max(means.values()))
            assert (row["slowest_sm"], row["slowest_sm_mean_ns"]) == (slowest, means[slowest])
        assert row["mean_cycles"] == 2 * sum(durations) // count, "cycles %s" % row
        if mode == "alone":
            assert row["kernel_share"] is None
        else:
            whole = sum(kernels[k[0]][1] - kernels[k[0]][0] for k in wanted
                        if (k[0] % 2 == 1) == (key[0] == "odd_kernel"))
            assert abs(row["kernel_share"] - row["total_ns"] / whole) < 0.000001, "share %s" % row
    sampled = len(wanted)
    counts = {"sections_dropped": 0, "sections_open": 0, "sections_unplaced": 0}
    if mode == "few":
        counts["sections_dropped"] = sum(2 * len(v) for v in expected("exact", *ARGUMENTS).values()) - 4 * sampled
        counts["sections_open"] = 2 * sampled
    elif mode == "unended":
        counts["sections_open"] = 2 * sampled
    elif mode == "alone":
        counts["sections_unplaced"] = sum(map(len, wanted.values()))
    for key, value in counts.items():
        assert report["footer"].get(key, 0) == value, "%s in %s, not %d" % (key, report["footer"], value)


def cost(analyzer, log):
    def seconds(*args):
        best = 1e9
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([analyzer, "stats", *args, log], stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return best

    out = subprocess.run([analyzer, "stats", "--report", "kernel-sections", "--format", "json", log],
                         stdout=subprocess.PIPE, check=True).stdout
    count = sum(r["count"] for r in json.loads(out)["reports"]["kernel-sections"])
    print("%d sections: %.3f us each, the log's reading included" % (count, seconds("--report", "kernel-sections") * 1e6 / count))


if sys.argv[1] == "cost":
    cost(*sys.argv[2:])
    sys.exit()
ARGUMENTS = tuple(map(int, sys.argv[4:7]))
KERNELS = [tuple(map(int, line.split()[1:])) for line in sys.stdin if line.startswith("kernel ")]
WANTED = expected(sys.argv[1], *ARGUMENTS)
with open(sys.argv[2], encoding="utf-8") as file:
    check_trace(sys.argv[1], json.load(file), KERNELS, WANTED)
with open(sys.argv[3], encoding="utf-8") as file:
    check_report(sys.argv[1], json.load(file), KERNELS, WANTED)
print("as it was")
