#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks whether a trace in JSON was written again completely.

usage: same.py OLD NEW: files in JSON, packed by gzip or not
NEW must contain all of OLD: keys of the top level, and events in order, with equal values, numbers
as decimals. First the rows and times that were changed for the drawing are changed back, as NEW
says. Prints the additions: names of rows, counters, arrows. Exit: 1 if something is missing.
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


def undo(trace):
    """The trace as it was, and what was added to it."""
    timeline = trace.pop("libranges_timeline")
    rows = {kind: {(int(texts[i]), int(texts[i + 1])): [json.loads(text, parse_float=Decimal) if text else None
                                                        for text in texts[i + 2:i + 4]]
                   for i in range(0, len(texts), 4)}
            for kind, texts in (("XBE", timeline["rows"]), ("stf", timeline["arrows"]), ("iIR", timeline["marks"]))}
    shift = timeline.get("shift_us", 0)
    if timeline.get("adds_base"):
        del trace["baseTimeNanoseconds"]
    elif shift:
        trace["baseTimeNanoseconds"] -= shift * 1000
    added = []
    events = []
    for event in trace.pop("traceEvents"):
        if event.pop("added", None):
            added.append(event)
            continue
        events.append(event)
        event.update({"ph": event.pop("was")} if "was" in event else {})
        if event.get("ph") != "M":
            row = [some.get((event.get("pid"), event.get("tid"))) for kind, some in rows.items()
                   if str(event.get("ph", "?"))[:1] in kind]
            for key, value in zip(("pid", "tid"), row and row[0] or ()):
                event[key] = value
                if value is None:
                    del event[key]
            if "ts" in event and shift:
                event["ts"] += shift
    return events, added


def main():
    old, new = load(sys.argv[1]), load(sys.argv[2])
    events = old.pop("traceEvents")
    more, added = undo(new)
    wrong = [key for key, value in old.items() if key not in new or new[key] != value]
    for index, event in enumerate(events):
        if index >= len(more) or more[index] != event:
            wrong.append(f"event {index}: {event} became {more[index] if index < len(more) else None}")
    wrong += [f"one more: {event}" for event in more[len(events):]]
    for line in wrong[:5]:
        print(str(line)[:400])
    for event in added:
        if event["ph"] == "C" and min(event["args"].values()) < 0:
            wrong.append("a negative counter")
    phases = collections.Counter(event["ph"] for event in added)
    names = collections.Counter(event["name"] for event in added if event["ph"] == "C")
    print(f"{len(events)} events, {len(wrong)} differ; added:", dict(phases), dict(names))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
