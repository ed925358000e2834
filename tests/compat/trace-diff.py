#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `analyzer diff --compat=hta` with its own count.

usage: trace-diff.py ANALYZER CONTROL TEST [STEP]

Counts, from the JSON itself, what HTA's TraceDiff counts by default: events of the first step (or of STEP), work of
GPUs in the step of its call, times rounded to us as HTA does where one has a fraction. Prints "STEP ROWS DIFFERENT".
"""
import collections
import gzip
import json
import math
import re
import subprocess
import sys


def count(path, number):
    """The step, and counts and sums of durations by name."""
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    is_float = any(isinstance(event.get("ts"), float) for event in events)
    rows = []
    for event in events:
        if event.get("ph") != "X" or "dur" not in event or event.get("cat", "Trace") == "Trace":
            continue
        start, dur = event["ts"], event["dur"]
        if is_float:
            start, dur = math.ceil(start), math.floor(start + dur) - math.ceil(start)
        args = event.get("args", {})
        rows.append((event["name"], start, dur, args.get("stream", -1), args.get("correlation", -1)))
    steps = sorted((int(name[13:]), start, start + dur) for name, start, dur, stream, _ in rows
                   if re.fullmatch(r"ProfilerStep#\d+", name) and stream == -1)
    step, begin, end = steps[0] if number is None else [step for step in steps if step[0] == number][0]
    calls = {corr: start for _, start, _, stream, corr in rows if stream == -1 and corr != -1}
    counts, sums = collections.Counter(), collections.Counter()
    for name, start, dur, stream, corr in rows:
        at = start if stream == -1 else calls.get(corr, -math.inf)
        if begin <= at < end:
            counts[name] += 1
            sums[name] += dur
    return step, counts, sums


def main():
    analyzer, control, test = sys.argv[1:4]
    number = int(sys.argv[4]) if len(sys.argv) > 4 else None
    command = [analyzer, "diff", "--compat=hta", "-f", "json", control, test]
    if number is not None:
        command.append("--steps=%d" % number)
    ours = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["rows"]
    step, *before = count(control, number)
    _, *after = count(test, number)
    expected = []
    for name in sorted(before[0].keys() | after[0].keys(), key=str.encode):
        counts, sums = (before[0][name], after[0][name]), (before[1][name], after[1][name])
        more = counts[1] - counts[0]
        change = ("added" if counts[0] == 0 else "deleted" if counts[1] == 0 else
                  "increased" if more > 0 else "decreased" if more < 0 else "unchanged")
        expected.append({
            "name": name, "control_counts": counts[0], "test_counts": counts[1],
            "control_total_duration_us": sums[0], "test_total_duration_us": sums[1], "diff_counts": more,
            "diff_duration_us": sums[1] - sums[0], "counts_change_categories": "+" if more > 0 else "-" if more < 0 else "=",
            "ops_diff": change})
    different = [pair for pair in zip(ours, expected) if pair[0] != pair[1]]
    for pair in different[:5]:
        print("ours %s, expected %s" % pair, file=sys.stderr)
    print(step, len(ours), len(different) + abs(len(ours) - len(expected)))


if __name__ == "__main__":
    main()
