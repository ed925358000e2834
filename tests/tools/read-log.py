#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the definitions and events of a log, a line each, with their details decoded.

Shares nothing with format/: written from doc/format.md. Addresses, which differ from run to run, are
printed as @. Usage: read-log.py LOG [WORD...]: only lines that begin with one of the words.
"""
import json
import struct
import sys
import zlib

KINDS = ["", "domain", "category", "stream", "thread-name", "resource", "sync", "object", "string",
         "schema", "enum", "scope", "time-domain", "counter", "types"]
OPS = ["", "push", "pop", "start", "end", "mark", "loss", "depth", "call", "more", "acquire-start",
       "acquire-failed", "acquire-success", "releasing", "sample", "no-sample"]



class Bytes(bytes):
    """What was `bin`."""


def unpack(data, at=0):
    """One msgpack value: (value, offset behind it)."""
    byte = data[at]
    at += 1

    def number(code):
        size = struct.calcsize(code)
        return struct.unpack_from(">" + code, data, at)[0], at + size

    def take(count, start, kind):
        raw = data[start:start + count]
        if len(raw) < count:
            raise ValueError("cut")
        return (Bytes(raw) if kind is Bytes else raw.decode()), start + count

    def values(count, start):
        out = []
        for _ in range(count):
            value, start = unpack(data, start)
            out.append(value)
        return out, start

    def pairs(count, start):
        flat, start = values(2 * count, start)
        return dict(zip(flat[::2], flat[1::2])), start

    if byte < 0x80:
        return byte, at
    if byte >= 0xE0:
        return byte - 256, at
    if byte < 0x90:
        return pairs(byte & 15, at)
    if byte < 0xA0:
        return values(byte & 15, at)
    if byte < 0xC0:
        return take(byte & 31, at, str)
    if byte in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[byte], at
    single = {0xCA: "f", 0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q", 0xD0: "b",
              0xD1: "h", 0xD2: "i", 0xD3: "q"}
    if byte in single:
        return number(single[byte])
    counted = {0xC4: ("B", Bytes), 0xC5: ("H", Bytes), 0xC6: ("I", Bytes), 0xD9: ("B", str),
               0xDA: ("H", str), 0xDB: ("I", str), 0xDC: ("H", list), 0xDD: ("I", list),
               0xDE: ("H", dict), 0xDF: ("I", dict)}
    if byte not in counted:
        raise ValueError("byte 0x%02x" % byte)
    code, kind = counted[byte]
    count, start = number(code)
    if kind is list:
        return values(count, start)
    return pairs(count, start) if kind is dict else take(count, start, kind)


def detail(raw):
    value, end = unpack(raw)
    if end != len(raw) or not isinstance(value, list):
        raise ValueError("no detail")
    return value


def chunks(data, kinds):
    at = 0
    while data[at:at + 4] == b"\xc1\xf7rl":
        kind, flags, stream, seq, stored, _, count = struct.unpack_from("<BHIQIII", data, at + 9)
        body = data[at + 64:at + 64 + stored]
        at += 64 + stored
        if kind in kinds and not (flags & 32 and kind != 1):
            yield kind, stream, seq, count, unpack(body if flags & 1 else zlib.decompress(body))[0]


def column(chunk, key, count):
    value = chunk.get(key, 0)
    if not isinstance(value, list):
        return [value] * count
    if len(value) == 2 and isinstance(value[0], list):
        out, row = [0] * count, 0
        for gap, item in zip(*value):
            row += gap
            out[row] = item
        return out
    return value


def show(value):
    """JSON; bytes are written as text if they are text, else as hex."""
    if isinstance(value, Bytes):
        text = value[:-1] if value.endswith(b"\0") else value
        plain = len(text) > 1 and all(32 <= byte < 127 for byte in text)
        return '"%s"' % text.decode() + "\\0" * (text != value) if plain else "x" + value.hex()
    if isinstance(value, int) and 1 << 40 < value < 1 << 56:
        return "@"
    if isinstance(value, list):
        return "[" + " ".join(show(item) for item in value) + "]"
    return json.dumps(value)


def show_payload(payload, addresses):
    """Addresses hold only for this run."""
    out = []
    for i, item in enumerate(payload):
        text = "@" if i % 2 == 0 and i > 1 and item else show(item)
        if text.startswith("x"):
            for address in addresses:
                text = text.replace(struct.pack("<Q", address).hex(), "@")
        out.append(text)
    return "[" + " ".join(out) + "]"


def is_payload(value):
    return (isinstance(value, list) and len(value) >= 4 and isinstance(value[3], Bytes) and
            isinstance(value[0], int))


def show_data(op, number, value):
    if op == 14 or op == 8 and number != 0x1210:
        return show_payload(value, []) if op == 14 and is_payload(value) else show(value)
    addresses = [item for payload in value for item in payload[2::2] if item]
    return "[" + " ".join(show_payload(item, addresses) for item in value) + "]"


def main():
    strings, domains, lines, events, facts = {0: ""}, {0: "-"}, [], [], {}
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    # Facts are in the first chunk and the last. If only facts are requested, nothing else is
    # unpacked.
    kinds = (1, 8) if {"odd", "lost"}.issuperset(sys.argv[2:]) and len(sys.argv) > 2 else (1, 2, 3, 4, 8)
    for kind, stream, seq, count, chunk in chunks(data, kinds):
        if kind in (1, 8):
            facts.update(chunk)
        elif kind == 2:
            strings.update(enumerate(chunk["s"], seq))
        elif kind == 3:
            for row in zip(*(column(chunk, key, count) for key in ("kind", "id", "parent", "str", "val"))):
                name = strings[row[3]]
                if row[0] == 1:
                    domains[row[1]] = name
                line = "def-%s %s id=%d name=%s" % (
                    KINDS[row[0]] if row[0] < len(KINDS) else row[0], domains.get(row[2], row[2]),
                    row[1], show(name))
                if row[0] in (5, 9, 10, 11, 12, 13, 14):
                    raw = strings[row[4]]
                    line += " " + (show(detail(raw if isinstance(raw, bytes) else raw.encode()))
                                   if raw else "opaque")
                lines.append(line)
        elif kind == 4:
            keys = ("op", "name", "domain", "id", "category", "color", "ptype", "payload", "data")
            for row in zip(*(column(chunk, key, count) for key in keys)):
                if row[0] == 9:
                    events[-1][8] = (events[-1][8] or b"") + (row[8] or b"")
                else:
                    events.append(list(row) + [stream])
    for op, name, domain, number, category, color, ptype, payload, raw, _ in events:
        line = "%s %s" % (OPS[op] if op < len(OPS) else op, domains.get(domain, domain))
        line += " " + show(strings[name]) if name else ""
        if op == 8:
            line += " 0x%04x" % number
        elif op in (14, 15):
            line += " id=%d" % number
        line += " category=%d" % category if category else ""
        line += " color=%x" % color if color else ""
        line += " value=%s" % show(payload) if ptype else ""
        if raw:
            line += " " + show_data(op, number, detail(raw))
        lines.append(line)
    lines += ["odd %s=%d" % (key[4:], facts[key]) for key in sorted(facts) if key.startswith("odd_")]
    lines += ["lost %d" % facts["lost"]] if facts.get("lost") else []
    for line in lines:
        if len(sys.argv) == 2 or line.split(" ", 1)[0] in sys.argv[2:]:
            print(line)


main()
