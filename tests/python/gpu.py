# SPDX-License-Identifier: MIT
"""200 steps under a schedule, each with three kernels on a stand-in of CUDA: gpu.py LIBCUDA."""
import ctypes
import os
import sys

import ranges


class Launch(ctypes.Structure):
    """The used members of struct fake_launch in tests/cupti/fake.h; the rest is 0."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("device", ctypes.c_uint32),
        ("stream", ctypes.c_uint32),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("rest", ctypes.c_char * 1024),
    ]


def main():
    cuda = ctypes.CDLL(sys.argv[1])
    cuda.cuInit(0)
    names = []  # the stand-in keeps their addresses
    with ranges.profile(
        activities=[ranges.ProfilerActivity.CPU, ranges.ProfilerActivity.CUDA],
        schedule=ranges.schedule(wait=80, warmup=3, active=1, repeat=2),
        on_trace_ready=lambda p: print(os.path.basename(p.path)),
    ) as p:
        for step in range(200):
            names.append(b"in_step_%d" % step)
            launch = Launch(names[-1], 0, 11, (1, 1, 1), (32, 1, 1))
            with ranges.annotate("train %d" % step):
                for _ in range(3):
                    cuda.fake_launch_kernel(ctypes.byref(launch))
            p.step()
    for path in p.paths:
        rows = ranges.read(path, frame=False)
        print([(row["name"], row["range"]) for row in rows if row["kind"] == "kernel"])


if __name__ == "__main__":
    main()
