#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a trace like those of PyTorch's profiler: made.py SEED [fraction] > TRACE

Three steps or more of nested operators on two threads, launches by runtime and driver, copies, sets, kernels on
two streams, collectives, user annotations on both sides and allocations. No two launches or GPU operations of a
stream begin at once, so that no figure depends on the order in which a sort leaves equal times. With "fraction"
times have quarters of a us.
"""
import json
import random
import sys

LEAVES = ("aten::mm", "aten::add_", "aten::copy_", "aten::fill_", "aten::linear")
INNER = ("aten::matmul", "aten::to", "aten::layer_norm", "my_op")
GRIDS = ([1, 1, 1], [40, 1, 1], [160, 2, 1], [7, 3, 2])


class Maker:
    def __init__(self, seed, fraction):
        self.r, self.fraction = random.Random(seed), fraction
        self.events, self.at, self.ids, self.corr = [], 1000, 0, 5000
        self.streams = {7: 1100, 20: 1100}
        self.kernels = [f"kernel_{n}<float, {n}>" for n in range(self.r.choice((5, 24)))]

    def pass_time(self, low=1, high=9):
        self.at += self.r.randint(low, high) * (0.25 if self.fraction else 1)

    def put(self, cat, name, start, end, tid, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if isinstance(tid, str) else 70,
                            "tid": tid, "ts": start, "dur": end - start, "args": args})

    def work(self, launched, stream, corr, external):
        """The work that a launch puts onto a stream: it begins after the call, and mostly after the work
        before."""
        r = self.r
        begin = max(launched + r.choice((1, 2, 5, 40)), self.streams[stream] + r.choice((1, 1, 2, 33, -2)))
        begin += r.choice((0, 0.25, 0.5)) if self.fraction else 0
        end = begin + r.choice((3, 7, 19, 31, 60, 90)) + r.randint(0, 9)
        self.streams[stream] = max(end, self.streams[stream])
        return begin, end, {"device": 0, "context": 1, "stream": stream, "correlation": corr, "External id": external}

    def launch(self, tid, op):
        r, start = self.r, self.at
        kind = r.choice(("kernel", "kernel", "kernel", "driver", "copy", "set"))
        call = {"kernel": "cudaLaunchKernel", "driver": "cuLaunchKernel", "copy": "cudaMemcpyAsync",
                "set": "cudaMemsetAsync"}[kind]
        self.pass_time(2, 12)
        if r.random() < 0.05:
            self.at += 55 # longer than HTA's 50 us
        self.corr += 1
        self.put("cuda_driver" if kind == "driver" else "cuda_runtime", call, start, self.at, tid,
                 **{"correlation": self.corr, "External id": op})
        begin, end, args = self.work(start, r.choice((7, 7, 20)), self.corr, op)
        if kind in ("kernel", "driver"):
            self.put("kernel", r.choice(self.kernels), begin, end, f"stream {args['stream']}", **args,
                     grid=r.choice(GRIDS), block=[r.choice((64, 128)), 1, 1], **{
                         "registers per thread": r.choice((16, 32)), "shared memory": r.choice((0, 1024)),
                         "blocks per SM": r.choice((0.0125, 0.5, 4.0)),
                         "est. achieved occupancy %": r.choice((0, 13, 50, 100))})
        else:
            name = "Memset (Device)" if kind == "set" else r.choice(
                ("Memcpy DtoH (Device -> Pinned)", "Memcpy HtoD (Pageable -> Device)"))
            self.put("gpu_memset" if kind == "set" else "gpu_memcpy", name, begin, end, f"stream {args['stream']}",
                     **args, bytes=4096, **{"memory bandwidth (GB/s)": r.choice((0.5, 2.25, 8.0))})

    def collective(self, tid):
        self.ids += 1
        start, op = self.at, self.ids
        self.pass_time()
        call = self.at
        self.pass_time()
        self.corr += 1
        self.put("cuda_runtime", "cudaLaunchKernel", call, self.at, tid, **{"correlation": self.corr, "External id": op})
        begin, end, args = self.work(call, 20, self.corr, op)
        self.put("kernel", "ncclKernel_AllReduce_RING", begin, end, "stream 20", **args, grid=[2, 1, 1],
                 block=[256, 1, 1], **{"registers per thread": 32, "shared memory": 0, "blocks per SM": 0.025,
                                       "est. achieved occupancy %": 1})
        self.pass_time()
        self.put("cpu_op", "nccl:all_reduce", start, self.at, tid, **{"External id": op})

    def memory(self, tid):
        size = self.r.choice((512, 1024, -512, 4096))
        self.events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 70, "tid": tid,
                            "ts": self.at, "args": {"Total Allocated": 100000 + size, "Total Reserved": 200000,
                                                    "Bytes": size, "Addr": 64 * self.r.randint(1, 99),
                                                    "Device Id": self.r.choice((0, -1)), "Device Type": 1}})
        device = self.events[-1]["args"]
        device["Device Type"] = 0 if device["Device Id"] == -1 else 1

    def operator(self, tid, depth):
        r, start = self.r, self.at
        self.ids += 1
        op = self.ids
        name = r.choice(INNER if depth < 2 else LEAVES)
        self.pass_time()
        if depth < 2 and r.random() < 0.15: # its only child has its own name: it counts once
            self.ids += 1
            inner = self.at
            self.pass_time(20, 40)
            self.put("cpu_op", name, inner, self.at, tid, **{"External id": self.ids})
        elif depth < 2:
            for _ in range(r.randint(1, 3)):
                self.operator(tid, depth + 1)
                self.pass_time()
        else:
            if r.random() < 0.3:
                self.memory(tid)
                self.pass_time()
            for _ in range(r.randint(0, 2)):
                self.launch(tid, op)
                self.pass_time()
        self.pass_time()
        self.put("cpu_op", name, start, self.at, tid, **{"External id": op})

    def step(self, number):
        start = self.at
        self.pass_time()
        if self.r.random() < 0.6:
            loader = self.at
            self.pass_time(20, 90)
            self.put("user_annotation", "enumerate(DataLoader)#_X.__next__", loader, self.at, 1)
            self.pass_time()
        part = self.at
        self.pass_time()
        for _ in range(self.r.randint(1, 3)):
            self.operator(1, 0)
            self.pass_time()
        self.put("user_annotation", "forward", part, self.at, 1)
        self.pass_time()
        self.operator(2, 1)
        self.collective(2)
        self.pass_time(5, 60)
        self.put("user_annotation", f"ProfilerStep#{number}", start, self.at, 1)

    def make(self, steps):
        self.put("cpu_op", "before", 900, 950, 1, **{"External id": 100000}) # it has no launch
        for number in range(4, 4 + steps):
            self.step(number)
            self.pass_time()
        self.put("gpu_user_annotation", "forward", 1100, self.streams[7], "stream 7", device=0)
        return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},
                "deviceProperties": [{"id": 0, "name": "made", "computeMajor": 7, "computeMinor": 0, "numSms": 80,
                                      "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
                                      "regsPerBlock": 65536, "regsPerMultiprocessor": 65536, "warpSize": 32,
                                      "sharedMemPerBlock": 49152, "sharedMemPerMultiprocessor": 98304,
                                      "sharedMemPerBlockOptin": 98304, "totalGlobalMem": 1 << 34}],
                "traceEvents": self.events}


def make(seed, fraction):
    maker = Maker(seed, fraction)
    return maker.make(3 + seed % 2)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make(int(sys.argv[1]), "fraction" in sys.argv[2:])))
