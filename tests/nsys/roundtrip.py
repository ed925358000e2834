#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares every report of an SQLite file that analyzer wrote with that of the log or trace from
which it was made.

usage: roundtrip.py ANALYZER INPUT WRITTEN KIND    a line of what differs each, then how many values were equal
"""
import json
import subprocess
import sys
from collections import Counter

analyzer, source, written, kind = sys.argv[1:5]

# The facts that nsys' tables cannot hold. A path is REPORT or REPORT/COLUMN; its reason is the
# comment before it.
exceptions = {
    "export": set(),
    "log": {
        # events are counted as the log stored them: a push and its pop are two, captured calls and losses too
        "footer/events", "threads/events", "threads/lost",
        # repairs by the log's reader are texts in DIAGNOSTIC_EVENT
        "footer/lost_starts", "footer/lost_ends", "footer/unmatched_ends", "footer/unmatched_pops",
        "footer rows",
    },
    "odd": {
        # two domains with one name are one
        "domains", "ranges", "spread",
    },
    "trace": {
        # made of the arguments of events in JSON
        "annotations", "comm", "comm-bandwidth", "memory", "memory-holders", "memory-growth", "op-memory", "memory-peak",
        "memory-curve", "op-kernels",
        "operators", "trace", "modules", "categories", "advice", "kernels/bytes_per_s", "kernels/flops",
        "kernels/flops_per_byte",
        "kernels/flops_per_s", "kernels/peak_bytes_share", "kernels/peak_flops_share", "kernels/rated_share", "key_averages/cpu_mem",
        "key_averages/cuda_mem", "key_averages/flops", "key_averages/self_cpu_mem", "key_averages/self_cuda_mem",
        # events are counted as the trace has them, and memory instants are events
        "footer/events", "footer/trace", "threads/events", "threads/last_ns", "threads/first_ns",
        # parts that a trace of PyTorch may have and this one has not
        "footer rows",
        # numbers of threads have 24 bits there
        "threads/tid", "threads/thread", "threads/stream", "gaps/tid", "footer/open",
        # of threads without ranges: 0 or nothing
        "threads/covered_ns",
    },
}
exceptions["odd"] |= exceptions["log"]
left_out = exceptions[kind]
equal, faults = 0, []


def stats(path):
    run = subprocess.run([analyzer, "stats", path, "-r", "all", "-f", "json", "--names", "raw"], capture_output=True)
    return json.loads(run.stdout)


def check(where, ours, theirs):
    global equal
    if ours == theirs:
        equal += 1
    else:
        faults.append(f"{where}: {ours} there, {theirs} read back")


def rows_of(rows):
    """Without the events for memory, which a trace has in arguments."""
    return [row for row in rows if kind != "trace" or row.get("name") != "[memory]"]


def row_of(report, row):
    return json.dumps({key: value for key, value in row.items() if f"{report}/{key}" not in left_out}, sort_keys=True)


before, after = stats(source), stats(written)
for key in before["footer"]:
    if f"footer/{key}" not in left_out:
        check(f"footer {key}", before["footer"][key], after["footer"].get(key))
check("reports", list(before["reports"]), list(after["reports"]))
for report, rows in before["reports"].items():
    if report in left_out or f"{report} rows" in left_out:
        continue
    # Threads are ordered by their numbers, so rows with equal figures may change places.
    ours = Counter(row_of(report, row) for row in rows_of(rows))
    theirs = Counter(row_of(report, row) for row in rows_of(after["reports"][report]))
    equal += sum(row_count * len(json.loads(row)) for row, row_count in (ours & theirs).items())
    for row in ours - theirs:
        faults.append(f"{report}: not read back: {row}")
    for row in theirs - ours:
        faults.append(f"{report}: only read back: {row}")

for fault in faults[:20]:
    print(fault[:300])
print(f"{equal} values equal, {len(faults)} differ")
sys.exit(1 if faults else 0)
