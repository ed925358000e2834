#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tells which slices of a trace in JSON Perfetto does not hold of what was written of it.

usage: slices.py TRACE WRITTEN ENGINE.tsv: the trace, what the analyzer wrote of it, and lines "slice ts dur category
name" of the engine, times in ns. Prints the first that are missing or too many.
"""

import collections
import gzip
import json
import sys
from decimal import Decimal


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    trace = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, parse_float=Decimal)
    return trace if isinstance(trace, dict) else {"traceEvents": trace}


def main():
    shift = load(sys.argv[2])["libranges_timeline"].get("shift_us", 0)
    slices = collections.Counter()
    for event in load(sys.argv[1])["traceEvents"]:
        phase = event.get("ph")
        if phase == "X" or phase == "i" and event.get("s", "t") == "t":
            slices["\t".join([str(int((event["ts"] - shift) * 1000)), str(int(event.get("dur", 0) * 1000)),
                              event.get("cat", ""), event["name"]])] += 1
    with open(sys.argv[3], encoding="utf-8") as file:
        slices.subtract(line.rstrip("\n").split("\t", 1)[1] for line in file if line.startswith("slice\t"))
    for line, count in slices.items():
        if count != 0:
            print(-count, line)


main()
