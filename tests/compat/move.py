#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace in JSON whose times count from another point: move.py TRACE US >MOVED.json

US microseconds are taken from the times of all events but M, and added to baseTimeNanoseconds.
"""

import gzip
import json
import sys
from decimal import Decimal


def main():
    with gzip.open(sys.argv[1]) as file:
        trace = json.loads(file.read(), parse_float=Decimal)
    shift = int(sys.argv[2])
    trace["baseTimeNanoseconds"] = trace.get("baseTimeNanoseconds", 0) + shift * 1000
    for event in trace["traceEvents"]:
        if "ts" in event and event["ph"] != "M":
            event["ts"] -= shift
    sys.stdout.write(json.dumps(trace, default=float))  # the shortest text of the double next to it


main()
