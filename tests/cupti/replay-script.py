#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a script for tests/cupti/replay.c from a trace of PyTorch.

usage: replay-script.py TRACE SCRIPT
Reads the trace by itself, so that it tests the analyzer's reader, too. Ranges are the annotations
of users and operators, in the same domains as in the analyzer. A call of the runtime that makes a
call of the driver gets one, like CUPTI's records of the driver's calls. Prints the facts of the
trace that the script can't hold, as "key count", and "rank N".
"""
import bisect
import collections
import decimal
import gzip
import json
import re
import sys

TWINS = {
    "cudaLaunchKernel": "cuLaunchKernel", "cudaLaunchKernelExC": "cuLaunchKernelEx", "cudaMemcpyAsync": "cuMemcpyHtoDAsync_v2",
    "cudaMemsetAsync": "cuMemsetD8Async", "cudaGraphLaunch": "cuGraphLaunch", "cudaStreamSynchronize": "cuStreamSynchronize",
    "cudaDeviceSynchronize": "cuCtxSynchronize", "cudaEventRecord": "cuEventRecord", "cudaMalloc": "cuMemAlloc_v2",
    "cudaLaunchCooperativeKernel": "cuLaunchCooperativeKernel", "cudaStreamWaitEvent": "cuStreamWaitEvent",
}
COPIES = ("HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP")
MEMORIES = ("Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static")
SYNCS = ("Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync")
RUNTIME, DRIVER = 2, 1  # domains
RECORD = {RUNTIME: 5, DRIVER: 4}


def ns(number):
    """µs as ns, exact, halves away from 0."""
    return int((decimal.Decimal(str(number)) * 1000).quantize(0, decimal.ROUND_HALF_UP))


def is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def count_of(value, other=0):
    """An unsigned 32-bit number, as CUPTI has them."""
    if is_number(value) or (isinstance(value, str) and re.fullmatch(r"-?\d+", value)):
        return max(0, min(int(value), 2**32 - 1))
    return other


def class_of(event):
    """What an event is."""
    phase, category = event.get("ph"), str(event.get("cat", "")).lower()
    if phase == "i":
        return "memory" if event.get("name") == "[memory]" else "instant"
    if phase != "X":
        return "other"
    if category in ("kernel", "mtia_ccp_events"):
        return "kernel"
    if category in ("gpu_memcpy", "memcpy"):
        return "copy"
    if category in ("gpu_memset", "memset"):
        return "set"
    if category == "cuda_sync":
        return "wait"
    if category == "runtime" or category.endswith("_runtime"):
        return "runtime"
    if category.endswith("_driver"):
        return "driver"
    if category in ("python_function", "gpu_user_annotation", "trace", "overhead", "cuda_profiler_range"):
        return "nothing"
    return "range"


class Script:
    def __init__(self):
        self.texts, self.functions, self.domains = {}, {}, {"": 0}
        self.lacks = collections.Counter()
        self.head, self.threads = [], []

    def text(self, text):
        if "\n" in text or "\0" in text:
            raise SystemExit(f"{text!r} can't stand in a line")
        return self.texts.setdefault(text, len(self.texts))

    def function(self, domain, name):
        numbers = self.functions.setdefault(domain, {})
        return numbers.setdefault(name, len(numbers) + 1)

    def domain(self, name):
        return self.domains.setdefault(name, len(self.domains))

    def call(self, domain, start, end, name, correlation, result=0, twin=None):
        return (f"c {RECORD[domain]} {start} {end} {self.function(domain, name)} {correlation} {result} "
                f"{self.function(DRIVER, twin) if twin else 0}")

    def write(self, path, length):
        lines = [f"L {length}"]
        for domain, names in self.functions.items():
            lines += [f"F {domain} {number} {self.text(name)}" for name, number in names.items()]
        lines += [f"D {self.text(name)}" for name, number in self.domains.items() if number != 0]
        body = [line for thread in self.threads for line in thread]
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as out:
            texts = ['"' + text for text in self.texts]
            for line in lines[:1] + texts + lines[1:] + self.head + body:
                out.write(line + "\n")


def nest(ranges, lacks):
    """Push and pop of (start, end, index, domain, text) on one thread: (time, is_push, order, line).

    A range that ends after the one in which it began crosses it. Push and pop can express this for
    two domains, but not for one.
    """
    lines, open_ranges = [], []

    def close(until):
        while open_ranges and open_ranges[-1][0] <= until:
            end, domain = open_ranges.pop()
            lines.append((end, f"> {end} {domain}"))

    for start, end, _, domain, text in sorted(ranges, key=lambda r: (r[0], -r[1], r[2])):
        close(start)
        if open_ranges and end > open_ranges[-1][0]:
            lacks["crossing"] += 1
            continue
        lines.append((start, f"< {start} {domain} {text}"))
        open_ranges.append((end, domain))
    close(float("inf"))
    return lines


def gpu_line(script, event, start, end, kind):
    args = event.get("args", {})
    correlation = count_of(args.get("correlation", args.get("correlationid")))
    place = (count_of(args.get("device"), count_of(event.get("pid"))), count_of(args.get("context")),
             count_of(args.get("stream"), count_of(event.get("tid"))))
    name = str(event.get("name", ""))
    if kind == "wait":
        stream = args.get("stream", -1)
        return place[0], place[1], correlation, "y %d %d %d %d %d %d %d" % (
            start, end, SYNCS.index(name) + 1, place[1], 2**32 - 1 if int(stream) < 0 else int(stream), correlation,
            count_of(args.get("wait_on_cuda_event_id")))
    line = "%d %d %d %d %d %d %d %d" % (start, end, *place, correlation, count_of(args.get("graph id")),
                                        max(0, int(args.get("graph node id", 0))))
    if kind == "kernel":
        dims = [max(0, int(value)) for key in ("grid", "block") for value in args.get(key) or (0, 0, 0)]
        if not args.get("grid"):
            script.lacks["kernels without grid"] += 1
        line = "k " + line + " %d %s %d %d" % (script.text(name), " ".join(map(str, dims)),
                                              count_of(args.get("registers per thread")), count_of(args.get("shared memory")))
    else:
        size = max(0, int(args.get("bytes", 0)))
        inside = re.search(r"\(([^)]*)\)", name)
        memories = [MEMORIES.index(word) + 1 if word in MEMORIES else 0
                    for word in (inside.group(1).split(" -> ") if inside else [])]
        if kind == "copy":
            copy = [number + 1 for number, word in enumerate(COPIES) if word in name] or [0]
            memories = ([0, 0] + memories)[-2:]
            line = "m " + line + " %d %d %d %d" % (size, copy[0], memories[0], memories[1])
        else:
            line = "s " + line + " %d %d" % (size, (memories or [0])[-1])
    return place[0], place[1], correlation, line


def describe(script, trace):
    devices = trace.get("deviceProperties", []) if isinstance(trace, dict) else []
    for device in devices:
        if "sharedMemPerBlockOptin" in device:
            script.head.append(f"A 97 {device['sharedMemPerBlockOptin']}")
        warp = device.get("warpSize", 32)
        script.lacks["devices without name"] += not device.get("name")
        script.head.append("G " + " ".join(str(number) for number in (
            device.get("id", 0), script.text(str(device.get("name", ""))), device.get("totalGlobalMem", 0), warp,
            device.get("numSms", 0), device.get("maxThreadsPerMultiprocessor", 0) // max(1, warp), 0,
            device.get("maxThreadsPerBlock", 0), device.get("regsPerMultiprocessor", 0), device.get("regsPerBlock", 0),
            device.get("sharedMemPerMultiprocessor", 0), device.get("sharedMemPerBlock", 0),
            device.get("computeMajor", 0), device.get("computeMinor", 0))))
    script.head.append("A 111 0")
    if not devices:
        script.lacks["no deviceProperties"] = 1


def make(trace):
    script = Script()
    events = [event for event in (trace if isinstance(trace, list) else trace["traceEvents"]) if isinstance(event, dict)]
    timed = [(event, class_of(event), ns(event["ts"])) for event in events
             if "ts" in event and event.get("ph") not in ("s", "t", "f", "M")]
    zero = min(time for _, _, time in timed)
    last, contexts, drivers = 0, {}, set()
    ranges, calls, work = (collections.defaultdict(list) for _ in range(3))
    describe(script, trace)
    for event, kind, time in timed:
        if kind == "driver":
            drivers.add(event.get("args", {}).get("correlation"))
    for index, (event, kind, time) in enumerate(timed):
        thread = (str(event.get("pid")), str(event.get("tid")))
        start = time - zero
        end = start + max(0, ns(event.get("dur", 0)))
        if kind in ("kernel", "copy", "set", "wait"):
            device, context, correlation, line = gpu_line(script, event, start, end, kind)
            contexts.setdefault(context, device)
            work[correlation].append(line)
        elif kind == "range":
            category = event.get("cat", "")
            domain = script.domain("" if category.lower() == "user_annotation" else category)
            ranges[thread].append((start, end, index, domain, script.text(event.get("name", ""))))
        elif kind in ("runtime", "driver"):
            args = event.get("args", {})
            correlation = count_of(args.get("correlation", args.get("correlationid")))
            domain = RUNTIME if kind == "runtime" else DRIVER
            has_twin = domain == RUNTIME and correlation not in drivers
            calls[thread].append((start, correlation, script.call(
                domain, start, end, event["name"], correlation, count_of(args.get("result", 0)),
                TWINS.get(event["name"]) if has_twin else None)))
        if kind != "nothing" and kind != "instant":
            last = max(last, end)
    for context, device in sorted(contexts.items()):
        script.head.append(f"C {context} {device}")
    for thread in sorted(set(ranges) | set(calls), key=lambda t: [(0, int(w), "") if re.fullmatch(r"-?\d+", w) else (1, 0, w) for w in t]):
        lines = [(time, 0, line) for time, line in nest(ranges[thread], script.lacks)]
        for start, correlation, line in calls[thread]:
            lines += [(start, 1, each) for each in [line] + work.pop(correlation, [])]
        script.threads.append([f"Tthread {thread[1]}"[:16]] + [line for _, _, line in sorted(lines, key=lambda l: l[:2])])
    rest = [line for lines in work.values() for line in lines]
    if rest:
        script.threads.append(["Tno call"] + rest)
    return script, last


def main():
    with gzip.open(sys.argv[1], "rt", encoding="utf-8", errors="surrogateescape") as file:
        trace = json.load(file, parse_float=decimal.Decimal)
    script, length = make(trace)
    script.write(sys.argv[2], length)
    if isinstance(trace, dict) and "rank" in trace.get("distributedInfo", {}):
        print("rank", trace["distributedInfo"]["rank"])
    for key, count in sorted(script.lacks.items()):
        if count > 0:
            print(key, count)


main()
