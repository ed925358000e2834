#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the analyzer's reports on a log with those on the trace from which the log was played.

usage: replay-compare.py ANALYZER TRACE LOG LACKS [SEEN]
Compares every value of REPORTS except those in EXCEPTIONS. LACKS are the lines of replay-script.py.
Prints the
differences, one on each line, and last "N figures"; appends the exceptions that were needed to
SEEN. --exceptions lists all.
"""
import json
import re
import subprocess
import sys

REPORTS = ("kernels", "memcpy", "launch-sum", "launch", "devices", "idle", "idle-streams", "gaps", "projection",
           "projection-devices", "ranges", "gpu-sync", "api", "graphs")
# The calls that are not recorded by default, as in cupti-calls.c.
LEFT_OUT = re.compile(r"cuda((Get|Set)Device|(Peek(At)?|Get)LastError|GetDeviceCount|StreamIsCapturing|StreamGetCaptureInfo|"
                      r"ThreadExchangeStreamCaptureMode|GetError(String|Name)|Event(Create(WithFlags)?|Destroy|Query)|StreamQuery)(_v\d+)?|"
                      r"__cuda(Push|Pop)CallConfiguration|.*GetAttributes?|cu(?!Launch|GraphLaunch|Memcpy|Memset)[A-Z].*")
RATES = "flops and bytes of kernels are counted from the sizes of operators' inputs, which ranges do not have"
FEWER = "functions that neither start work nor wait for any are not recorded"
OWN = "the threads that play have numbers of their own"
SHAPES = "without grids, or limits of the device, the trace's own figures are shown, which no log has"
NO_SHAPES = ("kernels without grid", "no deviceProperties")
# Columns that may differ, the reason, and the traces for which this holds.
EXCEPTIONS = {
    ("kernels", "flops"): (RATES, ()), ("kernels", "flops_per_s"): (RATES, ()), ("kernels", "peak_flops_share"): (RATES, ()),
    ("kernels", "bytes_per_s"): (RATES, ()), ("kernels", "peak_bytes_share"): (RATES, ()), ("kernels", "flops_per_byte"): (RATES, ()),
    ("kernels", "rated_share"): (RATES, ()),
    ("api", "total_share"): (FEWER, ()), ("footer", "events"): (FEWER, ()),
    ("gaps", "api"): (FEWER, ()), ("gaps", "api_ns"): (FEWER, ()),
    ("gaps", "python"): ("what plays makes ranges of NVTX, and functions of Python are none", ()),
    ("gpu-sync", "range"): (FEWER, ()), ("launch", "tid"): (OWN, ()), ("gaps", "tid"): (OWN, ()),
    ("kernels", "mean_blocks_per_sm"): (SHAPES, NO_SHAPES), ("kernels", "mean_est_achieved_occupancy"): (SHAPES, NO_SHAPES),
    ("devices", "est_sm_efficiency_share"): (SHAPES, NO_SHAPES), ("devices", "est_achieved_occupancy_share"): (SHAPES, NO_SHAPES),
    ("devices", "name"): ("CUPTI has a name for each device", ("devices without name",)),
}


def reports_of(analyzer, path):
    done = subprocess.run([analyzer, "stats", "--report", ",".join(REPORTS), "--format", "json", path],
                          stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    return answer["reports"], answer["footer"]


# The begin and end of the host's recording cut these; they differ in a log.
EDGES = ("before first", "after last", "nothing recorded")


MOST_ROWS = 50  # the number of shown gaps, the longest ones


def join_edges(rows):
    """If all gaps are shown: the gaps before the first and after the last operation as one row,
    with their time."""
    inner = [row for row in rows if row["cause"] not in EDGES]
    if len(rows) >= MOST_ROWS:
        return inner[:MOST_ROWS - 6]  # three edges of each of two devices
    return inner + [{"edges_ns": sum(row["dur_ns"] for row in rows if row["cause"] in EDGES)}]


class Comparison:
    def __init__(self, lacks):
        self.lacks = lacks
        self.count, self.wrong, self.seen = 0, [], set()

    def may_differ(self, report, key):
        _, lacks = EXCEPTIONS.get((report, key), ("", ("nothing",)))
        return not lacks or bool(self.lacks & set(lacks))

    def values(self, report, key, where, wanted, got):
        if isinstance(wanted, dict) and isinstance(got, dict):
            for name in list(wanted) + [name for name in got if name not in wanted]:
                self.values(report, name, f"{where}.{name}", wanted.get(name), got.get(name))
        elif isinstance(wanted, list) and isinstance(got, list):
            if len(wanted) != len(got):
                self.wrong.append(f"{where}: {len(wanted)} rows, of the log {len(got)}")
            for index, (a, b) in enumerate(zip(wanted, got)):
                self.values(report, key, f"{where}[{index}]", a, b)
        elif wanted == got:
            self.count += 1
        elif self.may_differ(report, key):
            self.seen.add((report, key))
        else:
            self.wrong.append(f"{where}: {wanted!r}, of the log {got!r}")


def main():
    if sys.argv[1:] == ["--exceptions"]:
        print("\n".join(f"{report} {key}" for report, key in EXCEPTIONS))
        return
    analyzer, trace, log, lacks, *seen = sys.argv[1:]
    with open(lacks, encoding="utf-8") as file:
        comparison = Comparison({line.rsplit(" ", 1)[0] for line in file})
    (wanted, wanted_footer), (got, got_footer) = reports_of(analyzer, trace), reports_of(analyzer, log)
    wanted["api"] = [row for row in wanted["api"] if not LEFT_OUT.fullmatch(row["name"])]
    wanted["gaps"], got["gaps"] = join_edges(wanted["gaps"]), join_edges(got["gaps"])
    for report in REPORTS:
        comparison.values(report, report, report, wanted.get(report), got.get(report))
    comparison.values("footer", "gpu", "footer.gpu", wanted_footer.get("gpu"), got_footer.get("gpu"))
    for line in comparison.wrong[:40]:
        print(line)
    print(f"{comparison.count} figures")
    for name in seen:
        with open(name, "a", encoding="utf-8") as file:
            file.writelines(f"{report} {key}\n" for report, key in sorted(comparison.seen))


main()
