#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes one odd trace. usage: odd.py KIND OUT"""

import gzip
import json
import sys

OP = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 100,
      "args": {"External id": 1}}
CALL = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20,
        "dur": 5, "args": {"correlation": 7, "External id": 1}}
KERNEL = {"ph": "X", "cat": "kernel", "name": "mm_kernel", "pid": 0, "tid": 7, "ts": 40, "dur": 50,
          "args": {"correlation": 7, "device": 0, "stream": 7, "grid": [1, 1, 1], "block": [32, 1, 1]}}
GOOD = [OP, CALL, KERNEL]


def whole(events, **facts):
    return json.dumps({"schemaVersion": 1, **facts, "traceEvents": events})


def with_text(text):
    """The good events and, first among them, one as text."""
    return '{"traceEvents":[' + text + "," + json.dumps(GOOD)[1:-1] + "]}"


def changed(event, **fields):
    return {**event, **fields}


def make(kind):
    n = 100000
    if kind == "good":
        return whole(GOOD)
    if kind == "array":
        return json.dumps(GOOD)
    if kind == "open-array":
        return json.dumps(GOOD)[:-1] + ","
    if kind == "truncated":
        return whole(GOOD)[:-30]
    if kind == "trailing-comma":
        return '{"traceEvents":[' + ",".join(json.dumps(e) for e in GOOD) + ",],}"
    if kind == "no-comma":
        return '{"traceEvents":[' + " ".join(json.dumps(e) for e in GOOD) + "]}"
    if kind == "nan":
        return with_text('{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":NaN,'
                         '"args":{"x":-Infinity,"y":[nan,1,N/A],"z":inf}}')
    if kind == "words":
        return ('{"a":NaN,"traceEvents":[{"ph":"X","name":"a","pid":N/A,"tid":none,"ts":1,"dur":1},'
                '{"ph":-inf,"name":-nan,"cat":-Infinity,"pid":NaN,"tid":+Infinity,"ts":inf,"dur":Nan,"id":none},'
                '{"ph":"X","pid":1,"tid":1,"ts":5,"dur":1,"cat":None,"args":{"k":[N/A,{"z":-nan}],"n":nan}},'
                '{"ph":"\\u0000","name":"b","pid":1,"tid":1,"ts":9}],"b":N/A,"c":Infinity}')
    if kind == "twice":
        return '{"traceEvents":' + json.dumps(GOOD[:1]) + ',"traceEvents":' + json.dumps(GOOD[1:]) + "}"
    if kind == "spaces":
        return " \n" * 5000 + whole(GOOD)
    if kind == "word-key":
        return with_text('{"ph":"X","pid":1,-Infinity0,"dur":1}')
    if kind == "garbage":
        return whole(GOOD)[:-2] + ", @@@ not json"
    if kind == "behind":
        return whole(GOOD) + "\nmore"
    if kind == "long-name":
        return whole(GOOD + [changed(OP, name="n" * (1 << 20), ts=200)])
    if kind == "negative":
        return whole(GOOD + [changed(OP, name="minus", ts=60, dur=-5), changed(OP, name="zero", dur=0)])
    if kind == "no-devices":
        return whole(GOOD)
    if kind == "no-gpu":
        return whole([OP])
    if kind == "no-cpu":
        return whole([KERNEL])
    if kind == "empty":
        return whole([])
    if kind == "string-ids":
        return whole([changed(e, pid=f"p{e['pid']}", tid=f"stream {e['tid']}") for e in GOOD])
    if kind == "null-ids":
        return whole([changed(e, pid=None, tid=[1, {"a": 2}], cat=None) for e in GOOD] + [
            {"ph": "X", "ts": "12", "dur": "3", "name": 5}, {"ph": 7}, {"ph": "XX"}, {}, 5, [1], None,
            "text", {"args": []}, {"ph": "X", "ts": 1e300, "dur": 1, "name": "far"}])
    if kind == "deep":
        return with_text('{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1,'
                         '"args":{"deep":' + "[" * n + "]" * n + "}}")
    if kind == "deep-ten":
        return whole([changed(OP, args={"a": [[[[[[[[[[{"b": [1.50, -0.0, 1e5, True, None, "\"x\\"]}]]]]]]]]]]})])
    if kind == "deep-top":
        return "[" * n + "]" * n
    if kind == "memory-timeline":
        return json.dumps([[0, 10, 20], [[0] * 8, [512] * 8, [0] * 8]])
    if kind == "no-events":
        return json.dumps([{"name": "a", "ts": 1}, {}])
    if kind == "too-deep":
        return with_text('{"args":' + "[" * (1 << 21))
    if kind == "bomb":
        return b'{"traceEvents":[' + b" " * (32 << 20)
    if kind == "bomb-events":
        return b'{"traceEvents":[' + b"{}," * (10 << 20)
    if kind == "duplicates":
        return whole(GOOD + [changed(CALL, ts=30), changed(KERNEL, ts=95, dur=5)])
    if kind == "many-kernels":
        return whole([OP, CALL] + [changed(KERNEL, ts=40 + i, dur=1) for i in range(5000)])
    if kind == "many-ops":
        return whole([changed(OP, name=f"op {i % 5000}", ts=200 * i) for i in range(30000)])
    if kind == "big-numbers":
        return whole([changed(e, args={**e["args"], "correlation": 1 << 80, "stream": -1,
                                       "bytes": 10 ** 30}) for e in GOOD])
    if kind == "crossing":
        return whole(GOOD + [changed(OP, name="across", ts=50, dur=100)])
    if kind == "phases":
        return whole([
            {"ph": "B", "name": "outer", "pid": 1, "tid": 1, "ts": 0},
            {"ph": "B", "name": "inner", "pid": 1, "tid": 1, "ts": 1.5},
            {"ph": "E", "pid": 1, "tid": 1, "ts": 2.5},
            {"ph": "E", "pid": 1, "tid": 1, "ts": 4}, {"ph": "E", "pid": 1, "tid": 1, "ts": 5},
            {"ph": "B", "name": "open", "pid": 1, "tid": 2, "ts": 3},
            {"ph": "b", "cat": "async", "name": "span", "id": "0x1", "pid": 1, "tid": 1, "ts": 1},
            {"ph": "e", "cat": "async", "name": "span", "id": "0x1", "pid": 1, "tid": 1, "ts": 9},
            {"ph": "C", "name": "memory", "pid": 1, "ts": 2, "args": {"bytes": 5, "part": 0.5}},
            {"ph": "C", "name": "memory", "pid": 1, "ts": 4, "args": {"bytes": 7, "part": 1.5}},
            {"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": 2, "s": "t"}])
    if kind == "no-trace":
        return '{"a": [1, 2, 3], "b": null}'
    if kind == "no-json":
        return "{this is no json"
    raise SystemExit(f"no such kind: {kind}")


def main():
    kind, path = sys.argv[1:]
    text = make(kind)
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if path.endswith(".gz"):
        with gzip.GzipFile(path, "wb", 9, mtime=0) as file:
            file.write(data)
    else:
        with open(path, "wb") as file:
            file.write(data)


main()
