#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the timeline of a log has what other tools need: own-rows.py TRACE.json...

TRACEs are of the ranks of one run. Prints the faults; exit status 1 if there are any.
"""
import json
import re
import sys

WORK = ("kernel", "gpu_memcpy", "gpu_memset")
CALLS = ("cuda_runtime", "cuda_driver")


def look(trace, wrong):
    """HolisticTraceAnalysis takes events with a stream for work. TraceLens needs args, arrows by
    correlation, tid 0."""
    corr, arrows = {}, []
    for event in trace["traceEvents"]:
        if event["ph"] == "M":
            if event["name"].startswith("process_") and event.get("tid") != 0:
                wrong.add(f"{event['name']} without tid 0")
        elif event["ph"] == "X":
            args = event.get("args")
            if args is None:
                wrong.add(f"a {event['cat']} without args")
                continue
            if ("stream" in args) != (event["cat"] in WORK + ("cuda_sync",)):
                wrong.add(f"a {event['cat']} {'with' if 'stream' in args else 'without'} stream")
            if re.match("aten::", event["name"]) and event["cat"] not in ("cpu_op", "gpu_user_annotation"):
                wrong.add(f"an operator is a {event['cat']}")
            if " = " in event["name"]:
                wrong.add(f"arguments in the name {event['name']}")
            if event["cat"] in WORK + CALLS:
                corr.setdefault((event["pid"], event["tid"], event["ts"]), set()).add(args["correlation"])
        elif event["ph"] in "sf":
            arrows.append((event["id"], (event["pid"], event["tid"], event["ts"])))
    for number, place in arrows:
        if number not in corr[place]:
            wrong.add(f"arrow {number} between things of the correlations {corr[place]}")
    if not arrows:
        wrong.add("no arrow")


def main():
    bases, ranks, wrong = set(), set(), set()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = re.search(r'"rank":\s+(\d+)', text) # as HolisticTraceAnalysis looks for it
        ranks.add(int(found.group(1)) if found else None)
        trace = json.loads(text)
        bases.add(trace["baseTimeNanoseconds"])
        look(trace, wrong)
    if ranks != set(range(len(sys.argv) - 1)):
        wrong.add(f"ranks {ranks}")
    if len(bases) != 1:
        wrong.add(f"times count from {bases}, and tools compare them as they stand")
    for line in sorted(wrong):
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
