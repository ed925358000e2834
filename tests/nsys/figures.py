#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares our reports of an nsys export with figures by nsys' own definitions.

usage: figures.py ANALYZER DATABASE EXPECTED [mended]    a line of what differs each, then how many were equal

mended: the database is one of ours, in which text that is not UTF-8 was replaced
"""
import csv
import gzip
import io
import json
import math
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
    """Names in the form of CSV: bytes that are not UTF-8, controls, and texts that a spreadsheet would
    compute."""
    name = "(no name)" if name is None else name
    return re.sub("\ufffd", "\ufffd" if is_mended else r"\\xff", name).replace("\t", "\\t")


def average(row):
    return (2 * row["total"] + row["n"]) // (2 * row["n"])


def deviation(row):
    """The nearest integer. For a single value ours is empty, and nsys' is 0.0."""
    n = row["n"]
    return str((math.isqrt(4 * row["ssd"] // (n * (n - 1))) + 1) // 2) if n > 1 else ""


def check_spread(what, own, theirs, prefix="", unit="ns"):
    """Sum, mean, median, extremes and deviation. Means are rounded, medians rounded down."""
    for column, figure in (("total", theirs["total"]), ("mean", average(theirs)), ("median", theirs["med2"] // 2),
                           ("min", theirs["min"]), ("max", theirs["max"]), ("std", deviation(theirs))):
        check(f"{what} {prefix}{column}", own[f"{prefix}{column}_{unit}"], str(figure))


def excepted(what, reason):
    print(f"not compared: {what}: {reason}")


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

# ---- the same by stored name: cuda_api_sum_raw. Rows of backtraces are calls that stand there already, which we
# do not read: they are taken off. ----
with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
    traced = {name: sums for name, *sums in db.execute(
        "SELECT value, count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON nameId = id "
        "WHERE eventClass = 67 GROUP BY 1")} if "CUPTI_ACTIVITY_KIND_RUNTIME" in tables and not is_mended else {}
raw = defaultdict(Counter)
for row in expected["cuda_api_sum_raw"]:
    count, total = traced.get(row["name"], (0, 0))
    if row["n"] > count:
        raw[re.sub(r"_v\d{4}$", "", row["name"])].update(n=row["n"] - count, total=row["total"] - total)
if is_mended and expected["cuda_api_backtrace_rows"]:
    excepted("cuda_api_sum_raw", "rows of backtraces are not written again")
    raw = {}
for name, sums in raw.items():
    own = ours_of_calls.get(name, defaultdict(str))
    check(f"cuda_api_sum_raw {name} n", own["calls"], str(sums["n"]))
    check(f"cuda_api_sum_raw {name} total", own["total_ns"], str(sums["total"]))

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

# ---- medians and deviations of what the tables above have ----
spread = {(row["kind"], row["domain"], row["name"]): row for row in report("spread", "--kernel-name", "full")}
nothing = defaultdict(str)
for row in expected["nvtx_sum"]:
    key = (kinds[row["style"]], row["domain"] or "(default)", shown(row["name"]))
    check_spread(f"nvtx_sum {key}", spread.get(key, nothing), row)
for row in expected["cuda_api_sum"]:
    check_spread(f"cuda_api_sum {row['name']}", spread.get(("call", "", row["name"]), nothing), row)
for row in expected["cuda_gpu_kern_sum"]:
    check_spread(f"cuda_gpu_kern_sum {row['name']}", spread.get(("kernel", "", shown(row["name"])), nothing), row)
by_operation = {row["name"].lower(): row for (kind, _, _), row in spread.items() if kind in ("memcpy", "memset")}
for row in expected["cuda_gpu_mem_time_sum"]:
    check_spread(f"cuda_gpu_mem_time_sum {row['operation']}", by_operation.get(row["operation"].lower(), nothing), row)
of_base = defaultdict(list)
for row in report("spread", "--kernel-name", "base"):
    if row["kind"] == "kernel":
        of_base[row["name"].split("<")[0]].append(row)
for row in expected["cuda_gpu_kern_sum_base"]:
    if len(of_base[row["name"]]) == 1:
        check_spread(f"cuda_gpu_kern_sum_base {row['name']}", of_base[row["name"]][0], row)
    else:
        excepted(f"spread of cuda_gpu_kern_sum_base {row['name']}", "our base names keep template arguments")
waits = sorted(([row for (kind, _, _), row in spread.items() if kind == "gpu wait"]),
               key=lambda row: [int(row[column]) for column in ("calls", "total_ns", "min_ns", "max_ns")])
check("cuda_sync_sum: kinds in spread", len(waits), len(expected["cuda_sync_sum"]))
for own, row in zip(waits, sorted(expected["cuda_sync_sum"], key=lambda row: [row["n"], row["total"], row["min"], row["max"]])):
    check_spread(f"cuda_sync_sum {row['sync_type']}", own, row)

# ---- sizes of copies and sets: cuda_gpu_mem_size_sum ----
ours = {row["name"].lower(): row for row in report("copy-sizes")}
check("cuda_gpu_mem_size_sum: rows", len(ours), len(expected["cuda_gpu_mem_size_sum"]))
for row in expected["cuda_gpu_mem_size_sum"]:
    own = ours.get(row["operation"].lower(), nothing)
    check(f"cuda_gpu_mem_size_sum {row['operation']} n", own["calls"], str(row["n"]))
    check_spread(f"cuda_gpu_mem_size_sum {row['operation']}", own, row, unit="bytes")

# ---- calls of the operating system: osrt_sum ----
ours = {row["name"]: row for row in report("os-calls")}
check("osrt_sum: rows", len(ours), len(expected["osrt_sum"]))
for row in expected["osrt_sum"]:
    own = ours.get(row["name"], nothing)
    check(f"osrt_sum {row['name']} n", own["calls"], str(row["n"]))
    check_spread(f"osrt_sum {row['name']}", own, row)

# ---- kernels by call: cuda_kern_exec_sum ----
ours = {(int(row["pid"]), int(row["tid"]), int(row["device"]), row["api"], row["name"]): row
        for row in report("launch-calls", "--kernel-name", "full")}
check("cuda_kern_exec_sum: rows", len(ours), len(expected["cuda_kern_exec_sum"]))
for row in expected["cuda_kern_exec_sum"]:
    key = (row["pid"], row["tid"], row["device"], row["api"], shown(row["kernel"]))
    own = ours.get(key, nothing)
    check(f"cuda_kern_exec_sum {key} count", own["calls"], str(row["count"]))
    check(f"cuda_kern_exec_sum {key} qcount", own["queued"], str(row["qcount"]))
    for prefix, stat in (("", "total_stat"), ("api_", "api_stat"), ("queue_", "queue_stat"), ("run_", "kernel_stat")):
        if prefix != "queue_" or row["qcount"] > 0:
            check_spread(f"cuda_kern_exec_sum {key}", own, row[stat], prefix)

# ---- projection: nvtx_gpu_proj_trace, _sum, nvtx_kern_sum. In a file of ours a range that never ended has its end
# in another table, which figures.py has from nsys' rule. ----
ranges = {row[0]: row for row in expected["nvtx_pushpop_trace"]}
ours = Counter()
levels = Counter()
rows = report("range-projection")
for row in rows:
    figures = (int(row["projected_start_ns"]) + first, int(row["projected_ns"]), int(row["operations"]))
    ours[figures] += 1
    levels[(int(row["start_ns"]) + first, int(row["dur_ns"]), row["domain"], row["name"], int(row["pid"]),
            int(row["tid"]), row["level"], row["children"]) + figures] += 1
check("nvtx_gpu_proj_trace: rows", len(rows), len(expected["nvtx_gpu_proj_trace"]))
for key, start, dur, ops in expected["nvtx_gpu_proj_trace"]:
    check(f"nvtx_gpu_proj_trace {key}", ours[start, dur, ops] > 0, True)
    if key in ranges:  # the others are start/end ranges
        _, begin, end, domain, name, pid, tid, level, _, children = ranges[key][:10]
        theirs = (begin, end - begin, domain or "(default)", shown(name), pid, tid, str(level), str(children),
                  start, dur, ops)
        check(f"nvtx_gpu_proj_trace {key} of nvtx_pushpop_trace", levels[theirs] > 0, True)


def ratio(part, whole):
    """As CSV has it: six digits, rounded half up."""
    return f"{(2 * part * 10**6 + whole) // (2 * whole) / 10**6:.6f}"


ours = {(row["kind"], row["domain"], row["name"]): row for row in report("range-projection-sum")}
check("nvtx_gpu_proj_sum: rows", len(ours), len(expected["nvtx_gpu_proj_sum"]))
for row in expected["nvtx_gpu_proj_sum"]:
    key = (kinds[row["style"]], row["domain"] or "(default)", shown(row["name"]))
    own = ours.get(key, nothing)
    check(f"nvtx_gpu_proj_sum {key} n", own["calls"], str(row["n"]))
    check(f"nvtx_gpu_proj_sum {key} total_range", own["cpu_total_ns"], str(row["total_range"]))
    check(f"nvtx_gpu_proj_sum {key} gpu_ops", own["operations"], str(row["gpu_ops"]))
    check_spread(f"nvtx_gpu_proj_sum {key}", own, row, "projected_")
    for column, figure in (("operations", "gpu_ops"),) + ((("level", "lvl_sum"), ("children", "child_sum"))
                                                          if row["style"] == "PushPop" else ()):
        check(f"nvtx_gpu_proj_sum {key} {figure}", own[f"{column}_mean"], ratio(row[figure], row["n"]))

ours = {(row["kind"], row["domain"], row["range"], int(row["pid"]), int(row["tid"]), row["name"]): row
        for row in report("range-kernels", "--kernel-name", "full")}
check("nvtx_kern_sum: rows", len(ours), len(expected["nvtx_kern_sum"]))
for row in expected["nvtx_kern_sum"]:
    key = (kinds[row["style"]], row["domain"] or "(default)", shown(row["name"]), row["pid"], row["tid"],
           shown(row["kernel"]))
    own = ours.get(key, nothing)
    check(f"nvtx_kern_sum {key} n", own["calls"], str(row["n"]))
    check(f"nvtx_kern_sum {key} ranges_hit", own["ranges"], str(row["ranges_hit"]))
    check_spread(f"nvtx_kern_sum {key}", own, row)

if crosses:
    excepted("nvtx_self_sum, nvtx_pushpop_trace", "a range that crosses another has no part in our tree")
for fault in faults[:20]:
    print(fault[:300])
print(f"{equal} figures equal, {len(faults)} differ")
sys.exit(1 if faults else 0)
