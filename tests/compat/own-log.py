#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the log of a rank that trains, as text for text-log.py: own-log.py RANK

Four steps of operators as PyTorch's emit_nvtx() names them, which launch products of matrices and copies on one stream and
collectives on another; all times are whole µs, as HolisticTraceAnalysis rounds them to. Rank 1 computes longer, and starts 40 µs
later.
"""
import sys

US = 1000
START = 1000000


class Log:
    def __init__(self, rank):
        self.rank = rank
        self.tid = 4000 + rank
        self.now = START
        self.free = {7: 0, 20: 0} # when each stream has nothing to do any more
        self.corr = 0
        self.op = 0
        self.lines = []

    def put(self, stream, ns, text):
        self.lines.append((stream, ns, text))

    def open(self, name, us):
        self.put(1, self.now, f'push name="{name}"')
        self.now += us * US

    def close(self):
        self.put(1, self.now, "pop")
        self.now += US

    def launch(self, call, stream, us, what):
        self.corr += 1
        corr = self.corr
        start = max(self.now + 6 * US, self.free[stream])
        self.put(9, self.now, f'api name="{call}" dur={4 * US} tid={self.tid} corr={corr} kind=1')
        self.put(9, start, f"{what} dur={us * US} device=0 context=1 queue={stream} corr={corr}")
        self.free[stream] = start + us * US
        self.now += 6 * US

    def operator(self, name, sizes):
        self.op += 1
        self.open(f"{name}, op_id = {self.op}, sizes = {sizes}", 2)

    def step(self, number):
        self.open(f"ProfilerStep#{number}", 10)
        for layer in range(3):
            self.operator("aten::linear", "[[8, 16], [32, 16]]")
            self.op += 1
            self.open(f"aten::addmm, seq = {self.op}, op_id = {self.op}, sizes = [[32], [8, 16], [16, 32], [], []]", 1)
            self.launch("cudaLaunchKernel", 7, 30 + layer + 5 * self.rank, 'kernel name="sm90_gemm_f32" shape=1')
            self.close()
            self.close()
        self.open("aten::copy_", 1)
        self.launch("cudaMemcpyAsync", 7, 8, "copy kind=1 src=1 dst=3 bytes=4096")
        self.close()
        self.open("nccl:all_reduce", 1)
        self.launch("cudaLaunchKernel", 20, 60 - 10 * self.rank, 'kernel name="ncclDevKernel_AllReduce_Sum_f32_RING_LL" shape=1')
        self.close()
        self.now = max(self.now, *self.free.values()) + 10 * US
        self.close()


def main():
    log = Log(int(sys.argv[1]))
    for number in range(4):
        log.step(number)
    print(f'capture pid={log.tid} exe="/usr/bin/python3" clock="monotonic" rank={log.rank} world_size=2')
    print(f"clock ticks={START} mono={START} real={1790000000 * 10**9 + 40 * US * log.rank} boot=0 err=0")
    print(f'def stream id=1 tid={log.tid}\ndef stream id=9 parent=1 name="GPU"')
    print('def device id=0 name="one" detail=[9,0,132,64,64,32,2048,65536,65536,233472,49152,232448,1024,0,0,0]')
    print("def launch_shape id=1 detail=[264,1,1,256,1,1,0,0,0,32,0,0,0,0,0,0]")
    for stream, ns, text in sorted(log.lines, key=lambda line: (line[0], line[1])):
        print(f"event {stream} 0 {ns} {text}")


if __name__ == "__main__":
    main()
