# SPDX-License-Identifier: MIT
"""A small training loop of PyTorch: train.py [STEPS] [MODE] [OUT]

Each step is in a range "step", with "forward", "backward" and "update" inside. MODE: plain; emit (under
emit_nvtx); profile (no ranges, but torch.profiler, which prints "kernel NAME COUNT NS" for each kernel
and "kernels_ns N"); time (no ranges: nothing but the loop). Always prints "us_per_step N", over the
last half of the steps. With OUT, profile leaves the trace there. MODE graph replays instead a CUDA graph
of twelve layers that were captured in ranges "layer N", STEPS times, and prints "layers 12" alone.
"""
import contextlib
import json
import os
import sys
import tempfile
import time

try:
    import torch
except ImportError:
    sys.exit(77)
if not torch.cuda.is_available():
    sys.exit(77)


def make():
    torch.manual_seed(1)
    layers = []
    for _ in range(4):
        layers += [torch.nn.Linear(512, 512), torch.nn.ReLU()]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(512, 10)).cuda()
    return model, torch.optim.SGD(model.parameters(), lr=0.01), torch.randn(256, 512).cuda(), \
        torch.randint(0, 10, (256,)).cuda()


def run(steps, annotate):
    span = torch.cuda.nvtx.range if annotate else lambda _: contextlib.nullcontext()
    model, optimizer, data, target = make()
    half = 0
    for step in range(steps):
        if step == steps // 2:
            torch.cuda.synchronize()
            half = time.perf_counter_ns()
        with span("step"):
            with span("forward"):
                loss = torch.nn.functional.cross_entropy(model(data), target)
            with span("backward"):
                optimizer.zero_grad()
                loss.backward()
            with span("update"):
                optimizer.step()
    torch.cuda.synchronize()
    print("us_per_step %d" % ((time.perf_counter_ns() - half) / 1000 / max(1, steps - steps // 2)))


def profile(steps, out):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA,
                                            torch.profiler.ProfilerActivity.CPU]) as profiler:
        run(steps, False)
    path = out or os.path.join(tempfile.mkdtemp(), "trace.json")
    profiler.export_chrome_trace(path)
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    kernels = {}
    for event in events:
        if event.get("cat") == "kernel":
            count, ns = kernels.get(event["name"], (0, 0))
            kernels[event["name"]] = (count + 1, ns + round(event["dur"] * 1000))
    for name, (count, ns) in sorted(kernels.items()):
        print("kernel %d %d %s" % (count, ns, name))
    print("kernels_count %d" % sum(count for count, _ in kernels.values()))
    print("kernels_ns %d" % sum(ns for _, ns in kernels.values()))


def replay(steps):
    layers = [torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.GELU()).cuda() for _ in range(12)]
    data = torch.randn(512, 1024, device="cuda")

    def forward():
        x = data
        for number, layer in enumerate(layers):
            with torch.cuda.nvtx.range("layer %d" % number):
                x = layer(x)
        return x

    with torch.no_grad():
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            forward()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            forward()
        for step in range(steps):
            with torch.cuda.nvtx.range("serve"):
                graph.replay()
    torch.cuda.synchronize()
    print("layers %d" % len(layers))


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    mode = sys.argv[2] if len(sys.argv) > 2 else "plain"
    if mode == "profile":
        profile(steps, sys.argv[3] if len(sys.argv) > 3 else None)
    elif mode == "graph":
        replay(steps)
    elif mode == "emit":
        with torch.autograd.profiler.emit_nvtx(record_shapes=True):
            run(steps, True)
    else:
        run(steps, mode == "plain")


main()
