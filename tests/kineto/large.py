#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces with very many items of one kind. A computation that is slower than n log n takes minutes
on them.

large.py KIND FILE; KIND is one-id, devices, streams or long-text.
"""
import json
import sys

COUNT = 30000


def event(name, kind, thread, start, args, dur=5):
    return {"ph": "X", "cat": kind, "name": name, "pid": thread[0], "tid": thread[1], "ts": start,
            "dur": dur, "args": args}


def launches(devices, streams):
    """Operators, each with a launch and a kernel on the device and stream of its number."""
    for i in range(COUNT):
        ids = {"External id": i + 1, "correlation": i + 1}
        place = (i % devices, i % streams)
        yield event("aten::mm", "cpu_op", (1, 1), 10 * i, {"External id": i + 1}, 9)
        yield event("cudaLaunchKernel", "cuda_runtime", (1, 1), 10 * i + 1, ids, 3)
        yield event("gemm", "kernel", place, 10 * i + 4, {
            **ids, "device": place[0], "stream": place[1], "grid": [8, 1, 1],
            "block": [128, 1, 1]})


def one_id():
    """Operators, calls and kernels that all have the same ids."""
    same = {"External id": 7, "correlation": 7, "Sequence number": 3}
    for i in range(3 * COUNT):
        yield event("aten::mm", "cpu_op", (1, 1), 10 * i, same)
        yield event("cudaLaunchKernel", "cuda_runtime", (1, 1), 10 * i, same)
        yield event("gemm", "kernel", (0, 7), 10 * i, {**same, "device": 0, "stream": 7})


def write(kind, file):
    if kind == "long-text":
        file.write('[{"ph": "X", "cat": "cpu_op", "ts": 1, "dur": 2, "pid": 1, "tid": 1, "name": "')
        file.write(r"An operator with \u00e4 name that \"never\" ends, " * 1200000)
        file.write('"}]\n')
        return
    events = {"one-id": one_id, "devices": lambda: launches(COUNT, 1),
              "streams": lambda: launches(1, COUNT)}[kind]()
    file.write("[")
    file.write(",\n".join(json.dumps(e) for e in events))
    file.write("]\n")


with open(sys.argv[2], "w", encoding="ascii") as output:
    write(sys.argv[1], output)
