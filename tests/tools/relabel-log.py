#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replaces a text in a log everywhere by another of the same length: relabel-log.py LOG OLD NEW.

For golden logs (tests/data), which must not name the machine on which they were made. Everything
else stays; sizes, places and checksums are computed again by doc/format.md. Needs Debian's
python3-msgpack.
"""
import struct
import sys
import zlib

import msgpack

HEADER = "<4sIBBHIQIIIIQQI"
CAPTURE, STRINGS, INDEX, END = 1, 2, 7, 8
STORED = 1
NONE = 2 ** 64 - 1


def rebuild(data, old, new):
    out, chunks, since, index_at, at = bytearray(), 0, [], NONE, 0
    while data[at:at + 4] == b"\xc1\xf7rl":
        head = list(struct.unpack_from(HEADER, data, at))
        tag, kind, flags, size = head[1], head[3], head[4], head[7]
        body = data[at + 64:at + 64 + size]
        at += 64 + size
        if kind in (CAPTURE, STRINGS) or kind == INDEX:
            raw = body if flags & STORED else zlib.decompress(body)
            if kind == INDEX:
                columns = msgpack.unpackb(raw)
                columns["off"] = [place for place, _ in since]
                columns["stored"] = [length for _, length in since]
                if "prev" in columns:
                    columns["prev"] = index_at
                raw = msgpack.packb(columns)
            raw = raw.replace(old, new)
            body = raw if flags & STORED else zlib.compress(raw, 9)
            head[7], head[8] = len(body), len(raw)
        if kind == INDEX:
            index_at, since = len(out), []
        elif kind != END:
            since.append((len(out), len(body)))
        head[13] = zlib.crc32(body)
        packed = struct.pack(HEADER, *head)
        out += packed + struct.pack("<I", zlib.crc32(packed)) + body
        chunks += 1
    if data[at:]:
        trailer = struct.pack("<QQQI", index_at, len(out) + 40, chunks, tag)
        out += trailer + struct.pack("<I", zlib.crc32(trailer)) + b"RLOGEND\n"
    return bytes(out)


def main():
    path, old, new = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
    if len(old) != len(new):
        sys.exit("relabel-log.py: the texts must be of one length")
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(rebuild(data, old, new))


main()
