#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds our reports of an nsys export against figures by nsys' own definitions.

usage: figures.py ANALYZER DATABASE EXPECTED [mended]    a line of what differs each, then how many were equal

mended: the database is one of ours, in which what is no UTF-8 was replaced
"""
import csv
import gzip
import io
import json
import re
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict

analyzer, database, expected_path = sys.argv[1:4]
is_mended = sys.argv[4:] == ["mended"]
with (gzip.open if expected_path.endswith(".gz") else open)(expected_path, "rt") as file:
    expected = json.load(file)
equal, faults = 0, []


def report(name, *options):
    run = subprocess.run([analyzer, "stats", database, "-r", name, "-f", "csv", "--names", "raw", *options],
                         capture_output=True, check=True, text=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def check(what, ours, theirs):
    global equal
    if ours == theirs:
        equal += 1
    else:
        faults.append(f"{what}: ours {ours}, expected {theirs}")


def shown(name):
    """Names as CSV has them: bytes that are no UTF-8, controls, and what a spreadsheet would compute."""
    name = "(no name)" if name is None else name
    return re.sub("\ufffd", "\ufffd" if is_mended else r"\\xff", name).replace("\t", "\\t")


def average(row):
    return (2 * row["total"] + row["n"]) // (2 * row["n"])


first = 0
with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    times = [db.execute(f"SELECT min(start) FROM {table} {where}").fetchone()[0] for table, where in (
        ("NVTX_EVENTS", "WHERE eventType IN (34, 59, 60, 70, 71)"), ("CUPTI_ACTIVITY_KIND_RUNTIME", ""),
        ("CUPTI_ACTIVITY_KIND_KERNEL", ""), ("CUPTI_ACTIVITY_KIND_MEMCPY", ""), ("CUPTI_ACTIVITY_KIND_MEMSET", ""),
        ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", ""), ("CUPTI_ACTIVITY_KIND_OVERHEAD", ""),
        ("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "")) if table in tables]
    first = min(time for time in times if time is not None)  # where our axis begins

# ---- ranges: nvtx_sum, nvtx_self_sum ----
# Names differ in bytes that are not UTF-8 only; where ranges cross, their self time does too (doc/metrics.md).
crosses = expected["nvtx_partial_overlaps"] > 0
rows = [row for row in report("ranges") if row["calls"] != ""]
kinds = {"PushPop": "push/pop", "StartEnd": "start/end"}
ours = {(row["kind"], row["domain"], row["name"]): row for row in rows}
check("nvtx_sum: rows", len(ours), len(expected["nvtx_sum"]))
for row in expected["nvtx_sum"]:
    key = (kinds[row["style"]], row["domain"] or "(default)", shown(row["name"]))
    own = ours.get(key, defaultdict(str))
    for column, figure in (("calls", "n"), ("cpu_total_ns", "total"), ("min_ns", "min"), ("max_ns", "max")):
        check(f"nvtx_sum {key} {figure}", own[column], str(row[figure]))
    check(f"nvtx_sum {key} med2", own["median_ns"], str(row["med2"] // 2))  # ours is rounded down
    check(f"nvtx_sum {key} avg", own["cpu_time_avg_ns"], str(average(row)))
for row in expected["nvtx_self_sum"] if not crosses else []:
    key = ("push/pop", row["domain"] or "(default)", shown(row["name"]))
    check(f"nvtx_self_sum {key}", ours.get(key, defaultdict(str))["self_cpu_ns"], str(row["self"]))

# ---- each range: nvtx_pushpop_trace ----
run = subprocess.run([analyzer, "dump", "--slices", database], capture_output=True, check=True, text=True)
slices = Counter()
for line in run.stdout.splitlines()[1:]:
    pid, tid, depth, start, dur, name = line.split("\t")
    slices[int(pid), int(tid), int(depth), int(start) + first, int(dur), name] += 1
for row in expected["nvtx_pushpop_trace"] if not crosses else []:
    _, start, end, _, name, pid, tid, level = row[:8]
    check(f"nvtx_pushpop_trace {row}", slices[pid, tid, level, start, end - start, shown(name)] > 0, True)

# ---- calls: cuda_api_sum ----
ours = ours_of_calls = {row["name"]: row for row in report("api")}
check("cuda_api_sum: rows", len(ours), len(expected["cuda_api_sum"]))
check("cuda_api_failed", sum(int(row["errors"]) for row in ours.values()), expected["cuda_api_failed"])
for row in expected["cuda_api_sum"]:
    own = ours.get(row["name"], defaultdict(str))
    for column, figure in (("calls", "n"), ("total_ns", "total"), ("min_ns", "min"), ("max_ns", "max")):
        check(f"cuda_api_sum {row['name']} {figure}", own[column], str(row[figure]))
    check(f"cuda_api_sum {row['name']} avg", own["mean_ns"], str(average(row)))

# ---- kernels: cuda_gpu_kern_sum, _base ----
for table, form in (("cuda_gpu_kern_sum", "full"), ("cuda_gpu_kern_sum_base", "base")):
    # Libraries that name kernels in their template arguments keep these in our base names.
    ours = {row["name"] if form == "full" else row["name"].split("<")[0]: row
            for row in report("kernels", "--kernel-name", form)}
    check(f"{table}: rows", len(ours), len(expected[table]))
    for row in expected[table]:
        own = ours.get(row["name"], defaultdict(str))
        for column, figure in (("calls", "n"), ("total_ns", "total"), ("min_ns", "min"), ("max_ns", "max")):
            check(f"{table} {row['name']} {figure}", own[column], str(row[figure]))

# ---- copies and sets: cuda_gpu_mem_time_sum, _size_sum ----
ours = {row["name"].lower(): row for row in report("memcpy")}
for row in expected["cuda_gpu_mem_time_sum"]:
    own = ours.get(row["operation"].lower(), defaultdict(str))
    for column, figure in (("calls", "n"), ("total_ns", "total"), ("min_ns", "min"), ("max_ns", "max")):
        check(f"cuda_gpu_mem_time_sum {row['operation']} {figure}", own[column], str(row[figure]))
for row in expected["cuda_gpu_mem_size_sum"]:
    check(f"cuda_gpu_mem_size_sum {row['operation']}", ours.get(row["operation"].lower(), defaultdict(str))["bytes"],
          str(row["total"]))

# ---- devices: gpu_busy ----
ours = {int(row["device"]): row for row in report("devices")}
for row in expected["gpu_busy"]:
    check(f"gpu_busy {row['device']}", ours[row["device"]]["busy_ns"], str(row["all"]))
sums = defaultdict(int)
for row in expected["gpu_streams"]:
    sums[row["device"], row["kind"]] += row["n"]
for device in {device for device, kind in sums}:
    check(f"gpu_streams {device} operations", ours[device]["operations"],
          str(sum(count for (at, _), count in sums.items() if at == device)))

# ---- the same by stored name, where no row is there twice: cuda_api_sum_raw ----
if expected["cuda_api_backtrace_rows"] == 0:
    raw = defaultdict(Counter)
    for row in expected["cuda_api_sum_raw"]:
        raw[re.sub(r"_v\d{4}$", "", row["name"])].update(n=row["n"], total=row["total"])
    for name, sums in raw.items():
        own = ours_of_calls.get(name, defaultdict(str))
        check(f"cuda_api_sum_raw {name}", (own["calls"], own["total_ns"]), (str(sums["n"]), str(sums["total"])))

# ---- waits: cuda_sync_sum. Numbers of kinds change their meaning, so kinds are told by what they add up to. ----
ours = defaultdict(lambda: [0, 0, [], []])
for row in report("gpu-sync"):
    own = ours[row["kind"]]
    own[0] += int(row["calls"])
    own[1] += int(row["total_ns"])
    own[2].append(int(row["min_ns"]))
    own[3].append(int(row["max_ns"]))
check("cuda_sync_sum: kinds", len(ours), len(expected["cuda_sync_sum"]))
sums = sorted((calls, total, min(least), max(most)) for calls, total, least, most in ours.values())
theirs = sorted((row["n"], row["total"], row["min"], row["max"]) for row in expected["cuda_sync_sum"])
for own, row in zip(sums, theirs):
    for figure, left, right in zip(("n", "total", "min", "max"), own, row):
        check(f"cuda_sync_sum {row} {figure}", left, right)

# ---- launches: cuda_kern_exec_sum, gpu_ops_without_call ----
rows = report("launch-sum", "--kernel-name", "full")
check("gpu_ops_without_call", sum(int(row["no_call"]) for row in rows), expected["gpu_ops_without_call"])
ours = {row["name"]: row for row in rows if row["kind"] == "kernel"}
sums = defaultdict(Counter)
for row in expected["cuda_kern_exec_sum"]:
    sums[row["kernel"]].update(calls=row["count"], run_ns=row["kernel_stat"]["total"],
                               queue_ns=row["queue_stat"]["total"] if row["qcount"] else 0)
for name, figures in sums.items():
    own = ours.get(name, defaultdict(str))
    for column, figure in figures.items():
        check(f"cuda_kern_exec_sum {name} {column}", int(own[column] or 0), figure)

# ---- projection: nvtx_gpu_proj_sum, of ranges on one stream ----
if expected["ops_started_but_not_enclosed"] == 0:
    per_device = defaultdict(lambda: [0, 0])
    for row in report("projection"):
        per_device[row["domain"], row["name"], row["kind"]][0] += int(row["operations"])
        per_device[row["domain"], row["name"], row["kind"]][1] += int(row["calls"])
    for row in expected["nvtx_gpu_proj_sum"]:
        if row["style"] == "PushPop":
            key = (row["domain"] or "(default)", shown(row["name"]), "push/pop")
            check(f"nvtx_gpu_proj_sum {key} gpu_ops", per_device[key][0], row["gpu_ops"])
            check(f"nvtx_gpu_proj_sum {key} n", per_device[key][1], row["n"])
    on_device = defaultdict(list)
    for row in report("projection-devices"):
        on_device[row["domain"], row["name"], row["kind"]].append(row)
    for row in expected["nvtx_gpu_proj_sum"]:
        key = (row["domain"] or "(default)", shown(row["name"]), kinds[row["style"]])
        rows = on_device[key]
        if len(rows) == 1:  # all on one device
            for column, figure in (("projected_total_ns", "total"), ("min_ns", "min"), ("max_ns", "max")):
                check(f"nvtx_gpu_proj_sum {key} {figure}", rows[0][column], str(row[figure]))

for fault in faults[:20]:
    print(fault[:300])
print(f"{equal} figures equal, {len(faults)} differ")
sys.exit(1 if faults else 0)
