#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes small logs that claim to hold much, by doc/format.md alone: bombs.py [--dense] FOLDER
ANALYZER [COMMAND...]

One file per kind of bomb. All have good CRCs and obey the limits of single chunks; they are
small because zlib packs a column of zeros 1000:1. With an ANALYZER each command (words joined
by commas) reads each of them, and a line says which took more than 64 MiB and 40 bytes for each
byte of the file, or more than 5 s of CPU time; without, the names are printed.

With --dense it makes logs that are padded to the limit that a reader must allow for real logs, 64
events a byte. It also makes logs with as many events as are read whatever their bytes. The bound is
then 2048 bytes for each byte of the file.
"""
import os
import random
import resource
import struct
import subprocess
import sys
import zlib

PER_BYTE = 40
DENSE_PER_BYTE = 2048
CHUNKS = 40
ROWS = (1 << 20) - 512


def text(value):
    return struct.pack("B", 0xA0 | len(value)) + value.encode()


def dense(value, rows=ROWS):
    return struct.pack(">BI", 0xDD, rows) + bytes([value]) * rows


def payload(**columns):
    out = struct.pack("B", 0x80 | len(columns))
    for key, value in columns.items():
        out += text(key) + (value if isinstance(value, bytes) else bytes([value]))
    return out


class Log:
    def __init__(self, path):
        self.out = open(path, "wb")
        self.packed = {}
        self.put(1, payload(format=1, tool=text("bomb"), clock=text("monotonic")), 1)

    def put(self, kind, raw, count, sequence=0, stream=0):
        body = self.packed.get(raw) or zlib.compress(raw, 9)
        self.packed = {raw: body}
        head = struct.pack("<4sIBBHIQIIIIQQI", b"\xc1\xf7rl", 1, 1, kind, 0, stream, sequence, len(body),
                           len(raw), count, 0, 0, 0, zlib.crc32(body))
        self.out.write(head + struct.pack("<I", zlib.crc32(head)) + body)

    def fill(self, kind, raw, rows=ROWS, first=0, stream=0, chunks=CHUNKS):
        for i in range(chunks):
            self.put(kind, raw, rows, first + i * rows, stream)
        self.out.close()


def pairs(first, second, rows):
    return struct.pack(">BI", 0xDD, rows) + bytes([first, second]) * (rows // 2)


def write_all(folder):
    paths = []

    def log(name):
        paths.append(os.path.join(folder, name + ".bin"))
        return Log(paths[-1])

    ops = {"push": 1, "pop": 2, "start": 3, "mark": 5, "loss": 6, "depth": 7, "call": 8, "more": 9, "wait": 10,
           "sample": 14, "handoff": 16, "attach": 17, "step": 19, "api": 32, "kernel": 33, "copy": 34,
           "memory": 38, "external": 43, "unknown": 100}
    for name, op in ops.items():
        log(name).fill(4, payload(t=0, dt=dense(0), op=op, name=1, id=1, corr=1), stream=1)
    half = ROWS // 2
    log("push-pop").fill(4, payload(t=0, dt=dense(0, half), op=pairs(1, 2, half), name=1), half, stream=1)
    log("start-end").fill(4, payload(t=0, dt=dense(1, half), op=pairs(3, 4, half), id=1), half, stream=1)
    log("few-marks").fill(4, payload(t=0, dt=dense(0), op=5), stream=1, chunks=1)
    log("one-step-chunk").fill(4, payload(t=0, dt=dense(0), op=19), stream=1, chunks=3)
    log("strings").fill(2, payload(s=dense(0xA0)), first=1, chunks=15)
    long = struct.pack(">BH", 0xDA, 65000) + b"x" * 65000
    log("long-strings").fill(2, payload(s=struct.pack(">BI", 0xDD, 16) + long * 16), 16, first=1, chunks=245)
    for name, kind in {"domains": 1, "streams": 3, "schemas": 9, "devices": 16, "gpu-streams": 18}.items():
        log(name).fill(3, payload(kind=kind, id=dense(1), parent=0, str=0, val=0), chunks=4)
    log("clock").fill(5, payload(ticks=dense(0), mono=0, real=0, boot=0, err=0), chunks=1)
    log("losses").fill(6, payload(stream=dense(1), cause=1, count=1))
    log("index").fill(7, payload(off=dense(0), type=1))
    out = log("threads")
    for i in range(10000):
        out.put(4, payload(t=0, dt=0, op=5), 1, 0, i + 1)
    out.out.close()
    return paths


OPS = {"push": 1, "pop": 2, "start": 3, "end": 4, "mark": 5, "loss": 6, "depth": 7, "call": 8, "wait": 10, "sample": 14,
       "handoff": 16, "attach": 17, "kernel": 33}


def write_dense(folder):
    """Of each kind one log with 300,000 events, and one with twelve times as many, 63 a byte."""
    rows = 300000
    chance = random.Random(1)
    paths = []
    columns = {name: dict(op=op, name=1, id=1, corr=1) for name, op in OPS.items()}
    columns["push-pop"] = dict(op=pairs(1, 2, rows), name=1)
    columns["start-end"] = dict(op=pairs(3, 4, rows), id=1)
    for chunks in (1, 12):
        for name, column in columns.items():
            paths.append(os.path.join(folder, "%s-%d.bin" % (name, chunks)))
            log = Log(paths[-1])
            raw = payload(t=0, dt=dense(1, rows), **column)
            for i in range(chunks):
                log.put(4, raw, rows, i * rows, 1)
            log.put(200, chance.randbytes(max(rows * chunks // 63 - log.out.tell(), 1)), 1)
            log.out.close()
    return paths


def measure(command):
    """Exit status, largest resident set in bytes and CPU time in s."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def try_all(paths, analyzer, commands, per_byte):
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    for path in paths:
        for words in commands:
            status, memory, seconds = measure([analyzer] + words.split(",") + [path])
            if status not in (0, 1, 3) or seconds > 5 or memory > (64 << 20) + per_byte * os.path.getsize(path):
                print("%s %s: exit %d, %d KiB, %.1f s" % (words, os.path.basename(path), status,
                                                          memory >> 10, seconds))


def main(words):
    is_dense = words[0] == "--dense"
    folder, *rest = words[is_dense:]
    bombs = write_dense(folder) if is_dense else write_all(folder)
    if rest:
        try_all(bombs, rest[0], rest[1:], DENSE_PER_BYTE if is_dense else PER_BYTE)
    else:
        print("\n".join(bombs))


if __name__ == "__main__":
    main(sys.argv[1:])
