#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums the work of devices in the outputs that the analyzer writes for a profile. usage: outputs.py
ANALYZER FILE FOLDER

Prints operations and their ns in the JSON, in the protobuf, in the page's rows of queues, and in the summary.
"""

import json
import re
import subprocess
import sys
import zlib

analyzer, source, folder = sys.argv[1:]


def write(name, *options):
    command = [analyzer, *(["summarize"] if name.endswith("sum") else []), source, "-o", f"{folder}/{name}", *options]
    subprocess.run(command, check=True, capture_output=True)
    return f"{folder}/{name}"


def sum_json():
    events = json.load(open(write("out.json"), encoding="utf-8"))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    work = [e for e in events if e["ph"] == "X" and re.match(r"/device:|GPU", names.get(e["pid"], ""))]
    return len(work), sum(round(e["dur"] * 1000) for e in work)


def fields(data):
    at = 0

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            size = varint() if size is None else size
            yield key >> 3, data[at:at + size]
            at += size


def packets(data):
    """TracePackets, those within compressed ones included."""
    for number, packet in fields(data):
        if number == 1:
            inside = dict(fields(packet))
            if 50 in inside:
                yield from packets(zlib.decompress(inside[50]))
            else:
                yield inside


def sum_pftrace():
    """Slices of all tracks whose process is a device's: TrackDescriptor 60, TrackEvent 11, timestamp 8."""
    parents, devices, opened = {}, set(), {}
    count = total = 0
    default = 0
    for packet in packets(open(write("out.pftrace"), "rb").read()):
        if 59 in packet:  # TracePacketDefaults
            event = dict(fields(dict(fields(packet[59])).get(11, b"")))
            default = event.get(11, default)
        if 60 in packet:
            track = dict(fields(packet[60]))
            parents[track[1]] = track.get(5)
            process = dict(fields(track.get(3, b"")))
            if re.match(rb"/device:|GPU", process.get(6, b"")):
                devices.add(track[1])
        if 11 in packet:
            event = dict(fields(packet[11]))
            track = event.get(11, default)
            root = track
            while parents.get(root):
                root = parents[root]
            if root in devices and event.get(9) == 1:
                opened.setdefault(track, []).append(packet[8])
                count += 1
            elif root in devices and event.get(9) == 2:
                total += packet[8] - opened[track].pop()
    return count, total


def sum_summary():
    rows = subprocess.run([analyzer, "stats", write("out.sum"), "-r", "kernels", "-f", "json"], check=True, capture_output=True).stdout
    rows = json.loads(rows)["reports"]["kernels"]
    return sum(row["calls"] for row in rows), sum(row["total_ns"] for row in rows)


def sum_page():
    page = open(write("out.html"), encoding="utf-8").read()
    return len(set(re.findall(r'"GPU \d+, stream \d+"', page)))


print("json", *sum_json())
print("pftrace", *sum_pftrace())
print("summary", *sum_summary())
print("page", sum_page())
