#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tells whether a trace in JSON was written again in full.

usage: same.py OLD NEW: files in JSON, packed by gzip or not
All of OLD must be in NEW: keys of the top level, and events in order, with equal values, numbers as
decimals. Prints what was added: counters and flows. Exit: 1 if something is missing.
"""

import collections
import gzip
import json
import sys
from decimal import Decimal


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    value = json.loads(data, parse_float=Decimal)
    return value if isinstance(value, dict) else {"traceEvents": value}


def main():
    old, new = load(sys.argv[1]), load(sys.argv[2])
    events, more = old.pop("traceEvents"), new.pop("traceEvents")
    wrong = [key for key, value in old.items() if key not in new or new[key] != value]
    for index, event in enumerate(events):
        if index >= len(more) or more[index] != event:
            wrong.append(f"event {index}: {event} became {more[index] if index < len(more) else None}")
    for line in wrong[:5]:
        print(str(line)[:400])
    added = more[len(events):]
    for event in added:
        if event["ph"] == "C" and min(event["args"].values()) < 0:
            wrong.append("a negative counter")
    phases = collections.Counter(event["ph"] for event in added)
    names = collections.Counter(event["name"] for event in added if event["ph"] == "C")
    print(f"{len(events)} events, {len(wrong)} differ; added:", dict(phases), dict(names))
    sys.exit(1 if wrong else 0)


main()
