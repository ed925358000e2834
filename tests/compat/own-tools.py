#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares other tools' figures for timelines of our logs with `analyzer stats` for the logs:
own-tools.py TOOL STATS.json TRACE.json...

TOOL: hta (HolisticTraceAnalysis, of all TRACEs) or tracelens (of the first). Both are imported from where PYTHONPATH has them.
Prints how many figures were compared; exit status 1 if any differs, 77 if the tool is not there.
"""
import json
import logging
import os
import sys
import tempfile
import warnings

count = 0
wrong = []


def equal(what, ours, theirs):
    global count
    count += 1
    if abs(ours - theirs) > 1e-6 * max(abs(ours), 1):
        wrong.append(f"{what}: ours {ours}, theirs {theirs}")


def compare_hta(reports, traces):
    os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
    from hta.trace_analysis import TraceAnalysis
    analysis = TraceAnalysis(trace_dir=os.path.dirname(os.path.abspath(traces[0])), include_last_profiler_step=True)
    table = analysis.get_temporal_breakdown(visualize=False).set_index("rank")
    for row in reports["temporal"]: # the ranks are compared with those of the logs, too
        for ours, theirs in (("compute", "compute_time"), ("non_compute", "non_compute_time"), ("idle", "idle_time"),
                             ("kernel_time", "kernel_time")):
            equal(f"temporal {theirs}", row[ours + "_ns"] / 1000, table.loc[row["rank"], theirs + "(us)"])
    table = analysis.get_comm_comp_overlap(visualize=False).set_index("rank")
    for row in (row for row in reports["overlap"] if row["overlap"] is not None):
        equal("overlap", row["overlap"] * 100, table.loc[row["rank"], "comp_comm_overlap_pctg"])
    table = analysis.get_gpu_kernel_breakdown(visualize=False, duration_ratio=1.0, num_kernels=100)[1]
    for row in reports["breakdown"]:
        if row["name"].startswith(("Memcpy", "Memset")):
            continue # there the name has the kinds of memory
        mine = table[(table["name"] == row["name"]) & (table["rank"] == row["rank"])]
        if mine.empty:
            equal(f"{row['name']} of rank {row['rank']}", row["calls"], 0)
            continue
        theirs = mine.iloc[0]
        equal(f"sum of {row['name']}", row["sum_ns"] / 1000, theirs["sum (us)"])
        equal(f"mean of {row['name']}", row["mean_ns"] / 1000, theirs["mean (us)"])


def compare_tracelens(reports, traces):
    from TraceLens.TreePerf import TreePerfAnalyzer
    analyzer = TreePerfAnalyzer.from_file(traces[0])
    table = analyzer.get_df_gpu_timeline().set_index("type")["time ms"]
    rank = reports["temporal"][0]["rank"]
    temporal = next(row for row in reports["temporal"] if row["rank"] == rank)
    overlap = next(row for row in reports["overlap"] if row["rank"] == rank)
    for theirs, ours in (("computation_time", temporal["compute_ns"]), ("idle_time", temporal["idle_ns"]),
                         ("total_time", temporal["kernel_time_ns"]), ("total_comm_time", overlap["communication_ns"])):
        equal(theirs, ours / 1e6, table[theirs])
    launchers = analyzer.get_df_kernel_launchers()
    for row in reports["op-kernels"]:
        if not row["operator"].startswith("aten::"):
            continue
        mine = launchers[launchers["name"] == row["operator"]]
        equal(f"calls of {row['operator']}", row["calls"], mine["direct_kernel_count"].sum())
        equal(f"GPU time of {row['operator']}", row["total_ns"] / 1000, mine["total_direct_kernel_time"].sum())


def main():
    sys.path.pop(0) # this folder has an hta.py of its own
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tool = {"hta": compare_hta, "tracelens": compare_tracelens}[sys.argv[1]]
    with open(sys.argv[2], encoding="utf-8") as file:
        reports = json.load(file)["reports"]
    out = sys.stdout
    sys.stdout = tempfile.TemporaryFile("w") # what they print
    try:
        tool(reports, sys.argv[3:])
    except ImportError as missing:
        sys.stdout = out
        print(missing)
        return 77
    sys.stdout.close()
    sys.stdout = out
    print("\n".join(wrong + [f"{count} figures, {len(wrong)} different"]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
