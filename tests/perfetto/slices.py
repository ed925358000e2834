#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the slices and marks of a trace in JSON that Perfetto lacks for the trace written again.

usage: slices.py TRACE WRITTEN ENGINE.tsv: the trace, what the analyzer wrote of it, and lines "ts dur NAME" of the
engine, times in ns. Prints names that are missing, or there too often, with the number, and those with other times.
"""

import collections
import gzip
import json
import sys
from decimal import Decimal

NEAR_NS = 1000  # the engine counts in doubles of us, which at times since 1970 are 0.25 us apart


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    trace = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, parse_float=Decimal)
    return trace if isinstance(trace, dict) else {"traceEvents": trace}


def main():
    shift_us = load(sys.argv[2])["libranges_timeline"].get("shift_us", 0)
    wanted, held = collections.defaultdict(list), collections.defaultdict(list)
    for event in load(sys.argv[1])["traceEvents"]:
        if event.get("ph") in ("X", "i"):
            wanted[event["name"]].append(((event["ts"] - shift_us) * 1000, event.get("dur", 0) * 1000))
    with open(sys.argv[3], encoding="utf-8") as file:
        for line in file:
            start, length, name = line.rstrip("\n").split("\t", 2)
            held[name].append((int(start), int(length)))
    for name in sorted(wanted.keys() | held.keys()):
        if len(wanted[name]) != len(held[name]):
            print(len(held[name]) - len(wanted[name]), name)
            continue
        far = [pair for pair in zip(sorted(wanted[name]), sorted(held[name]))
               if any(abs(a - b) > NEAR_NS for a, b in zip(*pair))]
        if far:
            print(name, *map(str, far[0]))


main()
