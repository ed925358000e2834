#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a recording by tests/cupti/forward.c, and compares it with the log of the same run.

usage: recording.py script RECORDING DUMP SCRIPT     a script for tests/cupti/replay.c; prints "version N"
       recording.py compare ANALYZER LOG LOG         every report of both; prints "N figures"
RECORDING may be packed by gzip. DUMP is what `analyzer dump` says of the log, whose ranges are pushed and popped
at their times; it must have been recorded with RANGES_CLOCK=monotonic.
"""
import gzip
import json
import re
import struct
import subprocess
import sys

# Offsets of the 8-byte times in records, by kind.
TIMES = {1: (16, 24), 2: (16, 24), 3: (16, 24, 32, 120, 128), 4: (8, 16), 5: (8, 16), 10: (16, 24, 32, 120, 128),
         17: (24, 32), 22: (16, 24), 25: (16, 24), 36: (40,), 38: (8, 16), 49: (32,), 51: (8, 16), 52: (16, 24)}
# An overhead (17) has a thread id if its kind of object is a thread.
THREAD = {4: 28, 5: 28, 17: 16}
OF_THREAD = 2
# A time this far from the capture's begin is not of its clock.
FAR = 10**15


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode().splitlines()


class Texts:
    def __init__(self):
        self.numbers = {"": 0}

    def number(self, text):
        if "\n" in text or "\0" in text:
            raise SystemExit(f"{text!r} can't stand in a line")
        return self.numbers.setdefault(text, len(self.numbers))


def parse_dump(path):
    """The begin and end of the capture, threads as {stream: (tid, name)}, ranges as {stream: [(time, what, domain, name)]}."""
    begin, end, threads, events = None, 0, {}, {}
    string = r'"(?:[^"\\]|\\.)*"'
    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        words = line.split(" ", 5)
        if line.startswith("clock "):
            end = int(words[1].split("=")[1])
            begin = end if begin is None else begin
        elif line.startswith("def stream ") and " tid=0 " not in line:
            name = re.search(f"name=({string})", line)
            threads[int(words[2].split("=")[1])] = (int(words[3].split("=")[1]), json.loads(name[1]) if name else "")
        elif line.startswith("event ") and words[4].strip() in ("push", "pop"):
            rest = words[5] if len(words) > 5 else ""
            name = re.search(f'name=({string})', rest)
            domain = re.search(f'domain=({string})', rest)
            events.setdefault(int(words[1]), []).append(
                (int(words[3]), words[4].strip(), json.loads(domain[1]) if domain else "", json.loads(name[1]) if name else ""))
    return begin, end, threads, events


def record_line(kind, data, text, begin, texts):
    places = []
    for at in TIMES.get(kind, ()):
        if at + 8 <= len(data):
            time = struct.unpack_from("<Q", data, at)[0]
            if time != 0 and abs(time - begin) < FAR:
                struct.pack_into("<Q", data, at, (time - begin) % 2**64)
                places.append(at)
    return "r %d %d %s 0 %s" % (text[0], texts.number(text[1]), " ".join(map(str, places)), data.hex())


def make_script(recording, dump, path):
    begin, end, threads, events = parse_dump(dump)
    texts, head, version = Texts(), [], None
    domains = {"": 0}
    lines = {tid: [] for tid, _ in threads.values()}
    first = next(iter(lines), 0)
    for stream, ranges in events.items():
        for time, what, domain, name in ranges:
            if domain not in domains:
                domains[domain] = len(domains)
                head.append(f"D {texts.number(domain)}")
            lines[threads[stream][0]].append(f"< {time - begin} {domains[domain]} {texts.number(name)}" if what == "push"
                                             else f"> {time - begin} {domains[domain]}")
    for line in read(recording):
        words = line.split(" ")
        if words[0] == "version":
            version = words[1]
        elif words[0] == "name":
            head.append(f"F {words[1]} {words[2]} {texts.number(words[3])}")
        elif words[:1] + words[2:4] == ["call", "cuptiActivityGetNumDroppedRecords", "0"]:
            lines.setdefault(first, []).append("x " + words[4])
        elif words[0] == "unknown":
            raise SystemExit(f"records of a kind without a size: {line}")
        elif words[0] == "record":
            kind, data = int(words[1]), bytearray.fromhex(words[2])
            text = (int(words[3]), bytes.fromhex(words[4]).decode(errors="surrogateescape")) if len(words) > 3 else (0, "")
            is_thread = kind in THREAD and (kind != 17 or data[8] == OF_THREAD)
            tid = struct.unpack_from("<I", data, THREAD[kind])[0] if is_thread else first
            lines.setdefault(tid, []).append(record_line(kind, data, text, begin, texts))
    names = dict(threads.values())
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
        print(f"L {end - begin}", file=out)
        for text in texts.numbers:
            print(f'"{text}', file=out)
        for line in head:
            print(line, file=out)
        for tid, own in lines.items():
            print(f"T{names.get(tid, '')[:15]}", *own, sep="\n", file=out)
    print("version", version)


def reports(analyzer, log):
    """All reports as JSON, without the parts that differ between runs: ids of processes and threads,
    and the file."""
    dump = subprocess.run([analyzer, "dump", log], stdout=subprocess.PIPE, check=True).stdout.decode(errors="surrogateescape")
    # Numbers of threads, in the order of the log.
    tids = {tid: i for i, tid in enumerate(dict.fromkeys(int(t) for t in re.findall(r"^def stream .*tid=(\d+)", dump, re.M) if t != "0"))}
    for tid in map(int, re.findall(r" tid=(\d+)$", dump, re.M)):
        tids.setdefault(tid, len(tids))
    out = json.loads(subprocess.run([analyzer, "stats", "--report", "all", "--format", "json", log],
                                    stdout=subprocess.PIPE, check=True).stdout)

    def same(value, key=None):
        if isinstance(value, dict):
            return {k: same(v, k) for k, v in value.items() if k not in ("input", "clock_error_ns", "stream", "pid")}
        if isinstance(value, list):
            return [same(v, key) for v in value]
        if key in ("tid", "thread", "start_tid", "end_tid") and isinstance(value, int):
            return tids.get(value, value)
        if isinstance(value, str):
            return re.sub(r"\b(?:%s)\b" % "|".join(map(str, tids)), lambda m: "T%d" % tids[int(m[0])], value) if tids else value
        return value

    return same(out)


def walk(one, other, where, differ):
    """Return: how many figures were compared."""
    if isinstance(one, dict) and isinstance(other, dict):
        return sum(walk(one.get(k), other.get(k), f"{where}/{k}", differ) for k in sorted(set(one) | set(other)))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return sum(walk(a, b, f"{where}/{i}", differ) for i, (a, b) in enumerate(zip(one, other)))
    if one != other:
        differ.append(f"{where}: {one} {other}")
    return 1


def compare(analyzer, one, other):
    differ = []
    count = walk(reports(analyzer, one), reports(analyzer, other), "", differ)
    print(*differ[:20], sep="\n", end="\n" if differ else "")
    print(count, "figures")


if sys.argv[1] == "script":
    make_script(*sys.argv[2:])
else:
    compare(*sys.argv[2:])
