# SPDX-License-Identifier: MIT
"""Makes small traces of made-up programs, with as many kinds of events as real ones, and figures as
wide.

usage: screen-inputs.py FOLDER; writes train-0.json and train-1.json (two steps of a training job, a file for each
of its ranks), serve.json (inference without steps; a graph), and logs as text for text-log.py: solver.txt (threads
that iterate) and cuda.txt (the same with a GPU) there. The same bytes each time.
"""

import json
import os
import re
import sys

GEMM = ("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_nn_align8>"
        "(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_nn_align8::Params)")
ADD = ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
       "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)")
NORM = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*)"
REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
BASE_NS = 4458676400000123
MAIN, BACKWARD = 2910249, 2919752
COLLECTIVE = {"Collective name": "allreduce", "In msg nelems": 6637568, "Out msg nelems": 6637568, "Group size": 2,
              "dtype": "BFloat16", "Process Group Name": "0", "Process Group Description": "default_pg",
              "Process Group Ranks": "[0, 1]"}


class Trace:
    """The events of one process and its GPU."""

    def __init__(self, rank):
        self.rank = rank
        self.events = []
        self.id = 57500
        self.gpu_free = {7: 0, 40: 0}
        self.add("M", None, "process_name", 0, args={"name": "python3.11"}, tid=0)
        for tid, name in ((MAIN, "pt_main_thread"), (BACKWARD, "pt_autograd_0")):
            self.add("M", None, "thread_name", 0, args={"name": name}, tid=tid)

    def add(self, ph, cat, name, at, dur=None, tid=MAIN, pid=MAIN, args=None, **more):
        """An event; times in ns from the start."""
        event = {"ph": ph, "name": name, "pid": pid, "tid": tid, "ts": us(BASE_NS + at)}
        event.update({"cat": cat} if cat else {})
        event.update({"dur": us(dur)} if dur is not None else {})
        event.update({"args": args} if args else {})
        event.update(more)
        self.events.append(event)

    def range(self, name, at, dur, tid=MAIN, cat="cpu_op", **args):
        self.id += 1
        self.add("X", cat, name, at, dur, tid, args={"External id": self.id, **args})

    def launch(self, call, at, dur, tid, work, delay, run, stream=7, cat="kernel", **args):
        """A call and the GPU work that it launches, `delay` after its begin or when the stream is free."""
        self.id += 1
        start = max(at + delay, self.gpu_free[stream])
        self.gpu_free[stream] = start + run
        self.add("X", "cuda_runtime", call, at, dur, tid, args={"cbid": 211, "correlation": self.id})
        self.add("s", "ac2g", "ac2g", at, None, tid, id=self.id)
        self.add("X", cat, work, start, run, stream, self.rank,
                 {"device": self.rank, "context": 1, "stream": stream, "correlation": self.id, **args})
        self.add("f", "ac2g", "ac2g", start, None, stream, self.rank, id=self.id, bp="e")

    def kernel(self, name, at, run, tid=MAIN, stream=7, blocks=432, **args):
        shape = {"registers per thread": 96, "shared memory": 49152, "blocks per SM": blocks / 108,
                 "warps per SM": blocks * 8 / 108, "grid": [blocks, 1, 1], "block": [256, 1, 1],
                 "est. achieved occupancy %": min(100, blocks // 16)}
        self.launch("cudaLaunchKernel", at, 7483, tid, name, 12345, run, stream, **shape, **args)

    def copy(self, name, at, run, size):
        cat = "gpu_memset" if name.startswith("Memset") else "gpu_memcpy"
        self.launch("cudaMemcpyAsync" if cat == "gpu_memcpy" else "cudaMemsetAsync", at, 9876, MAIN, name, 15432,
                    run, cat=cat, bytes=size)

    def memory(self, at, size, total):
        self.add("i", "cpu_instant_event", "[memory]", at, s="t",
                 args={"Total Reserved": 2147483648, "Total Allocated": total, "Bytes": size,
                       "Addr": 128184607182336 + abs(size), "Device Id": self.rank, "Device Type": 1})

    def write(self, path):
        gpus = [{"id": i, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85899345920, "computeMajor": 8,
                 "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
                 "regsPerBlock": 65536, "warpSize": 32, "sharedMemPerBlock": 49152, "numSms": 108,
                 "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 167936} for i in range(2)]
        whole = {"schemaVersion": 1, "baseTimeNanoseconds": 1785542400000000000, "deviceProperties": gpus,
                 "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": 2},
                 "traceEvents": self.events}
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r'"@([0-9.]+)"', r"\1", json.dumps(whole)))


def us(time_ns):
    """µs with three digits behind the point, exact, once write() has taken the quotes away."""
    return f"@{time_ns // 1000}.{time_ns % 1000:03}"


def train_step(trace, number, at):
    """73 ms: data, forward, backward with a collective, optimizer."""
    late = trace.rank * 3_456_789
    trace.range(f"ProfilerStep#{number}", at, 73_400_000 + number, cat="user_annotation")
    trace.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at + 100_001, 31_234_567 + late,
                cat="user_annotation")
    at += 35_000_000
    trace.range("aten::to", at, 123_456)
    trace.copy("Memcpy HtoD (Pageable -> Device)", at + 5_000, 1_234_567, 19_267_584)
    trace.memory(at + 20_000, 19_267_584, 519_267_584)
    for layer in range(3):
        begin = at + 1_000_000 + layer * 3_000_000
        trace.range("aten::linear", begin, 2_345_678)
        trace.range("aten::addmm", begin + 10_000, 2_300_000, **{
            "Input Dims": [[1024], [4096, 1024], [1024, 1024], [], []],
            "Input type": ["c10::BFloat16"] * 3 + ["Scalar", "Scalar"], "Sequence number": number * 10 + layer})
        trace.kernel(GEMM, begin + 1_020_000, 1_456_789 + layer * 1111)
        trace.range("aten::layer_norm", begin + 2_400_000, 456_789, **{
            "Input Dims": [[4096, 1024], [], [1024], [1024], [], []],
            "Input type": ["float", "ScalarList", "float", "float", "Scalar", "Scalar"]})
        trace.kernel(NORM, begin + 2_420_000, 123_456, blocks=4096)
    at += 11_000_000
    for layer in range(3):
        begin = at + layer * 3_000_000
        trace.range("autograd::engine::evaluate_function: AddmmBackward0", begin, 2_800_000, BACKWARD,
                    **{"Sequence number": number * 10 + 2 - layer, "Fwd thread id": 1})
        trace.range("AddmmBackward0", begin + 10_000, 2_700_000, BACKWARD,
                    **{"Sequence number": number * 10 + 2 - layer, "Fwd thread id": 1})
        trace.kernel(GEMM, begin + 30_000, 2_345_678, BACKWARD)
    trace.range("nccl:all_reduce", at + 9_100_000, 234_567, BACKWARD, cat="user_annotation")
    trace.range("record_param_comms", at + 9_110_000, 200_000, BACKWARD, **COLLECTIVE)
    trace.kernel(REDUCE, at + 9_120_000, 6_345_678 - late, BACKWARD, 40, 8, **COLLECTIVE)
    trace.range("Optimizer.step#AdamW.step", at + 10_000_000, 4_567_890, cat="user_annotation")
    trace.range("aten::_foreach_add_", at + 10_500_000, 234_567)
    trace.copy("Memset (Device)", at + 10_520_000, 4_960, 6_291_456)
    trace.kernel(ADD, at + 10_600_000, 345_678, blocks=50176)
    trace.memory(at + 11_000_000, -19_267_584, 500_000_000)
    trace.range("aten::item", at + 16_000_000, 9_876_543)
    trace.range("aten::_local_scalar_dense", at + 16_001_000, 9_870_000)
    trace.copy("Memcpy DtoH (Device -> Pageable)", at + 16_010_000, 2_240, 4)
    trace.id += 1
    trace.add("X", "cuda_runtime", "cudaStreamSynchronize", at + 16_100_000, 9_765_432,
              args={"cbid": 131, "correlation": trace.id})


def train(rank):
    trace = Trace(rank)
    for number in (11, 12):
        train_step(trace, number, (number - 11) * 73_500_000)
    return trace


def serve():
    trace = Trace(0)
    for number in range(8):
        at = number * 12_345_678
        trace.range(f"request {number}", at, 9_876_543, cat="user_annotation")
        trace.range("aten::matmul", at + 50_000, 345_678, **{
            "Input Dims": [[32, 4096], [4096, 4096]], "Input type": ["c10::Half", "c10::Half"]})
        trace.kernel(GEMM, at + 60_000, 45_678 + number, blocks=64)
        trace.launch("cudaGraphLaunch", at + 1_000_000, 87_654, MAIN, NORM, 123_456, 2_345_678 + number * 1000)
        trace.copy("Memcpy DtoH (Device -> Pinned)", at + 5_000_000, 12_345, 262_144)
    return trace


def solver_thread(stream, first_ns):
    """Iterations of one thread: its ranges, marks, values and counters, line by line."""
    for number in range(6):
        at = first_ns + number * 20_123_456 + stream * 1_234
        yield f'event {stream} 0 {at} push name="iteration {number}" payload=u64:{number}'
        yield f'event {stream} 0 {at + 10_000} push name="solver::Grid<double, 3>::exchange_halo" domain="mpi"'
        yield f'event {stream} 0 {at + 3_456_789 + stream * 1_000_000} pop domain="mpi"'
        yield f'event {stream} 0 {at + 6_000_000} push name="solver::jacobi_sweep(solver::Grid<double, 3>&, int)"'
        yield f'event {stream} 0 {at + 17_654_321} pop'
        yield f'event {stream} 0 {at + 18_000_000} mark name="residual" payload=double:{1 / (number + 1):.6f}'
        yield f'event {stream} 0 {at + 18_001_000} sample id=16777216 payload=i64:{64 + number * stream}'
        yield f'event {stream} 0 {at + 19_000_000} pop'


def solver_log():
    lines = ['capture tool="text-log" pid=31337 ppid=31000 exe="/opt/solver/bin/solver" host="node17" argv="solver" '
             '"--grid 512" clock="monotonic" ticks_per_s=1000000000 rank=0 world_size=1',
             "clock ticks=1000000000 mono=1000000000 real=1785542400000000000 boot=1000000000 err=7",
             'def domain id=1 name="mpi"', 'def stream id=1 tid=31337 name="main"',
             'def stream id=2 tid=31338 name="worker 漢字"',
             'def counter id=16777216 name="queue length" detail=[17,"jobs",0,[[1,1,3],[5,2,0,"jobs",1,1,0,0,0]]]']
    for stream in (1, 2):
        lines += solver_thread(stream, 1_000_000_000)
    return lines


def cuda_log():
    """The solver, whose sweep runs on a GPU, with an allocation and a synchronization in each iteration."""
    lines = solver_log()
    lines += ['def stream id=3 parent=1 name="GPU"',
              'def device id=0 name="NVIDIA H100 80GB HBM3" '
              "detail=[9,0,132,64,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]",
              "def launch_shape id=1 detail=[1024,1,1,256,1,1,0,0,0,40,0,0,0,0,0,0]"]
    for number in range(6):
        at = 1_000_000_000 + number * 20_123_456 + 6_000_000
        corr = 1000 + number * 10
        lines += [
            f'event 3 0 {at + 1000} api name="cudaMalloc" dur=123456 tid=31337 corr={corr} kind=1',
            f"event 3 0 {at + 2000} memory kind=1 bytes=134217728 addr={4096 + number} device=0 context=1 corr={corr} src=3",
            f'event 3 0 {at + 200_000} api name="cudaMemcpyAsync" dur=23456 tid=31337 corr={corr + 1} kind=1',
            f"event 3 0 {at + 230_000} copy dur=2345678 context=1 queue=13 corr={corr + 1} kind=1 bytes=67108864 src=1 dst=3",
            f'event 3 0 {at + 300_000} api name="cudaLaunchKernel" dur=5678 tid=31337 corr={corr + 2} kind=1',
            f'event 3 0 {at + 2_700_000} kernel name="_ZN6solver6jacobiIdLi3EEEvPT_PKS1_i" dur={6_543_210 + number} '
            f"context=1 queue=7 corr={corr + 2} shape=1",
            f'event 3 0 {at + 400_000} api name="cudaStreamSynchronize" dur=9000000 tid=31337 corr={corr + 3} kind=1',
            f"event 3 0 {at + 400_000} gpu_sync dur=9000000 context=1 queue=7 corr={corr + 3} kind=3",
            f'event 3 0 {at + 9_500_000} api name="cudaFree" dur=98765 tid=31337 corr={corr + 4} kind=1',
            f"event 3 0 {at + 9_510_000} memory kind=2 bytes=134217728 addr={4096 + number} device=0 context=1 "
            f"corr={corr + 4} src=3",
        ]
    return lines


def main():
    folder = sys.argv[1]
    for rank in (0, 1):
        train(rank).write(os.path.join(folder, f"train-{rank}.json"))
    serve().write(os.path.join(folder, "serve.json"))
    for name, lines in (("solver", solver_log()), ("cuda", cuda_log())):
        with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + '\nend status="clean"\n')


main()
