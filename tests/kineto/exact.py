#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the analyzer's figures for traces in JSON with those that another program computed.

usage: exact.py ANALYZER TRACES: a folder of NAME.json.gz with expected/NAME.exact.json
Prints a line for each figure that differs, and at the end how many were compared.
Integers must be equal. Exit: 1 if any differs.
"""

import glob
import json
import os
import subprocess
import sys


class Comparison:
    def __init__(self, trace):
        self.trace = trace
        self.count = 0
        self.wrong = 0

    def same(self, what, got, wanted):
        self.count += 1
        if isinstance(wanted, float) and got is not None:
            digits = len(repr(wanted).split(".")[1])  # figures that the file gives
            good = abs(got - wanted) <= max(0.51 * 10.0 ** -digits, 1e-9 * abs(wanted))
        else:
            good = got == wanted
        if not good:
            self.wrong += 1
            if self.wrong <= 10:
                print(f"{self.trace}: {what}: {got} instead of {wanted}")


def run(analyzer, path, *options):
    out = subprocess.run([analyzer, "stats", path, "--format", "json", *options],
                         stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)["reports"]


def rows_of(table):
    return [dict(zip(table["columns"], row)) for row in table["rows"]]


def section(rows, name):
    return {row["name"]: row for row in rows if row["section"] == name}


def compare_counts(c, want, trace):
    c.same("events", section(trace, "events")["all"]["count"], want["events_total"])
    for key, part in (("events_by_phase", "phase"), ("complete_events_by_category", "category"),
                      ("oddities", "oddity")):
        got = {name: row["count"] for name, row in section(trace, part).items()}
        if part == "oddity":
            got = {name: got.get(name, 0) for name in want[key]}
        for name in sorted(set(got) | set(want[key])):
            c.same(f"{part} {name}", got.get(name), want[key].get(name))


def compare_gpu(c, want, trace):
    gpu = {**section(trace, "gpu"), **section(trace, "gpu_all"), **section(trace, "gpu_other")}
    columns = {"count": "count", "sum": "total_ns", "union": "union_ns", "span": "span_ns"}
    for kind in ("kernel", "memcpy", "memset", "all"):
        for key, column in columns.items():
            c.same(f"gpu {kind} {key}", gpu[kind][column], want["gpu"][kind][key])
    c.same("sync events", gpu["sync"]["count"], want["gpu"]["sync_events"])
    c.same("annotation spans", gpu["annotation"]["count"], want["gpu"]["annotation_spans"])
    streams = section(trace, "stream")
    for row in rows_of(want["gpu_streams"]):
        name = f"{row['device']}:{row['stream']}"
        for key, column in columns.items():
            c.same(f"stream {name} {key}", streams.get(name, {}).get(column), row[key])
    c.same("streams", len(streams), len(want["gpu_streams"]["rows"]))
    linked = want["timeline_linked_gpu_events"]
    for part, figures in (("timeline", want["timeline_all_gpu_events"]),
                          ("timeline_linked",
                           want["timeline_all_gpu_events"] if linked == "same" else linked)):
        got = section(trace, part)
        for key, value in figures.items():
            c.same(f"{part} {key}", got[key]["total_ns"], value)


def compare_links(c, want, trace, with_python):
    link = section(trace, "link")
    for key, value in want["link"].items():
        if key.endswith("_sum"):
            c.same(key, link[key[:-4]]["total_ns"], value)
        else:
            c.same(key, link[key]["count"], value)
    inside = section(trace, "inside")
    inside["python_function"] = section(with_python, "inside")["python_function"]
    for name, figures in want["gpu_time_launched_inside_an_open_range_of_the_launching_thread"].items():
        c.same(f"inside {name} ops", inside[name]["cuda_ops"], figures["gpu_ops"])
        c.same(f"inside {name} sum", inside[name]["cuda_total_ns"], figures["sum"])
    figures = want["gpu_ops_without_open_cpu_range_at_launch"]
    c.same("without range ops", inside["none"]["cuda_ops"], figures["gpu_ops"])
    c.same("without range sum", inside["none"]["cuda_total_ns"], figures["sum"])


def compare_ranges(c, want, trace, ranges):
    annotations = section(trace, "user_annotation")
    columns = {"calls": "count", "cpu_sum": "total_ns", "gpu_ops": "cuda_ops",
               "gpu_sum": "cuda_total_ns", "gpu_union": "cuda_union_ns"}
    for row in rows_of(want["user_annotations"]):
        for key, column in columns.items():
            c.same(f"annotation {row['name']} {key}", annotations.get(row["name"], {}).get(column),
                   row[key])
    columns = {"calls": "count", "cpu_sum": "total_ns", "gpu_self_ops": "self_cuda_ops",
               "gpu_self_sum": "self_cuda_ns", "gpu_total_ops": "cuda_ops",
               "gpu_total_sum": "cuda_total_ns"}
    kinds = {"op": section(trace, "cpu_op"), "ua": annotations}
    shown = {}
    for row in ranges:
        shown[(row["domain"], row["name"])] = row
    for row in rows_of(want["cpu_ranges"]):
        got = kinds[row["kind"]].get(row["name"], {})
        name = f"{row['kind']} {row['name']}"
        # If two ranges begin and end together, either may be the innermost.
        ties = want["gpu_ops_whose_innermost_range_ties_with_another_name"] != 0
        for key, column in columns.items():
            if not (ties and "self" in key):
                c.same(f"{name} {key}", got.get(column), row[key])
        domain = "(default)" if row["kind"] == "ua" else None
        table = [r for (d, n), r in shown.items()
                 if n == row["name"] and (d == "(default)") == (domain == "(default)")]
        c.same(f"{name} in ranges", len(table), 1)
        if len(table) == 1:
            c.same(f"{name} calls in ranges", table[0]["calls"], row["calls"])
            c.same(f"{name} CUDA total in ranges", table[0]["cuda_total_ns"], row["gpu_total_sum"])
            if not ties:
                c.same(f"{name} self CUDA in ranges", table[0]["self_cuda_ns"], row["gpu_self_sum"])


def compare_names(c, want, reports):
    api = {row["name"]: row for row in reports["api"]}
    for row in rows_of(want["runtime_and_driver_calls"]):
        got = api.get(row["name"], {})
        for key, column in (("calls", "calls"), ("sum", "total_ns"), ("max", "max_ns")):
            c.same(f"call {row['name']} {key}", got.get(column), row[key])
    c.same("names of calls", len(api), len(want["runtime_and_driver_calls"]["rows"]))
    kernels = {row["name"]: row for row in reports["kernels"]}
    copies = {}
    for row in rows_of(want["gpu_ops_by_name"]):
        if row["kind"] == "kernel":
            got = kernels.get(row["name"], {})
            for key, column in (("calls", "calls"), ("sum", "total_ns"), ("min", "min_ns"),
                                ("max", "max_ns")):
                c.same(f"kernel {row['name']} {key}", got.get(column), row[key])
        else:
            name = row["name"].split(" (")[0]
            calls, total = copies.get(name, (0, 0))
            copies[name] = (calls + row["calls"], total + row["sum"])
    got = {row["name"]: row for row in reports["memcpy"]}
    for name, (calls, total) in copies.items():
        c.same(f"{name} calls", got.get(name, {}).get("calls"), calls)
        c.same(f"{name} sum", got.get(name, {}).get("total_ns"), total)


def compare_steps(c, want, trace):
    steps = [row for row in trace if row["section"] == "step"]
    c.same("steps", len(steps), len(want["steps"]["rows"]))
    for got, row in zip(steps, rows_of(want["steps"])):
        c.same("step's name", got["name"], row["name"])
        c.same(f"{row['name']} start", got["start_ns"], row["start_after_first_step"])
        c.same(f"{row['name']} duration", got["total_ns"], row["duration"])


def compare_occupancy(c, want, trace):
    got = section(trace, "occupancy")
    for key, value in want.get("occupancy", {}).items():
        row = got.get(key, {})
        c.same(f"occupancy {key}", row.get("count") if isinstance(value, int) else row.get("value"),
               value)


def main():
    analyzer, folder = sys.argv[1:]
    count = wrong = traces = 0
    for expected in sorted(glob.glob(os.path.join(folder, "expected", "*.exact.json"))):
        with open(expected, encoding="utf-8") as file:
            want = json.load(file)
        path = os.path.join(folder, want["trace"] + ".json.gz")
        reports = run(analyzer, path, "--report", "trace,ranges,kernels,memcpy,api", "--names", "raw",
                      "--kernel-name", "full")
        with_python = run(analyzer, path, "--report", "trace", "--python")["trace"]
        trace = reports["trace"]
        c = Comparison(want["trace"])
        compare_counts(c, want, trace)
        compare_gpu(c, want, trace)
        compare_links(c, want, trace, with_python)
        compare_ranges(c, want, trace, reports["ranges"])
        compare_names(c, want, reports)
        compare_steps(c, want, trace)
        compare_occupancy(c, want, trace)
        count += c.count
        wrong += c.wrong
        traces += 1
    print(f"{count} figures of {traces} traces compared, {wrong} differ")
    sys.exit(1 if wrong else 0)


main()
