#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tells which slices and marks of a trace in JSON Perfetto does not hold of what was written of it.

usage: slices.py TRACE ENGINE.tsv: the trace, and lines "slice NAME" of the engine. Prints names that are missing, or
there too often, with the number.
"""

import collections
import gzip
import json
import sys


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    trace = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return trace if isinstance(trace, dict) else {"traceEvents": trace}


def main():
    slices = collections.Counter(event["name"] for event in load(sys.argv[1])["traceEvents"] if event.get("ph") in ("X", "i"))
    with open(sys.argv[2], encoding="utf-8") as file:
        slices.subtract(line.rstrip("\n").split("\t", 1)[1] for line in file if line.startswith("slice\t"))
    for name, count in slices.items():
        if count != 0:
            print(-count, name)


main()
