#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a small profile of XLA (XSpace). usage: xplane.py KIND >OUT

KIND: gpu, two launches and a copy; tpu, operations in a loop; odd, rare things.
"""

import struct
import sys


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


class Plane:
    def __init__(self, name):
        self.name, self.lines, self.kinds, self.keys, self.stats = name, b"", {}, {}, b""

    def key(self, name):
        return self.keys.setdefault(name, len(self.keys) + 1)

    def stat(self, name, value):
        number = {int: 4, float: 2, str: 5, bytes: 6}.get(type(value), 7)
        if number == 7:  # a list of one text: a reference
            value = self.key(value[0])
        return field(1, self.key(name)) + field(number, value)

    def event(self, name, offset_ps, duration_ps, **stats):
        kind = self.kinds.setdefault(name, len(self.kinds) + 10)
        out = field(1, kind) + field(2, offset_ps) + field(3, duration_ps)
        return field(4, out + b"".join(field(4, self.stat(k, v)) for k, v in stats.items()))

    def line(self, number, name, start_ns, events):
        self.lines += field(3, field(1, number) + field(2, name) + field(3, start_ns) + b"".join(events))

    def whole(self):
        out = field(2, self.name) + self.lines
        for name, number in self.kinds.items():
            name, _, shown = name.partition("|")
            kind = field(1, number) + field(2, name) + (field(4, shown) if shown else b"")
            out += field(4, field(1, number) + field(2, kind))
        for name, number in self.keys.items():
            out += field(5, field(1, number) + field(2, field(1, number) + field(2, name)))
        return field(1, out + self.stats)

    def note(self, name, value):
        self.stats += field(6, self.stat(name, value))


def make_gpu():
    gpu, host, other = Plane("/device:GPU:0"), Plane("/host:CPU"), Plane("Task Environment")
    details = "regs:16 static_shared:0 dynamic_shared:64 grid:8,4,1 block:32,2,1 occ_pct:50"
    gpu.line(13, "Stream #13(Compute)", 1000000, [
        gpu.event("fusion", 100000400, 700000000, correlation_id=0, hlo_op=["fusion.3"],
                  hlo_module=["jit_step"], kernel_details=[details]),
        gpu.event("fusion", 1100000000, 700000600, correlation_id=1, hlo_op=["fusion.3"], kernel_details=[details]),
        gpu.event("MemcpyH2D", 1900000000, 5000000, memcpy_details="kind_src:host size:1048576 dest:0 async:1")])
    gpu.line(3, "XLA Ops", 1000000, [gpu.event("fusion.3", 100000000, 700000000)])
    host.line(100, "python", 1000000, [
        host.event("$train.py:7 step", 0, 1500000000),
        host.event("PjitFunction(step)", 0, 300000000), host.event("cuLaunchKernel", 10000000, 50000000, correlation_id=0),
        host.event("PjitFunction(step)", 1000000000, 300000000),
        host.event("cuLaunchKernel", 1010000000, 50000000, correlation_id=1)])
    for name, value in (("device_vendor", "NVIDIA"), ("core_count", 132), ("clock_rate", 1980000),
                        ("memory_bandwidth", 4800000000000), ("memory_size", 85899345920),
                        ("compute_cap_major", 9), ("compute_cap_minor", 0)):
        gpu.note(name, value)
    other.note("profile_start_time", 1700000000000000000)
    return gpu.whole() + host.whole() + other.whole() + field(4, "node-7")


def make_tpu():
    tpu, host = Plane("/device:TPU:2"), Plane("/host:CPU")
    tpu.line(1, "Steps", 5000, [tpu.event("0", 0, 900000)])
    tpu.line(2, "XLA Modules", 5000, [tpu.event("jit_step(7)", 0, 900000)])
    tpu.line(3, "XLA Ops", 5000, [
        tpu.event("%while.1 = (s32[]) while(x)|while.1", 0, 900000),
        tpu.event("%fusion.1 = f32[] fusion(x)|fusion.1", 0, 500000, flops=12.5, bytes_accessed=77),
        tpu.event("%fusion.2 = f32[] fusion(x)|fusion.2", 500000, 300000)])
    tpu.note("device_type_string", "TPU v9")
    host.line(1, "main", 5000, [host.event("step", 0, 100000)])
    return tpu.whole() + host.whole()


def make_odd():
    host = Plane("/host:CPU")
    host.line(1, "main", 5000, [
        host.event("a", 1499, 1002, text="x\n\"", real=0.5, large=-1, raw=b"\x00\xff"),
        host.event("a", 1 << 63, 1 << 63),
        field(4, field(1, 77) + field(2, 9000000)),
        field(4, field(1, 10) + field(5, 3))])
    return host.whole() + field(2, "an error") + field(3, "a warning") + field(99, 7)


sys.stdout.buffer.write(globals()["make_" + sys.argv[1]]())
