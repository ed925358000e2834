#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a log from text of the form that `analyzer dump` prints: text-log.py OUT [TEXT]

A second writer beside format/, after doc/format.md alone, which can also break the rules. Each line:

    capture KEY=VALUE...         clock ticks=N mono=N real=N boot=N err=N
    def KIND id=N [domain="NAME"] [name="NAME"] [tid=N] [val=N]
    event STREAM ORDINAL TICKS OP key=value...      (the ordinal is not looked at)
    loss stream=N cause=N count=N                   end KEY=VALUE...

Beyond what dump prints: `chunk [KEY=VALUE...]` ends the chunk of events at hand, the values replace
fields of its header (sequence, count, first, last, flags), open=[NAME,DOMAIN,TICKS,...] is its key
`open`; another stream's event ends it too. `raw
TYPE "BYTES"` is a chunk of any type. `pack` compresses what follows. `open` leaves the log unclosed.
Strings are given ids as they come; #7 is the id 7, whether it is there or not. `data=` of an event,
`detail=` of a definition are Python literals without a space: [[5,8,0,b"\\x01"]]; bytes alone are taken
as they are.
"""
import array
import ast
import re
import struct
import sys
import zlib

TAG = 0x01020304
TYPES = {"capture": 1, "strings": 2, "defs": 3, "events": 4, "clock": 5, "loss": 6, "index": 7, "end": 8}
OPS = {"push": 1, "pop": 2, "start": 3, "end": 4, "mark": 5, "loss": 6, "depth": 7,
       "call": 8, "more": 9, "acquire_start": 10, "acquire_failed": 11, "acquire_success": 12,
       "releasing": 13, "sample": 14, "no_sample": 15,
       "handoff": 16, "attach": 17, "detach": 18, "step": 19, "step_end": 20,
       "api": 32, "kernel": 33, "copy": 34, "set": 35, "gpu_sync": 36, "overhead": 37, "memory": 38,
       "graph_launch": 39, "jit": 40, "gpu_event": 41, "unified_memory": 42, "external": 43,
       "memory_pool": 44}
KINDS = {"domain": 1, "category": 2, "stream": 3, "thread_name": 4, "resource": 5,
         "sync_object": 6, "object_name": 7, "registered_string": 8, "payload_schema": 9,
         "payload_enum": 10, "scope": 11, "time_domain": 12, "counter": 13, "type_table": 14,
         "gpu_status": 15, "device": 16, "context": 17, "gpu_stream": 18, "launch_shape": 19,
         "object_id": 20, "domain_off": 21, "stream_end": 22}
PAYLOADS = {"u64": 1, "i64": 2, "double": 3, "u32": 4, "i32": 5, "float": 6}
CAUSES = {"ring_full": 1, "nested": 2, "intern_overflow": 3, "no_slot": 4, "write_error": 5,
          "gpu_dropped": 6, "gpu_ts_invalid": 7, "bad_record": 8}
SPARSE = ("category", "color", "ptype", "payload", "lost", "cause", "span", "depth", "min_depth", "data",
          "dur", "device", "context", "queue", "corr", "shape", "bytes", "addr", "kind", "src", "dst",
          "graph", "node", "tid", "result", "queued", "submitted", "sync",
          "pool", "reserved", "used", "count1", "count2", "count3")
TOKEN = re.compile(rb'(?:([\w]+)=)?("(?:[^"\\]|\\.)*"|\S+)')
ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}


class Bin:
    """Bytes that are a msgpack bin, even if they are UTF-8."""
    def __init__(self, value):
        self.bytes = value


def detail_of(text):
    """The bytes of a detail, given as a literal or as they are."""
    value = ast.literal_eval(text.decode())
    return value if isinstance(value, bytes) else pack(value)


def pack(value):
    """msgpack, the long forms only: they are as good."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">BQ", 0xCF, value) if value >= 0 else struct.pack(">Bq", 0xD3, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xCB, value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        try:
            value.decode()
            return struct.pack(">BI", 0xDB, len(value)) + value
        except UnicodeDecodeError:
            return struct.pack(">BI", 0xC6, len(value)) + value
    if value is None:
        return b"\xc0"
    if isinstance(value, Bin):
        return struct.pack(">BI", 0xC6, len(value.bytes)) + value.bytes
    if isinstance(value, list):
        head = struct.pack(">BI", 0xDD, len(value))
        if set(map(type, value)) == {int} and min(value) >= 0:
            return head + pack_numbers(value)
        return head + b"".join(map(pack, value))
    return struct.pack(">BI", 0xDF, len(value)) + b"".join(pack(k) + pack(v) for k, v in value.items())


def pack_numbers(numbers):
    """What pack() makes of each of them, which are not negative, in a tenth of the time."""
    column = array.array("Q", numbers)
    if sys.byteorder == "little":
        column.byteswap()
    column = column.tobytes()
    packed = bytearray(9 * len(numbers))
    packed[::9] = b"\xcf" * len(numbers)
    for i in range(8):
        packed[i + 1::9] = column[i::8]
    return bytes(packed)


def unquote(text):
    def replace(match):
        body = match.group(1)
        if body[:1] == b"x":
            return bytes([int(body[1:], 16)])
        return ESCAPES.get(body, body)
    return re.sub(rb"\\(x[0-9a-fA-F]{2}|.)", replace, text[1:-1], flags=re.S)


def value_of(text):
    if text[:1] == b'"':
        return unquote(text)
    if text in (b"true", b"false"):
        return text == b"true"
    if text[:1] == b"[":
        return ast.literal_eval(text.decode())
    return int(text.lstrip(b"#"))


class Log:
    def __init__(self, out):
        self.out = out
        self.strings = {}
        self.written_strings = 0
        self.domains = {}
        self.rows = []
        self.read_rows = {}
        self.stream = 0
        self.ordinals = {}
        self.sequence = dict.fromkeys(TYPES.values(), 0)
        self.sequence[2] = 1
        self.index = []
        self.previous_index = None
        self.chunks = 0
        self.totals = {"events": 0, "lost": 0, "strings": 0, "defs": 0, "streams": 0}
        self.stored = True
        self.offset = 0

    def put(self, kind, payload, count=1, stream=0, first=0, last=0, sequence=None, flags=0):
        if sequence is None:
            sequence = self.sequence[kind] if kind in self.sequence else 0
        raw = pack(payload) if not isinstance(payload, bytes) else payload
        body = raw if self.stored else zlib.compress(raw)
        flags |= 1 if self.stored else 0
        head = struct.pack("<4sIBBHIQIIIIQQI", b"\xc1\xf7rl", TAG, 1, kind, flags, stream, sequence,
                           len(body), len(raw), count, self.totals["lost"] if stream else 0, first,
                           last, zlib.crc32(body))
        self.out.write(head + struct.pack("<I", zlib.crc32(head)) + body)
        if kind != 7:
            self.index.append((self.offset, kind, flags, stream, sequence, count, len(body), len(raw),
                               first, last))
        self.offset += len(head) + 4 + len(body)
        self.chunks += 1
        if stream == 0 and kind in self.sequence and not flags & 32:
            self.sequence[kind] += count

    def string(self, text):
        if isinstance(text, int):
            return text
        return self.strings.setdefault(text, len(self.strings) + 1)

    def flush_strings(self):
        new = list(self.strings)[self.written_strings:]
        if new:
            self.put(2, {"s": new}, len(new))
            self.written_strings += len(new)
            self.totals["strings"] = self.written_strings

    def flush(self, **header):
        if not self.rows:
            return
        self.flush_strings()
        rows, self.rows = self.rows, []
        first = self.ordinals.get(self.stream)
        self.totals["events"] += len(rows)
        self.totals["streams"] += first is None
        ticks = [row["ticks"] for row in rows]
        payload = {"t": ticks[0], "dt": [b - a for a, b in zip([ticks[0]] + ticks, ticks)]}
        for key in ("op", "name", "domain", "id"):
            payload[key] = [row.get(key, 0) for row in rows]
        present = set().union(*rows)
        for key in SPARSE:
            at = key in present and [i for i, row in enumerate(rows) if row.get(key, 0) != 0]
            if at and key == "data":
                payload[key] = [[b - a for a, b in zip([0] + at, at)],
                                [Bin(rows[i][key]) for i in at]]
            elif at:
                payload[key] = [[b - a for a, b in zip([0] + at, at)], [rows[i][key] for i in at]]
        fields = {"sequence": first or 0, "count": len(rows), "first": min(ticks), "last": max(ticks),
                  "flags": 2 if first is None else 0}
        if ticks != sorted(ticks):
            fields["flags"] |= 16
        if "open" in header:
            payload["open"] = header.pop("open")
            fields["flags"] |= 512
        fields.update(header)
        self.ordinals[self.stream] = fields["sequence"] + len(rows)
        self.put(4, payload, stream=self.stream, **fields)

    def event(self, stream, ticks, rest):
        """REST is the line from the event's kind on. Most lines end as an earlier one."""
        if stream != self.stream:
            self.flush()
            self.stream = stream
        if rest not in self.read_rows:
            self.read_rows[rest] = self.read_row(rest)
        row, lost = self.read_rows[rest]
        self.totals["lost"] += lost
        self.rows.append({"ticks": ticks, **row})

    def read_row(self, rest):
        """The columns of an event, but for its time, and what it adds to the events lost."""
        tokens = TOKEN.findall(rest)
        op = [text for key, text in tokens if not key][0].decode()
        row, lost = {"op": OPS[op] if op in OPS else int(op[2:])}, 0
        for key, text in tokens:
            key = key.decode()
            if not key:
                continue
            if key == "name":
                row["name"] = int(text[1:]) if text[:1] == b"#" else self.string(unquote(text))
            elif key == "domain":
                row["domain"] = self.domains[unquote(text)] if text[:1] == b'"' else int(text)
            elif key == "category":
                row["category"] = int(text)
            elif key == "color":
                row["color"] = int(text[1:], 16)
            elif key == "payload":
                kind, number = text.decode().split(":")
                row["ptype"] = PAYLOADS[kind]
                row["payload"] = float(number) if kind in ("double", "float") else int(number)
            elif key == "data":
                row["data"] = detail_of(text)
            elif key == "cause":
                row["cause"] = CAUSES[text.decode()]
                lost = row.get("lost", 0)
            else:
                row[key] = int(text)
        return row, lost

    def define(self, words, pairs):
        self.flush()
        detail = [detail_of(text) for key, text in pairs if key == "detail"]
        row = {key: value_of(text) for key, text in pairs if key != "detail"}
        name = self.string(row["name"]) if "name" in row else 0
        parent = row.get("domain", row.get("parent", 0))
        value = self.string(detail[0]) if detail else row.get("val", row.get("tid", 0))
        kind = KINDS[words[0].decode()]
        if isinstance(parent, bytes):
            parent = self.domains[parent]
        if kind == 1:
            self.domains[row["name"]] = row["id"]
            self.read_rows.clear()
        self.flush_strings()
        self.put(3, {"kind": [kind], "id": [row["id"]], "parent": [parent], "str": [name],
                     "val": [value]})
        self.totals["defs"] += 1

    def close(self, facts):
        self.flush()
        keys = ("off", "type", "flags", "stream", "seq", "count", "stored", "raw", "t0", "t1")
        payload = {key: list(column) for key, column in zip(keys, zip(*self.index))}
        where = self.offset
        self.put(7, payload, len(self.index))
        self.put(8, {"status": "clean", **self.totals, **facts})
        tail = struct.pack("<QQQI", where, self.offset + 40, self.chunks, TAG)
        self.out.write(tail + struct.pack("<I", zlib.crc32(tail)) + b"RLOGEND\n")


def main():
    log = Log(open(sys.argv[1], "wb"))
    capture, ended, closed = {"format": 1}, {}, True
    for line in open(sys.argv[2], "rb") if len(sys.argv) > 2 else sys.stdin.buffer:
        words = line.split(None, 4)
        if capture is None and len(words) == 5 and words[0] == b"event":
            log.event(int(words[1]), int(words[3]), words[4])
            continue
        tokens = TOKEN.findall(line)
        if not tokens or line.startswith(b"#"):
            continue
        word = tokens[0][1].decode()
        words = [text for key, text in tokens[1:] if not key]
        pairs = [(key.decode(), text) for key, text in tokens[1:] if key]
        if capture is not None and word not in ("capture", "pack"):
            if capture:
                log.put(1, capture)
                log.put(1, capture, sequence=0, flags=32)
            capture = None
        if word == "capture":
            if words == [b"none"]:
                capture.clear()
            for key, text in pairs:
                capture[key] = value_of(text) if key not in ("argv", "counts") else [unquote(text)]
            for key in "argv", "counts":
                if key in capture and words:
                    capture[key] += [unquote(text) for text in words]
        elif word == "clock":
            log.flush()
            log.put(5, {key: [int(text)] for key, text in pairs}, first=int(pairs[0][1]),
                    last=int(pairs[0][1]))
        elif word == "def":
            log.define(words, pairs)
        elif word == "event":
            log.event(int(words[0]), int(words[2]), line.split(None, 4)[4])
        elif word == "loss":
            log.flush()
            row = {key: [CAUSES[text.decode()] if key == "cause" else int(text)] for key, text in pairs}
            log.put(6, row)
        elif word == "chunk":
            log.flush(**{key: value_of(text) for key, text in pairs})
        elif word == "raw":
            log.flush()
            log.put(int(words[0]), unquote(words[1]))
        elif word == "pack":
            log.stored = False
        elif word == "open":
            closed = False
        elif word == "end":
            ended.update({key: value_of(text) for key, text in pairs})
    if closed:
        log.close(ended)
    else:
        log.flush()


main()
