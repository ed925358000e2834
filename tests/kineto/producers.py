#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a small trace as one producer writes it. usage: producers.py KIND >OUT

Each has five steps of 1000 us: on the CPU 300 us, in it a launch of 50 us, and 700 us on the device.
"""

import json
import sys

STEPS = 5


def name_process(pid, name):
    return {"ph": "M", "pid": pid, "name": "process_name", "args": {"name": name}}


def name_thread(pid, tid, name):
    return {"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": name}}


def event(name, row, start, dur, args=None, **fields):
    made = {"ph": "X", "name": name, "pid": row[0], "tid": row[1], "ts": start, "dur": dur, **fields}
    return made if args is None else {**made, "args": args}


def arrow(phase, row, at, number, category):
    return {"ph": phase, "name": category, "cat": category, "id": number, "pid": row[0], "tid": row[1], "ts": at}


def make_jax():
    rows = {13: "Stream #13(Compute,MemcpyD2D)", 2: "XLA Modules", 3: "XLA Ops", 4: "Mystery"}
    out = [name_process(1, "/device:GPU:0"), name_process(701, "/host:CPU"), name_thread(701, 100, "python")]
    out += [name_thread(1, tid, name) for tid, name in rows.items()]
    for i in range(STEPS):
        t = i * 1000
        link = {"correlation_id": str(i)}
        details = "regs:16 static_shared:8 dynamic_shared:32 grid:128,2,1 block:64,1,1 occ_pct:62.5"
        out += [event("train", (701, 100), t, 900, {"step_num": str(10 + i)}),
                event("PjitFunction(step)", (701, 100), t, 300),
                event("cuLaunchKernelEx", (701, 100), t + 10, 50, link),
                event("loop_fusion", (1, 13), t + 100, 690,
                      {**link, "hlo_module": "jit_step", "hlo_op": "loop_fusion.3", "kernel_details": details}),
                event("MemcpyD2H", (1, 13), t + 790, 10,
                      {"memcpy_details": "kind_src:device kind_dst:pinned size:4096 dest:0 async:1"}),
                event("loop_fusion.3", (1, 3), t + 100, 690),
                event("jit_step", (1, 2), t + 100, 700)]
    out += [event("riddle", (1, 4), 100, 700), {"ph": "B", "name": "pair", "pid": 1, "tid": 4, "ts": 1100},
            {"ph": "E", "pid": 1, "tid": 4, "ts": 1200}]
    return {"displayTimeUnit": "ns", "traceEvents": out}


def make_tpu():
    rows = {1: "Steps", 2: "XLA Modules", 3: "XLA Ops"}
    out = [name_process(3, "/device:TPU:1"), name_process(701, "/host:CPU")]
    out += [name_thread(3, tid, name) for tid, name in rows.items()]
    for i in range(STEPS):
        t = i * 1000
        out += [event("PjitFunction(step)", (701, 100), t, 300), event(str(i), (3, 1), t + 100, 700),
                event("jit_step(7)", (3, 2), t + 100, 700), event("while.1", (3, 3), t + 100, 700),
                event("fusion.1", (3, 3), t + 100, 400), event("fusion.2", (3, 3), t + 500, 300)]
    return {"traceEvents": out}


def make_ascend():
    out = [name_process(10, "Python"), name_process(11, "CANN"), name_process(12, "Ascend Hardware"),
           name_process(13, "Overlap Analysis"), name_thread(12, 2, "Stream 2")]
    big = 1 << 40  # ids need no 32 bits
    for i in range(STEPS):
        t = 1726026120000000 + i * 1000

        def text(ts):
            return f"{ts}.250"
        out += [event("aten::mm", (10, 5), text(t), 300, {}, cat="cpu_op"),
                event("Node@launch", (11, 6), text(t + 10), 50, {"connection_id": big + i}),
                arrow("s", (10, 5), text(t + 5), str(big + i), "async_npu"),
                arrow("f", (12, 2), text(t + 100), str(big + i), "async_npu"),
                arrow("s", (11, 6), text(t + 10), str(big + i), "HostToDevice"),
                arrow("f", (12, 2), text(t + 100), str(big + i), "HostToDevice"),
                event("MatMul", (12, 2), text(t + 100), "700.000",
                      {"Model Id": 4294967295, "Stream Id": 2, "connection_id": big + i}),
                event("Computing", (13, 1), text(t + 100), 700)]
    return out


def make_autograd():
    out = []
    for i in range(STEPS):
        t = i * 1000
        out += [event("mm", ("CPU functions", 1), t, 300), event("mm", ("CUDA functions", 1), t + 100, 700),
                arrow("s", ("CPU functions", 1), t, i, "cpu_to_cuda")]
        if i > 0:  # one arrow has no end
            out.append(arrow("f", ("CUDA functions", 1), t + 100, i, "cpu_to_cuda"))
    return out


def make_rocprof():
    out = [name_process(2, "CPU HIP API"), name_process(8, "GPU2")]
    for i in range(STEPS):
        t = i * 1000
        out += [event("hipLaunchKernel", (2, 9), t + 10, 50), event("gemm", (8, 1), t + 100, 700)]
    return {"traceEvents": out}


def make_proton():
    """Kernels alone, each with the scopes of the program around its launch, and itself."""
    out = []
    for i in range(STEPS):
        for at, scopes in ((0, ["step", "attn \"q\""]), (400, ["step"]), (600, [])):
            stack = {"call_stack": ["ROOT", *scopes, "mm"]}
            out.append({"ph": "X", "cat": "kernel", "name": "mm", "tid": 7, "ts": i * 1000 + at, "dur": 100, "args": stack})
    out.append({"ph": "X", "cat": "kernel", "name": "other", "tid": 8, "ts": 9000, "dur": 1,
                "args": {"call_stack": ["main", "x", "other"]}})
    return {"displayTimeUnit": "us", "traceEvents": out}


def make_mtia():
    out = []
    for i in range(STEPS):
        t = i * 1000
        link = {"correlation": i + 1}
        out += [event("aten::mm", (5, 5), t, 300, cat="cpu_op"),
                event("urEnqueueKernelLaunch", (5, 5), t + 10, 50, link, cat="xpu_runtime"),
                event("mm", (0, 7), t + 100, 700, {**link, "device": 0, "stream": 7}, cat="mtia_ccp_events")]
    return {"traceEvents": out}


def make_host():
    """No part of it belongs to a device, though it looks like that."""
    out = [name_process(1, "GPU Process"), name_process(2, "Renderer"), name_thread(2, 3, "Stream 4"),
           name_process(3, "Communication")]
    for i in range(STEPS):
        t = i * 1000
        out += [event("draw", (1, 1), t, 300, {"correlation_id": i}, cat="gpu,viz"),
                event("read", (2, 3), t, 200, {"connection_id": i}), event("send", (3, 3), t, 100)]
    return {"traceEvents": out}


json.dump(globals()["make_" + sys.argv[1]](), sys.stdout)
